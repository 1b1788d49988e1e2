"""Spenders in processes of their own, on a durable Postgres, while things are killed."""

import asyncio
import signal
from collections.abc import AsyncGenerator, Generator
from dataclasses import dataclass
from datetime import timedelta
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

import pytest

import assent.models
from assent.db.database import Database
from assent.db.migrate import Component
from assent.errors import TooMany, Unavailable
from assent.models.cap import Cap, Spender
from assent.models.spend import reserve
from tests.fault.durable_postgres import DurablePostgres, open_migrated, run_durable
from tests.fault.processes import Processes
from tests.fault.spend_process import LEASE, ROLLING, TABLES, TOKENS, TURN, spend
from tests.store.models.steps import list_ids, new_spender, pass_time, read_meter
from tests.store.work.steps import eventually, fetch

MODELS = Component("models", Path(assent.models.__file__).parent / "migrations")
HOURLY = Cap(TOKENS, timedelta(hours=1))
MOST_IN_ONE_WINDOW = """
SELECT count(*) AS calls, max((
    SELECT sum(tokens) FROM calls AS earlier
    WHERE earlier.at > last.at - $1::interval AND earlier.at <= last.at
))::int AS tokens, EXISTS (SELECT 1 FROM refusals) AS refused
FROM calls AS last
"""


@dataclass(frozen=True, slots=True)
class Spending:
    """A process that spends, and the pipe to it."""

    process: BaseProcess
    pipe: Any


class Spenders:
    """Processes that spend for the same principal."""

    def __init__(self, url: str, spender: Spender, processes: Processes) -> None:
        self._arguments = (url, list_ids(spender))
        self._processes = processes
        self._spending: list[Spending] = []

    async def start(self, count: int) -> list[Spending]:
        started = [Spending(*self._processes.start(spend, *self._arguments)) for _ in range(count)]
        self._spending += started
        for one in started:
            assert await self._listen(one) == "ready"
        return started

    def tell(self, spending: list[Spending], word: str) -> None:
        for one in spending:
            one.pipe.send(word)

    async def ask(self, spending: list[Spending], word: str) -> list[int]:
        self.tell(spending, word)
        return [await self._listen(one) for one in spending]

    async def replace_dead(self) -> int:
        """Start another for each that killed itself, and return how many there were."""
        dead = [one for one in self._spending if not one.process.is_alive()]
        assert {one.process.exitcode for one in dead} <= {-signal.SIGKILL}
        self._spending = [one for one in self._spending if one not in dead]
        self.tell(await self.start(len(dead)), "die")
        return len(dead)

    def kill_all(self) -> None:
        for one in self._spending:
            one.process.kill()
            one.process.join()

    async def _listen(self, one: Spending) -> Any:
        return await self._processes.first_word(one.process, one.pipe)


@pytest.fixture(scope="module")
def server() -> Generator[DurablePostgres]:
    with run_durable() as running:
        yield running


@pytest.fixture
async def database(server: DurablePostgres) -> AsyncGenerator[Database]:
    async with open_migrated(server, MODELS, TABLES) as opened:
        yield opened


@pytest.fixture
def spender() -> Spender:
    return new_spender()


@pytest.fixture
def spenders(database: Database, spender: Spender) -> Generator[Spenders]:
    with Processes() as processes:
        yield Spenders(database.url, spender, processes)


async def find_wait(database: Database, spender: Spender, cap: Cap) -> int:
    """Try to take the whole cap: 0 if that worked, else the seconds to wait."""
    try:
        await reserve(database, spender, cap, worst_case=cap.tokens, purpose="turn", lease=LEASE)
    except TooMany as refused:
        return refused.retry_after
    return 0


async def until_empty(database: Database, spender: Spender, cap: Cap) -> None:
    async def is_empty() -> bool:
        return await find_wait(database, spender, cap) == 0

    await eventually(is_empty)


