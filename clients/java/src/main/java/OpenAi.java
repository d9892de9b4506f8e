import com.fasterxml.jackson.annotation.JsonClassDescription;
import com.openai.client.OpenAIClient;
import com.openai.client.okhttp.OpenAIOkHttpClient;
import com.openai.core.http.StreamResponse;
import com.openai.errors.OpenAIServiceException;
import com.openai.helpers.ChatCompletionAccumulator;
import com.openai.models.ReasoningEffort;
import com.openai.models.chat.completions.ChatCompletion;
import com.openai.models.chat.completions.ChatCompletionChunk;
import com.openai.models.chat.completions.ChatCompletionCreateParams;
import com.openai.models.chat.completions.ChatCompletionMessage;
import com.openai.models.chat.completions.ChatCompletionMessageToolCall;
import com.openai.models.chat.completions.ChatCompletionToolMessageParam;
import java.util.List;

/** openai-java: chat completions, with the assistant turn added as the SDK returned it. */
public final class OpenAi {
    @JsonClassDescription("Returns the weather in a city.")
    public static final class GetWeather {
        public String city;
    }

    private static final OpenAIClient CLIENT =
            OpenAIOkHttpClient.builder().baseUrl(Driver.ROOT + "/api/v1").apiKey(Driver.KEY).build();
    private static final ChatCompletionCreateParams.Builder PARAMS =
            ChatCompletionCreateParams.builder().model(Driver.MODEL);

    public static void main(String[] arguments) throws Exception {
        if (Driver.TOOLS) PARAMS.addTool(GetWeather.class).reasoningEffort(ReasoningEffort.MEDIUM);
        Driver.run(OpenAi::say, error -> error instanceof OpenAIServiceException failure ? failure.statusCode() : 0);
    }

    private static String say(String text) {
        PARAMS.addUserMessage(text);
        while (true) {
            ChatCompletionMessage message = complete().choices().get(0).message();
            PARAMS.addMessage(message);
            List<ChatCompletionMessageToolCall> calls = message.toolCalls().orElse(List.of());
            if (calls.isEmpty()) return message.content().orElse("");
            for (ChatCompletionMessageToolCall call : calls) {
                var function = call.asFunction();
                String result = Driver.get_weather(function.function().arguments(GetWeather.class).city);
                PARAMS.addMessage(
                        ChatCompletionToolMessageParam.builder().toolCallId(function.id()).content(result).build());
            }
        }
    }

    private static ChatCompletion complete() {
        if (!Driver.STREAM) return CLIENT.chat().completions().create(PARAMS.build());
        ChatCompletionAccumulator whole = ChatCompletionAccumulator.create();
        try (StreamResponse<ChatCompletionChunk> stream = CLIENT.chat().completions().createStreaming(PARAMS.build())) {
            stream.stream()
                    .peek(whole::accumulate)
                    .flatMap(chunk -> chunk.choices().stream())
                    .flatMap(choice -> choice.delta().content().stream())
                    .forEach(Driver::piece);
        }
        return whole.chatCompletion();
    }
}
