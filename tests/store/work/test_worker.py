"""One worker on a real database: running, retrying, cancelling, stopping."""

import asyncio
import contextlib
from datetime import datetime, timedelta
from uuid import UUID

import asyncpg
import pytest
from tests.store.work.postgres import Server
from tests.store.work.steps import (
    add,
    eventually,
    execute,
    fetch,
    load,
    state_of,
    until_state,
    working,
)

from assent.db.database import Database
from assent.errors import ConfigurationError, LeaseLost
from assent.ids import new_id
from assent.work import retention
from assent.work.lease import Job
from assent.work.outbox import publish
from assent.work.queue import enqueue, fence, finish, request_cancel
from assent.work.ticks import Schedule
from assent.work.worker import Worker

TENANT = new_id()


class Sleeper:
    """A handler that tells when it began and was stopped."""

    def __init__(self, *, stubborn: bool = False) -> None:
        self.began = asyncio.Event()
        self.stopped = asyncio.Event()
        self.jobs: list[Job] = []
        self._stubborn = stubborn

    async def __call__(self, job: Job) -> None:
        self.jobs.append(job)
        self.began.set()
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            self.stopped.set()
            if self._stubborn:
                await asyncio.sleep(60)
            raise


async def test_work_runs_and_ends_done(work_database: Database) -> None:
    seen: list[Job] = []

    async def handle(job: Job) -> None:
        seen.append(job)

    async with working(Worker(work_database, handlers={"a": handle})):
        work_id = await add(work_database, payload={"n": 1}, tenant_id=TENANT)
        await until_state(work_database, work_id, "done")
    [job] = seen
    assert (job.work.payload, job.work.tenant_id, job.work.attempt) == ({"n": 1}, TENANT, 1)
    assert (job.lease.work_id, job.lease.attempt) == (work_id, 1)


async def test_a_handler_may_finish_the_work_in_its_own_transaction(
    work_database: Database,
) -> None:
    async def handle(job: Job) -> None:
        async with work_database.transaction() as db:
            await fence(db, job.lease)
            await finish(db, job.lease)

    async with working(Worker(work_database, handlers={"a": handle})):
        work_id = await add(work_database)
        await until_state(work_database, work_id, "done")
    assert (await load(work_database, work_id))["attempt"] == 1


async def test_a_failure_is_retried_later_and_remembered(work_database: Database) -> None:
    async def handle(job: Job) -> None:
        raise ValueError("broken \0")

    work_id = await add(work_database)
    async with working(Worker(work_database, handlers={"a": handle})):

        async def failed_once() -> bool:
            return (await load(work_database, work_id))["error"] is not None

        await eventually(failed_once)
        row = await load(work_database, work_id)
    assert (row["state"], row["attempt"], row["owner"]) == ("queued", 1, None)
    assert row["error"] == "ValueError: broken "
    assert row["run_after"] - row["created_at"] > timedelta(seconds=0.8)


async def test_the_last_attempt_that_fails_ends_the_work(work_database: Database) -> None:
    attempts: list[int] = []

    async def handle(job: Job) -> None:
        attempts.append(job.work.attempt)
        raise ValueError("broken")

    work_id = await add(work_database)
    await execute(work_database, "UPDATE work SET max_attempts = 2")
    async with working(Worker(work_database, handlers={"a": handle})):
        await until_state(work_database, work_id, "failed")
    assert attempts == [1, 2]
    row = await load(work_database, work_id)
    assert row["error"] == "ValueError: broken"
    assert row["finished_at"] is not None


async def test_a_handler_that_cancels_itself_has_failed(work_database: Database) -> None:
    async def handle(job: Job) -> None:
        raise asyncio.CancelledError

    work_id = await add(work_database)
    await execute(work_database, "UPDATE work SET max_attempts = 1")
    async with working(Worker(work_database, handlers={"a": handle})):
        await until_state(work_database, work_id, "failed")


async def test_a_lane_keeps_its_order_through_a_failure(work_database: Database) -> None:
    order: list[int] = []

    async def handle(job: Job) -> None:
        order.append(job.work.payload["n"])
        if job.work.payload["n"] == 2 and job.work.attempt == 1:
            raise ValueError("once")

    async with work_database.transaction() as db:
        ids = [
            await enqueue(db, kind="a", payload={"n": n}, tenant_id=TENANT, ordering_key="k")
            for n in range(1, 5)
        ]
    async with working(Worker(work_database, handlers={"a": handle})):
        await until_state(work_database, ids[-1], "done")
    assert order == [1, 2, 2, 3, 4]


async def test_no_more_than_the_given_number_runs_at_once(work_database: Database) -> None:
    running = most = 0

    async def handle(job: Job) -> None:
        nonlocal running, most
        running += 1
        most = max(most, running)
        await asyncio.sleep(0.05)
        running -= 1

    ids = [await add(work_database) for _ in range(10)]
    async with working(Worker(work_database, handlers={"a": handle}, concurrency=3)):
        for work_id in ids:
            await until_state(work_database, work_id, "done")
    assert most == 3


