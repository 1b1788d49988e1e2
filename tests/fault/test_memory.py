"""A process that is lost while earlier turns are summarized: nothing is lost, nothing is twice."""

import asyncio
import json
import signal
from typing import Any
from uuid import UUID

from assent.testing import Databases
from assent.testing.provider import Scripted, end, stream, text
from tests.fault.run_process import SETTINGS
from tests.fault.stage import PATIENCE, Stage, open_stage, wait_until_over
from tests.turn.people import expect, fetch
from tests.turn.strict import INSTRUCTION, Strict, list_said, make_small

MANY = 1_000
LATE, GOOD = "Said too late.", "Said by the one who took over."


class Held:
    """The first summary is waited for, until it is let go; the next one comes at once."""

    def __init__(self) -> None:
        self.asked = asyncio.Event()
        self.let_go = asyncio.Event()

    def answer(self, number: int) -> Scripted:
        if number > 1:
            return stream(text(GOOD), end())
        self.asked.set()
        late = stream(text(LATE), end())
        return Scripted((self.let_go, *late.steps))


async def talk_until_summarized(stage: Stage, held: Held) -> str:
    """The conversation in which one turn waits for a summary."""
    client = stage.desk.client
    draft = {"agent": "small"}
    conversation = expect(await client.post("/api/conversations", json=draft), 201)["id"]
    url = f"/api/conversations/{conversation}"
    expect(await client.patch(url, json={"title": "Long"}), 200)
    for number in range(40):
        said = INSTRUCTION if number == 0 else f"And report {number}?"
        expect(await client.post(f"{url}/messages", json={"message": {"text": said}}), 202)
        over = asyncio.create_task(wait_until_over(stage))
        asked = asyncio.create_task(held.asked.wait())
        await asyncio.wait({over, asked}, return_when=asyncio.FIRST_COMPLETED, timeout=PATIENCE)
        if held.asked.is_set():
            over.cancel()
            return conversation
        asked.cancel()
    raise AssertionError("No summary was asked for.")


async def check_end(stage: Stage, strict: Strict, conversation: str) -> None:
    await wait_until_over(stage)
    [row] = await fetch(
        stage.desk.server,
        "SELECT summary, summarized_through_seq AS through FROM conversations WHERE id = $1",
        UUID(conversation),
    )
    messages = await list_messages(stage, conversation)
    assert row["summary"]["record"] == GOOD
    assert row["summary"]["turns"] * 2 == row["through"]
    assert all(one["parts"][-1]["text"].endswith("all is well.") for one in messages[1::2])
    assert not strict.faults
    assert all("ABC-123" in json.dumps(list_said(one)) for one in strict.requests)


async def list_messages(stage: Stage, conversation: str) -> list[dict[str, Any]]:
    url = f"/api/conversations/{conversation}/messages?limit=200"
    return expect(await stage.desk.client.get(url), 200)["items"]


async def test_a_process_that_is_killed_while_it_summarizes(databases: Databases) -> None:
    held = Held()
    strict = Strict(summaries=held.answer)
    async with databases.copy() as url, open_stage(url) as stage:
        await make_small(stage.desk.client)
        stage.provider.clear()
        stage.provider.script(*[strict.answer] * MANY)
        for _ in range(2):
            await stage.add_driver()
        conversation = await talk_until_summarized(stage, held)
        owner = await stage.wait_for_owner()
        owner.signal(signal.SIGKILL)
        stage.remove(owner)
        await check_end(stage, strict, conversation)
        assert strict.asked_for_summary == 2


async def test_a_process_that_was_frozen_while_it_summarized_stores_nothing(
    databases: Databases,
) -> None:
    held = Held()
    strict = Strict(summaries=held.answer)
    async with databases.copy() as url, open_stage(url) as stage:
        await make_small(stage.desk.client)
        stage.provider.clear()
        stage.provider.script(*[strict.answer] * MANY)
        for _ in range(2):
            await stage.add_driver()
        conversation = await talk_until_summarized(stage, held)
        owner = await stage.wait_for_owner()
        owner.signal(signal.SIGSTOP)
        stage.drivers.remove(owner)
        await check_end(stage, strict, conversation)
        held.let_go.set()
        owner.signal(signal.SIGCONT)
        await asyncio.sleep(2 * SETTINGS["lease_seconds"])
        await check_end(stage, strict, conversation)
        stage.drivers.append(owner)
