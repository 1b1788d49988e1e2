"""SQL of runs, and of the hours that they are counted in."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from assent.bundled.healthcheck.outcome import Outcome
from assent.bundled.healthcheck.values import Hour, Run, Status
from assent.plugins.api import Db

COLUMNS = "due_at, started_at, duration_ms, status, reason, result, failed"
INSERT = """
INSERT INTO healthcheck.runs (tenant_id, check_id, due_at, started_at, duration_ms, status,
    answered, reason, result, failed)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
ON CONFLICT (check_id, due_at) DO NOTHING RETURNING due_at
"""
COUNT = """
INSERT INTO healthcheck.hours (tenant_id, check_id, hour, up, degraded, down, unknown, buckets)
VALUES ($1, $2, date_trunc('hour', $3::timestamptz, 'UTC'), ($4 = 'up')::integer,
    ($4 = 'degraded')::integer, ($4 = 'down')::integer, ($4 = 'unknown')::integer,
    CASE WHEN $5::text IS NULL THEN '{}'::jsonb ELSE jsonb_build_object($5::text, 1) END)
ON CONFLICT (check_id, hour) DO UPDATE SET
    up = hours.up + excluded.up,
    degraded = hours.degraded + excluded.degraded,
    down = hours.down + excluded.down,
    unknown = hours.unknown + excluded.unknown,
    buckets = CASE WHEN $5::text IS NULL THEN hours.buckets ELSE jsonb_set(
        hours.buckets, ARRAY[$5::text],
        to_jsonb(coalesce((hours.buckets ->> $5::text)::integer, 0) + 1))
    END
"""
LIST = f"""
SELECT {COLUMNS} FROM healthcheck.runs
WHERE tenant_id = $1 AND check_id = $2
  AND ($3::timestamptz IS NULL OR due_at < $3)
  AND ($4::text IS NULL OR status = $4)
ORDER BY due_at DESC LIMIT $5
"""
HAS_RUN = """
SELECT EXISTS (
    SELECT 1 FROM healthcheck.runs WHERE tenant_id = $1 AND check_id = $2 AND due_at = $3)
"""
HAS_LATER_RUN = """
SELECT EXISTS (
    SELECT 1 FROM healthcheck.runs WHERE tenant_id = $1 AND check_id = $2 AND due_at > $3)
"""
LIST_DURATIONS = """
SELECT status, CASE WHEN answered THEN duration_ms END AS duration_ms FROM healthcheck.runs
WHERE tenant_id = $1 AND check_id = $2 AND due_at >= $3 AND due_at < $4
LIMIT $5
"""
LIST_HOURS = """
SELECT hour, up, degraded, down, unknown, buckets FROM healthcheck.hours
WHERE tenant_id = $1 AND check_id = $2 AND hour >= date_trunc('hour', $3::timestamptz, 'UTC')
  AND hour < $4
ORDER BY hour
"""
DELETE_RUNS = """
DELETE FROM healthcheck.runs WHERE tenant_id = $1 AND (check_id, due_at) IN (
    SELECT check_id, due_at FROM healthcheck.runs
    WHERE tenant_id = $1 AND due_at < $2 LIMIT $3)
"""
DELETE_HOURS = """
DELETE FROM healthcheck.hours WHERE tenant_id = $1 AND (check_id, hour) IN (
    SELECT check_id, hour FROM healthcheck.hours
    WHERE tenant_id = $1 AND hour < $2 LIMIT $3)
"""


@dataclass(frozen=True, slots=True)
class Timing:
    """When a run was due and began, and how long it took in milliseconds."""

    due_at: datetime
    started_at: datetime
    duration_ms: float


async def insert_run(
    db: Db, tenant_id: UUID, check_id: UUID, timing: Timing, outcome: Outcome
) -> bool:
    """`False` if this due time has its run already."""
    failed = [one.model_dump(mode="json", by_alias=True) for one in outcome.failed]
    inserted = await db.fetchval(
        INSERT,
        tenant_id,
        check_id,
        timing.due_at,
        timing.started_at,
        timing.duration_ms,
        outcome.status,
        outcome.answered,
        outcome.reason,
        dict(outcome.result) if outcome.result is not None else None,
        failed,
    )
    return inserted is not None


async def count_run(
    db: Db,
    tenant_id: UUID,
    check_id: UUID,
    *,
    due_at: datetime,
    status: Status,
    bucket: int | None,
) -> None:
    """Count a run in its hour; the bucket is for runs with an answer."""
    text = None if bucket is None else str(bucket)
    await db.execute(COUNT, tenant_id, check_id, due_at, status, text)


async def list_runs(
    db: Db,
    tenant_id: UUID,
    check_id: UUID,
    *,
    before: datetime | None,
    status: Status | None,
    limit: int,
) -> list[Run]:
    rows = await db.fetch(LIST, tenant_id, check_id, before, status, limit)
    return [Run(**row) for row in rows]


async def has_run(db: Db, tenant_id: UUID, check_id: UUID, due_at: datetime) -> bool:
    """Whether this due time has its run."""
    return await db.fetchval(HAS_RUN, tenant_id, check_id, due_at)


async def has_later_run(db: Db, tenant_id: UUID, check_id: UUID, due_at: datetime) -> bool:
    """Whether a later due time has its run."""
    return await db.fetchval(HAS_LATER_RUN, tenant_id, check_id, due_at)


async def list_durations(
    db: Db,
    tenant_id: UUID,
    check_id: UUID,
    *,
    since: datetime,
    until: datetime,
    limit: int,
) -> Sequence[tuple[Status, float | None]]:
    """How each run ended, and how long it took if there was an answer."""
    rows = await db.fetch(LIST_DURATIONS, tenant_id, check_id, since, until, limit)
    return [(row["status"], row["duration_ms"]) for row in rows]


async def list_hours(
    db: Db, tenant_id: UUID, check_id: UUID, *, since: datetime, until: datetime
) -> list[Hour]:
    rows = await db.fetch(LIST_HOURS, tenant_id, check_id, since, until)
    return [Hour(**row) for row in rows]


async def delete_runs(db: Db, tenant_id: UUID, *, before: datetime, limit: int) -> int:
    return _count(await db.execute(DELETE_RUNS, tenant_id, before, limit))


async def delete_hours(db: Db, tenant_id: UUID, *, before: datetime, limit: int) -> int:
    return _count(await db.execute(DELETE_HOURS, tenant_id, before, limit))


def _count(done: str) -> int:
    return int(done.rpartition(" ")[2])
