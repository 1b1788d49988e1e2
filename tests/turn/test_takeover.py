"""A turn that is interrupted at a certain point, and the attempt that goes on from there.

The interruption is that of a process which has to go: its handler is cancelled, and nobody asked
for the turn's end. What happens when processes are killed is tried in `tests/fault`.
"""

import asyncio
import json
from collections.abc import AsyncGenerator
from typing import Any
from uuid import UUID

import pytest
import pytest_asyncio

from assent.actions.run_tool import execute_read
from assent.agents.notes import CUT_ANSWER
from assent.runs.calls import Round
from assent.runs.loop import Attempt
from assent.runs.sweep import INTERRUPTED
from assent.testing import Databases
from assent.testing.provider import FakeProvider, Scripted, call, end, stream, text
from tests.bank.accounts import count_effects
from tests.bank.desk import apply
from tests.turn.people import execute, expect, fetch
from tests.turn.talk import Talk, open_talk, parse_stream, wait_until

HANGING: tuple[Any, ...] = ("hang",)


@pytest_asyncio.fixture
async def talk(databases: Databases) -> AsyncGenerator[Talk]:
    async with open_talk(databases) as opened:
        yield opened


def hang_after(*pieces: list[dict[str, Any]]) -> Scripted:
    return Scripted((*stream(*pieces).steps[:-1], *HANGING))


async def start(talk: Talk, said: str, **draft: Any) -> tuple[str, UUID]:
    conversation = await talk.open(**draft)
    url = f"/api/conversations/{conversation}/messages"
    run = expect(await talk.client.post(url, json={"message": {"text": said}}), 202)["runId"]
    return conversation, UUID(run)


async def wait_for_words(talk: Talk, run_id: UUID, words: str) -> None:
    """Until they are in the journal."""

    async def look() -> bool:
        rows = await fetch(talk.server, "SELECT frames FROM run_events WHERE run_id = $1", run_id)
        return words.encode() in b"".join(row["frames"] for row in rows)

    await wait_until(look)


def interrupt() -> None:
    found = [one for one in asyncio.all_tasks() if one.get_name() == "work runs.drive"]
    assert found
    for task in found:
        task.cancel()


def list_notes(provider: FakeProvider) -> list[str]:
    """What the provider was told last, request by request."""
    return [str(one.body["messages"][-1]["content"]) for one in provider.requests]


async def test_words_go_on_where_they_stopped(talk: Talk) -> None:
    talk.provider.script(hang_after(text("Once upon ", "a ")), stream(text("time", "."), end()))
    conversation, run_id = await start(talk, "Tell")
    await wait_for_words(talk, run_id, 'a "')
    interrupt()
    [_, answer] = await talk.wait_for_messages(conversation, 2)
    assert answer["parts"] == [
        {"type": "step-start"},
        {"type": "text", "text": "Once upon a time."},
    ]
    assert list_notes(talk.provider)[1] == CUT_ANSWER
    followed = parse_stream((await talk.client.get(f"/api/runs/{run_id}/stream")).text)
    assert followed.text == "Once upon a time."
    assert {one.split(":")[1] for one in followed.ids} == {"2"}


