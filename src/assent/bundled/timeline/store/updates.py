"""SQL of updates, and of all that goes with a subject."""

from datetime import datetime
from uuid import UUID

from assent.bundled.timeline.values import Update
from assent.plugins.api import Db, Principal, Row

COLUMNS = "id, text, status, author_id, author, created_at"
LIST = f"""
SELECT {COLUMNS} FROM timeline.updates
WHERE tenant_id = $1 AND subject_id = $2 ORDER BY id DESC
"""
FIND = f"""
SELECT {COLUMNS} FROM timeline.updates WHERE tenant_id = $1 AND subject_id = $2 AND id = $3
"""
COUNT = "SELECT count(*) FROM timeline.updates WHERE tenant_id = $1 AND subject_id = $2"
INSERT = """
INSERT INTO timeline.updates
    (id, tenant_id, subject_id, text, status, author_id, author, created_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
"""
DELETE = "DELETE FROM timeline.updates WHERE tenant_id = $1 AND subject_id = $2 AND id = $3"
FORGET = """
WITH told AS (
    DELETE FROM timeline.deliveries WHERE tenant_id = $1 AND subject_id = $2
), linked AS (
    DELETE FROM timeline.links WHERE tenant_id = $1 AND subject_id = $2
)
DELETE FROM timeline.updates WHERE tenant_id = $1 AND subject_id = $2
"""


async def list_updates(db: Db, tenant_id: UUID, subject_id: UUID) -> list[Update]:
    return [_update(row) for row in await db.fetch(LIST, tenant_id, subject_id)]


async def find_update(db: Db, tenant_id: UUID, subject_id: UUID, update_id: UUID) -> Update | None:
    row = await db.fetchrow(FIND, tenant_id, subject_id, update_id)
    return _update(row) if row else None


async def count_updates(db: Db, tenant_id: UUID, subject_id: UUID) -> int:
    return await db.fetchval(COUNT, tenant_id, subject_id)


async def append_update(
    db: Db,
    subject_id: UUID,
    *,
    update_id: UUID,
    text: str,
    status: str,
    author: Principal,
    now: datetime,
) -> None:
    await db.execute(
        INSERT, update_id, author.tenant_id, subject_id, text, status, author.id, author.name, now
    )


async def delete_update(db: Db, tenant_id: UUID, subject_id: UUID, update_id: UUID) -> None:
    await db.execute(DELETE, tenant_id, subject_id, update_id)


async def forget(db: Db, tenant_id: UUID, subject_id: UUID) -> None:
    """Remove all that there is about a subject that is being deleted."""
    await db.execute(FORGET, tenant_id, subject_id)


def _update(row: Row) -> Update:
    return Update(**row)
