"""The tool loop of LangChain: messages are appended as the model returned them."""

import driver
from langchain_core.messages import HumanMessage
from langchain_core.tools import tool

weather = tool(driver.get_weather)


def run(model) -> None:
    bound = model.bind_tools([weather]) if driver.TOOLS else model
    messages: list = []

    def ask():
        if not driver.STREAM:
            return bound.invoke(messages)
        whole = None
        for chunk in bound.stream(messages):
            whole = chunk if whole is None else whole + chunk
            driver.piece(chunk.text)
        return whole

    def say(text: str) -> str:
        messages.append(HumanMessage(text))
        while True:
            answer = ask()
            messages.append(answer)
            if not answer.tool_calls:
                return answer.text
            messages.extend(weather.invoke(call) for call in answer.tool_calls)

    driver.run(say)
