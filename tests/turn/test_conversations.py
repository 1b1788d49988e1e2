"""The list of conversations over HTTP: drafts, dots, what was read, and how turns ended."""

import asyncio
from collections.abc import AsyncGenerator
from typing import Any

import pytest_asyncio

from assent.testing import Databases
from assent.testing.provider import Scripted, end, refuse, stream, text
from tests.turn.people import add_person, expect
from tests.turn.talk import Talk, open_talk


@pytest_asyncio.fixture(scope="module")
async def running(databases: Databases) -> AsyncGenerator[Talk]:
    async with open_talk(databases) as opened:
        yield opened


@pytest_asyncio.fixture
async def talk(running: Talk) -> Talk:
    running.provider.clear()
    return running


async def list_ids(talk: Talk) -> list[str]:
    return [one["id"] for one in await list_lines(talk)]


async def list_lines(talk: Talk) -> list[dict[str, Any]]:
    return expect(await talk.client.get("/api/conversations"), 200)["items"]


async def find_line(talk: Talk, conversation: str) -> dict[str, Any]:
    return next(one for one in await list_lines(talk) if one["id"] == conversation)


async def read(talk: Talk, conversation: str, **mark: Any) -> dict[str, Any]:
    url = f"/api/conversations/{conversation}/read"
    return expect(await talk.client.post(url, json=mark), 200)


async def test_a_draft_is_listed_once_something_was_said(talk: Talk) -> None:
    talk.provider.script(stream(text("Hello."), end()))
    conversation = await talk.open()
    assert conversation not in await list_ids(talk)
    await talk.say(conversation, "Hi")
    assert (await list_ids(talk))[0] == conversation


async def test_an_answer_is_unread_until_it_was_read(talk: Talk) -> None:
    talk.provider.script(stream(text("Hello."), end()), stream(text("Again."), end()))
    conversation = await talk.open()
    await talk.say(conversation, "Hi")
    line = await find_line(talk, conversation)
    assert (line["status"], line["unread"]) == ("idle", True)
    assert (await talk.view(conversation))["unread"] is True
    seq = (await talk.list_messages(conversation))[-1]["metadata"]["seq"]
    marked = await read(talk, conversation, seq=seq)
    assert marked == {**line, "unread": False} == await find_line(talk, conversation)
    assert (await read(talk, conversation, seq=1))["unread"] is False
    await talk.say(conversation, "And now?")
    assert (await find_line(talk, conversation))["unread"] is True
    assert (await read(talk, conversation))["unread"] is False


async def test_what_runs_says_so_and_cannot_be_read_yet(talk: Talk) -> None:
    talk.provider.script(Scripted((*stream(text("Once upon ")).steps[:-1], "hang")))
    conversation = await talk.open()
    saying = asyncio.create_task(talk.say(conversation, "Tell me a story"))
    await talk.wait_for(conversation, lambda view: view["status"] == "running")
    line = await find_line(talk, conversation)
    assert (line["status"], line["unread"]) == ("running", False)
    await read(talk, conversation)
    expect(await talk.client.post(f"/api/conversations/{conversation}/cancel"), 202)
    await saying
    line = await find_line(talk, conversation)
    assert (line["status"], line["unread"]) == ("idle", True)
    assert (await talk.list_messages(conversation))[-1]["metadata"]["status"] == "cancelled"


async def test_a_failure_reads_the_same_live_and_later(talk: Talk) -> None:
    talk.provider.script(refuse(401, {"message": "Incorrect API key sk-secret"}))
    conversation = await talk.open()
    [failure] = (await talk.say(conversation, "Hello?")).find("error")
    asked, answer = await talk.list_messages(conversation)
    assert (asked["metadata"]["status"], asked["metadata"]["error"]) == (None, None)
    assert answer["metadata"]["status"] == "failed"
    assert answer["metadata"]["error"]["message"] == failure["errorText"]
    assert answer["metadata"]["error"]["code"]


async def test_a_turn_that_gave_way_says_so(talk: Talk) -> None:
    talk.provider.script(
        Scripted((*stream(text("Once upon ")).steps[:-1], "hang")), stream(text("Short."), end())
    )
    conversation = await talk.open()
    saying = asyncio.create_task(talk.say(conversation, "Tell me a story"))
    await talk.wait_for_text(conversation, "Once")
    await talk.say(conversation, "Make it short")
    await saying
    endings = [one["metadata"]["status"] for one in await talk.list_messages(conversation)]
    assert endings == [None, "superseded", None, "completed"]


async def test_nobody_else_reads_it(talk: Talk) -> None:
    talk.provider.script(stream(text("Hello."), end()))
    conversation = await talk.open()
    await talk.say(conversation, "Hi")
    other = await add_person(talk.server, talk.tenant.id, role="admin")
    expect(await other.client.post(f"/api/conversations/{conversation}/read", json={}), 404)
    assert (await find_line(talk, conversation))["unread"] is True


async def test_a_mark_has_to_be_a_number(talk: Talk) -> None:
    conversation = await talk.open()
    for wrong in (-1, "1", 2**63, 1.5):
        url = f"/api/conversations/{conversation}/read"
        problem = expect(await talk.client.post(url, json={"seq": wrong}), 422)
        assert problem["issues"][0]["path"] == "seq"
