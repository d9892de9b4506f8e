"""openai: chat completions and Responses, with the turns of the assistant appended as the SDK returned them."""

import json

import driver
from openai import OpenAI, pydantic_function_tool
from pydantic import BaseModel


class GetWeather(BaseModel):
    """Returns the weather in a city."""

    city: str


client = OpenAI(base_url=driver.CHAT, api_key=driver.KEY)
options = {"model": driver.MODEL}
messages: list = []


def complete():
    if not driver.STREAM:
        return client.chat.completions.create(messages=messages, **options)
    with client.chat.completions.stream(messages=messages, **options) as stream:
        for event in stream:
            if event.type == "content.delta":
                driver.piece(event.delta)
        return stream.get_final_completion()


def chat(text: str) -> str:
    messages.append({"role": "user", "content": text})
    while True:
        message = complete().choices[0].message
        messages.append(message)
        if not message.tool_calls:
            return message.content or ""
        for call in message.tool_calls:
            result = driver.get_weather(**json.loads(call.function.arguments))
            messages.append({"role": "tool", "tool_call_id": call.id, "content": result})


def respond():
    if not driver.STREAM:
        return client.responses.parse(input=messages, **options)
    with client.responses.stream(input=messages, **options) as stream:
        for event in stream:
            if event.type == "response.output_text.delta":
                driver.piece(event.delta)
        return stream.get_final_response()


def responses(text: str) -> str:
    messages.append({"role": "user", "content": text})
    while True:
        answer = respond()
        messages.extend(answer.output)
        calls = [item for item in answer.output if item.type == "function_call"]
        if not calls:
            return answer.output_text
        for call in calls:
            result = driver.get_weather(**json.loads(call.arguments))
            messages.append({"type": "function_call_output", "call_id": call.call_id, "output": result})


if driver.TOOLS:
    tool = pydantic_function_tool(GetWeather, name="get_weather")
    options |= {
        "chat": {"tools": [tool], "reasoning_effort": "medium"},
        "responses": {
            "tools": [{"type": "function", **tool["function"]}],
            "reasoning": {"effort": "medium", "summary": "auto"},
        },
    }[driver.PROTOCOL]
driver.run({"chat": chat, "responses": responses}[driver.PROTOCOL])
