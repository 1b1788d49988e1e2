"""Turns that lose their Postgres in mid-sentence: when it is back they go on, and end as if nothing
had happened.
"""

import asyncio
import signal
from collections.abc import AsyncGenerator, Generator

import pytest
import pytest_asyncio

from assent.db.database import open_database
from assent.ids import new_id
from tests.fault.durable_postgres import DurablePostgres, run_durable
from tests.fault.run_process import SETTINGS
from tests.fault.stage import (
    PATIENCE,
    Stage,
    follow,
    open_stage,
    wait_until_over,
    wait_until_spoken,
)
from tests.patience import wait_until
from tests.store.work.steps import eventually
from tests.turn.people import expect, fetch_value

RESTART, CRASH = signal.SIGINT, signal.SIGQUIT


@pytest.fixture(scope="module")
def postgres() -> Generator[DurablePostgres]:
    with run_durable() as server:
        yield server


@pytest_asyncio.fixture(scope="module")
async def stage(postgres: DurablePostgres) -> AsyncGenerator[Stage]:
    await create_database(postgres, "turns")
    async with open_stage(postgres.url("turns")) as opened:
        for _ in range(2):
            await opened.add_driver()
        yield opened


@pytest_asyncio.fixture
async def calm(postgres: DurablePostgres) -> AsyncGenerator[Stage]:
    """Nothing waits for the disk in mid-sentence, not even to keep a lease."""
    name = f"calm_{new_id().hex}"
    await create_database(postgres, name)
    async with open_stage(postgres.url(name), lease_seconds=120) as opened:
        await opened.add_driver()
        yield opened


@pytest.mark.parametrize(("how", "away"), [(RESTART, 0.0), (RESTART, 5.0), (CRASH, 5.0)])
async def test_turns_outlive_their_database(
    stage: Stage, postgres: DurablePostgres, how: signal.Signals, away: float
) -> None:
    """Away for a moment, their owners go on; away for longer than a lease, others may."""
    turns = [await stage.start_turn(pause=0.1) for _ in range(4)]
    async with asyncio.TaskGroup() as group:
        ours = [group.create_task(follow(one, lambda: stage.desk.server.url)) for one in turns]
        theirs = [group.create_task(follow(one, lambda: stage.drivers[0].url)) for one in turns]
        await wait_until_spoken(stage, turns)
        await asyncio.to_thread(postgres.stop, how)
        await asyncio.sleep(away)
        postgres.start()
        await eventually(lambda: is_ready(stage), seconds=PATIENCE)
        late = [group.create_task(follow(one, lambda: stage.desk.server.url)) for one in turns]
        await wait_until_over(stage)
    for one, *seen in zip(turns, ours, theirs, late, strict=True):
        await one.check(*(follower.result() for follower in seen))


@pytest.mark.parametrize("how", ["shutdown", "backend"])
async def test_whoever_comes_after_a_crash_misses_nothing(
    calm: Stage, postgres: DurablePostgres, how: str
) -> None:
    """The database has lost what it had not written yet; who drives the turn lives on."""
    turn = await calm.start_turn(pause=0.1)
    await wait_until_spoken(calm, [turn])
    postgres.stop_writing()
    said = await count_said(calm)

    async def has_said_more() -> bool:
        return await count_said(calm) >= said + 5

    await wait_until(has_said_more)
    if how == "shutdown":
        await asyncio.to_thread(postgres.stop, CRASH)
        postgres.start()
    else:
        await asyncio.to_thread(postgres.kill_backend, "calm")
    await eventually(lambda: is_ready(calm), seconds=PATIENCE)
    late = asyncio.create_task(follow(turn, lambda: calm.desk.server.url))
    await wait_until_over(calm)
    async with asyncio.timeout(PATIENCE):
        await turn.check(await late, await follow(turn, lambda: calm.desk.server.url))
    assert await fetch_value(calm.desk.server, "SELECT attempt FROM runs") == 1


async def test_turns_outlive_a_database_that_hangs(stage: Stage, postgres: DurablePostgres) -> None:
    """Longer than a lease: connections stay open, and nothing comes back on them."""
    turns = [await stage.start_turn(pause=0.1) for _ in range(4)]
    async with asyncio.TaskGroup() as group:
        seen = [group.create_task(follow(one, lambda: stage.desk.server.url)) for one in turns]
        await wait_until_spoken(stage, turns)
        postgres.freeze()
        await asyncio.sleep(3 * SETTINGS["lease_seconds"])
        postgres.thaw()
        await wait_until_over(stage)
    for one, parts in zip(turns, seen, strict=True):
        await one.check(parts.result())


async def test_a_request_in_between_says_so(stage: Stage, postgres: DurablePostgres) -> None:
    postgres.stop(RESTART)
    async with asyncio.timeout(PATIENCE):
        refused = await stage.desk.client.get("/api/me")
    assert expect(refused, 503)["code"] == "unavailable"
    postgres.start()
    await eventually(lambda: is_ready(stage), seconds=PATIENCE)
    expect(await stage.desk.client.get("/api/me"), 200)


async def count_said(stage: Stage) -> int:
    return await fetch_value(stage.desk.server, "SELECT max(last_seq) FROM run_events")


async def create_database(postgres: DurablePostgres, name: str) -> None:
    admin = await open_database(postgres.url("postgres"), pool_size=1)
    async with admin.connection() as connection:
        await connection.execute(f"CREATE DATABASE {name}")
    await admin.close()


async def is_ready(stage: Stage) -> bool:
    return (await stage.desk.client.get("/readyz")).status_code == 200
