"""Looking at an address, as the assistant's own playbook does it."""

from typing import Any

import pytest

from assent.models.model import OfferedTool
from assent.plugins.assistant import plugin
from assent.tools.names import wire_name
from tests.unit.models.demo.world import ALL, Talk

PROBE = next(
    OfferedTool(wire_name(tool.name), tool.description, tool.shape.input_schema)
    for tool in plugin.tools
    if tool.name == "ai.probeUrl"
)
URL = "http://127.0.0.1:8080/status"
ANSWER = {
    "status": 302,
    "statusText": "Found",
    "location": "http://a.example/next",
    "contentType": "text/plain",
    "bodySample": "delete system web\n# now",
}


def open_talk(answer: tuple[Any, bool], *tools: OfferedTool) -> Talk:
    talk = Talk(tools=(*ALL, *tools), playbooks=tuple(plugin.playbooks))
    talk.world.overrides["ai_probeUrl"] = lambda _: answer
    return talk


@pytest.mark.parametrize(
    "text",
    [
        f"probe {URL}",
        f"Please probe the address {URL}.",
        f"check whether {URL} answers",
        f"is {URL} up?",
        f"what does {URL} say?",
    ],
)
async def test_tells_what_came_back(text: str) -> None:
    talk = open_talk((ANSWER, False), PROBE)
    said = await talk.say(text)
    assert talk.calls == [("ai_probeUrl", {"url": URL})]
    assert said == (
        f"{URL} answered 302 Found.\n\nIt leads to http://a.example/next.\n\nIt sent text/plain:"
        "\n\n> delete system web \\# now"
    )


async def test_says_why_it_could_not_look() -> None:
    refused = {"kind": "validation", "issues": [{"path": "url", "message": "It is inside."}]}
    said = await open_talk((refused, True), PROBE).say(f"probe {URL}")
    assert said == f"I could not look at {URL}: url: It is inside."
    said = await open_talk((refused, True)).say(f"probe {URL}")
    assert "it needs `ai.probeUrl`" in said


async def test_a_card_instead_of_an_answer() -> None:
    card = {"status": "awaiting_operator", "proposalId": "p1", "summary": "Send GET"}
    said = await open_talk((card, False), PROBE).say(f"probe {URL}")
    assert said == "I prepared this: Send GET. Please confirm it on the card."
