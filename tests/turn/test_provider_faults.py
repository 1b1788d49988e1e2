"""Whole turns with providers that misbehave at the wire.

However wrong it goes: the turn ends with words for the person, what was said stays and is the same
live, late and after a reload, nothing is left open, and the next turn works.
"""

import asyncio
import json
from collections.abc import AsyncGenerator
from functools import partial
from typing import Any

import pytest
import pytest_asyncio

from assent.models import open as open_module
from assent.models import openai_wire
from assent.models.http import Timeouts
from assent.models.retry import with_retries
from assent.testing import Databases
from assent.testing.provider import end, stream, text
from tests.patience import PATIENCE
from tests.turn.faults import FAULTS, LONG_TEXT, ONCE, PIECES, call_in, play_on
from tests.turn.outcome import UNFINISHED, UNSETTLED, Fault, check_kept, check_told
from tests.turn.people import expect, fetch_value
from tests.turn.talk import Talk, open_talk


@pytest_asyncio.fixture(scope="module")
async def running(databases: Databases) -> AsyncGenerator[Talk]:
    async with open_talk(databases) as opened:
        [integration] = expect(await opened.client.get("/api/admin/integrations"), 200)["items"]
        url = f"/api/admin/integrations/{integration['id']}"
        change = {"cap": {"tokens": 10**12, "seconds": 60}}
        expect(await opened.client.patch(url, json=change), 200)
        yield opened


@pytest_asyncio.fixture
async def talk(running: Talk, monkeypatch: pytest.MonkeyPatch) -> Talk:
    running.provider.clear()
    monkeypatch.setattr(open_module, "with_retries", partial(with_retries, waits=(0.0, 0.0)))
    return running


@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS)
async def test_a_turn(talk: Talk, fault: Fault, monkeypatch: pytest.MonkeyPatch) -> None:
    talk.provider.script(*fault.answers)
    conversation = await talk.open()
    with monkeypatch.context() as patch:
        patch.setattr(openai_wire, "Timeouts", partial(Timeouts, **fault.timeouts))
        async with asyncio.timeout(PATIENCE):
            answer = await talk.say(conversation, "Tell me")
    assert len(talk.provider.requests) == fault.asked
    check_told(answer, fault)
    await check_kept(talk, conversation, answer, fault)
    assert await fetch_value(talk.server, UNSETTLED) == 0
    assert await fetch_value(talk.server, UNFINISHED) == 0
    await check_next(talk, conversation)


async def check_next(talk: Talk, conversation: str) -> None:
    talk.provider.clear()
    talk.provider.script(stream(text("Fine."), end()))
    async with asyncio.timeout(PATIENCE):
        assert (await talk.say(conversation, "And now?")).text == "Fine."
    [request] = talk.provider.requests
    check_request(request.body["messages"])


def check_request(messages: list[dict[str, Any]]) -> None:
    """As strict providers are: roles in turns, each call answered once, right after it."""
    open_calls: list[str] = []
    seen: set[str] = set()
    before = ""
    for message in messages:
        role = message["role"]
        if role == "tool":
            assert message["tool_call_id"] == open_calls.pop(0)
        else:
            assert not open_calls
            assert role != before
        for made in message.get("tool_calls", []):
            assert isinstance(json.loads(made["function"]["arguments"]), dict)
            assert made["id"] not in seen
            seen.add(made["id"])
            open_calls.append(made["id"])
        assert message.get("content") or message.get("tool_calls")
        before = role
    assert not open_calls
    assert before == "user"


async def test_others_are_heard_while_one_floods(talk: Talk) -> None:
    """The flood is only let through to its end when the other answer has come to its own."""
    other_is_over = asyncio.Event()
    flood = [*call_in(['{"more": "', *[LONG_TEXT] * (PIECES // 100)])]

    def answer_anybody(asked: Any) -> Any:
        if "Flood" in json.dumps(asked.body["messages"]):
            return play_on([ONCE, *flood, other_is_over, *flood * 100])
        return stream(text(*(f"{n} " for n in range(50))), end(), pause=0.005)

    talk.provider.script(answer_anybody, answer_anybody)
    flooded, other = await talk.open(), await talk.open()
    async with asyncio.timeout(PATIENCE):
        flooding = asyncio.create_task(talk.say(flooded, "Flood"))
        await talk.wait_for_text(flooded, "upon")
        calm = await talk.say(other, "Count")
        assert not flooding.done()
        other_is_over.set()
        await flooding
    assert calm.text == "".join(f"{n} " for n in range(50))
    assert calm.types[-1] == "finish"
