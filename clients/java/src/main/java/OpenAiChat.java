import com.openai.core.http.StreamResponse;
import com.openai.helpers.ChatCompletionAccumulator;
import com.openai.models.ReasoningEffort;
import com.openai.models.chat.completions.ChatCompletion;
import com.openai.models.chat.completions.ChatCompletionChunk;
import com.openai.models.chat.completions.ChatCompletionCreateParams;
import com.openai.models.chat.completions.ChatCompletionMessage;
import com.openai.models.chat.completions.ChatCompletionMessageToolCall;
import com.openai.models.chat.completions.ChatCompletionToolMessageParam;
import java.util.List;

/** Chat completions, with the assistant turn added as the SDK returned it. */
final class OpenAiChat implements Driver.Conversation {
    private final ChatCompletionCreateParams.Builder params = ChatCompletionCreateParams.builder().model(Driver.MODEL);

    OpenAiChat() {
        if (Driver.TOOLS) params.addTool(OpenAi.GetWeather.class).reasoningEffort(ReasoningEffort.MEDIUM);
    }

    @Override
    public String say(String text) {
        params.addUserMessage(text);
        while (true) {
            ChatCompletionMessage message = complete().choices().get(0).message();
            params.addMessage(message);
            List<ChatCompletionMessageToolCall> calls = message.toolCalls().orElse(List.of());
            if (calls.isEmpty()) return message.content().orElse("");
            for (ChatCompletionMessageToolCall call : calls) {
                var function = call.asFunction();
                String result = Driver.get_weather(function.function().arguments(OpenAi.GetWeather.class).city);
                params.addMessage(
                        ChatCompletionToolMessageParam.builder().toolCallId(function.id()).content(result).build());
            }
        }
    }

    private ChatCompletion complete() {
        var completions = OpenAi.CLIENT.chat().completions();
        if (!Driver.STREAM) return completions.create(params.build());
        ChatCompletionAccumulator whole = ChatCompletionAccumulator.create();
        try (StreamResponse<ChatCompletionChunk> stream = completions.createStreaming(params.build())) {
            stream.stream()
                    .peek(whole::accumulate)
                    .flatMap(chunk -> chunk.choices().stream())
                    .flatMap(choice -> choice.delta().content().stream())
                    .forEach(Driver::piece);
        }
        return whole.chatCompletion();
    }
}
