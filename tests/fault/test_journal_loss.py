"""A Postgres that crashes and loses what it had not written yet, while who speaks lives on."""

import asyncio
import signal
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator
from contextlib import suppress
from dataclasses import replace
from typing import TypeVar

import pytest
import pytest_asyncio

from assent.db.database import Database, open_database
from assent.db.migrate import migrate
from assent.errors import AssentError
from assent.main import list_components
from assent.plugins.load import Loaded
from assent.runs import store
from assent.runs.live import LiveRun
from assent.runs.recent import KEPT_BYTES
from tests.fault.durable_postgres import DurablePostgres, run_durable
from tests.patience import PATIENCE, wait_until
from tests.store.runs.stage import Stage, collect, data_of, event, open_stage

NAME = "journal"
Crash = Callable[[DurablePostgres], None]
Found = TypeVar("Found")


@pytest.fixture(scope="module")
def postgres() -> Generator[DurablePostgres]:
    with run_durable() as server:
        yield server


@pytest_asyncio.fixture
async def stage(postgres: DurablePostgres, loaded: Loaded) -> AsyncGenerator[Stage]:
    admin = await open_database(postgres.url("postgres"), pool_size=1)
    async with admin.connection() as connection:
        await connection.execute(f"DROP DATABASE IF EXISTS {NAME} WITH (FORCE)")
        await connection.execute(f"CREATE DATABASE {NAME}")
    await admin.close()
    database = await open_database(postgres.url(NAME), pool_size=4)
    await migrate(database, list_components(loaded))
    async with open_stage(database) as opened:
        yield opened
    await database.close()


def shut_down_at_once(postgres: DurablePostgres) -> None:
    postgres.stop(signal.SIGQUIT)
    postgres.start()


def kill_backend(postgres: DurablePostgres) -> None:
    postgres.kill_backend(NAME)


@pytest.mark.parametrize("crash", [shut_down_at_once, kill_backend])
async def test_what_a_crash_lost_is_stored_again(
    stage: Stage, postgres: DurablePostgres, crash: Crash
) -> None:
    async with stage.here.writing(stage.open_live()) as live:
        await speak(stage, live, range(10))
        await write_to_disk(stage.database)
        postgres.stop_writing()
        await speak(stage, live, range(10, 30))
        assert await count_stored(stage) == 30
        crash(postgres)
        assert await until_back(lambda: count_stored(stage)) == 10
        live.say(*(event(f"word {number}") for number in range(30, 40)))
        await until_back(stage.here.flush)
        late = asyncio.create_task(collect(stage, stage.there))
        await stage.end()
        async with asyncio.timeout(PATIENCE):
            frames = await late
    assert data_of(frames) == [f"word {number}" for number in range(40)]


async def test_what_memory_forgot_is_on_the_disk(stage: Stage, postgres: DurablePostgres) -> None:
    async with stage.here.writing(stage.open_live()) as live:
        postgres.stop_writing()
        while live.first_seq == 1:
            live.say(event("x" * (KEPT_BYTES // 10)))
            await stage.here.flush()
        await speak(stage, live, range(10))
        said = live.last.seq
        shut_down_at_once(postgres)
        kept = await until_back(lambda: count_stored(stage))
        assert live.first_seq - 1 <= kept < said
        live.say(event("the end"))
        await until_back(stage.here.flush)
        await stage.end()
    assert len(await collect(stage, stage.there)) == said + 1


async def speak(stage: Stage, live: LiveRun, numbers: range) -> None:
    for number in numbers:
        live.say(event(f"word {number}"))
        await stage.here.flush()


async def write_to_disk(database: Database) -> None:
    """Whatever waits for the disk takes everything before it along."""
    async with database.connection() as db:
        await db.execute("CREATE TABLE IF NOT EXISTS marks (at timestamptz)")
        await db.execute("INSERT INTO marks VALUES (now())")


async def count_stored(stage: Stage) -> int:
    async with stage.database.connection() as db:
        return await store.find_stored(db, replace(stage.run, attempt=1))


async def until_back(ask: Callable[[], Awaitable[Found]]) -> Found:
    """What is answered as soon as the database answers again."""
    found: list[Found] = []

    async def look() -> bool:
        with suppress(AssentError):
            found.append(await ask())
        return bool(found)

    await wait_until(look)
    return found[0]
