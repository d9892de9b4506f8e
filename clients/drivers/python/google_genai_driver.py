"""google-genai: a chat with automatic function calling."""

import driver
from google import genai
from google.genai import types

client = genai.Client(
    vertexai=True,
    api_key=driver.KEY,
    http_options=types.HttpOptions(base_url=driver.GENAI, api_version="v1"),
)
config = types.GenerateContentConfig()
if driver.TOOLS:
    config.tools = [driver.get_weather]
    config.thinking_config = types.ThinkingConfig(include_thoughts=True, thinking_budget=2048)
chat = client.chats.create(model=driver.MODEL, config=config)


def say(text: str) -> str:
    if not driver.STREAM:
        return chat.send_message(text).text or ""
    pieces = []
    for chunk in chat.send_message_stream(text):
        pieces.append(chunk.text or "")
        driver.piece(chunk.text)
    return "".join(pieces)


driver.run(say)
