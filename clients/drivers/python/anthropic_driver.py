"""anthropic: messages, with the SDK's own tool runner."""

import driver
from anthropic import Anthropic, beta_tool

client = Anthropic(base_url=driver.MESSAGES, api_key=driver.KEY)
options = {"model": driver.MODEL, "max_tokens": 4096}
messages: list = []


def say(text: str) -> str:
    messages.append({"role": "user", "content": text})
    message = loop() if driver.TOOLS else ask()
    messages.append({"role": "assistant", "content": message.content})
    return "".join(block.text for block in message.content if block.type == "text")


def ask():
    if not driver.STREAM:
        return client.messages.create(messages=messages, **options)
    with client.messages.stream(messages=messages, **options) as stream:
        for text in stream.text_stream:
            driver.piece(text)
        return stream.get_final_message()


def loop():
    thinking = {"type": "enabled", "budget_tokens": 2048}
    runner = client.beta.messages.tool_runner(
        messages=messages, tools=[beta_tool(driver.get_weather)], thinking=thinking, stream=driver.STREAM, **options
    )
    return runner.until_done()


driver.run(say)
