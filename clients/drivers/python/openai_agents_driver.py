"""openai-agents: an agent on chat completions or Responses, which is its default."""

import asyncio

import driver
from agents import (
    Agent,
    ModelSettings,
    OpenAIChatCompletionsModel,
    OpenAIResponsesModel,
    Runner,
    function_tool,
    set_tracing_disabled,
)
from openai import AsyncOpenAI
from openai.types.shared import Reasoning

set_tracing_disabled(True)
client = AsyncOpenAI(base_url=driver.CHAT, api_key=driver.KEY)
MODEL_OF = {"chat": OpenAIChatCompletionsModel, "responses": OpenAIResponsesModel}
agent = Agent(
    name="assistant",
    instructions="Answer briefly.",
    model=MODEL_OF[driver.PROTOCOL](model=driver.MODEL, openai_client=client),
    model_settings=ModelSettings(reasoning=Reasoning(effort="medium", summary="auto")) if driver.TOOLS else ModelSettings(),
    tools=[function_tool(driver.get_weather)] if driver.TOOLS else [],
)
history: list = []
runner = asyncio.Runner()  # the client belongs to one event loop


async def turn():
    if not driver.STREAM:
        return await Runner.run(agent, history)
    result = Runner.run_streamed(agent, history)
    async for event in result.stream_events():
        if event.type == "raw_response_event" and event.data.type == "response.output_text.delta":
            driver.piece(event.data.delta)
    return result


def say(text: str) -> str:
    history.append({"role": "user", "content": text})
    result = runner.run(turn())
    history[:] = result.to_input_list()
    return result.final_output


driver.run(say)
