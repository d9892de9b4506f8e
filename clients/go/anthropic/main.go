// anthropic-sdk-go: messages, with the assistant turn appended as the SDK converts it.
package main

import (
	"context"
	"errors"

	"dragoman/clients/driver"

	"github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/option"
)

var client = anthropic.NewClient(option.WithBaseURL(driver.Root+"/api/anthropic"), option.WithAPIKey(driver.Key))
var params = anthropic.MessageNewParams{Model: anthropic.Model(driver.Model), MaxTokens: 4096}

func main() {
	if driver.Tools {
		params.Thinking = anthropic.ThinkingConfigParamOfEnabled(2048)
		params.Tools = []anthropic.ToolUnionParam{{OfTool: &anthropic.ToolParam{
			Name:        driver.ToolName,
			Description: anthropic.String(driver.ToolDescription),
			InputSchema: anthropic.ToolInputSchemaParam{Properties: driver.CitySchema, Required: []string{"city"}},
		}}}
	}
	driver.Run(say, func(err error) int {
		var failure *anthropic.Error
		if errors.As(err, &failure) {
			return failure.StatusCode
		}
		return 0
	})
}

func say(ctx context.Context, text string) (string, error) {
	params.Messages = append(params.Messages, anthropic.NewUserMessage(anthropic.NewTextBlock(text)))
	for {
		message, err := ask(ctx)
		if err != nil {
			return "", err
		}
		params.Messages = append(params.Messages, message.ToParam())
		var results []anthropic.ContentBlockParamUnion
		answer := ""
		for _, block := range message.Content {
			switch block := block.AsAny().(type) {
			case anthropic.TextBlock:
				answer += block.Text
			case anthropic.ToolUseBlock:
				results = append(results, anthropic.NewToolResultBlock(block.ID, driver.Weather(string(block.Input)), false))
			}
		}
		if len(results) == 0 {
			return answer, nil
		}
		params.Messages = append(params.Messages, anthropic.NewUserMessage(results...))
	}
}

func ask(ctx context.Context) (*anthropic.Message, error) {
	if !driver.Stream {
		return client.Messages.New(ctx, params)
	}
	stream := client.Messages.NewStreaming(ctx, params)
	defer stream.Close()
	message := &anthropic.Message{}
	for stream.Next() {
		event := stream.Current()
		if err := message.Accumulate(event); err != nil {
			return nil, err
		}
		if err := driver.Piece(event.Delta.Text); err != nil {
			return nil, err
		}
	}
	return message, stream.Err()
}