async def test_kinds_without_a_handler_are_left(work_database: Database) -> None:
    async def handle(job: Job) -> None: ...

    unknown = await add(work_database, "unknown")
    async with working(Worker(work_database, handlers={"a": handle})):
        known = await add(work_database)
        await until_state(work_database, known, "done")
    row = await load(work_database, unknown)
    assert (row["state"], row["attempt"]) == ("queued", 0)


async def test_a_requested_cancel_ends_the_work_as_cancelled(work_database: Database) -> None:
    sleeper = Sleeper()
    async with working(Worker(work_database, handlers={"a": sleeper}, lease_seconds=3600)):
        work_id = await add(work_database, tenant_id=TENANT)
        await asyncio.wait_for(sleeper.began.wait(), 10)
        async with work_database.transaction() as db:
            assert await request_cancel(db, TENANT, work_id)
        await until_state(work_database, work_id, "cancelled")
    assert sleeper.stopped.is_set()


async def test_the_heartbeat_keeps_a_long_job(work_database: Database) -> None:
    async def handle(job: Job) -> None:
        await asyncio.sleep(3)

    workers = [Worker(work_database, handlers={"a": handle}, lease_seconds=1.5) for _ in "ab"]
    async with working(workers[0]), working(workers[1]):
        work_id = await add(work_database)
        await until_state(work_database, work_id, "done")
    assert (await load(work_database, work_id))["attempt"] == 1


async def test_handlers_that_hold_every_connection_do_not_cost_the_lease(
    work_database: Database,
) -> None:
    async def handle(job: Job) -> None:
        async with contextlib.AsyncExitStack() as stack:
            for _ in range(8):
                await stack.enter_async_context(work_database.connection())
            await asyncio.sleep(3)

    async with working(Worker(work_database, handlers={"a": handle}, lease_seconds=1.5)):
        work_id = await add(work_database)
        await until_state(work_database, work_id, "done")
    assert (await load(work_database, work_id))["attempt"] == 1


async def test_a_handler_whose_lease_is_lost_is_stopped_and_fenced(
    work_database: Database,
) -> None:
    fenced = asyncio.Event()

    async def handle(job: Job) -> None:
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            with pytest.raises(LeaseLost):
                async with work_database.transaction() as db:
                    await fence(db, job.lease)
            fenced.set()
            raise

    thief = new_id()
    async with working(Worker(work_database, handlers={"a": handle}, lease_seconds=0.6)):
        work_id = await add(work_database)
        await until_state(work_database, work_id, "running")
        await execute(
            work_database,
            "UPDATE work SET owner = $1, attempt = 2, lease_until = now() + interval '1 h'",
            thief,
        )
        await asyncio.wait_for(fenced.wait(), 10)
    row = await load(work_database, work_id)
    assert (row["state"], row["owner"], row["attempt"]) == ("running", thief, 2)


async def test_an_abandoned_row_is_taken_over(work_database: Database) -> None:
    attempts: list[int] = []

    async def handle(job: Job) -> None:
        attempts.append(job.work.attempt)

    work_id = await add(work_database)
    await execute(
        work_database,
        "UPDATE work SET state = 'running', attempt = 1, owner = $1,"
        " lease_until = now() + interval '0.3 s'",
        new_id(),
    )
    async with working(Worker(work_database, handlers={"a": handle})):
        await until_state(work_database, work_id, "done")
    assert attempts == [2]


async def test_stopping_waits_for_what_runs_and_takes_nothing_new(
    work_database: Database,
) -> None:
    began = asyncio.Event()

    async def handle(job: Job) -> None:
        began.set()
        await asyncio.sleep(0.5)

    async with working(Worker(work_database, handlers={"a": handle}, concurrency=1)) as stop:
        running = await add(work_database)
        await asyncio.wait_for(began.wait(), 10)
        stop.set()
        waiting = await add(work_database)
    assert await state_of(work_database, running) == "done"
    assert await state_of(work_database, waiting) == "queued"


