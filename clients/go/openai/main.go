// openai-go: chat completions and Responses.
package main

import (
	"context"
	"errors"

	"dragoman/clients/driver"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
)

// say sends a prompt of a conversation and returns the answer.
type say = func(ctx context.Context, text string) (string, error)

var client = openai.NewClient(option.WithBaseURL(driver.Root+"/api/v1"), option.WithAPIKey(driver.Key))
var citySchema = map[string]any{"type": "object", "properties": driver.CitySchema, "required": []string{"city"}}

func main() {
	conversation := map[string]func() say{"chat": chat, "responses": respond}[driver.Protocol]()
	driver.Run(conversation, func(err error) int {
		var failure *openai.Error
		if errors.As(err, &failure) {
			return failure.StatusCode
		}
		return 0
	})
}
