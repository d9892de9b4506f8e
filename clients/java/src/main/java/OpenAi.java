import com.fasterxml.jackson.annotation.JsonClassDescription;
import com.openai.client.OpenAIClient;
import com.openai.client.okhttp.OpenAIOkHttpClient;
import com.openai.errors.OpenAIServiceException;

/** openai-java: chat completions and Responses. */
public final class OpenAi {
    @JsonClassDescription("Returns the weather in a city.")
    public static final class GetWeather {
        public String city;
    }

    static final OpenAIClient CLIENT =
            OpenAIOkHttpClient.builder().baseUrl(Driver.ROOT + "/api/v1").apiKey(Driver.KEY).build();

    public static void main(String[] arguments) throws Exception {
        Driver.Conversation conversation =
                switch (Driver.PROTOCOL) {
                    case "responses" -> new OpenAiResponses();
                    default -> new OpenAiChat();
                };
        Driver.run(conversation, error -> error instanceof OpenAIServiceException failure ? failure.statusCode() : 0);
    }
}
