"""A database that loses words of a turn under way: nobody sees a hole, however much is lost."""

import asyncio
from collections.abc import AsyncGenerator
from typing import Any

import pytest
import pytest_asyncio

from assent.agents.notes import CUT_ANSWER
from assent.db.database import Db
from assent.runs import live as live_module
from assent.runs import store
from assent.runs.run import Run
from assent.testing import Databases
from assent.testing.provider import DONE, Asked, Scripted, Step, encode, end, text
from tests.patience import PATIENCE, wait_until
from tests.turn.people import fetch
from tests.turn.talk import Streamed, Talk, open_talk, parse_stream

KEPT = 30_000
CHUNK = "x" * 2_000 + " "
CHUNKS = 2 * KEPT // len(CHUNK)


@pytest_asyncio.fixture
async def talk(databases: Databases) -> AsyncGenerator[Talk]:
    async with open_talk(databases) as opened:
        yield opened


async def forget(talk: Talk, statement: str = "DELETE FROM run_events") -> None:
    async with talk.server.database.transaction() as db:
        await db.execute(statement)


async def count_chunks(talk: Talk) -> int:
    """How many the table has."""
    frames = await fetch(talk.server, "SELECT frames FROM run_events")
    return sum(bytes(row["frames"]).count(CHUNK.encode()) for row in frames)


async def listen_again(talk: Talk, run_id: str) -> Streamed:
    return parse_stream((await talk.client.get(f"/api/runs/{run_id}/stream")).text)


def encode_all(chunks: list[dict[str, Any]]) -> bytes:
    return b"".join(map(encode, chunks))


async def test_lost_between_the_last_word_and_the_end(
    talk: Talk, monkeypatch: pytest.MonkeyPatch
) -> None:
    find_stored = store.find_stored
    lost: list[int] = []

    async def lose_first(db: Db, run: Run) -> int:
        if not lost:
            lost.append(await find_stored(db, run))
            await forget(talk)
        return await find_stored(db, run)

    monkeypatch.setattr(store, "find_stored", lose_first)
    talk.provider.script(Scripted((encode_all([*text("Hello", ", Ann."), *end()]), DONE)))
    conversation = await talk.open()
    async with asyncio.timeout(PATIENCE):
        answer = await talk.say(conversation, "Hi")
    assert lost[0] == len(answer.ids)
    again = await listen_again(talk, answer.events[0]["messageMetadata"]["runId"])
    assert again == answer
    assert again.types[-1] == "finish"


async def test_lost_further_back_than_anybody_remembers(
    talk: Talk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The answer is told anew, and goes on where the table ends."""
    monkeypatch.setattr(live_module, "KEPT_BYTES", KEPT)
    go_on = asyncio.Event()
    asked: list[Asked] = []

    def go_on_from(request: Asked) -> Scripted:
        asked.append(request)
        return Scripted((encode_all([*text("the rest."), *end()]), DONE))

    long: list[Step] = [encode_all(text(CHUNK)), 0.05] * CHUNKS
    more: list[Step] = [encode_all(text("never stored")), 0.1] * 100
    talk.provider.script(Scripted((*long, go_on, *more)), go_on_from)
    conversation = await talk.open()
    saying = asyncio.create_task(talk.say(conversation, "Go on and on"))

    async def is_told() -> bool:
        return await count_chunks(talk) == CHUNKS

    await wait_until(is_told)
    await forget(talk, "DELETE FROM run_events WHERE last_seq > 5")
    kept = await count_chunks(talk)
    go_on.set()
    async with asyncio.timeout(PATIENCE):
        first = await saying
        [_, message] = await talk.wait_for_messages(conversation, 2)
    words = CHUNK * kept
    told = "".join(part.get("text", "") for part in message["parts"])
    assert told == words + "the rest."
    again = await listen_again(talk, first.events[0]["messageMetadata"]["runId"])
    assert again.text == told
    assert again.types[-1] == "finish"
    assert {one.split(":")[1] for one in again.ids} == {"2"}
    assert "finish" not in first.types
    assert (CUT_ANSWER in str(asked[0].body["messages"][-1])) == bool(words)
