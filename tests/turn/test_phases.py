"""Phases and the prompt at the wire: what is shown when, and what stays the same to the byte."""

import json
from collections.abc import AsyncGenerator
from typing import Any
from uuid import UUID

import pytest_asyncio

from assent.bundled.catalog import plugin as catalog
from assent.plugins import administration, assistant
from assent.plugins.api import Context, Plugin, Preview, Result, Value
from assent.plugins.load import load_plugins
from assent.testing import Databases
from assent.testing.provider import call, end, stream, text
from tests.bank import plugin as bank
from tests.turn.people import execute, expect, fetch_value
from tests.turn.talk import Talk, open_talk, parse_stream
from tests.turn.test_takeover import hang_after, interrupt, wait_for_words

yard = Plugin("yard", title="Yard", rules=["yard.ship.read", "yard.ship.manage"])


class Ship(Value):
    name: str


@yard.tool("yard.build", effect="mutate", rules=["yard.ship.manage"], phase="build")
class Build:
    """Build a ship."""

    Input = Ship

    async def dry_run(self, ctx: Context, given: Ship) -> Preview:
        return Preview(summary=f"Build {given.name}", creates={"name": given.name})

    async def execute(self, ctx: Context, given: Ship) -> Result:
        return Result({"built": given.name})


@yard.tool("yard.measure", effect="read", rules=["yard.ship.read"], phase="build")
class Measure:
    """Measure a ship that is being built."""

    Input = Ship

    async def execute(self, ctx: Context, given: Ship) -> Result:
        return Result({"length": len(given.name)})


DONE = stream(text("Done."), end())
SWITCH = stream(call("ai_setPhase", '{"phase": "build"}'), end("tool_calls"))
BUILDING = ["yard_build", "yard_measure"]


@pytest_asyncio.fixture(scope="module")
async def running(databases: Databases) -> AsyncGenerator[Talk]:
    loaded = load_plugins([administration.plugin, assistant.plugin], [catalog, bank, yard], {})
    async with open_talk(databases, loaded=loaded) as opened:
        yield opened


@pytest_asyncio.fixture
async def talk(running: Talk) -> Talk:
    running.provider.clear()
    return running


def list_tools(talk: Talk, number: int) -> list[str]:
    return [one["function"]["name"] for one in talk.provider.requests[number].body["tools"]]


def read_prompt(talk: Talk, number: int) -> str:
    return talk.provider.requests[number].body["messages"][0]["content"]


async def test_a_tool_shows_what_is_for_building(talk: Talk) -> None:
    talk.provider.script(SWITCH, DONE, DONE)
    conversation = await talk.open()
    told = await talk.say(conversation, "Build a ship")
    [phase] = told.find("data-phase")
    assert phase["data"] == {"phase": "build"} and phase["transient"] is True
    before, after = list_tools(talk, 0), list_tools(talk, 1)
    assert "ai_setPhase" in before and "bank_deposit" in before
    assert after[: len(before)] == before
    assert set(BUILDING) <= set(after[len(before) :])
    assert read_prompt(talk, 0) == read_prompt(talk, 1)
    assert "## Phases" in read_prompt(talk, 0)
    [_, answer] = await talk.list_messages(conversation)
    assert "data-phase" not in {part["type"] for part in answer["parts"]}
    await talk.say(conversation, "Thank you")
    assert list_tools(talk, 2) == before, "the next turn starts in discovery again"


async def test_using_one_by_its_name_shows_them_too(talk: Talk) -> None:
    measure = stream(call("yard_measure", '{"name": "Ann"}'), end("tool_calls"))
    talk.provider.script(measure, DONE)
    told = await talk.say(await talk.open(), "Measure Ann")
    assert told.find("tool-output-available")[0]["output"] == {"length": 3}
    assert len(told.find("data-phase")) == 1
    assert list_tools(talk, 0)[-1] not in BUILDING and list_tools(talk, 1)[-2:] == BUILDING


async def test_they_can_be_hidden_again(talk: Talk) -> None:
    back = stream(call("ai_setPhase", '{"phase": "discovery"}', id="b"), end("tool_calls"))
    talk.provider.script(SWITCH, back, DONE)
    told = await talk.say(await talk.open(), "Build, or not")
    assert [one["data"]["phase"] for one in told.find("data-phase")] == ["build", "discovery"]
    assert list_tools(talk, 2) == list_tools(talk, 0)


async def test_another_attempt_goes_on_in_the_same_phase(talk: Talk) -> None:
    talk.provider.script(SWITCH, hang_after(text("I ", "build ")), DONE)
    conversation = await talk.open()
    url = f"/api/conversations/{conversation}/messages"
    started = expect(await talk.client.post(url, json={"message": {"text": "Build"}}), 202)
    await wait_for_words(talk, UUID(started["runId"]), "build ")
    interrupt()
    await talk.wait_for_messages(conversation, 2)
    assert list_tools(talk, 2)[-2:] == BUILDING
    stored = "SELECT phase FROM runs WHERE id = $1::uuid"
    assert await fetch_value(talk.server, stored, started["runId"]) == "build"
    followed = parse_stream((await talk.client.get(f"/api/runs/{started['runId']}/stream")).text)
    assert len(followed.find("data-phase")) == 1


async def test_building_may_take_more_steps(talk: Talk) -> None:
    read = [
        stream(call("yard_measure", json.dumps({"name": "x" * n}), id=f"m{n}"), end("tool_calls"))
        for n in range(1, 21)
    ]
    talk.provider.script(*read, DONE)
    assert (await talk.say(await talk.open(), "Measure them")).text == "Done."
    assert len(talk.provider.requests) == 21


async def test_all_but_the_tail_is_the_same_whatever_the_moment(talk: Talk) -> None:
    talk.provider.script(DONE, DONE, DONE)
    conversation = await talk.open()
    await talk.say(conversation, "One")
    rest = "UPDATE messages SET created_at = created_at - interval '3 hours'"
    await execute(talk.server, rest)
    rename = "UPDATE workspaces SET name = 'Elsewhere'"
    await execute(talk.server, rename)
    await say_in(talk, conversation, "Asia/Tokyo")
    await say_in(talk, conversation, "Mars/Base")
    prompts = [read_prompt(talk, number) for number in range(3)]
    heads, tails = zip(*(one.split("## Now\n") for one in prompts), strict=True)
    assert len(set(heads)) == 1
    assert len({json.dumps(one.body["tools"]) for one in talk.provider.requests}) == 1
    assert "rested" not in tails[0] and "rested for 180 minutes" in tails[1]
    assert "rested" not in tails[2], "the second message is a moment old"
    assert "+09:00, time zone Asia/Tokyo" in tails[1]
    assert "Mars" not in tails[2]
    assert "Elsewhere" in tails[1] and "Elsewhere" not in tails[0]


async def say_in(talk: Talk, conversation: str, zone: str) -> Any:
    body = {"conversationId": conversation, "message": {"text": "And?"}, "timeZone": zone}
    answer = await talk.client.post("/api/chat", json=body)
    assert answer.status_code == 200
    return parse_stream(answer.text)


async def test_the_mode_changes_only_the_end_of_what_is_stable(talk: Talk) -> None:
    talk.provider.script(DONE, DONE)
    for mode in ("approve", "auto"):
        await talk.say(await talk.open(mode=mode), "Hi")
    one, other = (read_prompt(talk, number).split("## Permission mode\n") for number in range(2))
    assert one[0] == other[0] and one[1] != other[1]
