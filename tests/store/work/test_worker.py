"""One worker on a real database: running, retrying, producing."""

import asyncio
from datetime import datetime, timedelta
from uuid import UUID

import pytest

from assent.db.database import Database
from assent.errors import ConfigurationError
from assent.ids import new_id
from assent.work import retention
from assent.work.lease import Job
from assent.work.outbox import publish
from assent.work.queue import enqueue, fence, finish
from assent.work.ticks import Schedule
from assent.work.worker import Worker
from tests.store.work.steps import (
    add,
    eventually,
    execute,
    fetch,
    load,
    until_state,
    working,
)

TENANT = new_id()


async def test_work_runs_and_ends_done(database: Database) -> None:
    seen: list[Job] = []

    async def handle(job: Job) -> None:
        seen.append(job)

    async with working(Worker(database, handlers={"a": handle})):
        work_id = await add(database, payload={"n": 1}, tenant_id=TENANT)
        await until_state(database, work_id, "done")
    [job] = seen
    assert (job.work.payload, job.work.tenant_id, job.work.attempt) == ({"n": 1}, TENANT, 1)
    assert (job.lease.work_id, job.lease.attempt) == (work_id, 1)


async def test_a_handler_may_finish_the_work_in_its_own_transaction(
    database: Database,
) -> None:
    async def handle(job: Job) -> None:
        async with database.transaction() as db:
            await fence(db, job.lease)
            await finish(db, job.lease)

    async with working(Worker(database, handlers={"a": handle})):
        work_id = await add(database)
        await until_state(database, work_id, "done")
    assert (await load(database, work_id))["attempt"] == 1


async def test_a_failure_is_retried_later_and_remembered(database: Database) -> None:
    async def handle(job: Job) -> None:
        raise ValueError("broken \0")

    work_id = await add(database)
    async with working(Worker(database, handlers={"a": handle})):

        async def failed_once() -> bool:
            return (await load(database, work_id))["error"] is not None

        await eventually(failed_once)
        row = await load(database, work_id)
    assert (row["state"], row["attempt"], row["owner"]) == ("queued", 1, None)
    assert row["error"] == "ValueError: broken "
    assert row["run_after"] - row["created_at"] > timedelta(seconds=0.8)


async def test_the_last_attempt_that_fails_ends_the_work(database: Database) -> None:
    attempts: list[int] = []

    async def handle(job: Job) -> None:
        attempts.append(job.work.attempt)
        raise ValueError("broken")

    work_id = await add(database)
    await execute(database, "UPDATE work SET max_attempts = 2")
    async with working(Worker(database, handlers={"a": handle})):
        await until_state(database, work_id, "failed")
    assert attempts == [1, 2]
    row = await load(database, work_id)
    assert row["error"] == "ValueError: broken"
    assert row["finished_at"] is not None


async def test_a_handler_that_cancels_itself_has_failed(database: Database) -> None:
    async def handle(job: Job) -> None:
        raise asyncio.CancelledError

    work_id = await add(database)
    await execute(database, "UPDATE work SET max_attempts = 1")
    async with working(Worker(database, handlers={"a": handle})):
        await until_state(database, work_id, "failed")


async def test_a_lane_keeps_its_order_through_a_failure(database: Database) -> None:
    order: list[int] = []

    async def handle(job: Job) -> None:
        order.append(job.work.payload["n"])
        if job.work.payload["n"] == 2 and job.work.attempt == 1:
            raise ValueError("once")

    async with database.transaction() as db:
        ids = [
            await enqueue(db, kind="a", payload={"n": n}, tenant_id=TENANT, ordering_key="k")
            for n in range(1, 5)
        ]
    async with working(Worker(database, handlers={"a": handle})):
        await until_state(database, ids[-1], "done")
    assert order == [1, 2, 2, 3, 4]


async def test_no_more_than_the_given_number_runs_at_once(database: Database) -> None:
    running = most = 0

    async def handle(job: Job) -> None:
        nonlocal running, most
        running += 1
        most = max(most, running)
        await asyncio.sleep(0.05)
        running -= 1

    ids = [await add(database) for _ in range(10)]
    async with working(Worker(database, handlers={"a": handle}, concurrency=3)):
        for work_id in ids:
            await until_state(database, work_id, "done")
    assert most == 3


async def test_kinds_without_a_handler_are_left(database: Database) -> None:
    async def handle(job: Job) -> None: ...

    unknown = await add(database, "unknown")
    async with working(Worker(database, handlers={"a": handle})):
        known = await add(database)
        await until_state(database, known, "done")
    row = await load(database, unknown)
    assert (row["state"], row["attempt"]) == ("queued", 0)


async def test_a_step_that_raises_does_not_end_the_worker(database: Database) -> None:
    async def handle(job: Job) -> None: ...

    async def list_tenants(_db: object) -> list[UUID]:
        raise KeyError("somebody's mistake")

    schedule = Schedule("s", timedelta(days=1), "a", per_tenant=True)
    worker = Worker(
        database, handlers={"a": handle}, schedules=[schedule], list_tenants=list_tenants
    )
    async with working(worker):
        work_id = await add(database)
        await until_state(database, work_id, "done")
    assert await fetch(database, "SELECT FROM ticks") == []


async def test_ticks_and_events_reach_their_handlers(database: Database) -> None:
    seen: list[Job] = []

    async def handle(job: Job) -> None:
        seen.append(job)

    async def list_tenants(_db: object) -> list[UUID]:
        return [TENANT]

    worker = Worker(
        database,
        handlers={"tick": handle, "tell": handle},
        schedules=[Schedule("s", timedelta(days=1), "tick", per_tenant=True)],
        subscriptions={"made": ["tell"]},
        list_tenants=list_tenants,
    )
    async with working(worker):
        async with database.transaction() as db:
            event_id = await publish(db, tenant_id=TENANT, topic="made", payload={})

        async def both() -> bool:
            return len(seen) == 2

        await eventually(both)
    by_kind = {job.work.kind: job.work for job in seen}
    assert by_kind["tell"].payload["eventId"] == str(event_id)
    assert by_kind["tick"].tenant_id == TENANT
    assert datetime.fromisoformat(by_kind["tick"].payload["dueAt"]).tzinfo is not None


async def test_it_removes_what_is_over_by_its_own_schedule(database: Database) -> None:
    async def handle(job: Job) -> None: ...

    old = await add(database, "old")
    await execute(
        database,
        "UPDATE work SET state = 'done', finished_at = now() - interval '2 days'",
    )
    async with working(Worker(database, handlers={"a": handle})):

        async def removed() -> bool:
            return await fetch(database, "SELECT FROM work WHERE id = $1", old) == []

        await eventually(removed)
    rows = await fetch(database, "SELECT kind FROM work")
    assert [row["kind"] for row in rows] == [retention.KIND]


def test_two_schedules_need_two_names(database: Database) -> None:
    schedule = Schedule("s", timedelta(days=1), "a")
    with pytest.raises(ConfigurationError):
        Worker(database, handlers={}, schedules=[schedule, schedule])
