"""SQL of maintenance windows. What time it is, whoever asks says."""

from datetime import datetime
from uuid import UUID

from assent.bundled.maintenance.values import Window, WindowChange, WindowDraft, WindowQuery
from assent.bundled.timeline.api import MATCHING, VISIBLE, where_matching, where_visible
from assent.plugins.api import Db, Row, Scope, parse_cursor, parse_cursor_id, parse_cursor_time

COLUMNS = """
id, workspace_id, title, description, system_ids, starts_at, ends_at, closed_at,
version, created_at, updated_at
"""
STATUS = """
CASE WHEN closed_at IS NOT NULL THEN 'closed'
     WHEN {now} < starts_at THEN 'scheduled'
     WHEN {now} < ends_at THEN 'in_progress'
     ELSE 'completed' END
"""
LIST = f"""
SELECT {COLUMNS}, {STATUS.format(now="$8::timestamptz")} AS status FROM maintenance.windows
WHERE {MATCHING}
  AND ($9::boolean IS NULL OR (closed_at IS NULL AND ends_at > $8) = $9)
  AND ($10::text IS NULL OR {STATUS.format(now="$8")} = $10)
  AND ($11::timestamptz IS NULL OR (starts_at, id) < ($11, $12::uuid))
ORDER BY starts_at DESC, id DESC LIMIT $13
"""
LIST_RUNNING = f"""
SELECT {COLUMNS}, 'in_progress' AS status FROM maintenance.windows
WHERE {VISIBLE} AND closed_at IS NULL AND starts_at <= $5 AND ends_at > $5
ORDER BY starts_at, id LIMIT $6
"""
FIND = f"""
SELECT {COLUMNS}, {STATUS.format(now="$3::timestamptz")} AS status FROM maintenance.windows
WHERE tenant_id = $1 AND id = $2
"""
LOCK = "SELECT 1 FROM maintenance.windows WHERE tenant_id = $1 AND id = $2 FOR UPDATE"
INSERT = """
INSERT INTO maintenance.windows
    (id, tenant_id, workspace_id, title, description, system_ids, starts_at, ends_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
"""
UPDATE = """
UPDATE maintenance.windows SET title = coalesce($3, title),
    description = coalesce($4, description), system_ids = coalesce($5, system_ids),
    starts_at = coalesce($6, starts_at), ends_at = coalesce($7, ends_at),
    version = version + 1, updated_at = now()
WHERE tenant_id = $1 AND id = $2
"""
MOVE = """
UPDATE maintenance.windows SET closed_at = $3, version = version + 1, updated_at = now()
WHERE tenant_id = $1 AND id = $2
"""
TOUCH = """
UPDATE maintenance.windows SET version = version + 1, updated_at = now()
WHERE tenant_id = $1 AND id = $2
"""
DELETE = "DELETE FROM maintenance.windows WHERE tenant_id = $1 AND id = $2"


async def list_windows(
    db: Db, tenant_id: UUID, scope: Scope, query: WindowQuery, *, now: datetime
) -> list[Window]:
    position = parse_cursor(query.cursor, 2)
    rows = await db.fetch(
        LIST,
        *where_matching(tenant_id, scope, query),
        now,
        query.open,
        query.status,
        parse_cursor_time(position[0]) if position else None,
        parse_cursor_id(position[1]) if position else None,
        query.limit + 1,
    )
    return [_window(row) for row in rows]


async def list_running(
    db: Db, tenant_id: UUID, scope: Scope, *, now: datetime, limit: int
) -> list[Window]:
    """Those in progress, the one that began first first."""
    rows = await db.fetch(LIST_RUNNING, *where_visible(tenant_id, scope), now, limit)
    return [_window(row) for row in rows]


async def find_window(db: Db, tenant_id: UUID, window_id: UUID, *, now: datetime) -> Window | None:
    row = await db.fetchrow(FIND, tenant_id, window_id, now)
    return _window(row) if row else None


async def lock_window(db: Db, tenant_id: UUID, window_id: UUID) -> None:
    await db.execute(LOCK, tenant_id, window_id)


async def insert_window(db: Db, tenant_id: UUID, window_id: UUID, draft: WindowDraft) -> None:
    await db.execute(
        INSERT,
        window_id,
        tenant_id,
        draft.workspace_id,
        draft.title,
        draft.description,
        sorted(set(draft.system_ids)),
        draft.starts_at,
        draft.ends_at,
    )


async def update_window(db: Db, tenant_id: UUID, change: WindowChange) -> None:
    await db.execute(
        UPDATE,
        tenant_id,
        change.window_id,
        change.title,
        change.description,
        None if change.system_ids is None else sorted(set(change.system_ids)),
        change.starts_at,
        change.ends_at,
    )


async def move_window(
    db: Db, tenant_id: UUID, window_id: UUID, *, closed_at: datetime | None
) -> None:
    await db.execute(MOVE, tenant_id, window_id, closed_at)


async def touch_window(db: Db, tenant_id: UUID, window_id: UUID) -> None:
    """Something on its timeline has changed."""
    await db.execute(TOUCH, tenant_id, window_id)


async def delete_window(db: Db, tenant_id: UUID, window_id: UUID) -> None:
    await db.execute(DELETE, tenant_id, window_id)


def _window(row: Row) -> Window:
    return Window(**row)
