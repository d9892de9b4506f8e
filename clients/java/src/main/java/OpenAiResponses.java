import com.openai.core.http.StreamResponse;
import com.openai.helpers.ResponseAccumulator;
import com.openai.models.Reasoning;
import com.openai.models.ReasoningEffort;
import com.openai.models.responses.EasyInputMessage;
import com.openai.models.responses.Response;
import com.openai.models.responses.ResponseCreateParams;
import com.openai.models.responses.ResponseFunctionToolCall;
import com.openai.models.responses.ResponseInputItem;
import com.openai.models.responses.ResponseOutputItem;
import com.openai.models.responses.ResponseStreamEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Responses, with the items of an answer added as the SDK returned them. */
final class OpenAiResponses implements Driver.Conversation {
    private final ResponseCreateParams.Builder params = ResponseCreateParams.builder().model(Driver.MODEL);
    private final List<ResponseInputItem> input = new ArrayList<>();

    OpenAiResponses() {
        if (!Driver.TOOLS) return;
        params.addTool(OpenAi.GetWeather.class)
                .reasoning(Reasoning.builder().effort(ReasoningEffort.MEDIUM).summary(Reasoning.Summary.AUTO).build());
    }

    @Override
    public String say(String text) {
        input.add(ResponseInputItem.ofEasyInputMessage(
                EasyInputMessage.builder().role(EasyInputMessage.Role.USER).content(text).build()));
        while (true) {
            List<ResponseOutputItem> output = create().output();
            output.forEach(item -> input.add(inputOf(item)));
            List<ResponseFunctionToolCall> calls =
                    output.stream().flatMap(item -> item.functionCall().stream()).toList();
            if (calls.isEmpty()) return textOf(output);
            for (ResponseFunctionToolCall call : calls) {
                String result = Driver.get_weather(call.arguments(OpenAi.GetWeather.class).city);
                input.add(ResponseInputItem.ofFunctionCallOutput(ResponseInputItem.FunctionCallOutput.builder()
                        .callId(call.callId())
                        .output(result)
                        .build()));
            }
        }
    }

    private Response create() {
        var responses = OpenAi.CLIENT.responses();
        params.inputOfResponse(input);
        if (!Driver.STREAM) return responses.create(params.build());
        ResponseAccumulator whole = ResponseAccumulator.create();
        try (StreamResponse<ResponseStreamEvent> stream = responses.createStreaming(params.build())) {
            stream.stream()
                    .peek(whole::accumulate)
                    .flatMap(event -> event.outputTextDelta().stream())
                    .forEach(event -> Driver.piece(event.delta()));
        }
        return whole.response();
    }

    private static ResponseInputItem inputOf(ResponseOutputItem item) {
        if (item.isMessage()) return ResponseInputItem.ofResponseOutputMessage(item.asMessage());
        if (item.isReasoning()) return ResponseInputItem.ofReasoning(item.asReasoning());
        return ResponseInputItem.ofFunctionCall(item.asFunctionCall());
    }

    private static String textOf(List<ResponseOutputItem> output) {
        return output.stream()
                .flatMap(item -> item.message().stream())
                .flatMap(message -> message.content().stream())
                .flatMap(content -> content.outputText().stream())
                .map(text -> text.text())
                .collect(Collectors.joining());
    }
}
