"""SQL of incidents."""

from datetime import datetime
from uuid import UUID

from assent.bundled.incident.values import (
    Incident,
    IncidentChange,
    IncidentDraft,
    IncidentQuery,
    Status,
)
from assent.bundled.timeline.api import MATCHING, VISIBLE, where_matching, where_visible
from assent.plugins.api import Db, Row, Scope, parse_cursor, parse_cursor_id, parse_cursor_time

COLUMNS = """
id, workspace_id, title, description, severity, status, system_ids, started_at, resolved_at,
version, created_at, updated_at
"""
LIST = f"""
SELECT {COLUMNS} FROM incident.incidents
WHERE {MATCHING}
  AND ($8::boolean IS NULL OR (resolved_at IS NULL) = $8)
  AND ($9::text IS NULL OR status = $9)
  AND ($10::text IS NULL OR severity = $10)
  AND ($11::timestamptz IS NULL OR (started_at, id) < ($11, $12::uuid))
ORDER BY started_at DESC, id DESC LIMIT $13
"""
LIST_OPEN = f"""
SELECT {COLUMNS} FROM incident.incidents
WHERE {VISIBLE} AND resolved_at IS NULL ORDER BY started_at, id LIMIT $5
"""
FIND = f"SELECT {COLUMNS} FROM incident.incidents WHERE tenant_id = $1 AND id = $2"
LOCK = "SELECT 1 FROM incident.incidents WHERE tenant_id = $1 AND id = $2 FOR UPDATE"
INSERT = """
INSERT INTO incident.incidents
    (id, tenant_id, workspace_id, title, description, severity, status, system_ids, started_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
"""
UPDATE = """
UPDATE incident.incidents SET title = coalesce($3, title),
    description = coalesce($4, description), severity = coalesce($5, severity),
    system_ids = coalesce($6, system_ids), started_at = coalesce($7, started_at),
    version = version + 1, updated_at = now()
WHERE tenant_id = $1 AND id = $2
"""
MOVE = """
UPDATE incident.incidents SET status = $3, resolved_at = $4,
    version = version + 1, updated_at = now()
WHERE tenant_id = $1 AND id = $2
"""
TOUCH = """
UPDATE incident.incidents SET version = version + 1, updated_at = now()
WHERE tenant_id = $1 AND id = $2
"""
DELETE = "DELETE FROM incident.incidents WHERE tenant_id = $1 AND id = $2"


async def list_incidents(
    db: Db, tenant_id: UUID, scope: Scope, query: IncidentQuery
) -> list[Incident]:
    position = parse_cursor(query.cursor, 2)
    rows = await db.fetch(
        LIST,
        *where_matching(tenant_id, scope, query),
        query.open,
        query.status,
        query.severity,
        parse_cursor_time(position[0]) if position else None,
        parse_cursor_id(position[1]) if position else None,
        query.limit + 1,
    )
    return [_incident(row) for row in rows]


async def list_open(db: Db, tenant_id: UUID, scope: Scope, *, limit: int) -> list[Incident]:
    """Those that are not resolved, the oldest first."""
    rows = await db.fetch(LIST_OPEN, *where_visible(tenant_id, scope), limit)
    return [_incident(row) for row in rows]


async def find_incident(db: Db, tenant_id: UUID, incident_id: UUID) -> Incident | None:
    row = await db.fetchrow(FIND, tenant_id, incident_id)
    return _incident(row) if row else None


async def lock_incident(db: Db, tenant_id: UUID, incident_id: UUID) -> None:
    await db.execute(LOCK, tenant_id, incident_id)


async def insert_incident(
    db: Db, tenant_id: UUID, incident_id: UUID, draft: IncidentDraft, *, started_at: datetime
) -> None:
    await db.execute(
        INSERT,
        incident_id,
        tenant_id,
        draft.workspace_id,
        draft.title,
        draft.description,
        draft.severity,
        draft.status,
        sorted(set(draft.system_ids)),
        started_at,
    )


async def update_incident(db: Db, tenant_id: UUID, change: IncidentChange) -> None:
    system_ids = None if change.system_ids is None else sorted(set(change.system_ids))
    await db.execute(
        UPDATE,
        tenant_id,
        change.incident_id,
        change.title,
        change.description,
        change.severity,
        system_ids,
        change.started_at,
    )


async def move_incident(
    db: Db, tenant_id: UUID, incident_id: UUID, *, status: Status, resolved_at: datetime | None
) -> None:
    await db.execute(MOVE, tenant_id, incident_id, status, resolved_at)


async def touch_incident(db: Db, tenant_id: UUID, incident_id: UUID) -> None:
    """Something on its timeline has changed."""
    await db.execute(TOUCH, tenant_id, incident_id)


async def delete_incident(db: Db, tenant_id: UUID, incident_id: UUID) -> None:
    await db.execute(DELETE, tenant_id, incident_id)


def _incident(row: Row) -> Incident:
    return Incident(**row)
