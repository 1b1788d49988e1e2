"""SQL of runs and their journal."""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any
from uuid import UUID

from assent.db.database import Db, Row
from assent.runs.frames import Batch, Position, join_frames, split_frames
from assent.runs.run import ACTIVE, NewRun, Run, RunStatus
from assent.tools.tool import Phase
from assent.work.lease import Lease

COLUMNS = """
id, tenant_id, conversation_id, work_id, kind, agent, principal_id, message_id, status, attempt,
steps, taint, phase, time_zone, principal_kind, error
"""
INSERT = """
INSERT INTO runs (
    id, tenant_id, conversation_id, work_id, kind, agent, principal_id, message_id, time_zone,
    principal_kind)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
"""
FIND = f"SELECT {COLUMNS} FROM runs WHERE tenant_id = $1 AND id = $2"
LIST_ACTIVE = f"""
SELECT {COLUMNS} FROM runs
WHERE tenant_id = $1 AND conversation_id = $2 AND status = ANY ($3)
ORDER BY status = 'queued', id
"""
START = """
UPDATE runs SET status = 'running', attempt = $3
WHERE tenant_id = $1 AND id = $2 AND status IN ('queued', 'running')
RETURNING 1
"""
FIND_QUEUED_DECISION = f"""
SELECT {COLUMNS} FROM runs
WHERE tenant_id = $1 AND conversation_id = $2 AND kind = 'decision' AND status = 'queued' LIMIT 1
"""
IS_STOPPED = """
SELECT runs.status NOT IN ('queued', 'running') OR work.cancel_requested_at IS NOT NULL
FROM runs JOIN work ON work.id = runs.work_id
WHERE runs.tenant_id = $1 AND runs.id = $2
"""
IS_DRIVEN = """
SELECT EXISTS (
    SELECT 1 FROM runs JOIN work ON work.id = runs.work_id
    WHERE runs.tenant_id = $1 AND runs.id = $2 AND work.state IN ('queued', 'running'))
"""
LIST_TAINT = """
SELECT source FROM runs, jsonb_array_elements(taint) AS source
WHERE tenant_id = $1 AND conversation_id = $2 AND taint <> '[]'
UNION
SELECT source FROM conversations, jsonb_array_elements(taint) AS source
WHERE tenant_id = $1 AND id = $2 AND taint <> '[]'
"""
SET_PROGRESS = """
UPDATE runs SET steps = $3, taint = $4, phase = $5
WHERE tenant_id = $1 AND id = $2 AND status = 'running' RETURNING 1
"""
# Who was asked to stop, and had only to wait, does not wait.
END = """
UPDATE runs SET status = CASE WHEN $3 = 'waiting' AND EXISTS (
        SELECT FROM work WHERE id = runs.work_id AND cancel_requested_at IS NOT NULL
    ) THEN 'cancelled' ELSE $3 END, error = $4, output = $5, finished_at = clock_timestamp()
WHERE tenant_id = $1 AND id = $2 AND status IN ('queued', 'running') RETURNING attempt
"""
# Only while the lease holds: the lock keeps a takeover out until this commits, but no heartbeat.
# Only what follows on what is there: the table may have lost the end of what it had, or have it
# although nobody was told. One statement, which waits for the disk only if it has to; a NOTIFY
# takes less than 8,000 bytes, so 200 ids.
APPEND = """
WITH given AS (
    SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::integer[], $4::integer[], $5::integer[],
                         $6::bytea[], $7::uuid[], $8::uuid[], $9::integer[], $10::text[])
        AS given (
            run_id, tenant_id, attempt, first_seq, last_seq, frames, work_id, owner, lease, channel)
    WHERE $11 OR (SELECT set_config('synchronous_commit', 'off', true)) = 'off'
), held AS (
    SELECT given.* FROM given
    JOIN work ON work.id = given.work_id AND work.owner = given.owner
        AND work.attempt = given.lease AND work.state = 'running'
    FOR KEY SHARE OF work
), known AS (
    SELECT held.*, coalesce((
        SELECT there.last_seq FROM run_events AS there
        WHERE there.tenant_id = held.tenant_id AND there.run_id = held.run_id
            AND there.attempt = held.attempt
        ORDER BY there.first_seq DESC LIMIT 1), 0) AS stored
    FROM held
), written AS (
    INSERT INTO run_events (run_id, tenant_id, attempt, first_seq, last_seq, frames)
    SELECT run_id, tenant_id, attempt, first_seq, last_seq, frames FROM known
    WHERE stored = first_seq - 1
    RETURNING run_id, last_seq
)
SELECT array_agg(known.run_id) AS run_ids,
    array_agg(coalesce(written.last_seq, known.stored)) AS stored,
    pg_notify(channel, left(string_agg(written.run_id::text, ' '), 7399))
FROM known LEFT JOIN written USING (run_id) GROUP BY channel
"""
FIND_STORED = """
SELECT max(last_seq) FROM run_events WHERE tenant_id = $1 AND run_id = $2 AND attempt = $3
"""
NOTIFY = "SELECT pg_notify($1, $2)"
# The first row always, and those after it until so many bytes are reached.
READ = """
SELECT attempt, first_seq, frames FROM (
    SELECT attempt, first_seq, frames,
        sum(length(frames)) OVER (ORDER BY attempt, first_seq) - length(frames) AS before
    FROM run_events
    WHERE tenant_id = $1 AND run_id = $2 AND attempt >= $3 AND (attempt, last_seq) > ($3, $4)
) AS page
WHERE $5::bigint IS NULL OR before < $5
ORDER BY attempt, first_seq
"""
# Work that is over without its run: the lease ran out for the last time, or after a cancel.
TAKE_LOST = f"""
SELECT {COLUMNS},
    EXISTS (SELECT FROM work WHERE id = runs.work_id AND state = 'cancelled') AS was_cancelled
FROM runs
WHERE status IN ('queued', 'running') AND NOT EXISTS (
    SELECT FROM work WHERE id = runs.work_id AND state IN ('queued', 'running'))
LIMIT $1 FOR UPDATE SKIP LOCKED
"""
HAS_EVENTS = """
SELECT EXISTS (SELECT 1 FROM run_events WHERE tenant_id = $1 AND run_id = $2)
"""
PURGE = """
DELETE FROM run_events USING runs
WHERE run_events.tenant_id = $1 AND runs.tenant_id = $1 AND runs.id = run_events.run_id
  AND runs.finished_at < clock_timestamp() - interval '10 minutes'
"""


