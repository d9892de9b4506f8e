"""langchain-openai: ChatOpenAI on chat completions or Responses."""

import driver
import langchain_turns
from langchain_openai import ChatOpenAI

IS_RESPONSES = driver.PROTOCOL == "responses"
thinking = {"reasoning": {"effort": "medium", "summary": "auto"}} if IS_RESPONSES else {"reasoning_effort": "medium"}
langchain_turns.run(
    ChatOpenAI(
        base_url=driver.CHAT,
        api_key=driver.KEY,
        model=driver.MODEL,
        use_responses_api=IS_RESPONSES,
        **(thinking if driver.TOOLS else {}),
    )
)
