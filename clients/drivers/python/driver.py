"""What all drivers share: the variables of the harness, the prompts, the tool, and the last line of the output."""

import json
import os

ROOT = os.environ["CLIENT_BASE_URL"]
KEY = os.environ["CLIENT_KEY"]
MODEL = os.environ["CLIENT_MODEL"]
PROTOCOL = os.environ["CLIENT_PROTOCOL"]
SCENARIO = os.environ["CLIENT_SCENARIO"]
STREAM = os.environ["CLIENT_STREAM"] == "1"

CHAT = f"{ROOT}/api/v1"
MESSAGES = f"{ROOT}/api/anthropic"
GENAI = f"{ROOT}/api/vertex-ai"

TOOLS = SCENARIO in ("tools", "session")
QUESTION = "Why is the sky blue?"
WEATHER = "What is the weather in Paris and in Rome?"
PROMPTS = {
    "tools": [WEATHER],
    "session": [QUESTION, WEATHER, "And at night?", "And on Mars?"],
}.get(SCENARIO, [QUESTION])

_cities: list[str] = []


def get_weather(city: str) -> str:
    """Returns the weather in a city.

    Args:
        city: The name of the city.
    """
    _cities.append(city)
    return f"Sunny in {city}"


class Aborted(Exception):
    """Leaves the loop over a stream, as a user does who closes the window."""


def piece(text: str | None) -> None:
    """Takes a piece of streamed text. The abort scenario ends at the first one."""
    if text and SCENARIO == "abort":
        raise Aborted


def run(say) -> None:
    """Sends the prompts of the scenario in one conversation and prints the last answer or the error."""
    try:
        report = {"text": [say(prompt) for prompt in PROMPTS][-1]}
    except Aborted:
        report = {"text": ""}
    except Exception as error:  # every client has its own classes
        report = {"text": "", "error": describe(error)}
    print("\n" + json.dumps({**report, "calls": len(_cities)}), flush=True)


def describe(error: BaseException) -> dict:
    """The status, class and message of an error, or of the one that it was raised from."""
    status = next((code for code in map(status_of, chain(error)) if code is not None), None)
    return {"status": status, "type": type(error).__name__, "message": str(error)[:500]}


def chain(error: BaseException | None):
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


def status_of(error: BaseException) -> int | None:
    values = (getattr(error, name, None) for name in ("status_code", "code", "status"))
    return next((value for value in values if isinstance(value, int)), None)
