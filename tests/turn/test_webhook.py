"""A webhook is told of turns by a real listener's account: signed, again after failures, at most
of what was chosen, and never waited for."""

import asyncio
import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import pytest
import pytest_asyncio
from aiohttp import web

from assent.models.webhook import sign
from assent.testing import Databases
from assent.testing.provider import call, end, stream, text
from assent.work import ending
from tests.patience import wait_until
from tests.turn.people import execute, expect, fetch, fetch_value
from tests.turn.talk import Talk, open_talk

SECRET = "a secret of our own"
WAITING = (
    "SELECT count(*) FROM work WHERE kind = 'runs.webhook' AND state NOT IN ('done', 'failed')"
)


@dataclass
class Receiver:
    port: int = 0
    answers: list[int | None] = field(default_factory=list[int | None])
    came: list[tuple[dict[str, str], bytes]] = field(default_factory=list[Any])
    let_go: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/hook"

    @property
    def events(self) -> list[dict[str, Any]]:
        return [json.loads(body) for _, body in self.came]

    async def answer(self, request: web.Request) -> web.Response:
        headers = {name.lower(): value for name, value in request.headers.items()}
        self.came.append((headers, await request.read()))
        status = self.answers.pop(0) if self.answers else 204
        if status is None:
            await self.let_go.wait()
        return web.Response(status=status or 204)


@asynccontextmanager
async def run_receiver() -> AsyncGenerator[Receiver]:
    receiver = Receiver()
    app = web.Application()
    app.router.add_post("/hook", receiver.answer)
    runner = web.AppRunner(app, shutdown_timeout=0)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    receiver.port = runner.addresses[0][1]
    yield receiver
    receiver.let_go.set()
    await runner.cleanup()


@pytest_asyncio.fixture
async def receiver() -> AsyncGenerator[Receiver]:
    async with run_receiver() as running:
        yield running


@pytest_asyncio.fixture
async def talk(
    databases: Databases, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> AsyncGenerator[Talk]:
    monkeypatch.setattr(ending, "RETRY_SECONDS", (0,))
    async with open_talk(databases, inside_hosts=[f"127.0.0.1:{receiver.port}"]) as opened:
        yield opened


async def set_hook(talk: Talk, receiver: Receiver, *events: str, enabled: bool = True) -> Any:
    body = {"url": receiver.url, "secret": SECRET, "events": list(events), "enabled": enabled}
    return expect(await talk.client.put("/api/admin/webhook", json=body), 200)


async def wait_for(receiver: Receiver, count: int) -> None:
    async def came() -> bool:
        return len(receiver.came) >= count

    await wait_until(came)


async def wait_for_end(talk: Talk) -> None:
    async def is_over() -> bool:
        return await fetch_value(talk.server, WAITING) == 0

    await wait_until(is_over)


async def say(talk: Talk, said: str = "Tell me about the weather") -> str:
    conversation = await talk.open()
    talk.provider.script(
        stream(call("bank_report", '{"count": 1}'), end("tool_calls")),
        stream(text("It rains."), end()),
    )
    await talk.say(conversation, said)
    return conversation


async def test_a_turn_is_told_of_without_a_word_of_it(talk: Talk, receiver: Receiver) -> None:
    shown = await set_hook(talk, receiver, "chat.message")
    assert shown["hasSecret"]
    assert "secret" not in shown
    conversation = await say(talk)
    await wait_for_end(talk)
    [(headers, body)] = receiver.came
    event = json.loads(body)
    assert (event["type"], event["conversationId"]) == ("chat.message", conversation)
    assert (event["status"], event["agent"]) == ("completed", "assistant")
    assert event["tools"] == ["bank.report"]
    [used] = event["models"]
    assert (used["model"], used["calls"]) == ("fake", 2)
    rows = await fetch(talk.server, "SELECT sum(input_tokens)::int AS sum FROM model_calls")
    assert used["tokens"]["input"] == rows[0]["sum"]
    assert b"weather" not in body
    assert b"rains" not in body
    at = int(headers["x-assent-signature"].removeprefix("t=").split(",")[0])
    assert headers["x-assent-signature"] == sign(SECRET, at=at, body=body)
    assert headers["x-assent-event-id"] == event["id"]


async def test_a_conversation_is_exported_only_where_that_is_chosen(
    talk: Talk, receiver: Receiver
) -> None:
    await set_hook(talk, receiver, "conversation.export")
    await say(talk, "My key is sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJ")
    await wait_for_end(talk)
    [event] = receiver.events
    assert [one["role"] for one in event["messages"]] == ["user", "assistant"]
    assert event["messages"][1]["text"] == "It rains."
    assert "abcdefghijklmnop" not in event["messages"][0]["text"]


async def test_nothing_is_sent_while_it_is_off(talk: Talk, receiver: Receiver) -> None:
    await say(talk)
    await set_hook(talk, receiver, "chat.message", enabled=False)
    await say(talk)
    await set_hook(talk, receiver)
    await say(talk)
    assert (
        await fetch_value(talk.server, "SELECT count(*) FROM work WHERE kind='runs.webhook'") == 0
    )
    assert receiver.came == []


async def test_a_receiver_that_fails_gets_it_again_with_the_same_id(
    talk: Talk, receiver: Receiver
) -> None:
    await set_hook(talk, receiver, "chat.message")
    receiver.answers = [500, 302]
    await say(talk)
    await wait_for(receiver, 3)
    await wait_for_end(talk)
    assert len({one["id"] for one in receiver.events}) == 1
    assert len(receiver.came) == 3


async def test_a_receiver_that_is_away_is_tried_for_long(talk: Talk, receiver: Receiver) -> None:
    await set_hook(talk, receiver, "chat.message")
    receiver.answers = [503] * 4
    await say(talk)
    await wait_for(receiver, 4)

    async def is_put_off() -> bool:
        later = "SELECT count(*) FROM work WHERE kind = 'runs.webhook' AND run_after > now()"
        return await fetch_value(talk.server, later) == 1

    await wait_until(is_put_off)
    await execute(talk.server, "UPDATE work SET run_after = now() WHERE kind = 'runs.webhook'")
    await wait_for(receiver, 5)
    await wait_for_end(talk)
    assert len({one["id"] for one in receiver.events}) == 1


async def test_a_slow_receiver_keeps_no_turn_waiting(talk: Talk, receiver: Receiver) -> None:
    await set_hook(talk, receiver, "chat.message")
    receiver.answers = [None]
    await say(talk)
    await wait_for(receiver, 1)
    await say(talk)
    assert not receiver.let_go.is_set()
    await wait_for(receiver, 2)


async def test_an_address_inside_is_refused(talk: Talk) -> None:
    body = {
        "url": "http://127.0.0.1:1/",
        "secret": SECRET,
        "events": ["chat.message"],
        "enabled": True,
    }
    problem = expect(await talk.client.put("/api/admin/webhook", json=body), 409)
    assert problem["issues"][0]["path"] == "url"


async def test_nothing_is_sent_unsigned(talk: Talk, receiver: Receiver) -> None:
    body = {"url": receiver.url, "events": ["chat.message"], "enabled": True}
    problem = expect(await talk.client.put("/api/admin/webhook", json=body), 409)
    assert problem["issues"][0]["path"] == "secret"
