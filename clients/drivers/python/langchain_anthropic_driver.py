"""langchain-anthropic: ChatAnthropic."""

import driver
import langchain_turns
from langchain_anthropic import ChatAnthropic

thinking = {"thinking": {"type": "enabled", "budget_tokens": 2048}} if driver.TOOLS else {}
langchain_turns.run(
    ChatAnthropic(base_url=driver.MESSAGES, api_key=driver.KEY, model=driver.MODEL, max_tokens=4096, **thinking)
)
