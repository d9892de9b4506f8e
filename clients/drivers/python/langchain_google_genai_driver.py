"""langchain-google-genai: ChatGoogleGenerativeAI."""

import driver
import langchain_turns
from langchain_google_genai import ChatGoogleGenerativeAI

thinking = {"thinking_budget": 2048, "include_thoughts": True} if driver.TOOLS else {}
langchain_turns.run(
    ChatGoogleGenerativeAI(base_url=driver.GENAI, api_key=driver.KEY, model=driver.MODEL, **thinking)
)
