"""How a job stops: cancelled, lost, cut off or at the end of its worker."""

import asyncio
import contextlib
from uuid import UUID

import asyncpg
import pytest

from assent.db.database import Database, Db
from assent.errors import LeaseLost
from assent.ids import new_id
from assent.testing import Databases
from assent.work.lease import Job
from assent.work.queue import fence, request_cancel
from assent.work.worker import Worker
from tests.patience import PATIENCE
from tests.store.work.steps import (
    Sleeper,
    add,
    eventually,
    execute,
    fetch,
    load,
    state_of,
    until_state,
    working,
)

TENANT = new_id()


async def test_a_requested_cancel_ends_the_work_as_cancelled(database: Database) -> None:
    sleeper = Sleeper()
    async with working(Worker(database, handlers={"a": sleeper}, lease_seconds=3600)):
        work_id = await add(database, tenant_id=TENANT)
        await asyncio.wait_for(sleeper.began.wait(), PATIENCE)
        async with database.transaction() as db:
            assert await request_cancel(db, TENANT, work_id)
        await until_state(database, work_id, "cancelled")
    assert sleeper.stopped.is_set()


async def outlast_the_lease(db: Db, job: Job) -> None:
    """Go on until the lease that the job began with would be over."""
    begun_with = await db.fetchval("SELECT lease_until FROM work WHERE id = $1", job.work.id)

    async def is_over() -> bool:
        return await db.fetchval("SELECT clock_timestamp() > $1::timestamptz", begun_with)

    await eventually(is_over)


async def test_the_heartbeat_keeps_a_long_job(database: Database) -> None:
    async def handle(job: Job) -> None:
        async with database.connection() as db:
            await outlast_the_lease(db, job)

    workers = [Worker(database, handlers={"a": handle}, lease_seconds=3) for _ in "ab"]
    async with working(workers[0]), working(workers[1]):
        work_id = await add(database)
        await until_state(database, work_id, "done")
    assert (await load(database, work_id))["attempt"] == 1


async def test_handlers_that_hold_every_connection_do_not_cost_the_lease(
    database: Database,
) -> None:
    async def handle(job: Job) -> None:
        async with contextlib.AsyncExitStack() as stack:
            held = [await stack.enter_async_context(database.connection()) for _ in range(8)]
            await outlast_the_lease(held[0], job)

    async with working(Worker(database, handlers={"a": handle}, lease_seconds=3)):
        work_id = await add(database)
        await until_state(database, work_id, "done")
    assert (await load(database, work_id))["attempt"] == 1


async def test_a_handler_whose_lease_is_lost_is_stopped_and_fenced(
    database: Database,
) -> None:
    fenced = asyncio.Event()

    async def handle(job: Job) -> None:
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            with pytest.raises(LeaseLost):
                async with database.transaction() as db:
                    await fence(db, job.lease)
            fenced.set()
            raise

    thief = new_id()
    async with working(Worker(database, handlers={"a": handle}, lease_seconds=0.6)):
        work_id = await add(database)
        await until_state(database, work_id, "running")
        await execute(
            database,
            "UPDATE work SET owner = $1, attempt = 2, lease_until = now() + interval '1 h'",
            thief,
        )
        await asyncio.wait_for(fenced.wait(), PATIENCE)
    row = await load(database, work_id)
    assert (row["state"], row["owner"], row["attempt"]) == ("running", thief, 2)


async def test_an_abandoned_row_is_taken_over(database: Database) -> None:
    attempts: list[int] = []

    async def handle(job: Job) -> None:
        attempts.append(job.work.attempt)

    work_id = await add(database)
    await execute(
        database,
        "UPDATE work SET state = 'running', attempt = 1, owner = $1,"
        " lease_until = now() + interval '0.3 s'",
        new_id(),
    )
    async with working(Worker(database, handlers={"a": handle})):
        await until_state(database, work_id, "done")
    assert attempts == [2]


async def test_stopping_waits_for_what_runs_and_takes_nothing_new(
    database: Database,
) -> None:
    began, may_end = asyncio.Event(), asyncio.Event()

    async def handle(job: Job) -> None:
        began.set()
        await may_end.wait()

    worker = Worker(database, handlers={"a": handle}, concurrency=1)
    async with working(worker, grace=PATIENCE) as stop:
        running = await add(database)
        await asyncio.wait_for(began.wait(), PATIENCE)
        stop.set()
        waiting = await add(database)
        may_end.set()
    assert await state_of(database, running) == "done"
    assert await state_of(database, waiting) == "queued"


@pytest.mark.parametrize("stubborn", [False, True])
async def test_what_outlasts_the_grace_is_stopped_and_released_at_once(
    database: Database, stubborn: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("assent.work.worker.CANCEL_GRACE", 0.2)
    sleeper = Sleeper(stubborn=stubborn)
    worker = Worker(database, handlers={"a": sleeper}, lease_seconds=3600)
    async with working(worker, grace=0.1):
        work_id = await add(database)
        await asyncio.wait_for(sleeper.began.wait(), PATIENCE)
    assert sleeper.stopped.is_set()
    row = await load(database, work_id)
    assert (row["state"], row["owner"]) == ("queued", None)
    assert row["max_attempts"] - row["attempt"] == 5
    with pytest.raises(LeaseLost):
        async with database.transaction() as db:
            await fence(db, sleeper.jobs[0].lease)


async def test_a_worker_that_is_cancelled_releases_too(database: Database) -> None:
    sleeper = Sleeper()
    worker = Worker(database, handlers={"a": sleeper}, lease_seconds=3600)
    running = asyncio.create_task(worker.run(asyncio.Event()))
    work_id = await add(database)
    await asyncio.wait_for(sleeper.began.wait(), PATIENCE)
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    assert sleeper.stopped.is_set()
    assert await state_of(database, work_id) == "queued"


async def test_it_goes_on_after_losing_every_connection(database: Database) -> None:
    done: list[UUID] = []

    async def handle(job: Job) -> None:
        done.append(job.work.id)

    async with working(Worker(database, handlers={"a": handle})):
        first = await add(database)
        await until_state(database, first, "done")
        await fetch(
            database,
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()",
        )
        second = await add(database)
        await until_state(database, second, "done")
    assert done == [first, second]


async def test_a_worker_cut_off_from_the_database_stops_what_it_cannot_renew(
    databases: Databases, database: Database
) -> None:
    sleeper = Sleeper()
    async with working(Worker(database, handlers={"a": sleeper}, lease_seconds=1.5), grace=0):
        work_id = await add(database)
        await asyncio.wait_for(sleeper.began.wait(), PATIENCE)
        [row] = await fetch(database, "SELECT current_database() AS name")
        await lock_out(databases, row["name"], locked=True)
        try:
            await asyncio.wait_for(sleeper.stopped.wait(), PATIENCE)
        finally:
            await lock_out(databases, row["name"], locked=False)

        async def taken_again() -> bool:
            return len(sleeper.jobs) == 2

        await eventually(taken_again)
    assert [job.work.attempt for job in sleeper.jobs] == [1, 2]
    assert await state_of(database, work_id) == "queued"


async def lock_out(server: Databases, name: str, *, locked: bool) -> None:
    """End every connection to the database and refuse new ones, or let them in again."""
    connection = await asyncpg.connect(server.url("postgres"))
    await connection.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS {not locked}")
    if locked:
        await connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1", name
        )
    await connection.close()
