import com.google.genai.Chat;
import com.google.genai.Client;
import com.google.genai.ResponseStream;
import com.google.genai.errors.ApiException;
import com.google.genai.types.GenerateContentConfig;
import com.google.genai.types.GenerateContentResponse;
import com.google.genai.types.HttpOptions;
import com.google.genai.types.ThinkingConfig;
import com.google.genai.types.Tool;

/** google-genai: a chat with automatic function calling. */
public final class GenAi {
    private static final Client CLIENT = Client.builder()
            .vertexAI(true)
            .apiKey(Driver.KEY)
            .httpOptions(HttpOptions.builder().baseUrl(Driver.ROOT + "/api/vertex-ai").apiVersion("v1").build())
            .build();

    private static Chat chat;

    public static void main(String[] arguments) throws Exception {
        chat = CLIENT.chats.create(Driver.MODEL, config());
        Driver.run(GenAi::say, error -> error instanceof ApiException failure ? failure.code() : 0);
    }

    private static GenerateContentConfig config() throws NoSuchMethodException {
        if (!Driver.TOOLS) return GenerateContentConfig.builder().build();
        return GenerateContentConfig.builder()
                .tools(Tool.builder().functions(Driver.class.getMethod("get_weather", String.class)).build())
                .thinkingConfig(ThinkingConfig.builder().includeThoughts(true).thinkingBudget(2048).build())
                .build();
    }

    private static String say(String text) {
        if (!Driver.STREAM) return chat.sendMessage(text).text();
        StringBuilder answer = new StringBuilder();
        try (ResponseStream<GenerateContentResponse> stream = chat.sendMessageStream(text)) {
            for (GenerateContentResponse chunk : stream) {
                String piece = chunk.text() == null ? "" : chunk.text();
                answer.append(piece);
                Driver.piece(piece);
            }
        }
        return answer.toString();
    }
}
