package main

import (
	"context"

	"dragoman/clients/driver"

	"github.com/openai/openai-go/v3"
)

// chat has the assistant's turns appended as the SDK converts them.
func chat() say {
	params := openai.ChatCompletionNewParams{Model: driver.Model}
	if driver.Tools {
		params.ReasoningEffort = openai.ReasoningEffortMedium
		params.Tools = []openai.ChatCompletionToolUnionParam{openai.ChatCompletionFunctionTool(openai.FunctionDefinitionParam{
			Name:        driver.ToolName,
			Description: openai.String(driver.ToolDescription),
			Parameters:  citySchema,
		})}
	}
	return func(ctx context.Context, text string) (string, error) {
		params.Messages = append(params.Messages, openai.UserMessage(text))
		for {
			completion, err := complete(ctx, params)
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
}

func complete(ctx context.Context, params openai.ChatCompletionNewParams) (*openai.ChatCompletion, error) {
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
