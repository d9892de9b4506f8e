// Google's genai for Go: a chat, whose history the SDK keeps.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"log"

	"dragoman/clients/driver"

	"google.golang.org/genai"
)

var chat *genai.Chat

func main() {
	ctx := context.Background()
	client, err := genai.NewClient(ctx, &genai.ClientConfig{
		Backend:     genai.BackendVertexAI,
		APIKey:      driver.Key,
		HTTPOptions: genai.HTTPOptions{BaseURL: driver.Root + "/api/vertex-ai", APIVersion: "v1"},
	})
	if err != nil {
		log.Fatal(err)
	}
	chat, err = client.Chats.Create(ctx, driver.Model, config(), nil)
	if err != nil {
		log.Fatal(err)
	}
	driver.Run(say, func(err error) int {
		var failure genai.APIError
		if errors.As(err, &failure) {
			return failure.Code
		}
		return 0
	})
}

func config() *genai.GenerateContentConfig {
	if !driver.Tools {
		return nil
	}
	return &genai.GenerateContentConfig{
		ThinkingConfig: &genai.ThinkingConfig{IncludeThoughts: true, ThinkingBudget: genai.Ptr[int32](2048)},
		Tools: []*genai.Tool{{FunctionDeclarations: []*genai.FunctionDeclaration{{
			Name:        driver.ToolName,
			Description: driver.ToolDescription,
			Parameters: &genai.Schema{
				Type:       genai.TypeObject,
				Properties: map[string]*genai.Schema{"city": {Type: genai.TypeString}},
				Required:   []string{"city"},
			},
		}}}},
	}
}

func say(ctx context.Context, text string) (string, error) {
	parts := []genai.Part{{Text: text}}
	for {
		answer, calls, err := send(ctx, parts)
		if err != nil || len(calls) == 0 {
			return answer, err
		}
		parts = nil
		for _, call := range calls {
			arguments, _ := json.Marshal(call.Args)
			parts = append(parts, genai.Part{FunctionResponse: &genai.FunctionResponse{
				ID: call.ID, Name: call.Name, Response: map[string]any{"output": driver.Weather(string(arguments))},
			}})
		}
	}
}

func send(ctx context.Context, parts []genai.Part) (string, []*genai.FunctionCall, error) {
	if !driver.Stream {
		response, err := chat.SendMessage(ctx, parts...)
		if err != nil {
			return "", nil, err
		}
		return response.Text(), response.FunctionCalls(), nil
	}
	text := ""
	var calls []*genai.FunctionCall
	for chunk, err := range chat.SendMessageStream(ctx, parts...) {
		if err != nil {
			return "", nil, err
		}
		text += chunk.Text()
		calls = append(calls, chunk.FunctionCalls()...)
		if err := driver.Piece(chunk.Text()); err != nil {
			return "", nil, err
		}
	}
	return text, calls, nil
}
