"""What is seen of work on a real database: its trace goes along, and every end is counted."""

import asyncio

from opentelemetry.context import attach, detach
from opentelemetry.trace import get_current_span

from assent.db.database import Database
from assent.ids import new_id
from assent.logs import find_id
from assent.telemetry.telemetry import Telemetry
from assent.telemetry.trace_context import KEY, parse_traceparent
from assent.work.lease import Job
from assent.work.outbox import publish
from assent.work.queue import enqueue, request_cancel
from assent.work.watch import watch
from assent.work.worker import Worker
from tests.store.work.steps import add, eventually, execute, until_state, working

TRACE = "0af7651916cd43dd8448eb211c80319c"
TAKE_AWAY = "UPDATE work SET owner = id, state = 'done', finished_at = now() WHERE id = $1"
GIVEN = f"00-{TRACE}-b7ad6b7169203331-01"


def count(telemetry: Telemetry, outcome: str) -> float:
    found = telemetry.metrics.registry.get_sample_value(
        "assent_work_ended_total", {"kind": "a", "outcome": outcome}
    )
    return found or 0


async def until_counted(telemetry: Telemetry, outcome: str, expected: int) -> None:
    async def reached() -> bool:
        return count(telemetry, outcome) == expected

    await eventually(reached)


async def test_a_trace_goes_along_with_work_and_events(database: Database) -> None:
    seen: dict[str, Job] = {}
    traces: list[str] = []

    async def handle(job: Job) -> None:
        traces.append(f"{get_current_span().get_span_context().trace_id:032x}")
        seen[job.work.kind] = job
        assert find_id("work_id") == str(job.work.id)

    handlers = {kind: watch(Telemetry(), handle) for kind in ("a", "b")}
    context = parse_traceparent(GIVEN)
    assert context is not None
    token = attach(context)
    try:
        async with database.transaction() as db:
            await enqueue(db, kind="a", payload={"n": 1})
            await publish(db, tenant_id=new_id(), topic="told", payload={"n": 2})
    finally:
        detach(token)
    async with working(Worker(database, handlers=handlers, subscriptions={"told": ["b"]})):

        async def has_both() -> bool:
            return len(seen) == 2

        await eventually(has_both)
    assert traces == [TRACE, TRACE]
    assert seen["a"].work.payload == {"n": 1, KEY: GIVEN}
    assert seen["b"].work.payload["payload"] == {"n": 2}


async def test_every_end_is_counted(database: Database) -> None:
    telemetry = Telemetry()
    begun = asyncio.Event()

    async def handle(job: Job) -> None:
        if job.work.payload["how"] == "fail" and job.work.attempt == 1:
            raise ValueError("not this time")
        if job.work.payload["how"] == "wait":
            begun.set()
            await asyncio.Event().wait()

    worker = Worker(database, handlers={"a": watch(telemetry, handle)}, lease_seconds=2)
    async with working(worker, grace=0):
        done = await add(database, payload={"how": "end"})
        await until_state(database, done, "done")
        assert count(telemetry, "done") == 1
        await add(database, payload={"how": "fail"})
        await until_counted(telemetry, "failed", 1)
        cancelled = await add(database, payload={"how": "wait"})
        await begun.wait()
        async with database.connection() as db:
            await request_cancel(db, None, cancelled)
        await until_counted(telemetry, "cancelled", 1)
        begun.clear()
        lost = await add(database, payload={"how": "wait"})
        await begun.wait()
        await execute(database, TAKE_AWAY, lost)
        await until_counted(telemetry, "lost", 1)
        await until_counted(telemetry, "done", 2)
        begun.clear()
        await add(database, payload={"how": "wait"})
        await begun.wait()
    assert count(telemetry, "handed_over") == 1
    repeats = telemetry.metrics.registry.get_sample_value(
        "assent_work_repeats_total", {"kind": "a"}
    )
    assert repeats == 1
