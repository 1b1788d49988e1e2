"""SQL of anomalies and of the changes that they follow from."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from assent.bundled.anomaly.spans import Change, Kept, Span
from assent.bundled.anomaly.values import Acknowledged, Anomaly, AnomalyQuery
from assent.plugins.api import Db, Row, Scope, parse_cursor, parse_cursor_id, parse_cursor_time

COLUMNS = """
id, workspace_id, check_id, check_name, system_ids, worst, opened_at, closed_at,
acknowledged_by, acknowledged_at, note, version
"""
SEEN = """
tenant_id = $1 AND ($2::boolean OR workspace_id = ANY ($3::uuid[]) OR id = ANY ($4::uuid[]))
"""
LIST = f"""
SELECT {COLUMNS} FROM anomaly.anomalies
WHERE {SEEN}
  AND ($5::uuid IS NULL OR workspace_id = $5)
  AND ($6::boolean IS NULL OR (closed_at IS NULL) = $6)
  AND ($7::uuid IS NULL OR $7 = ANY (system_ids))
  AND ($8::uuid IS NULL OR check_id = $8)
  AND ($9::timestamptz IS NULL OR closed_at IS NULL OR closed_at >= $9)
  AND ($10::timestamptz IS NULL OR (opened_at, id) < ($10, $11::uuid))
ORDER BY opened_at DESC, id DESC LIMIT $12
"""
LIST_UNSEEN = f"""
SELECT {COLUMNS} FROM anomaly.anomalies
WHERE {SEEN} AND closed_at IS NULL AND acknowledged_at IS NULL
"""
FIND = f"SELECT {COLUMNS} FROM anomaly.anomalies WHERE tenant_id = $1 AND id = $2"
LOCK = "SELECT 1 FROM anomaly.anomalies WHERE tenant_id = $1 AND id = $2 FOR UPDATE"
ACKNOWLEDGE = """
UPDATE anomaly.anomalies
SET acknowledged_by = $3, acknowledged_at = $4, note = $5, version = version + 1
WHERE tenant_id = $1 AND id = $2
"""
LOCK_CHECK = """
SELECT pg_advisory_xact_lock(hashtextextended('anomaly ' || $1::uuid::text || $2::uuid::text, 0))
"""
APPEND_CHANGE = """
INSERT INTO anomaly.changes (tenant_id, event_id, check_id, at, status)
VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING RETURNING 1
"""
LIST_CHANGES = """
SELECT at, status FROM anomaly.changes
WHERE tenant_id = $1 AND check_id = $2 ORDER BY at, event_id
"""
LIST_KEPT = """
SELECT id, opened_at, closed_at, worst FROM anomaly.anomalies
WHERE tenant_id = $1 AND check_id = $2 ORDER BY opened_at
"""
INSERT = """
INSERT INTO anomaly.anomalies (
    id, tenant_id, workspace_id, check_id, check_name, system_ids, opened_at, closed_at, worst)
SELECT $1, $2, workspaces.id, $4, $5, $6, $7, $8, $9 FROM workspaces
WHERE workspaces.tenant_id = $2 AND workspaces.id = $3
"""
ADJUST = """
UPDATE anomaly.anomalies
SET opened_at = $3, closed_at = $4, worst = $5, version = version + 1
WHERE tenant_id = $1 AND id = $2
  AND (opened_at, closed_at, worst) IS DISTINCT FROM ($3, $4::timestamptz, $5)
"""
DELETE_OLD = """
DELETE FROM anomaly.anomalies WHERE tenant_id = $1 AND closed_at < $2
"""
DELETE_OLD_CHANGES = """
DELETE FROM anomaly.changes
WHERE tenant_id = $1 AND at < $2 AND NOT EXISTS (
    SELECT 1 FROM anomaly.anomalies
    WHERE anomalies.tenant_id = $1 AND anomalies.check_id = changes.check_id
      AND (closed_at IS NULL OR closed_at >= $2))
