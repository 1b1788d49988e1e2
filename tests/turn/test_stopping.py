"""Stopping turns: the one that is meant, whatever state it is in."""

import asyncio
from collections.abc import AsyncGenerator
from uuid import uuid4

import pytest_asyncio

from assent.testing import Databases
from assent.testing.provider import Scripted, end, stream, text
from tests.patience import wait_until
from tests.turn.people import add_person, expect, fetch_value
from tests.turn.talk import Talk, open_talk

HOLD = "SELECT 1 FROM runs WHERE id = $1::text::uuid FOR NO KEY UPDATE"
COUNT_WAITING = """
SELECT count(*) FROM pg_stat_activity
WHERE datname = current_database() AND wait_event_type = 'Lock'
"""
HANGS = Scripted((*stream(text("Once upon ")).steps[:-1], "hang"))


@pytest_asyncio.fixture(scope="module")
async def running(databases: Databases) -> AsyncGenerator[Talk]:
    async with open_talk(databases) as opened:
        yield opened


@pytest_asyncio.fixture
async def talk(running: Talk) -> Talk:
    running.provider.clear()
    return running


@pytest_asyncio.fixture(scope="module")
async def idle(databases: Databases) -> AsyncGenerator[Talk]:
    """Nobody takes turns here: what is queued stays queued."""
    async with open_talk(databases, background_work=False) as opened:
        yield opened


async def send(talk: Talk, conversation: str, said: str) -> str:
    url = f"/api/conversations/{conversation}/messages"
    return expect(await talk.client.post(url, json={"text": said}), 202)["runId"]


async def stop(talk: Talk, conversation: str, run_id: str | None = None) -> None:
    url = f"/api/conversations/{conversation}/cancel"
    expect(await talk.client.post(url, json={"runId": run_id} if run_id else None), 202)


async def find_status(talk: Talk, run_id: str) -> str:
    return await fetch_value(talk.server, "SELECT status FROM runs WHERE id = $1::uuid", run_id)


async def test_a_run_that_is_over_is_left_alone_and_so_is_the_next(talk: Talk) -> None:
    talk.provider.script(stream(text("One."), end()), HANGS)
    conversation = await talk.open()
    first = await send(talk, conversation, "One")
    await talk.wait_for(conversation, lambda view: view["status"] == "idle")
    second = await send(talk, conversation, "Two")
    await talk.wait_for(conversation, lambda _: len(talk.provider.requests) == 2)
    await stop(talk, conversation, first)
    assert (await talk.view(conversation))["activeRunId"] == second
    assert not talk.provider.left.is_set()
    await stop(talk, conversation, second)
    await talk.wait_for(conversation, lambda view: view["status"] == "idle")
    assert await find_status(talk, first) == "completed"
    assert await find_status(talk, second) == "cancelled"


async def test_a_run_of_another_conversation_or_person_is_not_there(talk: Talk) -> None:
    talk.provider.script(HANGS)
    conversation, other = await talk.open(), await talk.open()
    run_id = await send(talk, conversation, "Hello")
    await talk.wait_for(conversation, lambda _: len(talk.provider.requests) == 1)
    url = f"/api/conversations/{other}/cancel"
    for unknown in (run_id, str(uuid4())):
        expect(await talk.client.post(url, json={"runId": unknown}), 404)
    somebody = await add_person(talk.server, talk.tenant.id, role="admin")
    own = f"/api/conversations/{conversation}/cancel"
    expect(await somebody.client.post(own, json={"runId": run_id}), 404)
    problem = expect(await talk.client.post(own, json={"runId": "x"}), 422)
    assert problem["issues"][0]["path"] == "runId"
    assert (await talk.view(conversation))["status"] == "running"
    await stop(talk, conversation)
    await talk.wait_for(conversation, lambda view: view["status"] == "idle")


async def test_a_run_that_nobody_has_begun_is_stopped_too(idle: Talk) -> None:
    conversation = await idle.open()
    run_id = await send(idle, conversation, "Hello")
    assert (await idle.view(conversation))["activeRunId"] == run_id
    await stop(idle, conversation, run_id)
    view = await idle.view(conversation)
    assert (view["status"], view["activeRunId"]) == ("idle", None)
    assert await find_status(idle, run_id) == "cancelled"


