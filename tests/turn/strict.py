"""A provider with a small window that counts what it is sent, and refuses what breaks its rules."""

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from assent.testing import Client
from assent.testing.provider import Asked, Scripted, call, end, refuse, stream, text
from tests.provider_rules import check_openai
from tests.turn.people import expect

WINDOW = 16_384
INSTRUCTION = "From now on always answer with the ticket number ABC-123."
RECORD = "The person looks at reports, one after the other."
TOOLS = ["bank.report", "bank.readMail", "bank.deposit", "bank.write", "ai.readArtifact"]


@dataclass
class Strict:
    """A model that reads a report in every turn, behind a provider that counts and checks.

    `characters` make a token. `summaries` are what it answers to requests for one, in turns.
    """

    characters: float = 3.2
    window: int = WINDOW
    rows: int = 60
    calls: int = 1
    summaries: Callable[[int], Scripted] = lambda _: stream(text(RECORD), end())
    requests: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    sizes: list[int] = field(default_factory=list[int])
    script: list[Scripted] = field(default_factory=list[Scripted])
    """What it answers next instead, summaries aside."""
    asked_for_summary: int = 0
    faults: list[str] = field(default_factory=list[str])

    def answer(self, asked: Asked) -> Scripted:
        body = asked.body
        size = round(len(json.dumps(body["messages"])) / self.characters)
        size += round(len(json.dumps(body.get("tools", []))) / self.characters)
        try:
            check_openai(body)
        except AssertionError as error:
            self.faults.append(str(error))
        limit = body.get("max_tokens") or body.get("max_completion_tokens")
        if size + limit > self.window:
            self.faults.append(f"{size} tokens and {limit} for the answer")
            return refuse(400, {"message": "too long", "code": "context_length_exceeded"})
        usage = {"prompt_tokens": size, "completion_tokens": 20, "total_tokens": size + 20}
        if body["messages"][0]["content"].startswith("You keep the record"):
            self.asked_for_summary += 1
            return self.summaries(self.asked_for_summary)
        self.requests.append(body)
        self.sizes.append(size)
        if self.script:
            return self.script.pop(0)
        results = _count_results(body["messages"])
        if results < self.calls and "tools" in body:
            given = json.dumps({"count": self.rows + len(self.requests) % 7})
            return stream(
                text("I look."),
                call("bank_report", given, id=f"c{len(self.requests)}"),
                end("tool_calls", usage),
            )
        return stream(text("ABC-123: all is well."), end("stop", usage))


def _count_results(messages: list[dict[str, Any]]) -> int:
    """Of the present turn."""
    count = 0
    for one in reversed(messages):
        if one["role"] == "user":
            return count
        count += one["role"] == "tool"
    return count


def list_said(body: dict[str, Any]) -> list[dict[str, Any]]:
    """What stands in the user's place."""
    return [one for one in body["messages"] if one["role"] == "user"]


async def make_small(client: Client) -> None:
    """Give the only integration a small window, and add an agent with few tools."""
    [integration] = expect(await client.get("/api/admin/integrations"), 200)["items"]
    url = f"/api/admin/integrations/{integration['id']}"
    expect(await client.patch(url, json={"contextWindow": WINDOW}), 200)
    draft = {"slug": "small", "name": "Small", "tools": TOOLS}
    expect(await client.post("/api/admin/agents", json=draft), 201)
