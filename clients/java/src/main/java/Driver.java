import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToIntFunction;

/** What all Java drivers share: the variables of the harness, the prompts, the tool, and the last line. */
public final class Driver {
    static final String ROOT = System.getenv("CLIENT_BASE_URL");
    static final String KEY = System.getenv("CLIENT_KEY");
    static final String MODEL = System.getenv("CLIENT_MODEL");
    static final String PROTOCOL = System.getenv("CLIENT_PROTOCOL");
    static final String SCENARIO = System.getenv("CLIENT_SCENARIO");
    static final boolean STREAM = "1".equals(System.getenv("CLIENT_STREAM"));
    static final boolean TOOLS = List.of("tools", "session").contains(SCENARIO);

    private static final String QUESTION = "Why is the sky blue?";
    private static final String WEATHER = "What is the weather in Paris and in Rome?";
    private static int calls = 0;

    private Driver() {}

    interface Conversation {
        String say(String text) throws Exception;
    }

    /** Leaves the loop over a stream. */
    static final class Aborted extends RuntimeException {}

    /** The tool: returns the weather in a city. */
    public static String get_weather(String city) {
        calls++;
        return "Sunny in " + city;
    }

    /** Takes a piece of streamed text. In the abort scenario the first one ends the call. */
    static void piece(String text) {
        if ("abort".equals(SCENARIO) && !text.isEmpty()) throw new Aborted();
    }

    /** Sends the prompts of the scenario in one conversation and prints the last answer or the error. */
    static void run(Conversation conversation, ToIntFunction<Throwable> statusOf) throws Exception {
        Map<String, Object> report = new LinkedHashMap<>();
        report.put("text", "");
        try {
            for (String prompt : prompts()) report.put("text", conversation.say(prompt));
        } catch (Aborted aborted) {
            report.put("text", "");
        } catch (Exception error) {
            Map<String, Object> failure = new LinkedHashMap<>();
            int status = statusOf.applyAsInt(error);
            if (status != 0) failure.put("status", status);
            failure.put("type", error.getClass().getSimpleName());
            failure.put("message", String.valueOf(error.getMessage()));
            report.put("error", failure);
        }
        report.put("calls", calls);
        System.out.println("\n" + new ObjectMapper().writeValueAsString(report));
        System.exit(0);
    }

    private static List<String> prompts() {
        return switch (SCENARIO) {
            case "tools" -> List.of(WEATHER);
            case "session" -> List.of(QUESTION, WEATHER, "And at night?", "And on Mars?");
            default -> List.of(QUESTION);
        };
    }
}
