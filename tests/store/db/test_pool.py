"""Connections that are lent, come back, break and are waited for; transactions on them."""

import asyncio
from collections.abc import AsyncGenerator

import asyncpg
import pytest
import pytest_asyncio

from assent.db import pool
from assent.db.database import Database, Db, open_database, savepoint
from assent.errors import Unavailable
from assent.testing import Databases

SIZE = 3
PID = "SELECT pg_backend_pid()"


@pytest_asyncio.fixture
async def database(databases: Databases) -> AsyncGenerator[Database]:
    async with databases.copy() as url:
        opened = await open_database(url, pool_size=SIZE)
        try:
            yield opened
        finally:
            await opened.close()


async def find_pid(database: Database) -> int:
    async with database.connection() as db:
        return await db.fetchval(PID)


async def test_one_after_the_other_gets_the_same_connection(database: Database) -> None:
    assert len({await find_pid(database) for _ in range(5)}) == 1
    assert database.connections == (1, 1)


async def test_never_more_than_the_pool_has(database: Database) -> None:
    most = 0

    async def work() -> int:
        nonlocal most
        async with database.connection() as db:
            most = max(most, database.connections[0] - database.connections[1])
            await db.execute("SELECT pg_sleep(0.01)")
            return await db.fetchval(PID)

    pids = await asyncio.gather(*(work() for _ in range(20)))
    assert most == SIZE == len(set(pids))
    assert database.connections == (SIZE, SIZE)
    assert database.waiting == 0


