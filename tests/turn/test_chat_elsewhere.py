"""Two servers on one database: a turn on one is followed, stopped and superseded from the other."""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import pytest_asyncio

from assent.testing import Client, Databases, run_server
from assent.testing.provider import Scripted, end, run_provider, stream, text
from tests.bank.desk import MANY, load_bank
from tests.patience import PATIENCE
from tests.turn.people import expect, fetch, find_tenant, sign_in
from tests.turn.talk import Streamed, Talk, parse_stream


@dataclass(frozen=True, slots=True)
class Apart:
    """`here` drives turns; `there` takes none, and knows of them through the database alone."""

    here: Talk
    there: Client


@pytest_asyncio.fixture
async def apart(databases: Databases) -> AsyncGenerator[Apart]:
    async with open_apart(databases) as opened:
        yield opened


@asynccontextmanager
async def open_apart(databases: Databases) -> AsyncGenerator[Apart]:
    settings: dict[str, Any] = {
        "tool_calls": MANY,
        "demo_pace": 0,
        "ollama_url": "",
        "master_key": "11" * 32,
    }
    async with (
        run_provider() as provider,
        databases.copy() as url,
        run_server(url, loaded=load_bank(), **settings) as one,
        run_server(url, loaded=load_bank(), background_work=False, **settings) as other,
    ):
        tenant = await find_tenant(one)
        draft = {
            "name": "Fake",
            "baseUrl": provider.url,
            "key": "k",
            "defaultModel": "fake",
            "classifier": False,
        }
        expect(await tenant.admin.client.post("/api/admin/integrations", json=draft), 201)
        there = await sign_in(other, tenant.id, tenant.admin.id)
        yield Apart(Talk(one, provider, tenant), there)


@dataclass(frozen=True, slots=True)
class Pause:
    """Where the provider waits until everybody listens."""

    may_go_on: asyncio.Event = field(default_factory=asyncio.Event)
    listeners: list[asyncio.Task[Streamed]] = field(default_factory=list[asyncio.Task[Streamed]])

    async def add(self, client: Client, conversation: str) -> None:
        """Follow the turn from now on; back when something was heard."""
        heard = asyncio.Event()
        following = asyncio.create_task(follow(client, conversation, heard))
        self.listeners.append(following)
        async with asyncio.timeout(PATIENCE):
            await heard.wait()

    async def go_on(self) -> list[Streamed]:
        """What all of them heard in the end."""
        self.may_go_on.set()
        async with asyncio.timeout(PATIENCE):
            return await asyncio.gather(*self.listeners)


async def follow(client: Client, conversation: str, heard: asyncio.Event | None = None) -> Streamed:
    text = ""
    async with client.stream("GET", f"/api/chat/{conversation}/stream") as answer:
        async for piece in answer.aiter_text():
            text += piece
            if heard is not None:
                heard.set()
    return parse_stream(text)


def count_with_a_pause(apart: Apart, words: Sequence[str]) -> Pause:
    """Script an answer of these words that waits in the middle."""
    pause, middle = Pause(), len(words) // 2
    begun, rest = (
        stream(text(*part), pause=0.01).steps[:-1] for part in (words[:middle], words[middle:])
    )
    apart.here.provider.script(Scripted((*begun, pause.may_go_on, *rest, *stream(end()).steps)))
    return pause


async def start(apart: Apart, conversation: str, said: str) -> str:
    url = f"/api/conversations/{conversation}/messages"
    return expect(await apart.there.post(url, json={"message": {"text": said}}), 202)["runId"]


async def test_a_turn_is_followed_from_everywhere(apart: Apart) -> None:
    words = [f"{number} " for number in range(60)]
    pause = count_with_a_pause(apart, words)
    conversation = await apart.here.open()
    await start(apart, conversation, "Count")
    await pause.add(apart.here.client, conversation)
    await pause.add(apart.there, conversation)
    await apart.here.wait_for_text(conversation, words[29])
    await pause.add(apart.there, conversation)
    near, far, late = await pause.go_on()
    assert near.text == "".join(words)
    assert near.events == far.events == late.events
    assert near.ids == far.ids


async def test_a_far_follower_goes_on_where_it_was(apart: Apart) -> None:
    words = [f"{number} " for number in range(30)]
    pause = count_with_a_pause(apart, words)
    conversation = await apart.here.open()
    run_id = await start(apart, conversation, "Count")
    await pause.add(apart.there, conversation)
    [whole] = await pause.go_on()
    for place in (0, len(whole.ids) // 2, len(whole.ids) - 1):
        headers = {"last-event-id": whole.ids[place]}
        rest = await apart.there.get(f"/api/runs/{run_id}/stream", headers=headers)
        assert parse_stream(rest.text).ids == whole.ids[place + 1 :]


async def test_a_turn_is_stopped_from_elsewhere(apart: Apart) -> None:
    apart.here.provider.script(Scripted((*stream(text("Once upon ")).steps[:-1], "hang")))
    conversation = await apart.here.open()
    await start(apart, conversation, "Tell me a story")
    heard = asyncio.Event()
    following = asyncio.create_task(follow(apart.there, conversation, heard))
    await apart.here.wait_for_text(conversation, "Once upon")
    async with asyncio.timeout(PATIENCE):
        await heard.wait()
        expect(await apart.there.post(f"/api/conversations/{conversation}/cancel"), 202)
        followed = await following
        await apart.here.provider.left.wait()
    assert followed.types[-1] == "abort"
    assert followed.text == "Once upon "


async def test_a_turn_gives_way_to_a_message_from_elsewhere(apart: Apart) -> None:
    apart.here.provider.script(
        Scripted((*stream(text("Once upon ")).steps[:-1], "hang")), stream(text("Short."), end())
    )
    conversation = await apart.here.open()
    await start(apart, conversation, "Tell me a story")
    await apart.here.wait_for_text(conversation, "Once upon")
    body = {"conversationId": conversation, "message": {"text": "Make it short"}}
    async with asyncio.timeout(PATIENCE):
        answer = parse_stream((await apart.there.post("/api/chat", json=body)).text)
    assert answer.text == "Short."
    texts = [one["parts"][-1]["text"] for one in await apart.here.list_messages(conversation)]
    assert texts == ["Tell me a story", "Once upon ", "Make it short", "Short."]


async def test_many_messages_at_once_leave_one_order(apart: Apart) -> None:
    apart.here.provider.script(*(stream(text("Yes."), end()) for _ in range(40)))
    conversation = await apart.here.open()
    clients = (apart.here.client, apart.there)
    url = f"/api/conversations/{conversation}/messages"
    await asyncio.gather(
        *(
            clients[number % 2].post(url, json={"message": {"text": f"Message {number}"}})
            for number in range(12)
        )
    )
    view = await apart.here.wait_for(conversation, lambda view: view["status"] == "idle")
    assert view["status"] == "idle"
    stored = await fetch(
        apart.here.server,
        "SELECT seq FROM messages WHERE conversation_id = $1::uuid ORDER BY seq",
        conversation,
    )
    assert [row["seq"] for row in stored] == list(range(1, 25))
    messages = await apart.here.list_messages(conversation)
    said = [one["metadata"]["seq"] for one in messages]
    assert said == sorted(said)
    assert [one["metadata"]["seq"] for one in messages if one["role"] == "user"] == [
        *range(1, 24, 2)
    ]
    assert all(one["parts"] for one in messages)
    assert messages[-1]["parts"][-1]["text"] == "Yes."