@dataclass(frozen=True, slots=True)
class Said:
    """Frames of one run, the lease under which they may be stored, and where to tell of them."""

    tenant_id: UUID
    run_id: UUID
    batch: Batch
    lease: Lease
    channel: str


async def insert_run(db: Db, run: NewRun) -> None:
    await db.execute(
        INSERT,
        run.id,
        run.tenant_id,
        run.conversation_id,
        run.work_id,
        run.kind,
        run.agent,
        run.principal_id,
        run.message_id,
        run.time_zone,
        run.principal_kind,
    )


async def find_run(db: Db, tenant_id: UUID, run_id: UUID) -> Run | None:
    row = await db.fetchrow(FIND, tenant_id, run_id)
    return _run(row) if row else None


async def list_active_runs(db: Db, tenant_id: UUID, conversation_id: UUID) -> list[Run]:
    """The one that runs, then those that wait, in their order."""
    rows = await db.fetch(LIST_ACTIVE, tenant_id, conversation_id, list(ACTIVE))
    return [_run(row) for row in rows]


async def find_active_run(db: Db, tenant_id: UUID, conversation_id: UUID) -> Run | None:
    """The one that runs, or the first that waits."""
    return next(iter(await list_active_runs(db, tenant_id, conversation_id)), None)


async def start_run(db: Db, run: Run, attempt: int) -> bool:
    """Whether there is still something to do."""
    return await db.fetchval(START, run.tenant_id, run.id, attempt) is not None


