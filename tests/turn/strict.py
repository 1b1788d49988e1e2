"""A provider with a small window that counts what it is sent, and refuses what breaks its rules."""

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from assent.testing import Client
from assent.testing.provider import Asked, Scripted
from tests.turn.people import expect
from tests.turn.voices import WRITTEN, Voice, find_voice, measure

WINDOW = 16_384
INSTRUCTION = "From now on always answer with the ticket number ABC-123."
RECORD = "The person looks at reports, one after the other."
TOOLS = ["bank.report", "bank.readMail", "bank.deposit", "bank.write", "ai.readArtifact"]


@dataclass
class Strict:
    """A model that reads a report in every turn, behind a provider that counts and checks.

    It answers in the format that it is asked in. `characters` make a token. `summaries` are what it
    answers to requests for one, in turns.
    """

    characters: float = 3.2
    window: int = WINDOW
    rows: int = 60
    calls: int = 1
    summaries: Callable[[int], Scripted] | None = None
    requests: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    sizes: list[int] = field(default_factory=list[int])
    script: list[Scripted] = field(default_factory=list[Scripted])
    """What it answers next instead, summaries aside."""
    wanted: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    """Tools that it calls next, and with what."""
    asked_for_summary: int = 0
    faults: list[str] = field(default_factory=list[str])

    reported: list[int] = field(default_factory=lambda: [0, 0])
    """Tokens read and written, of all answers that are not scripted."""

    def answer(self, asked: Asked) -> Scripted:
        body, voice = asked.body, find_voice(asked)
        size = measure(body, self.characters)
        try:
            voice.check(body)
        except AssertionError as error:
            self.faults.append(f"{asked.path}: {error}")
        limit = body.get("max_tokens") or body.get("max_completion_tokens")
        if size + limit > self.window:
            self.faults.append(f"{size} tokens and {limit} for the answer")
            return voice.refuse_long()
        if voice.read_system(body).startswith("You keep the record"):
            return self._summarize(voice, body, size)
        self.requests.append(body)
        self.sizes.append(size)
        if self.script:
            return self.script.pop(0)
        self._report(size)
        if self.wanted and "tools" in body:
            return voice.call(body, *self.wanted.pop(0), size=size)
        if voice.count_results(body) < self.calls and "tools" in body:
            given = json.dumps({"count": self.rows + len(self.requests) % 7})
            return voice.call(body, "bank_report", given, size=size)
        return voice.say(body, "ABC-123: all is well.", size=size)

    def _summarize(self, voice: Voice, body: dict[str, Any], size: int) -> Scripted:
        self.asked_for_summary += 1
        if self.summaries is not None:
            return self.summaries(self.asked_for_summary)
        self._report(size)
        return voice.say(body, RECORD, size=size)

    def _report(self, size: int) -> None:
        self.reported[0] += size
        self.reported[1] += WRITTEN


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