async def test_a_result_that_was_stored_is_not_asked_for_again(
    talk: Talk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second call is over while the first hangs: only the first is made again."""
    made: list[int] = []

    async def count(means: Any, tool: Any, principal: Any, given: Any, tell: Any) -> Any:
        made.append(given.count)
        if made.count(1) == 1 and given.count == 1:
            await asyncio.Event().wait()
        return await execute_read(means, tool, principal, given, tell)

    monkeypatch.setattr("assent.actions.call.execute_read", count)
    calls = [call("bank_report", f'{{"count": {n}}}', index=n - 1, id=f"c{n}") for n in (1, 2)]
    talk.provider.script(
        stream(text("I look."), *calls, end("tool_calls")), stream(text("Two lines."), end())
    )
    conversation, run_id = await start(talk, "Report")

    async def is_stored() -> bool:
        [row] = await fetch(
            talk.server, "SELECT parts FROM messages WHERE run_id = $1 AND role <> 'user'", run_id
        )
        return any(part.get("state") == "output-available" for part in row["parts"])

    await wait_until(is_stored)
    interrupt()
    [_, answer] = await talk.wait_for_messages(conversation, 2)
    assert sorted(made) == [1, 1, 2]
    outputs = [part["output"] for part in answer["parts"] if "output" in part]
    assert [len(one["rows"]) for one in outputs] == [1, 2]
    sent = [one for one in talk.provider.requests[1].body["messages"] if one["role"] == "tool"]
    assert [one["tool_call_id"] for one in sent] == ["c1", "c2"]


async def test_a_change_made_at_once_is_made_once(
    talk: Talk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Interrupted between the change and the storing of its result."""
    account = await talk.open_account()
    make = Round._make
    interrupted: list[int] = []

    async def vanish(self: Round, number: int, one: Any) -> None:
        async def lose(_parts: Any) -> None:
            interrupted.append(number)
            raise asyncio.CancelledError

        if not interrupted:
            self.keep = lose
        await make(self, number, one)

    monkeypatch.setattr(Round, "_make", vanish)
    given = json.dumps({"accountId": str(account), "amount": 5, "reference": "once"})
    talk.provider.script(
        stream(call("bank_deposit", given), end("tool_calls")), stream(text("Done."), end())
    )
    conversation, _ = await start(talk, "Pay", mode="auto")
    [_, answer] = await talk.wait_for_messages(conversation, 2)
    assert interrupted == [0]
    assert await count_effects(talk.server.database, account) == 1
    [output] = [part["output"] for part in answer["parts"] if "output" in part]
    assert output["status"] == "applied"
    assert len([part for part in answer["parts"] if part["type"] == "data-applied"]) == 1


async def test_an_answer_that_was_complete_is_not_asked_for_again(
    talk: Talk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Interrupted after the last word, before the end was stored."""
    end_attempt = Attempt.end
    ends: list[str] = []

    async def vanish(self: Attempt, status: Any, error: Any) -> None:
        ends.append(status)
        if len(ends) == 1:
            await self.studio.journal.flush()
            raise asyncio.CancelledError
        await end_attempt(self, status, error)

    monkeypatch.setattr(Attempt, "end", vanish)
    talk.provider.script(stream(text("All ", "said."), end()))
    conversation, _ = await start(talk, "Say it")
    [_, answer] = await talk.wait_for_messages(conversation, 2)
    assert [part.get("text") for part in answer["parts"]] == [None, "All said."]
    assert ends == ["completed"] * 2
    assert len(talk.provider.requests) == 1


async def test_a_decision_is_told_to_whoever_goes_on(talk: Talk) -> None:
    account = await talk.open_account()
    given = json.dumps({"accountId": str(account), "amount": 5, "reference": "told"})
    talk.provider.script(
        stream(call("bank_deposit", given), end("tool_calls")),
        stream(text("Please decide."), end()),
        hang_after(text("It ")),
        stream(text("is done."), end()),
    )
    conversation, _ = await start(talk, "Pay")
    await talk.wait_for_messages(conversation, 2)
    [card] = (await talk.view(conversation))["pending"]
    await apply(talk.client, card["id"])

    async def is_asked() -> bool:
        return len(talk.provider.requests) == 3

    await wait_until(is_asked)
    [row] = await fetch(talk.server, "SELECT id FROM runs WHERE kind = 'decision'")
    await wait_for_words(talk, row["id"], '"It "')
    interrupt()
    [*_, answer] = await talk.wait_for_messages(conversation, 3)
    assert [part.get("text") for part in answer["parts"]] == [None, "It is done."]
    first, second = [one.body["messages"] for one in talk.provider.requests[2:]]
    assert "has been applied" in str(first[-1]["content"])
    assert second[: len(first)] == first


async def test_a_run_that_nobody_takes_any_more_ends_as_failed(talk: Talk) -> None:
    talk.provider.script(hang_after(text("Half a ")))
    conversation, run_id = await start(talk, "Speak")
    await wait_for_words(talk, run_id, "Half a ")
    await execute(
        talk.server,
        "UPDATE work SET state = 'failed', finished_at = now(), owner = NULL"
        " WHERE id = (SELECT work_id FROM runs WHERE id = $1)",
        run_id,
    )
    [_, answer] = await talk.wait_for_messages(conversation, 2)
    assert [part.get("text") for part in answer["parts"]] == [None, "Half a "]
    [row] = await fetch(talk.server, "SELECT status, error FROM runs WHERE id = $1", run_id)
    assert (row["status"], row["error"]) == ("failed", INTERRUPTED)
