"""langchain-openai: ChatOpenAI on chat completions."""

import driver
import langchain_turns
from langchain_openai import ChatOpenAI

thinking = {"reasoning_effort": "medium"} if driver.TOOLS else {}
langchain_turns.run(
    ChatOpenAI(base_url=driver.CHAT, api_key=driver.KEY, model=driver.MODEL, use_responses_api=False, **thinking)
)
