import com.anthropic.client.AnthropicClient;
import com.anthropic.client.okhttp.AnthropicOkHttpClient;
import com.anthropic.core.JsonValue;
import com.anthropic.core.http.StreamResponse;
import com.anthropic.errors.AnthropicServiceException;
import com.anthropic.helpers.MessageAccumulator;
import com.anthropic.models.messages.ContentBlock;
import com.anthropic.models.messages.ContentBlockParam;
import com.anthropic.models.messages.Message;
import com.anthropic.models.messages.MessageCreateParams;
import com.anthropic.models.messages.RawMessageStreamEvent;
import com.anthropic.models.messages.Tool;
import com.anthropic.models.messages.ToolResultBlockParam;
import com.fasterxml.jackson.core.type.TypeReference;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** anthropic-java: messages, with the assistant turn added as the SDK returned it. */
public final class Anthropic {
    private static final Tool GET_WEATHER = Tool.builder()
            .name("get_weather")
            .description("Returns the weather in a city.")
            .inputSchema(Tool.InputSchema.builder()
                    .properties(JsonValue.from(Map.of("city", Map.of("type", "string"))))
                    .putAdditionalProperty("required", JsonValue.from(List.of("city")))
                    .build())
            .build();

    private static final TypeReference<Map<String, String>> ARGUMENTS = new TypeReference<>() {};
    private static final AnthropicClient CLIENT =
            AnthropicOkHttpClient.builder().baseUrl(Driver.ROOT + "/api/anthropic").apiKey(Driver.KEY).build();
    private static final MessageCreateParams.Builder PARAMS =
            MessageCreateParams.builder().model(Driver.MODEL).maxTokens(4096);

    public static void main(String[] arguments) throws Exception {
        if (Driver.TOOLS) PARAMS.addTool(GET_WEATHER).enabledThinking(2048);
        Driver.run(
                Anthropic::say, error -> error instanceof AnthropicServiceException failure ? failure.statusCode() : 0);
    }

    private static String say(String text) {
        PARAMS.addUserMessage(text);
        while (true) {
            Message message = ask();
            PARAMS.addMessage(message);
            List<ContentBlockParam> results = message.content().stream()
                    .flatMap(block -> block.toolUse().stream())
                    .map(call -> ToolResultBlockParam.builder()
                            .toolUseId(call.id())
                            .content(Driver.get_weather(call._input().convert(ARGUMENTS).get("city")))
                            .build())
                    .map(ContentBlockParam::ofToolResult)
                    .toList();
            if (results.isEmpty()) return textOf(message.content());
            PARAMS.addUserMessageOfContentBlockParams(results);
        }
    }

    private static String textOf(List<ContentBlock> content) {
        return content.stream()
                .flatMap(block -> block.text().stream())
                .map(block -> block.text())
                .collect(Collectors.joining());
    }

    private static Message ask() {
        if (!Driver.STREAM) return CLIENT.messages().create(PARAMS.build());
        MessageAccumulator whole = MessageAccumulator.create();
        try (StreamResponse<RawMessageStreamEvent> stream = CLIENT.messages().createStreaming(PARAMS.build())) {
            stream.stream()
                    .peek(whole::accumulate)
                    .flatMap(event -> event.contentBlockDelta().stream())
                    .flatMap(delta -> delta.delta().text().stream())
                    .forEach(delta -> Driver.piece(delta.text()));
        }
        return whole.message();
    }
}
