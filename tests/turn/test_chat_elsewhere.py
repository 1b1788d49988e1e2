"""Two servers on one database: a turn on one is followed, stopped and superseded from the other."""

import asyncio
from collections.abc import AsyncGenerator
from dataclasses import dataclass
from typing import Any

import pytest_asyncio

from assent.testing import Client, Databases, run_server
from assent.testing.provider import Scripted, end, run_provider, stream, text
from tests.bank.desk import MANY, load_bank
from tests.turn.people import expect, find_tenant, sign_in
from tests.turn.talk import Streamed, Talk, parse_stream


@dataclass(frozen=True, slots=True)
class Apart:
    """`here` drives turns; `there` takes none, and knows of them through the database alone."""

    here: Talk
    there: Client


@pytest_asyncio.fixture
async def apart(databases: Databases) -> AsyncGenerator[Apart]:
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
        draft = {"name": "Fake", "baseUrl": provider.url, "key": "k", "defaultModel": "fake"}
        expect(await tenant.admin.client.post("/api/admin/integrations", json=draft), 201)
        there = await sign_in(other, tenant.id, tenant.admin.id)
        yield Apart(Talk(one, provider, tenant), there)


async def follow(client: Client, conversation: str, last: str | None = None) -> Streamed:
    headers = {"last-event-id": last} if last else {}
    answer = await client.get(f"/api/chat/{conversation}/stream", headers=headers)
    return parse_stream(answer.text)


async def start(apart: Apart, conversation: str, said: str) -> str:
    url = f"/api/conversations/{conversation}/messages"
    return expect(await apart.there.post(url, json={"message": {"text": said}}), 202)["runId"]


async def test_a_turn_is_followed_from_everywhere(apart: Apart) -> None:
    words = [f"{number} " for number in range(60)]
    apart.here.provider.script(stream(text(*words), end(), pause=0.02))
    conversation = await apart.here.open()
    await start(apart, conversation, "Count")
    async with asyncio.timeout(20):
        near, far, late = await asyncio.gather(
            follow(apart.here.client, conversation),
            follow(apart.there, conversation),
            follow_late(apart, conversation),
        )
    assert near.text == "".join(words)
    assert near.events == far.events == late.events
    assert near.ids == far.ids


async def follow_late(apart: Apart, conversation: str) -> Streamed:
    await asyncio.sleep(0.5)
    return await follow(apart.there, conversation)


async def test_a_far_follower_goes_on_where_it_was(apart: Apart) -> None:
    words = [f"{number} " for number in range(30)]
    apart.here.provider.script(stream(text(*words), end(), pause=0.01))
    conversation = await apart.here.open()
    run_id = await start(apart, conversation, "Count")
    whole = await follow(apart.there, conversation)
    for place in (0, len(whole.ids) // 2, len(whole.ids) - 1):
        headers = {"last-event-id": whole.ids[place]}
        rest = await apart.there.get(f"/api/runs/{run_id}/stream", headers=headers)
        assert parse_stream(rest.text).ids == whole.ids[place + 1 :]


async def test_a_turn_is_stopped_from_elsewhere(apart: Apart) -> None:
    apart.here.provider.script(Scripted((*stream(text("Once upon ")).steps[:-1], "hang")))
    conversation = await apart.here.open()
    await start(apart, conversation, "Tell me a story")
    following = asyncio.create_task(follow(apart.there, conversation))
    await asyncio.sleep(0.5)
    async with asyncio.timeout(10):
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
    await asyncio.sleep(0.5)
    body = {"conversationId": conversation, "message": {"text": "Make it short"}}
    async with asyncio.timeout(10):
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
    messages = await apart.here.list_messages(conversation)
    assert [one["metadata"]["seq"] for one in messages] == list(range(1, 25))
    assert messages[-1]["parts"][-1]["text"] == "Yes."
