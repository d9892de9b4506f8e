import com.google.common.collect.ImmutableList;
import com.google.genai.Chat;
import com.google.genai.Client;
import com.google.genai.ResponseStream;
import com.google.genai.errors.ApiException;
import com.google.genai.types.Content;
import com.google.genai.types.FunctionCall;
import com.google.genai.types.FunctionResponse;
import com.google.genai.types.GenerateContentConfig;
import com.google.genai.types.GenerateContentResponse;
import com.google.genai.types.HttpOptions;
import com.google.genai.types.Part;
import com.google.genai.types.ThinkingConfig;
import com.google.genai.types.Tool;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

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

    /** Functions are called automatically in whole answers. In streams the driver calls them. */
    private static String say(String text) {
        if (!Driver.STREAM) return chat.sendMessage(text).text();
        Content message = Content.fromParts(Part.fromText(text));
        while (true) {
            StringBuilder answer = new StringBuilder();
            List<Part> results = new ArrayList<>();
            try (ResponseStream<GenerateContentResponse> stream = chat.sendMessageStream(message)) {
                for (GenerateContentResponse chunk : stream) {
                    for (FunctionCall call : Optional.ofNullable(chunk.functionCalls()).orElse(ImmutableList.of()))
                        results.add(resultOf(call));
                    String piece = Optional.ofNullable(chunk.text()).orElse("");
                    answer.append(piece);
                    Driver.piece(piece);
                }
            }
            if (results.isEmpty()) return answer.toString();
            message = Content.builder().role("user").parts(results).build();
        }
    }

    private static Part resultOf(FunctionCall call) {
        String city = String.valueOf(call.args().orElseThrow().get("city"));
        FunctionResponse.Builder response = FunctionResponse.builder()
                .name(call.name().orElseThrow())
                .response(Map.of("result", Driver.get_weather(city)));
        call.id().ifPresent(response::id);
        return Part.builder().functionResponse(response.build()).build();
    }
}
