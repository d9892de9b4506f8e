"""pydantic-ai: an agent on each of the four protocols."""

import asyncio

import driver
from pydantic_ai import Agent


def chat():
    from pydantic_ai.models.openai import OpenAIChatModel, OpenAIChatModelSettings
    from pydantic_ai.providers.openai import OpenAIProvider

    provider = OpenAIProvider(base_url=driver.CHAT, api_key=driver.KEY)
    return OpenAIChatModel(driver.MODEL, provider=provider), OpenAIChatModelSettings(openai_reasoning_effort="medium")


def messages():
    from anthropic import AsyncAnthropic
    from pydantic_ai.models.anthropic import AnthropicModel, AnthropicModelSettings
    from pydantic_ai.providers.anthropic import AnthropicProvider

    client = AsyncAnthropic(base_url=driver.MESSAGES, api_key=driver.KEY)
    settings = AnthropicModelSettings(anthropic_thinking={"type": "enabled", "budget_tokens": 2048}, max_tokens=4096)
    return AnthropicModel(driver.MODEL, provider=AnthropicProvider(anthropic_client=client)), settings


def genai():
    from pydantic_ai.models.google import GoogleModel, GoogleModelSettings
    from pydantic_ai.providers.google import GoogleProvider

    provider = GoogleProvider(base_url=driver.GENAI, api_key=driver.KEY)
    settings = GoogleModelSettings(google_thinking_config={"include_thoughts": True, "thinking_budget": 2048})
    return GoogleModel(driver.MODEL, provider=provider), settings


def responses():
    from pydantic_ai.models.openai import OpenAIResponsesModel, OpenAIResponsesModelSettings
    from pydantic_ai.profiles.openai import OpenAIModelProfile
    from pydantic_ai.providers.openai import OpenAIProvider

    provider = OpenAIProvider(base_url=driver.CHAT, api_key=driver.KEY)
    settings = OpenAIResponsesModelSettings(openai_reasoning_effort="medium", openai_reasoning_summary="auto")
    # Of models that it does not know as OpenAI's it returns the text of the reasoning alone.
    profile = OpenAIModelProfile(openai_supports_encrypted_reasoning_content=True)
    return OpenAIResponsesModel(driver.MODEL, provider=provider, profile=profile), settings


model, thinking = {"chat": chat, "messages": messages, "genai": genai, "responses": responses}[driver.PROTOCOL]()
agent = Agent(
    model,
    tools=[driver.get_weather] if driver.TOOLS else [],
    model_settings=thinking if driver.TOOLS else None,
)
history: list = []


async def stream(text: str) -> str:
    global history
    async with agent.run_stream(text, message_history=history) as result:
        async for delta in result.stream_text(delta=True, debounce_by=None):
            driver.piece(delta)
        history = result.all_messages()
        return await result.get_output()


def say(text: str) -> str:
    global history
    if driver.STREAM:
        return asyncio.run(stream(text))
    result = agent.run_sync(text, message_history=history)
    history = result.all_messages()
    return result.output


driver.run(say)
