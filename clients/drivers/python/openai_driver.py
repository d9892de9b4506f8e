"""openai: chat completions, with the assistant turn appended as the SDK returned it."""

import json

import driver
from openai import OpenAI, pydantic_function_tool
from pydantic import BaseModel


class GetWeather(BaseModel):
    """Returns the weather in a city."""

    city: str


client = OpenAI(base_url=driver.CHAT, api_key=driver.KEY)
options = {"model": driver.MODEL}
if driver.TOOLS:
    options |= {"tools": [pydantic_function_tool(GetWeather, name="get_weather")], "reasoning_effort": "medium"}
messages: list = []


def complete():
    if not driver.STREAM:
        return client.chat.completions.create(messages=messages, **options)
    with client.chat.completions.stream(messages=messages, **options) as stream:
        for event in stream:
            if event.type == "content.delta":
                driver.piece(event.delta)
        return stream.get_final_completion()


def say(text: str) -> str:
    messages.append({"role": "user", "content": text})
    while True:
        message = complete().choices[0].message
        messages.append(message)
        if not message.tool_calls:
            return message.content or ""
        for call in message.tool_calls:
            result = driver.get_weather(**json.loads(call.function.arguments))
            messages.append({"role": "tool", "tool_call_id": call.id, "content": result})


driver.run(say)
