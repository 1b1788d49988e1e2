"""Workers in processes of their own, on a durable Postgres, while things are killed."""

import asyncio
import os
import random
import signal
from collections import Counter, defaultdict
from collections.abc import AsyncGenerator, Generator, Sequence
from datetime import datetime
from multiprocessing.process import BaseProcess
from pathlib import Path
from uuid import UUID

import pytest

import assent.work
from assent.db.database import Database
from assent.db.migrate import Component
from assent.work.link import DATABASE_ERRORS
from tests.fault.durable_postgres import DurablePostgres, open_migrated, run_durable
from tests.fault.processes import Processes
from tests.fault.work_process import LEASE_SECONDS, TABLES, work
from tests.patience import PATIENCE
from tests.store.work.steps import add, eventually, execute, fetch, state_of, until_state

WORK = Component("work", Path(assent.work.__file__).parent / "migrations")


class Workers:
    """Three worker processes, replaced when they die."""

    def __init__(self, url: str, processes: Processes) -> None:
        self._url = url
        self._processes = processes
        self._workers: dict[int, BaseProcess] = {}

    async def start(self, count: int) -> None:
        started = [self._processes.start(work, self._url) for _ in range(count)]
        for process, pipe in started:
            assert await self._processes.first_word(process, pipe) == "ready"
            assert process.pid is not None
            self._workers[process.pid] = process

    @property
    def pids(self) -> list[int]:
        return list(self._workers)

    def signal(self, pid: int, how: signal.Signals) -> None:
        os.kill(pid, how)

    def kill(self, pid: int) -> None:
        process = self._workers.pop(pid)
        process.kill()
        process.join(PATIENCE)

    async def stop(self) -> list[int | None]:
        """Ask all to stop and return their exit codes."""
        for pid, process in self._workers.items():
            os.kill(pid, signal.SIGCONT)
            process.terminate()
        for process in self._workers.values():
            await asyncio.to_thread(process.join, PATIENCE)
        return [process.exitcode for process in self._workers.values()]


@pytest.fixture(scope="module")
def server() -> Generator[DurablePostgres]:
    with run_durable() as running:
        yield running


@pytest.fixture
async def database(server: DurablePostgres) -> AsyncGenerator[Database]:
    async with open_migrated(server, WORK, TABLES) as opened:
        yield opened


@pytest.fixture
async def workers(database: Database) -> AsyncGenerator[Workers]:
    with Processes() as processes:
        workers = Workers(database.url, processes)
        await workers.start(3)
        yield workers
        assert set(await workers.stop()) <= {0}


async def trace(database: Database, work_id: UUID, what: str, attempt: int = 1) -> int:
    """Wait until some process reports this about the work, and return its pid."""
    query = "SELECT pid FROM starts WHERE work_id = $1 AND what = $2 AND attempt = $3"
    found: list[int] = []

    async def reported() -> bool:
        found.extend(row["pid"] for row in await fetch(database, query, work_id, what, attempt))
        return bool(found)

    await eventually(reported)
    return found[0]


async def permit(database: Database, work_id: UUID, first: int, last: int = 1_000) -> None:
    """Let these attempts go on; those that nobody asked for too, as on a slow machine."""
    await execute(database, "INSERT INTO permits VALUES ($1, $2, $3)", work_id, first, last)


async def effects(database: Database, work_id: UUID) -> list[tuple[int, int]]:
    query = "SELECT pid, attempt FROM effects WHERE work_id = $1"
    return [(row["pid"], row["attempt"]) for row in await fetch(database, query, work_id)]


async def test_a_killed_owner_is_replaced_and_the_effect_happens_once(
    database: Database, workers: Workers
) -> None:
    work_id = await add(database, "work")
    owner = await trace(database, work_id, "began")
    workers.kill(owner)
    await permit(database, work_id, 2)
    await until_state(database, work_id, "done")
    [(heir, attempt)] = await effects(database, work_id)
    assert heir != owner
    assert attempt > 1


async def test_an_owner_that_froze_and_returns_is_fenced_out(
    database: Database, workers: Workers
) -> None:
    work_id = await add(database, "work")
    owner = await trace(database, work_id, "began")
    workers.signal(owner, signal.SIGSTOP)
    await permit(database, work_id, 2)
    await until_state(database, work_id, "done")
    [(heir, attempt)] = await effects(database, work_id)
    assert heir != owner
    assert attempt > 1

    await permit(database, work_id, 1, 1)
    workers.signal(owner, signal.SIGCONT)
    assert await trace(database, work_id, "writes") == owner
    assert await trace(database, work_id, "ended") == owner
    assert await effects(database, work_id) == [(heir, attempt)]
    assert await state_of(database, work_id) == "done"


