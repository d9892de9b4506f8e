package main

import (
	"context"
	"errors"
	"fmt"

	"dragoman/clients/driver"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/responses"
	"github.com/openai/openai-go/v3/shared"
)

// respond sends every item of an answer back as the SDK converts it.
func respond() say {
	params := responses.ResponseNewParams{Model: driver.Model}
	if driver.Tools {
		params.Reasoning = shared.ReasoningParam{Effort: shared.ReasoningEffortMedium, Summary: shared.ReasoningSummaryAuto}
		params.Tools = []responses.ToolUnionParam{{OfFunction: &responses.FunctionToolParam{
			Name:        driver.ToolName,
			Description: openai.String(driver.ToolDescription),
			Parameters:  citySchema,
		}}}
	}
	var input responses.ResponseInputParam
	return func(ctx context.Context, text string) (string, error) {
		input = append(input, responses.ResponseInputItemParamOfMessage(text, responses.EasyInputMessageRoleUser))
		for {
			params.Input = responses.ResponseNewParamsInputUnion{OfInputItemList: input}
			response, err := create(ctx, params)
			if err != nil {
				return "", err
			}
			var results responses.ResponseInputParam
			for _, item := range response.Output {
				param, err := paramOf(item)
				if err != nil {
					return "", err
				}
				input = append(input, param)
				if item.Type == "function_call" {
					call := item.AsFunctionCall()
					result := responses.ResponseInputItemParamOfFunctionCallOutput(driver.Weather(call.Arguments))
					result.OfFunctionCallOutput.CallID = openai.String(call.CallID)
					results = append(results, result)
				}
			}
			if len(results) == 0 {
				return response.OutputText(), nil
			}
			input = append(input, results...)
		}
	}
}

func paramOf(item responses.ResponseOutputItemUnion) (responses.ResponseInputItemUnionParam, error) {
	switch item := item.AsAny().(type) {
	case responses.ResponseOutputMessage:
		param := item.ToParam()
		return responses.ResponseInputItemUnionParam{OfOutputMessage: &param}, nil
	case responses.ResponseReasoningItem:
		param := item.ToParam()
		return responses.ResponseInputItemUnionParam{OfReasoning: &param}, nil
	case responses.ResponseFunctionToolCall:
		param := item.ToParam()
		return responses.ResponseInputItemUnionParam{OfFunctionCall: &param}, nil
	default:
		return responses.ResponseInputItemUnionParam{}, fmt.Errorf("an item is a %T", item)
	}
}

// create takes the answer of a stream from its last event: the SDK has no accumulator for server-sent events.
func create(ctx context.Context, params responses.ResponseNewParams) (*responses.Response, error) {
	if !driver.Stream {
		return client.Responses.New(ctx, params)
	}
	stream := client.Responses.NewStreaming(ctx, params)
	defer stream.Close()
	var text string
	for stream.Next() {
		switch event := stream.Current().AsAny().(type) {
		case responses.ResponseTextDeltaEvent:
			text += event.Delta
			if err := driver.Piece(event.Delta); err != nil {
				return nil, err
			}
		case responses.ResponseCompletedEvent:
			if whole := event.Response.OutputText(); whole != text {
				return nil, fmt.Errorf("the pieces are %q and the whole is %q", text, whole)
			}
			return &event.Response, nil
		}
	}
	if err := stream.Err(); err != nil {
		return nil, err
	}
	return nil, errors.New("the stream has no completed response")
}