@pytest.mark.parametrize("stubborn", [False, True])
async def test_what_outlasts_the_grace_is_stopped_and_released_at_once(
    work_database: Database, stubborn: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("assent.work.worker.CANCEL_GRACE", 0.2)
    sleeper = Sleeper(stubborn=stubborn)
    worker = Worker(work_database, handlers={"a": sleeper}, lease_seconds=3600)
    async with working(worker, grace=0.1):
        work_id = await add(work_database)
        await asyncio.wait_for(sleeper.began.wait(), 10)
    assert sleeper.stopped.is_set()
    row = await load(work_database, work_id)
    assert (row["state"], row["owner"]) == ("queued", None)
    assert row["max_attempts"] - row["attempt"] == 5
    with pytest.raises(LeaseLost):
        async with work_database.transaction() as db:
            await fence(db, sleeper.jobs[0].lease)


async def test_a_worker_that_is_cancelled_releases_too(work_database: Database) -> None:
    sleeper = Sleeper()
    worker = Worker(work_database, handlers={"a": sleeper}, lease_seconds=3600)
    running = asyncio.create_task(worker.run(asyncio.Event()))
    work_id = await add(work_database)
    await asyncio.wait_for(sleeper.began.wait(), 10)
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    assert sleeper.stopped.is_set()
    assert await state_of(work_database, work_id) == "queued"


async def test_it_goes_on_after_losing_every_connection(work_database: Database) -> None:
    done: list[UUID] = []

    async def handle(job: Job) -> None:
        done.append(job.work.id)

    async with working(Worker(work_database, handlers={"a": handle})):
        first = await add(work_database)
        await until_state(work_database, first, "done")
        await fetch(
            work_database,
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()",
        )
        second = await add(work_database)
        await until_state(work_database, second, "done")
    assert done == [first, second]


async def test_a_worker_cut_off_from_the_database_stops_what_it_cannot_renew(
    work_server: Server, work_database: Database
) -> None:
    sleeper = Sleeper()
    async with working(Worker(work_database, handlers={"a": sleeper}, lease_seconds=1.5), grace=0):
        work_id = await add(work_database)
        await asyncio.wait_for(sleeper.began.wait(), 10)
        [row] = await fetch(work_database, "SELECT current_database() AS name")
        await lock_out(work_server, row["name"], locked=True)
        try:
            await asyncio.wait_for(sleeper.stopped.wait(), 10)
        finally:
            await lock_out(work_server, row["name"], locked=False)

        async def taken_again() -> bool:
            return len(sleeper.jobs) == 2

        await eventually(taken_again)
    assert [job.work.attempt for job in sleeper.jobs] == [1, 2]
    assert await state_of(work_database, work_id) == "queued"


async def lock_out(server: Server, name: str, *, locked: bool) -> None:
    """End every connection to the database and refuse new ones, or let them in again."""
    connection = await asyncpg.connect(server.url("postgres"))
    await connection.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS {not locked}")
    if locked:
        await connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1", name
        )
    await connection.close()


async def test_a_step_that_raises_does_not_end_the_worker(work_database: Database) -> None:
    async def handle(job: Job) -> None: ...

    async def list_tenants(_db: object) -> list[UUID]:
        raise KeyError("somebody's mistake")

    schedule = Schedule("s", timedelta(days=1), "a", per_tenant=True)
    worker = Worker(
        work_database, handlers={"a": handle}, schedules=[schedule], list_tenants=list_tenants
    )
    async with working(worker):
        work_id = await add(work_database)
        await until_state(work_database, work_id, "done")
    assert await fetch(work_database, "SELECT FROM ticks") == []


async def test_ticks_and_events_reach_their_handlers(work_database: Database) -> None:
    seen: list[Job] = []

    async def handle(job: Job) -> None:
        seen.append(job)

    async def list_tenants(_db: object) -> list[UUID]:
        return [TENANT]

    worker = Worker(
        work_database,
        handlers={"tick": handle, "tell": handle},
        schedules=[Schedule("s", timedelta(days=1), "tick", per_tenant=True)],
        subscriptions={"made": ["tell"]},
        list_tenants=list_tenants,
    )
    async with working(worker):
        async with work_database.transaction() as db:
            event_id = await publish(db, tenant_id=TENANT, topic="made", payload={})

        async def both() -> bool:
            return len(seen) == 2

        await eventually(both)
    by_kind = {job.work.kind: job.work for job in seen}
    assert by_kind["tell"].payload["eventId"] == str(event_id)
    assert by_kind["tick"].tenant_id == TENANT
    assert datetime.fromisoformat(by_kind["tick"].payload["dueAt"]).tzinfo is not None


async def test_it_removes_what_is_over_by_its_own_schedule(work_database: Database) -> None:
    async def handle(job: Job) -> None: ...

    old = await add(work_database, "old")
    await execute(
        work_database,
        "UPDATE work SET state = 'done', finished_at = now() - interval '2 days'",
    )
    async with working(Worker(work_database, handlers={"a": handle})):

        async def removed() -> bool:
            return await fetch(work_database, "SELECT FROM work WHERE id = $1", old) == []

        await eventually(removed)
    rows = await fetch(work_database, "SELECT kind FROM work")
    assert [row["kind"] for row in rows] == [retention.KIND]


def test_two_schedules_need_two_names(work_database: Database) -> None:
    schedule = Schedule("s", timedelta(days=1), "a")
    with pytest.raises(ConfigurationError):
        Worker(work_database, handlers={}, schedules=[schedule, schedule])