"""


async def list_anomalies(
    db: Db, tenant_id: UUID, scope: Scope, query: AnomalyQuery
) -> list[Anomaly]:
    position = parse_cursor(query.cursor, 2)
    rows = await db.fetch(
        LIST,
        *_seen(tenant_id, scope),
        query.workspace_id,
        query.open,
        query.system_id,
        query.check_id,
        query.since,
        parse_cursor_time(position[0]) if position else None,
        parse_cursor_id(position[1]) if position else None,
        query.limit + 1,
    )
    return [_anomaly(row) for row in rows]


async def list_unseen(db: Db, tenant_id: UUID, scope: Scope) -> list[Anomaly]:
    """Open ones that nobody has acknowledged."""
    return [_anomaly(row) for row in await db.fetch(LIST_UNSEEN, *_seen(tenant_id, scope))]


async def find_anomaly(db: Db, tenant_id: UUID, anomaly_id: UUID) -> Anomaly | None:
    row = await db.fetchrow(FIND, tenant_id, anomaly_id)
    return _anomaly(row) if row else None


async def lock_anomaly(db: Db, tenant_id: UUID, anomaly_id: UUID) -> None:
    await db.execute(LOCK, tenant_id, anomaly_id)


async def acknowledge(db: Db, tenant_id: UUID, anomaly_id: UUID, said: Acknowledged) -> None:
    await db.execute(ACKNOWLEDGE, tenant_id, anomaly_id, said.by, said.at, said.note)


async def lock_check(db: Db, tenant_id: UUID, check_id: UUID) -> None:
    """Events of one check are worked on one after the other; it ends with the transaction."""
    await db.execute(LOCK_CHECK, tenant_id, check_id)


async def append_change(
    db: Db, tenant_id: UUID, check_id: UUID, *, event_id: str, change: Change
) -> bool:
    """`False` if this event was heard already."""
    return (
        await db.fetchval(APPEND_CHANGE, tenant_id, event_id, check_id, change.at, change.status)
        is not None
    )


async def list_changes(db: Db, tenant_id: UUID, check_id: UUID) -> list[Change]:
    rows = await db.fetch(LIST_CHANGES, tenant_id, check_id)
    return [Change(row["at"], row["status"]) for row in rows]


async def list_kept(db: Db, tenant_id: UUID, check_id: UUID) -> list[Kept]:
    rows = await db.fetch(LIST_KEPT, tenant_id, check_id)
    return [Kept(row["id"], Span(row["opened_at"], row["closed_at"], row["worst"])) for row in rows]


async def insert_anomaly(db: Db, tenant_id: UUID, anomaly: Anomaly) -> bool:
    """`False` if its workspace is gone."""
    done = await db.execute(
        INSERT,
        anomaly.id,
        tenant_id,
        anomaly.workspace_id,
        anomaly.check_id,
        anomaly.check_name,
        anomaly.system_ids,
        anomaly.opened_at,
        anomaly.closed_at,
        anomaly.worst,
    )
    return done == "INSERT 0 1"


async def adjust_anomaly(db: Db, tenant_id: UUID, anomaly_id: UUID, span: Span) -> bool:
    """`False` if it was so already."""
    done = await db.execute(
        ADJUST, tenant_id, anomaly_id, span.opened_at, span.closed_at, span.worst
    )
    return done == "UPDATE 1"


async def delete_old(db: Db, tenant_id: UUID, before: datetime) -> None:
    await db.execute(DELETE_OLD, tenant_id, before)
    await db.execute(DELETE_OLD_CHANGES, tenant_id, before)


def _seen(tenant_id: UUID, scope: Scope) -> Sequence[object]:
    return tenant_id, scope.everywhere, list(scope.workspace_ids), list(scope.resource_ids)


def _anomaly(row: Row) -> Anomaly:
    fields = dict(row)
    by, at, note = (fields.pop(name) for name in ("acknowledged_by", "acknowledged_at", "note"))
    said = Acknowledged(by=by, at=at, note=note) if at else None
    return Anomaly(**fields, acknowledged=said)
