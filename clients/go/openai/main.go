// openai-go: chat completions, with the assistant turn appended as the SDK converts it.
package main

import (
	"context"
	"errors"

	"dragoman/clients/driver"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
)

var client = openai.NewClient(option.WithBaseURL(driver.Root+"/api/v1"), option.WithAPIKey(driver.Key))
var params = openai.ChatCompletionNewParams{Model: driver.Model}

func main() {
	if driver.Tools {
		params.ReasoningEffort = openai.ReasoningEffortMedium
		params.Tools = []openai.ChatCompletionToolUnionParam{openai.ChatCompletionFunctionTool(openai.FunctionDefinitionParam{
			Name:        driver.ToolName,
			Description: openai.String(driver.ToolDescription),
			Parameters: openai.FunctionParameters{
				"type": "object", "properties": driver.CitySchema, "required": []string{"city"},
			},
		})}
	}
	driver.Run(say, func(err error) int {
		var failure *openai.Error
		if errors.As(err, &failure) {
			return failure.StatusCode
		}
		return 0
	})
}

func say(ctx context.Context, text string) (string, error) {
	params.Messages = append(params.Messages, openai.UserMessage(text))
	for {
		completion, err := complete(ctx)
		if err != nil {
			return "", err
		}
		message := completion.Choices[0].Message
		params.Messages = append(params.Messages, message.ToParam())
		if len(message.ToolCalls) == 0 {
			return message.Content, nil
		}
		for _, call := range message.ToolCalls {
			result := driver.Weather(call.Function.Arguments)
			params.Messages = append(params.Messages, openai.ToolMessage(result, call.ID))
		}
	}
}

func complete(ctx context.Context) (*openai.ChatCompletion, error) {
	if !driver.Stream {
		return client.Chat.Completions.New(ctx, params)
	}
	stream := client.Chat.Completions.NewStreaming(ctx, params)
	defer stream.Close()
	whole := openai.ChatCompletionAccumulator{}
	for stream.Next() {
		chunk := stream.Current()
		whole.AddChunk(chunk)
		if len(chunk.Choices) == 0 {
			continue
		}
		if err := driver.Piece(chunk.Choices[0].Delta.Content); err != nil {
			return nil, err
		}
	}
	return &whole.ChatCompletion, stream.Err()
}
