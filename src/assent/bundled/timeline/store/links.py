"""SQL of links."""

from uuid import UUID

from assent.bundled.timeline.values import Link
from assent.plugins.api import Db, Row

LIST = """
SELECT id, label, url FROM timeline.links
WHERE tenant_id = $1 AND subject_id = $2 ORDER BY lower(label), id
"""
INSERT = """
INSERT INTO timeline.links (id, tenant_id, subject_id, label, url) VALUES ($1, $2, $3, $4, $5)
"""
DELETE = "DELETE FROM timeline.links WHERE tenant_id = $1 AND subject_id = $2 AND id = $3"


async def list_links(db: Db, tenant_id: UUID, subject_id: UUID) -> list[Link]:
    return [_link(row) for row in await db.fetch(LIST, tenant_id, subject_id)]


async def insert_link(db: Db, tenant_id: UUID, subject_id: UUID, link: Link) -> None:
    await db.execute(INSERT, link.id, tenant_id, subject_id, link.label, link.url)


async def delete_link(db: Db, tenant_id: UUID, subject_id: UUID, link_id: UUID) -> None:
    await db.execute(DELETE, tenant_id, subject_id, link_id)


def _link(row: Row) -> Link:
    return Link(**row)