async def find_queued_decision(db: Db, tenant_id: UUID, conversation_id: UUID) -> Run | None:
    row = await db.fetchrow(FIND_QUEUED_DECISION, tenant_id, conversation_id)
    return _run(row) if row else None


async def is_stopped(db: Db, run: Run) -> bool:
    """Whether it is over, or somebody asked for its end."""
    return bool(await db.fetchval(IS_STOPPED, run.tenant_id, run.id))


async def is_driven(db: Db, tenant_id: UUID, run_id: UUID) -> bool:
    """Whether somebody may still write its message, even if it is over for everybody else."""
    return bool(await db.fetchval(IS_DRIVEN, tenant_id, run_id))


async def list_taint(db: Db, tenant_id: UUID, conversation_id: UUID) -> list[dict[str, Any]]:
    """Everything untrusted that any run has read, here or where this was branched from."""
    return [row["source"] for row in await db.fetch(LIST_TAINT, tenant_id, conversation_id)]


async def set_progress(db: Db, run: Run, *, steps: int, taint: Sequence[Any], phase: Phase) -> bool:
    """Whether it goes on: somebody may have ended it."""
    given = steps, list(taint), phase
    return await db.fetchval(SET_PROGRESS, run.tenant_id, run.id, *given) is not None


async def end_run(
    db: Db, run: Run, status: RunStatus, error: dict[str, Any] | None = None, output: Any = None
) -> int | None:
    """How often it was begun; nothing if it was over already."""
    return await db.fetchval(END, run.tenant_id, run.id, status, error, output)


async def append_batches(db: Db, said: Sequence[Said], *, durable: bool = False) -> dict[UUID, int]:
    """Store what many runs said and tell of it; return how far the table has each that is owned.

    A batch that does not follow on what the table has of its run is not stored. When it is
    `durable`, that and everything stored before outlives a crash of the database.
    """
    rows = await db.fetch(
        APPEND,
        [one.run_id for one in said],
        [one.tenant_id for one in said],
        [one.batch.attempt for one in said],
        [one.batch.first_seq for one in said],
        [one.batch.last.seq for one in said],
        [join_frames(one.batch.frames) for one in said],
        [one.lease.work_id for one in said],
        [one.lease.owner for one in said],
        [one.lease.attempt for one in said],
        [one.channel for one in said],
        durable,
    )
    return {
        run_id: stored
        for row in rows
        for run_id, stored in zip(row["run_ids"], row["stored"], strict=True)
    }


async def find_stored(db: Db, run: Run) -> int:
    """Up to which event the table has the present attempt."""
    return await db.fetchval(FIND_STORED, run.tenant_id, run.id, run.attempt) or 0


async def notify(db: Db, channel: str, run_id: UUID) -> None:
    await db.execute(NOTIFY, channel, str(run_id))


async def read_batches(
    db: Db, tenant_id: UUID, run_id: UUID, seen: Position, *, at_most: int | None = None
) -> list[Batch]:
    """What was stored after that position, in order: all of it, or about so many bytes."""
    rows = await db.fetch(READ, tenant_id, run_id, seen.attempt, seen.seq, at_most)
    return [Batch(row["attempt"], row["first_seq"], split_frames(row["frames"])) for row in rows]


async def take_lost(db: Db, limit: int) -> list[tuple[Run, bool]]:
    """Active runs that nobody will drive again, each with whether somebody had it stopped."""
    rows = await db.fetch(TAKE_LOST, limit)
    return [(_run(row), row["was_cancelled"]) for row in rows]


async def has_events(db: Db, run: Run) -> bool:
    return bool(await db.fetchval(HAS_EVENTS, run.tenant_id, run.id))


async def purge_events(db: Db, tenant_id: UUID) -> None:
    await db.execute(PURGE, tenant_id)


def _run(row: Row) -> Run:
    return Run(**{field.name: row[field.name] for field in fields(Run)})
