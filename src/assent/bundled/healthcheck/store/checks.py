"""SQL of checks: what they are, how they stand, and when they are due."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from assent.bundled.healthcheck.outcome import Outcome
from assent.bundled.healthcheck.validate import Sound
from assent.bundled.healthcheck.values import Check, CheckQuery
from assent.plugins.api import Db, Row, Scope, position_by_name

COLUMNS = """
id, workspace_id, name, description, system_ids, strategy, collectors, assertions,
interval_seconds, timeout_ms, egress, reaches, enabled, status, status_since, reason, quotes,
last_run_at, next_run_at, version, created_at, updated_at
"""
LIST = f"""
SELECT {COLUMNS} FROM healthcheck.checks
WHERE tenant_id = $1
  AND ($2::boolean OR workspace_id = ANY ($3::uuid[]) OR id = ANY ($4::uuid[]))
  AND ($5::uuid IS NULL OR workspace_id = $5)
  AND ($6 = '' OR strpos(lower(name || ' ' || description), lower($6)) > 0)
  AND ($7::text IS NULL OR (lower(name), id) > (lower($7), $8::uuid))
  AND ($10::uuid IS NULL OR system_ids @> ARRAY[$10::uuid])
  AND ($11::text IS NULL OR status = $11)
ORDER BY lower(name), id LIMIT $9
"""
FIND = f"SELECT {COLUMNS} FROM healthcheck.checks WHERE tenant_id = $1 AND id = $2"
FIND_NAMED = """
SELECT id FROM healthcheck.checks
WHERE tenant_id = $1 AND workspace_id = $2 AND lower(name) = lower($3)
"""
LOCK = "SELECT 1 FROM healthcheck.checks WHERE tenant_id = $1 AND id = $2 FOR UPDATE"
INSERT = """
INSERT INTO healthcheck.checks (
    tenant_id, id, workspace_id, name, description, system_ids, strategy, collectors, assertions,
    interval_seconds, timeout_ms, egress, reaches, enabled, next_run_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)
ON CONFLICT (tenant_id, workspace_id, lower(name)) DO NOTHING RETURNING id
"""
UPDATE = """
UPDATE healthcheck.checks SET name = $4, description = $5, system_ids = $6, strategy = $7,
    collectors = $8, assertions = $9, interval_seconds = $10, timeout_ms = $11, egress = $12,
    reaches = $13, enabled = $14, next_run_at = $15, version = version + 1, updated_at = now()
WHERE tenant_id = $1 AND id = $2 AND workspace_id = $3 AND NOT EXISTS (
    SELECT 1 FROM healthcheck.checks AS other
    WHERE other.tenant_id = $1 AND other.workspace_id = $3
      AND other.id <> $2 AND lower(other.name) = lower($4))
"""
REST = """
UPDATE healthcheck.checks SET status = 'unknown', status_since = $3, reason = '', quotes = false
WHERE tenant_id = $1 AND id = $2
"""
HASTEN = "UPDATE healthcheck.checks SET next_run_at = $3 WHERE tenant_id = $1 AND id = $2"
DELETE = "DELETE FROM healthcheck.checks WHERE tenant_id = $1 AND id = $2"
FORGET_SYSTEM = """
UPDATE healthcheck.checks SET system_ids = array_remove(system_ids, $2::uuid),
    version = version + 1, updated_at = now()
WHERE tenant_id = $1 AND system_ids @> ARRAY[$2::uuid]
"""
# What was missed while nothing ran is one run: the due time that has passed last.
TAKE_DUE = """
WITH due AS (
    SELECT id, next_run_at + make_interval(secs =>
        floor(extract(epoch FROM $2 - next_run_at) / interval_seconds) * interval_seconds) AS at
    FROM healthcheck.checks
    WHERE tenant_id = $1 AND enabled AND next_run_at <= $2
    ORDER BY next_run_at LIMIT $3
    FOR UPDATE SKIP LOCKED
)
UPDATE healthcheck.checks SET next_run_at = due.at + make_interval(secs => interval_seconds)
FROM due WHERE checks.tenant_id = $1 AND checks.id = due.id
RETURNING checks.id, due.at AS due_at
"""
SETTLE = """
UPDATE healthcheck.checks SET last_due_at = $3, last_run_at = $4, reason = $6, quotes = $7,
    status_since = CASE WHEN status <> $5 OR status_since IS NULL THEN $4 ELSE status_since END,
    status = $5
