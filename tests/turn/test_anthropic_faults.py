"""Whole turns with providers that misbehave, in Anthropic's format."""

import asyncio
from collections.abc import AsyncGenerator
from functools import partial

import pytest
import pytest_asyncio

from assent.models import anthropic_wire
from assent.models import open as open_module
from assent.models.http import Timeouts
from assent.models.retry import with_retries
from assent.testing import Databases
from assent.testing.anthropic_answers import end, stream, text
from tests.patience import PATIENCE
from tests.turn.anthropic_faults import FAULTS
from tests.turn.outcome import (
    UNFINISHED,
    UNSETTLED,
    Fault,
    check_alternating,
    check_kept,
    check_told,
)
from tests.turn.people import expect, fetch_value
from tests.turn.talk import Talk, open_talk


@pytest_asyncio.fixture(scope="module")
async def running(databases: Databases) -> AsyncGenerator[Talk]:
    async with open_talk(databases) as opened:
        [integration] = expect(await opened.client.get("/api/admin/integrations"), 200)["items"]
        url = f"/api/admin/integrations/{integration['id']}"
        change = {"provider": "anthropic", "cap": {"tokens": 10**12, "seconds": 60}}
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
        patch.setattr(anthropic_wire, "Timeouts", partial(Timeouts, **fault.timeouts))
        async with asyncio.timeout(PATIENCE):
            answer = await talk.say(conversation, "Tell me")
    assert len(talk.provider.requests) == fault.asked
    check_told(answer, fault)
    await check_kept(talk, conversation, answer, fault)
    assert await fetch_value(talk.server, UNSETTLED) == 0
    assert await fetch_value(talk.server, UNFINISHED) == 0
    talk.provider.clear()
    talk.provider.script(stream(text("Fine."), end()))
    async with asyncio.timeout(PATIENCE):
        assert (await talk.say(conversation, "And now?")).text == "Fine."
    [request] = talk.provider.requests
    check_alternating(request.body["messages"])
