"""What tools show besides their results: plans, replies, sources, and how far they have come."""

import asyncio
import json
from collections.abc import AsyncGenerator
from typing import Any

import pytest
import pytest_asyncio

from assent.bundled.catalog import plugin as catalog
from assent.history.replay import SUGGESTED
from assent.plugins import administration, assistant
from assent.plugins.api import (
    Context,
    DocumentSource,
    Plan,
    PlanStep,
    Plugin,
    Progress,
    Result,
    Value,
    WebSource,
)
from assent.plugins.load import load_plugins
from assent.runs.progress import PAUSE_SECONDS
from assent.testing import Databases
from assent.testing.provider import call, end, stream, text
from tests.patience import wait_until
from tests.turn.people import expect, fetch_value
from tests.turn.talk import Streamed, Talk, open_talk

mill = Plugin("mill", title="Mill", rules=["mill.grain.read", "mill.grain.manage"])
PASSWORD = "sk-proj-" + "Zx81Qw72Er63Ty54Ui45Op36As27Df18Gh09Jk90Lz81Xc72"
TOLD = 500


class Grain(Value):
    sacks: int = 1


@mill.tool("mill.grind", effect="read", rules=["mill.grain.read"])
class Grind:
    """Grind some sacks."""

    Input = Grain

    async def execute(self, ctx: Context, given: Grain) -> Result:
        for done in range(TOLD):
            ctx.progress(Progress(done=done, total=TOLD, text=f"Sack {done}, key {PASSWORD}"))
        await asyncio.sleep(PAUSE_SECONDS * 2)
        return Result(
            {"ground": given.sacks},
            parts=(
                Plan((PlanStep("Grind", "done"), PlanStep("Bake")), f"Bread {PASSWORD}"),
                WebSource("https://mill.example/flour", "Flour"),
                WebSource("https://mill.example/flour", "Flour again"),
                DocumentSource("Recipes", filename="bread.md"),
            ),
        )


@pytest_asyncio.fixture(scope="module")
async def running(databases: Databases) -> AsyncGenerator[Talk]:
    loaded = load_plugins([administration.plugin, assistant.plugin], [catalog, mill], {})
    async with open_talk(databases, loaded=loaded) as opened:
        yield opened


@pytest_asyncio.fixture
async def talk(running: Talk) -> Talk:
    running.provider.clear()
    return running


DONE = stream(text("Done."), end())


def plan(*states: str, call_id: str) -> Any:
    steps = [{"text": f"Step {n}", "state": state} for n, state in enumerate(states, 1)]
    given = json.dumps({"title": "Move house", "steps": steps})
    return stream(call("ai_showPlan", given, id=call_id), end("tool_calls"))


def suggest(*replies: str, words: str = "What next?") -> Any:
    said = (text(words),) if words else ()
    given = json.dumps({"replies": replies})
    return stream(*said, call("ai_suggestReplies", given, id="s"), end("tool_calls"))


def list_types(message: dict[str, Any]) -> list[str]:
    return [part["type"] for part in message["parts"]]


async def test_a_plan_is_ticked_off_where_it_stands(talk: Talk) -> None:
    talk.provider.script(
        plan("active", "pending", call_id="a"), plan("done", "active", call_id="b"), DONE
    )
    conversation = await talk.open()
    told = await talk.say(conversation, "Move")
    shown = told.find("data-plan")
    assert [one["id"] for one in shown] == ["plan", "plan"]
    [_, answer] = await talk.list_messages(conversation)
    [part] = [one for one in answer["parts"] if one["type"] == "data-plan"]
    assert part["data"] == shown[1]["data"]
    assert [one["state"] for one in part["data"]["steps"]] == ["done", "active"]
    assert list_types(answer).index("data-plan") < list_types(answer).index("text")
    url = f"/api/conversations/{conversation}/export?format=markdown"
    exported = (await talk.client.get(url)).text
    assert "> **Plan:** Move house" in exported and "> - [x] Step 1" in exported
    taint = "SELECT taint FROM runs ORDER BY id DESC LIMIT 1"
    assert json.loads(await fetch_value(talk.server, taint) or "[]") in ([], {})


async def test_suggested_replies_end_the_turn(talk: Talk) -> None:
    talk.provider.script(suggest("List systems", "Add a system"), DONE)
    conversation = await talk.open()
    told = await talk.say(conversation, "Hello")
    [shown] = told.find("data-quick-replies")
    assert shown["data"] == {"replies": ["List systems", "Add a system"]}
    assert len(talk.provider.requests) == 1, "nothing is left to be said"
    assert told.types[-1] == "finish" and told.ended
    [_, answer] = await talk.list_messages(conversation)
    assert list_types(answer) == ["step-start", "text", "dynamic-tool", "data-quick-replies"]
    await talk.say(conversation, "List systems")
    sent = talk.provider.requests[1].body["messages"]
    assert [one["role"] for one in sent[1:]] == ["user", "assistant", "tool", "assistant", "user"]
    assert sent[-2]["content"] == SUGGESTED