async def is_tried(database: Database) -> bool:
    """Whether more was asked for than there was room, and room came back."""
    [row] = await fetch(database, MOST_IN_ONE_WINDOW, ROLLING.window)
    return row["refused"] and row["calls"] > ROLLING.tokens // TURN


async def check_bill(database: Database, spender: Spender) -> None:
    """Never over the cap in any window; and in the end all of the room is back."""
    assert await is_tried(database)
    [row] = await fetch(database, MOST_IN_ONE_WINDOW, ROLLING.window)
    assert row["tokens"] <= ROLLING.tokens
    await until_empty(database, spender, ROLLING)


async def test_64_reservations_by_four_processes_fill_the_cap_and_no_more(
    database: Database, spender: Spender, spenders: Spenders
) -> None:
    assert sum(await spenders.ask(await spenders.start(4), "fill")) == TOKENS // TURN
    meter = await read_meter(database, spender)
    assert meter is not None
    assert meter.reserved == TOKENS


async def test_what_a_killed_process_may_have_spent_counts(
    database: Database, spender: Spender, spenders: Spenders
) -> None:
    await spenders.ask(await spenders.start(2), "fill")
    spenders.kill_all()
    assert 0 < await find_wait(database, spender, HOURLY) <= LEASE.total_seconds() + 1
    await pass_time(database, spender, LEASE)
    assert await find_wait(database, spender, HOURLY) > 3_400


async def test_room_of_calls_that_never_began_comes_back_with_the_lease(
    database: Database, spender: Spender, spenders: Spenders
) -> None:
    await spenders.ask(await spenders.start(2), "prepare")
    spenders.kill_all()
    assert 0 < await find_wait(database, spender, HOURLY) <= LEASE.total_seconds() + 1
    await pass_time(database, spender, LEASE)
    assert await find_wait(database, spender, HOURLY) == 0


async def test_reservations_outlive_a_crash_of_postgres(
    server: DurablePostgres, database: Database, spender: Spender, spenders: Spenders
) -> None:
    assert sum(await spenders.ask(await spenders.start(2), "fill")) == TOKENS // TURN
    server.stop(signal.SIGQUIT)
    server.start()
    await eventually(lambda: answers(database))
    meter = await read_meter(database, spender)
    assert meter is not None
    assert (meter.reserved, meter.reservations) == (TOKENS, TOKENS // TURN)


async def answers(database: Database) -> bool:
    try:
        await fetch(database, "SELECT 1")
    except Unavailable:
        return False
    return True


async def test_deaths_between_reserving_and_settling(
    database: Database, spender: Spender, spenders: Spenders
) -> None:
    await die_often(database, spender, spenders, deaths=4)


@pytest.mark.deep
@pytest.mark.parametrize("_nth", range(3))
async def test_many_deaths_between_reserving_and_settling(
    database: Database, spender: Spender, spenders: Spenders, _nth: int
) -> None:
    await die_often(database, spender, spenders, deaths=60)


@pytest.mark.deep
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGQUIT], ids=["restart", "crash"])
async def test_postgres_goes_and_comes_back_under_load(
    server: DurablePostgres,
    database: Database,
    spender: Spender,
    spenders: Spenders,
    how: signal.Signals,
) -> None:
    spenders.tell(await spenders.start(4), "call")
    for _ in range(3):
        await asyncio.sleep(2)
        server.stop(how)
        server.start()
        await eventually(lambda: answers(database))
    await eventually(lambda: is_tried(database))
    spenders.kill_all()
    await check_bill(database, spender)


async def die_often(
    database: Database, spender: Spender, spenders: Spenders, *, deaths: int
) -> None:
    spenders.tell(await spenders.start(3), "die")
    while deaths > 0 or not await is_tried(database):
        await asyncio.sleep(0.05)
        deaths -= await spenders.replace_dead()
    spenders.kill_all()
    await check_bill(database, spender)
