// Package driver has what all Go drivers share: the variables of the harness, the prompts, the tool, and the last line.
package driver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
)

var (
	Root     = os.Getenv("CLIENT_BASE_URL")
	Key      = os.Getenv("CLIENT_KEY")
	Model    = os.Getenv("CLIENT_MODEL")
	Protocol = os.Getenv("CLIENT_PROTOCOL")
	Scenario = os.Getenv("CLIENT_SCENARIO")
	Stream   = os.Getenv("CLIENT_STREAM") == "1"
	Tools    = Scenario == "tools" || Scenario == "session"
)

const ToolName = "get_weather"
const ToolDescription = "Returns the weather in a city."

// CitySchema is the JSON Schema of the arguments of the tool.
var CitySchema = map[string]any{"city": map[string]any{"type": "string"}}

var calls int

// ErrAborted leaves the loop over a stream.
var ErrAborted = errors.New("aborted")

// Failure is the error of a client, with the status that the client reports.
type Failure struct {
	Status  int    `json:"status,omitempty"`
	Type    string `json:"type"`
	Message string `json:"message"`
}

// Weather runs the tool.
func Weather(arguments string) string {
	var input struct{ City string }
	if err := json.Unmarshal([]byte(arguments), &input); err != nil {
		return err.Error()
	}
	calls++
	return fmt.Sprintf("Sunny in %s", input.City)
}

// Piece takes a piece of streamed text. In the abort scenario the first one ends the call.
func Piece(text string) error {
	if Scenario == "abort" && text != "" {
		return ErrAborted
	}
	return nil
}

// Run sends the prompts of the scenario in one conversation and prints the last answer or the error.
func Run(say func(ctx context.Context, text string) (string, error), statusOf func(error) int) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	report := map[string]any{}
	for _, prompt := range prompts() {
		text, err := say(ctx, prompt)
		report["text"] = text
		if err != nil && !errors.Is(err, ErrAborted) {
			report["error"] = Failure{Status: statusOf(err), Type: fmt.Sprintf("%T", err), Message: err.Error()}
			break
		}
	}
	report["calls"] = calls
	line, _ := json.Marshal(report)
	fmt.Printf("\n%s\n", line)
}

func prompts() []string {
	const question = "Why is the sky blue?"
	const weather = "What is the weather in Paris and in Rome?"
	switch Scenario {
	case "tools":
		return []string{weather}
	case "session":
		return []string{question, weather, "And at night?", "And on Mars?"}
	default:
		return []string{question}
	}
}
