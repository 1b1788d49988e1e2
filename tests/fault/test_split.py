"""A server that only serves and workers that only work: turns go across, whoever is killed."""

import asyncio
import signal
from collections.abc import AsyncGenerator
from dataclasses import replace
from pathlib import Path

import pytest_asyncio

from assent.testing import Client, Databases
from tests.fault.door_bench import move_client
from tests.fault.fleet import Fleet, run_fleet
from tests.fault.stage import (
    PATIENCE,
    Stage,
    follow_run,
    open_stage,
    wait_until_over,
    wait_until_spoken,
)
from tests.store.work.steps import eventually
from tests.turn.people import fetch

STATUS = "SELECT status, attempt FROM runs WHERE id = $1"
UNSEALED = "SELECT count(*) AS n FROM audit_entries WHERE position IS NULL"


@pytest_asyncio.fixture
async def stage(databases: Databases) -> AsyncGenerator[Stage]:
    async with databases.copy() as url, open_stage(url) as opened:
        yield opened


async def test_workers_do_the_work_of_servers(stage: Stage, tmp_path: Path) -> None:
    with run_fleet(stage.url, tmp_path, 1, ASSENT_BACKGROUND_WORK="false") as fleet:
        turns = [await stage.start_turn(pause=0.5) for _ in range(3)]
        async with asyncio.TaskGroup() as group:
            seen = [
                group.create_task(follow_run(one.run_id, lambda: open_client(stage, fleet)))
                for one in turns
            ]
            for one in turns:
                [row] = await fetch(stage.desk.server, STATUS, one.run_id)
                assert (row["status"], row["attempt"]) == ("queued", 0)
            first = await asyncio.to_thread(fleet.add_worker)
            await wait_until_spoken(stage, turns)
            second = await asyncio.to_thread(fleet.add_worker)
            await asyncio.to_thread(first.end, signal.SIGKILL)
            await wait_for_attempt(stage, turns[0].run_id, 2)
            await asyncio.to_thread(fleet.add_worker)
            for one in turns:
                stage.library.stories[one.story.name] = replace(one.story, pause=0.01)
            assert await asyncio.to_thread(second.end, signal.SIGTERM) == 0
        await wait_until_over(stage)
        for one, parts in zip(turns, seen, strict=True):
            await one.check(parts.result())
        await eventually(lambda: is_sealed(stage), seconds=PATIENCE)


def open_client(stage: Stage, fleet: Fleet) -> Client:
    return move_client(stage.desk.client, f"http://127.0.0.1:{fleet.ports[0]}")


async def wait_for_attempt(stage: Stage, run_id: object, attempt: int) -> None:
    async def is_there() -> bool:
        [row] = await fetch(stage.desk.server, STATUS, run_id)
        return row["attempt"] >= attempt

    await eventually(is_there, seconds=PATIENCE)


async def is_sealed(stage: Stage) -> bool:
    [row] = await fetch(stage.desk.server, UNSEALED)
    return row["n"] == 0
