"""openresponses-types: plain HTTP, with every answer and every event checked by the models of the Open Responses specification."""

import json
from collections.abc import Iterator

import driver
import httpx
import openresponses_types as spec

EVENT_OF = {
    kind.value: model
    for name, model in vars(spec).items()
    if name.endswith("StreamingEvent")
    for kind in model.model_fields["type"].annotation
}
TOOL = {
    "type": "function",
    "name": "get_weather",
    "description": "Returns the weather in a city.",
    "parameters": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
}
options: dict = {"model": driver.MODEL, "stream": driver.STREAM}
if driver.TOOLS:
    options |= {"tools": [TOOL], "reasoning": {"effort": "medium", "summary": "auto"}}
client = httpx.Client(headers={"authorization": f"Bearer {driver.KEY}"}, timeout=60)
items: list = []


class Refused(Exception):
    """An answer with an error status."""

    def __init__(self, response: httpx.Response):
        super().__init__(response.text)
        self.status = response.status_code


def respond() -> dict:
    body = {**options, "input": items}
    with client.stream("POST", f"{driver.CHAT}/responses", json=body) as response:
        if response.status_code != 200:
            response.read()
            raise Refused(response)
        if driver.STREAM:
            return last(events(response))
        answer = json.loads(response.read())
        spec.ResponseResource.model_validate(answer)
        return answer


def events(response: httpx.Response) -> Iterator[dict]:
    """The events of a stream. The field `event` and the member `type` are the same."""
    field = ""
    for line in response.iter_lines():
        if line.startswith("event: "):
            field = line.removeprefix("event: ")
        elif line.startswith("data: "):
            event = json.loads(line.removeprefix("data: "))
            assert event["type"] == field, f"{event['type']} is in an event {field}"
            yield event


def last(stream: Iterator[dict]) -> dict:
    """The whole answer at the end of a stream, with its items as they were done and its texts as they were streamed."""
    pieces, done = "", []
    for number, event in enumerate(stream):
        EVENT_OF[event["type"]].model_validate(event)
        assert event["sequence_number"] == number, f"event {number} has the number {event['sequence_number']}"
        if event["type"] == "response.output_text.delta":
            pieces += event["delta"]
            driver.piece(event["delta"])
        if event["type"] == "response.output_item.done":
            done.append(event["item"])
    answer = event["response"]
    assert answer["status"] == "completed", answer["status"]
    assert answer["output"] == done, "the items are others than those that were done"
    assert text_of(answer) == pieces, "the text is another than the streamed one"
    return answer


def text_of(answer: dict) -> str:
    parts = [part for item in answer["output"] if item["type"] == "message" for part in item["content"]]
    return "".join(part["text"] for part in parts if part["type"] == "output_text")


def say(text: str) -> str:
    items.append({"type": "message", "role": "user", "content": text})
    while True:
        answer = respond()
        items.extend(answer["output"])
        calls = [item for item in answer["output"] if item["type"] == "function_call"]
        if not calls:
            return text_of(answer)
        for call in calls:
            result = driver.get_weather(**json.loads(call["arguments"]))
            items.append({"type": "function_call_output", "call_id": call["call_id"], "output": result})


driver.run(say)