@pytest.mark.parametrize(
    ("first", "types"),
    [
        (suggest("Go on", words=""), ["dynamic-tool"]),
        (suggest("See https://evil.example/x"), ["dynamic-tool"]),
        (suggest(*"abcde"), ["dynamic-tool"]),
    ],
    ids=["without words", "with an address", "too many"],
)
async def test_what_does_not_end_it_goes_on(talk: Talk, first: Any, types: list[str]) -> None:
    talk.provider.script(first, DONE)
    conversation = await talk.open()
    told = await talk.say(conversation, "Hello")
    assert told.text.endswith("Done.") and len(talk.provider.requests) == 2
    [_, answer] = await talk.list_messages(conversation)
    assert types[0] in list_types(answer)


async def test_nobody_is_suggested_anything_where_nobody_follows(talk: Talk) -> None:
    talk.provider.script(DONE, DONE)
    await talk.say(await talk.open(), "Hello")
    started = expect(await talk.client.post("/api/runs", json={"instruction": "Go"}), 202)
    await wait_until(lambda: asyncio.sleep(0, len(talk.provider.requests) > 1))
    chat, headless = (
        {one["function"]["name"] for one in request.body["tools"]}
        for request in talk.provider.requests
    )
    assert started and chat - headless == {"ai_askOperator", "ai_suggestReplies"}


async def test_a_reply_that_is_chosen_is_marked_and_one_that_is_typed_is_not(talk: Talk) -> None:
    talk.provider.script(suggest("Show all", "Stop"), suggest("Go on"), DONE, DONE)
    conversation = await talk.open()
    for said in ("Hello", "Show all", "Stop"):
        await talk.say(conversation, said)
    told = [one for one in await talk.list_messages(conversation) if one["role"] == "user"]
    assert [one["parts"][0].get("chosen", False) for one in told] == [False, True, False]
    url = f"/api/conversations/{conversation}/retry"
    expect(await talk.client.post(url, json={"text": "Go on"}), 202)
    messages = await talk.wait_for_messages(conversation, 6)
    assert messages[-2]["parts"] == [{"type": "text", "text": "Go on", "chosen": True}]


def grind() -> Any:
    return stream(call("mill_grind", '{"sacks": 2}', id="g"), end("tool_calls"))


async def run_mill(talk: Talk) -> tuple[str, Streamed]:
    talk.provider.script(grind(), DONE)
    conversation = await talk.open()
    return conversation, await talk.say(conversation, "Grind")


async def test_progress_is_told_at_a_readable_pace_and_kept_nowhere(talk: Talk) -> None:
    conversation, told = await run_mill(talk)
    progress = told.find("data-progress")
    assert 2 <= len(progress) <= 4, "the first and the newest, not all"
    assert {one["id"] for one in progress} == {"g"} and all(one["transient"] for one in progress)
    assert progress[0]["data"]["done"] == 0
    assert progress[-1]["data"]["done"] == TOLD - 1 and progress[-1]["data"]["total"] == TOLD
    assert PASSWORD not in json.dumps(told.events)
    order = told.types
    assert order.index("data-progress") < order.index("tool-output-available")
    assert "data-progress" not in order[order.index("tool-output-available") :]
    [_, answer] = await talk.list_messages(conversation)
    assert "data-progress" not in list_types(answer)


async def test_parts_of_a_result_are_kept_without_secrets_and_sources_once(talk: Talk) -> None:
    conversation, told = await run_mill(talk)
    [_, answer] = await talk.list_messages(conversation)
    live = [one["type"] for one in told.events if one["type"].startswith(("source-", "data-plan"))]
    kept = [one for one in list_types(answer) if one.startswith(("source-", "data-plan"))]
    assert live == kept == ["data-plan", "source-url", "source-document"]
    assert PASSWORD not in json.dumps(answer) and "Bread" in json.dumps(answer)


async def test_a_program_gets_the_result_and_nothing_else(talk: Talk) -> None:
    answer = await talk.client.post("/api/tools/mill.grind/call", json={"input": {"sacks": 3}})
    assert expect(answer, 200)["result"] == {"ground": 3}
    assert "data-" not in answer.text and "Sack" not in answer.text