async def test_an_owner_that_froze_inside_its_transaction_loses_it(
    database: Database, workers: Workers
) -> None:
    work_id = await add(database, "dawdle")
    owner = await trace(database, work_id, "began")
    workers.signal(owner, signal.SIGSTOP)
    await permit(database, work_id, 2)
    await until_state(database, work_id, "done")
    [(heir, attempt)] = await effects(database, work_id)
    assert heir != owner
    assert attempt > 1

    await permit(database, work_id, 1, 1)
    workers.signal(owner, signal.SIGCONT)
    assert await trace(database, work_id, "ended") == owner
    assert await effects(database, work_id) == [(heir, attempt)]


@pytest.mark.parametrize("ticks", [3, pytest.param(20, marks=pytest.mark.deep)])
async def test_each_tick_happens_once_over_three_workers(
    database: Database, workers: Workers, ticks: int
) -> None:
    query = "SELECT mark FROM effects WHERE mark IS NOT NULL ORDER BY mark"

    async def enough() -> bool:
        return len(await fetch(database, query)) >= ticks

    await eventually(enough)
    marks = [row["mark"] for row in await fetch(database, query)]
    times = [datetime.fromisoformat(mark).timestamp() for mark in marks]
    assert len(set(times)) == len(times)
    assert all(time == int(time) for time in times)


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGQUIT], ids=["restart", "crash"])
async def test_workers_go_on_when_postgres_comes_back(
    server: DurablePostgres, database: Database, workers: Workers, how: signal.Signals
) -> None:
    ids = [await add(database, "work", payload={"seconds": 0.3}) for _ in range(30)]
    await trace(database, ids[5], "began")
    server.stop(how)
    await asyncio.sleep(LEASE_SECONDS)
    server.start()
    await eventually(lambda: answers(database))
    for work_id in ids:
        await until_state(database, work_id, "done")
        assert len(await effects(database, work_id)) == 1


async def answers(database: Database) -> bool:
    try:
        await fetch(database, "SELECT 1")
    except DATABASE_ERRORS:
        return False
    return True


@pytest.mark.deep
@pytest.mark.parametrize("seed", range(5))
async def test_many_rounds_of_kills_and_freezes(
    database: Database, workers: Workers, seed: int
) -> None:
    """Lanes keep their order and each effect happens once, whatever happens to the owners."""
    chance = random.Random(seed)
    lanes = [f"lane {n}" for n in range(6)]
    ids = {
        await add(
            database, "work", payload={"seconds": 0.15, "mark": lane}, ordering_key=lane
        ): lane
        for _ in range(60)
        for lane in lanes
    }
    await execute(database, "UPDATE work SET max_attempts = 100 WHERE kind = 'work'")
    for _ in range(10):
        await asyncio.sleep(chance.random())
        pid = chance.choice(workers.pids)
        if chance.random() < 0.5:
            workers.kill(pid)
            await workers.start(1)
        else:
            workers.signal(pid, signal.SIGSTOP)
            await asyncio.sleep(LEASE_SECONDS + chance.random())
            workers.signal(pid, signal.SIGCONT)
    await wait_for_all(database, list(ids))
    rows = await fetch(
        database,
        "SELECT work_id, attempt FROM effects WHERE work_id = ANY($1) ORDER BY nth",
        list(ids),
    )
    assert max(row["attempt"] for row in rows) > 1
    assert Counter(row["work_id"] for row in rows) == Counter(list(ids))
    order: dict[str, list[UUID]] = defaultdict(list)
    for row in rows:
        order[ids[row["work_id"]]].append(row["work_id"])
    for lane in lanes:
        assert order[lane] == [work_id for work_id in ids if ids[work_id] == lane]


async def wait_for_all(database: Database, ids: Sequence[UUID]) -> None:
    async def all_done() -> bool:
        query = "SELECT count(*) AS n FROM work WHERE id = ANY($1) AND state = 'done'"
        [row] = await fetch(database, query, ids)
        return row["n"] == len(ids)

    await eventually(all_done, seconds=120)