async def test_what_is_stopped_before_it_begins_has_its_title_asked_for_once(idle: Talk) -> None:
    made = await idle.client.post("/api/conversations", json={})
    conversation = expect(made, 201)["id"]
    for said in ("First words", "Second words"):
        await send(idle, conversation, said)
    await stop(idle, conversation)
    asked = "SELECT count(*) FROM work WHERE kind = 'runs.title' AND payload ->> $1 = $2"
    assert await fetch_value(idle.server, asked, "conversationId", conversation) == 1
    assert (await idle.view(conversation))["title"] == "First words"


async def test_a_new_message_ends_what_runs_and_what_waits(idle: Talk) -> None:
    conversation = await idle.open()
    runs = [await send(idle, conversation, f"Message {number}") for number in range(3)]
    assert [await find_status(idle, run_id) for run_id in runs] == [
        "superseded",
        "superseded",
        "queued",
    ]


async def test_what_gave_way_before_it_began_is_not_shown(idle: Talk) -> None:
    conversation = await idle.open()
    for number in range(3):
        await send(idle, conversation, f"Message {number}")
    messages = await idle.list_messages(conversation)
    assert [one["role"] for one in messages] == ["user"] * 3


async def test_what_gave_way_before_it_said_anything_is_neither_shown_nor_sent(talk: Talk) -> None:
    talk.provider.script(Scripted((b": wait\n\n", "hang")), stream(text("Here."), end()))
    conversation = await talk.open()
    await send(talk, conversation, "One")
    await talk.wait_for(conversation, lambda _: len(talk.provider.requests) == 1)
    assert (await talk.say(conversation, "Two")).text == "Here."
    messages = await talk.list_messages(conversation)
    assert [one["role"] for one in messages] == ["user", "user", "assistant"]
    sent = talk.provider.requests[-1].body["messages"]
    assert [one["role"] for one in sent] == ["system", "user"]
    assert sent[-1]["content"] == "One\n\nTwo"


async def test_stopping_twice_is_stopping_once(talk: Talk) -> None:
    talk.provider.script(HANGS)
    conversation = await talk.open()
    saying = asyncio.create_task(talk.say(conversation, "Hello"))
    await talk.wait_for(conversation, lambda _: len(talk.provider.requests) == 1)
    await asyncio.gather(*(stop(talk, conversation) for _ in range(4)))
    async with asyncio.timeout(20):
        assert (await saying).types[-1] == "abort"
    await stop(talk, conversation)
    assert (await talk.view(conversation))["status"] == "idle"


async def test_a_message_while_a_turn_stores_what_it_learned_is_not_refused(talk: Talk) -> None:
    """Both write the conversation and the work: one waits for the other, in one order."""
    may_end = asyncio.Event()
    told = stream(text("Once upon ")).steps[:-1]
    talk.provider.script(
        Scripted((*told, may_end, *stream(end()).steps)), stream(text("Yes."), end())
    )
    conversation = await talk.open()
    first = await send(talk, conversation, "A tale")
    await talk.wait_for_text(conversation, "Once upon ")

    async def wait_for_waiting(count: int) -> None:
        async def look() -> bool:
            return await fetch_value(talk.server, COUNT_WAITING) >= count

        await wait_until(look)

    async with talk.server.database.transaction() as db:
        assert await db.fetchval(HOLD, first) == 1
        may_end.set()
        await wait_for_waiting(1)
        second = asyncio.create_task(send(talk, conversation, "Are you there?"))
        await wait_for_waiting(2)
    await second
    messages = await talk.wait_for_messages(conversation, 4)
    assert [one["metadata"].get("status") for one in messages] == [
        None,
        "completed",
        None,
        "completed",
    ]
    learned = "SELECT learned <> '{}' FROM conversations WHERE id = $1::text::uuid"
    assert await fetch_value(talk.server, learned, conversation)