WHERE tenant_id = $1 AND id = $2 AND (last_due_at IS NULL OR last_due_at < $3)
"""


@dataclass(frozen=True, slots=True)
class Due:
    """A check whose time has come."""

    check_id: UUID
    due_at: datetime


async def list_checks(db: Db, tenant_id: UUID, scope: Scope, query: CheckQuery) -> list[Check]:
    rows = await db.fetch(
        LIST,
        tenant_id,
        scope.everywhere,
        list(scope.workspace_ids),
        list(scope.resource_ids),
        query.workspace_id,
        query.q,
        *(position_by_name(query) or (None, None)),
        query.limit + 1,
        query.system_id,
        query.status,
    )
    return [_check(row) for row in rows]


async def find_check(db: Db, tenant_id: UUID, check_id: UUID) -> Check | None:
    row = await db.fetchrow(FIND, tenant_id, check_id)
    return _check(row) if row else None


async def find_named(db: Db, tenant_id: UUID, workspace_id: UUID, name: str) -> UUID | None:
    return await db.fetchval(FIND_NAMED, tenant_id, workspace_id, name)


async def lock_check(db: Db, tenant_id: UUID, check_id: UUID) -> None:
    await db.execute(LOCK, tenant_id, check_id)


async def insert_check(
    db: Db, tenant_id: UUID, check_id: UUID, sound: Sound, *, next_run_at: datetime
) -> bool:
    """`False` if the name is taken."""
    given = _arguments(tenant_id, check_id, sound, next_run_at)
    return await db.fetchval(INSERT, *given) is not None


async def update_check(
    db: Db, tenant_id: UUID, check_id: UUID, sound: Sound, *, next_run_at: datetime
) -> bool:
    """`False` if the name is taken; the row must be there."""
    done = await db.execute(UPDATE, *_arguments(tenant_id, check_id, sound, next_run_at))
    return done == "UPDATE 1"


async def rest_check(db: Db, tenant_id: UUID, check_id: UUID, *, at: datetime) -> None:
    """What nobody looks at is not known."""
    await db.execute(REST, tenant_id, check_id, at)


async def hasten_check(db: Db, tenant_id: UUID, check_id: UUID, *, at: datetime) -> None:
    """Make it due then."""
    await db.execute(HASTEN, tenant_id, check_id, at)


async def delete_check(db: Db, tenant_id: UUID, check_id: UUID) -> None:
    await db.execute(DELETE, tenant_id, check_id)


async def forget_system(db: Db, tenant_id: UUID, system_id: UUID) -> None:
    await db.execute(FORGET_SYSTEM, tenant_id, system_id)


async def take_due(db: Db, tenant_id: UUID, *, now: datetime, limit: int) -> list[Due]:
    rows = await db.fetch(TAKE_DUE, tenant_id, now, limit)
    return [Due(row["id"], row["due_at"]) for row in rows]


async def settle_check(
    db: Db,
    tenant_id: UUID,
    check_id: UUID,
    outcome: Outcome,
    *,
    due_at: datetime,
    started_at: datetime,
) -> bool:
    """`False` where a later due time was settled already."""
    done = await db.execute(
        SETTLE,
        tenant_id,
        check_id,
        due_at,
        started_at,
        outcome.status,
        outcome.reason,
        outcome.quotes,
    )
    return done == "UPDATE 1"


def _arguments(
    tenant_id: UUID, check_id: UUID, sound: Sound, next_run_at: datetime
) -> Sequence[Any]:
    draft = sound.draft
    shown = draft.model_dump(mode="json", by_alias=True)
    return (
        tenant_id,
        check_id,
        draft.workspace_id,
        draft.name,
        draft.description,
        draft.system_ids,
        shown["strategy"],
        shown["collectors"],
        shown["assertions"],
        draft.interval_seconds,
        draft.timeout_ms,
        draft.egress,
        list(sound.reaches),
        draft.enabled,
        next_run_at,
    )


def _check(row: Row) -> Check:
    return Check(**row)
