"""google-adk: an agent with its session."""

import asyncio
import os

import driver
from google.adk.agents import LlmAgent
from google.adk.agents.run_config import RunConfig, StreamingMode
from google.adk.models import Gemini
from google.adk.planners import BuiltInPlanner
from google.adk.runners import InMemoryRunner
from google.genai import types

os.environ["GOOGLE_API_KEY"] = driver.KEY
thinking = BuiltInPlanner(thinking_config=types.ThinkingConfig(include_thoughts=True, thinking_budget=2048))
agent = LlmAgent(
    name="assistant",
    model=Gemini(model=driver.MODEL, base_url=driver.GENAI),
    instruction="Answer briefly.",
    tools=[driver.get_weather] if driver.TOOLS else [],
    planner=thinking if driver.TOOLS else None,
)
runner = InMemoryRunner(agent=agent, app_name="clients")
mode = RunConfig(streaming_mode=StreamingMode.SSE if driver.STREAM else StreamingMode.NONE)


def text_of(event) -> str:
    parts = event.content.parts or [] if event.content else []
    return "".join(part.text or "" for part in parts if not part.thought)


async def turn(session_id: str, text: str) -> str:
    answer = ""
    message = types.Content(role="user", parts=[types.Part(text=text)])
    async for event in runner.run_async(user_id="user", session_id=session_id, new_message=message, run_config=mode):
        if event.error_code:
            raise RuntimeError(f"{event.error_code}: {event.error_message}")
        if event.partial:
            driver.piece(text_of(event))
        elif event.is_final_response():
            answer = text_of(event)
    return answer


session = asyncio.run(runner.session_service.create_session(app_name="clients", user_id="user"))
driver.run(lambda text: asyncio.run(turn(session.id, text)))