async def test_who_waits_in_vain_is_told(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with database.connection(), database.connection(), database.connection():
        monkeypatch.setattr(pool, "LONGEST_WAIT", 0.01)
        with pytest.raises(Unavailable):
            await find_pid(database)
    assert await find_pid(database)
    assert database.waiting == 0


async def test_who_gives_up_waiting_leaves_the_turn_to_others(database: Database) -> None:
    async with database.connection(), database.connection():
        async with database.connection():
            waiting = [asyncio.create_task(find_pid(database)) for _ in range(3)]
            await asyncio.sleep(0)
            assert database.waiting == 3
            waiting[0].cancel()
        assert all(await asyncio.gather(*waiting[1:]))
    assert database.connections == (SIZE, SIZE)


async def test_what_was_given_back_runs_nothing_any_more(database: Database) -> None:
    async with database.transaction() as kept:
        pass
    for run in (kept.fetch, kept.fetchrow, kept.fetchval, kept.execute):
        with pytest.raises(asyncpg.InterfaceError):
            await run("SELECT 1")


async def test_a_connection_in_a_transaction_is_not_lent_again(database: Database) -> None:
    async with database.connection() as db:
        first = await db.fetchval(PID)
        await db.execute("BEGIN")
    assert await find_pid(database) != first


async def test_a_statement_that_is_cancelled_leaves_the_connection_good(database: Database) -> None:
    entered = asyncio.Event()

    async def wait() -> None:
        async with database.connection() as db:
            entered.set()
            await db.execute("SELECT pg_sleep(600)")

    task = asyncio.create_task(wait())
    await entered.wait()
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert await find_pid(database)
    assert database.connections == (1, 1)


async def test_a_transaction_that_is_cancelled_is_rolled_back(database: Database) -> None:
    async with database.connection() as db:
        await db.execute("CREATE TABLE noted (number int)")

    async def note() -> None:
        async with database.transaction() as db:
            await db.execute("INSERT INTO noted VALUES (1)")
            entered.set()
            await db.execute("SELECT pg_sleep(600)")

    entered = asyncio.Event()
    task = asyncio.create_task(note())
    await entered.wait()
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    async with database.connection() as db:
        assert await db.fetchval("SELECT count(*) FROM noted") == 0


async def end_backend(database: Database, pid: int) -> None:
    connection = await asyncpg.connect(database.url)
    try:
        await connection.execute("SELECT pg_terminate_backend($1, 10000)", pid)
    finally:
        await connection.close()


async def test_a_connection_that_broke_while_idle_is_replaced(database: Database) -> None:
    first = await find_pid(database)
    await end_backend(database, first)
    second = 0
    while not second:
        try:
            second = await find_pid(database)
        except Unavailable:
            continue
    assert second != first


async def test_a_connection_that_breaks_in_use_is_told_and_replaced(database: Database) -> None:
    with pytest.raises(Unavailable):
        async with database.transaction() as db:
            await end_backend(database, await db.fetchval(PID))
            await db.execute("SELECT 1")
    assert await find_pid(database)
    assert database.connections == (1, 1)


async def test_a_failed_connect_takes_no_place(database: Database) -> None:
    failures = iter([OSError(), TimeoutError(), asyncio.CancelledError()])

    async def connect(_read_only: bool) -> asyncpg.Connection:
        for failure in failures:
            raise failure
        return await asyncpg.connect(database.url)

    small = pool.Pool(connect, size=1)
    for failure in (OSError, TimeoutError, asyncio.CancelledError):
        with pytest.raises(failure):
            await small.take()
    taken = await small.take()
    assert small.counts == (1, 0)
    small.give(taken)
    await small.close()


async def test_what_nobody_used_for_long_is_closed(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with database.connection(), database.connection():
        pass
    assert database.connections == (2, 2)
    monkeypatch.setattr(pool, "LONGEST_IDLE", 0.0)
    async with database.connection():
        pass
    assert database.connections[0] <= 1


async def test_closing_waits_for_what_is_lent(database: Database) -> None:
    async with database.connection() as db:
        closing = asyncio.create_task(database.close())
        await asyncio.sleep(0)
        assert await db.fetchval("SELECT 1") == 1
        assert not closing.done()
    await closing
    assert database.connections == (0, 0)
    with pytest.raises(Unavailable):
        await find_pid(database)


async def test_closing_does_not_wait_for_ever(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pool, "CLOSE_SECONDS", 0.01)
    with pytest.raises(Unavailable):
        async with database.connection() as db:
            await database.close()
            await db.execute("SELECT 1")


@pytest.mark.parametrize("size", [1, SIZE])
async def test_readers_and_writers_share_the_pool(databases: Databases, size: int) -> None:
    async with databases.copy() as url:
        opened = await open_database(url, pool_size=size)
        most = 0

        async def read() -> None:
            nonlocal most
            async with opened.reading() as db:
                most = max(most, opened.connections[0])
                assert await db.fetchval("SHOW transaction_read_only") == "on"

        async def write() -> None:
            nonlocal most
            async with opened.connection() as db:
                most = max(most, opened.connections[0])
                assert await db.fetchval("SHOW transaction_read_only") == "off"

        try:
            for _ in range(5):
                await asyncio.gather(*(one() for one in (read, write) for _ in range(8)))
            assert most == size == opened.connections[1]
        finally:
            await opened.close()


WRITE = "CREATE TABLE noted (number int)"
ESCAPES = (
    (WRITE,),
    (f"SET TRANSACTION READ WRITE; {WRITE}",),
    ("SET TRANSACTION READ WRITE", WRITE),
    ("SET SESSION CHARACTERISTICS AS TRANSACTION READ WRITE", WRITE),
    ("SET default_transaction_read_only = off", WRITE),
    ("SELECT set_config('default_transaction_read_only', 'off', false)", WRITE),
    ("DO $$ BEGIN SET default_transaction_read_only = off; END $$", WRITE),
    ("RESET ALL", "SET default_transaction_read_only TO DEFAULT", "DISCARD ALL", WRITE),
    ("BEGIN READ WRITE", WRITE, "COMMIT"),
    (f"BEGIN READ WRITE; {WRITE}; COMMIT",),
    (f"COMMIT; {WRITE}",),
)


@pytest.mark.parametrize("escape", ESCAPES, ids=" then ".join)
async def test_who_reads_cannot_write(database: Database, escape: tuple[str, ...]) -> None:
    with pytest.raises((asyncpg.PostgresError, asyncpg.InterfaceError)):
        async with database.reading() as db:
            for statement in escape:
                await db.execute(statement)
    async with database.connection() as db:
        assert await db.fetchval("SELECT to_regclass('noted')") is None
        await db.execute(WRITE)


async def test_each_statement_of_a_reader_stands_alone(database: Database) -> None:
    async with database.connection() as writer, database.reading() as db:
        await writer.execute(WRITE)
        with pytest.raises(asyncpg.DivisionByZeroError):
            async with savepoint(db):
                await db.fetchval("SELECT 1 / $1::int", 0)
        assert await list_noted(db) == []
        await writer.execute("INSERT INTO noted VALUES (1)")
        assert await list_noted(db) == [1]
        assert await db.execute("SELECT * FROM noted WHERE number = $1", 1) == "SELECT 1"


async def test_a_read_only_transaction_stays_one(database: Database) -> None:
    for escape in ("SET TRANSACTION READ WRITE", "SET LOCAL transaction_read_only = off"):
        with pytest.raises(asyncpg.PostgresError):
            async with database.transaction(read_only=True) as db:
                await db.execute(escape)
                await db.execute("CREATE TABLE noted (number int)")


async def list_noted(db: Db) -> list[int]:
    return [row["number"] for row in await db.fetch("SELECT number FROM noted ORDER BY number")]


async def test_a_savepoint_undoes_its_body_and_nothing_else(database: Database) -> None:
    async with database.transaction() as db:
        await db.execute("CREATE TABLE noted (number int)")
        await db.execute("INSERT INTO noted VALUES (1)")
        async with savepoint(db):
            await db.execute("INSERT INTO noted VALUES (2)")
            with pytest.raises(ZeroDivisionError):
                async with savepoint(db):
                    await db.execute("INSERT INTO noted VALUES (3)")
                    raise ZeroDivisionError
            await db.execute("INSERT INTO noted VALUES (4)")
            async with savepoint(db):
                await db.execute("INSERT INTO noted VALUES (5)")
        with pytest.raises(asyncpg.DivisionByZeroError):
            async with savepoint(db):
                await db.execute("INSERT INTO noted VALUES (6)")
                await db.execute("SELECT 1 / 0")
        assert await list_noted(db) == [1, 2, 4, 5]


async def test_what_goes_along_with_the_end_of_a_savepoint_undoes_it_too(
    database: Database,
) -> None:
    async with database.transaction(opening="SET CONSTRAINTS ALL DEFERRED") as db:
        await db.execute("CREATE TABLE noted (number int UNIQUE DEFERRABLE INITIALLY DEFERRED)")
        await db.execute("INSERT INTO noted VALUES (1)")
        with pytest.raises(asyncpg.UniqueViolationError):
            async with savepoint(db, closing="SET CONSTRAINTS ALL IMMEDIATE"):
                await db.execute("INSERT INTO noted VALUES (1)")
        assert await list_noted(db) == [1]
    async with database.connection() as db:
        assert await list_noted(db) == [1]
