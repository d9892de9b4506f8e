"""litellm: completion() as a client of each of the three protocols."""

import gc
import json
import os

import driver

# LiteLLM does not close streams of messages. If the collector closes one while httpcore sends the next request, httpcore waits for itself
# forever (encode/httpcore, issues 990 and 996).
gc.disable()

os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"  # otherwise it is downloaded at every start

import litellm  # noqa: E402

# With `openai/` it calls Responses for gpt-5.4 and later if there are tools and an effort, whoever serves them, and its streams of Responses
# lose encrypted reasoning. With its prefix for gateways it calls chat.
CHAT_PREFIX = "litellm_proxy" if "/gpt-" in driver.MODEL else "openai"
PREFIX, BASE = {
    "chat": (CHAT_PREFIX, driver.CHAT),
    "messages": ("anthropic", driver.MESSAGES),
    "genai": ("gemini", f"{driver.GENAI}/v1beta"),
}[driver.PROTOCOL]
options = {"model": f"{PREFIX}/{driver.MODEL}", "api_base": BASE, "api_key": driver.KEY}
if driver.TOOLS:
    city = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
    tool = {"name": "get_weather", "description": "Returns the weather in a city.", "parameters": city}
    options |= {"tools": [{"type": "function", "function": tool}], "reasoning_effort": "medium"}
messages: list = []


def complete():
    if not driver.STREAM:
        return litellm.completion(messages=messages, **options)
    chunks = []
    for chunk in litellm.completion(messages=messages, stream=True, **options):
        chunks.append(chunk)
        driver.piece(chunk.choices[0].delta.content)
    return litellm.stream_chunk_builder(chunks, messages=messages)


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
