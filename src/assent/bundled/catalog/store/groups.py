"""SQL of groups."""

from collections.abc import Sequence
from uuid import UUID

from assent.bundled.catalog.store.listing import BY_NAME, MATCHING, where_visible
from assent.bundled.catalog.values import EntryQuery, Group
from assent.plugins.api import Db, Row, Scope, position_by_name

COLUMNS = """
id, workspace_id, name, description, version, created_at, updated_at,
ARRAY(SELECT system_id FROM catalog.system_groups
      WHERE system_groups.tenant_id = groups.tenant_id AND group_id = groups.id
      ORDER BY system_id) AS system_ids
"""
LIST = f"SELECT {COLUMNS} FROM catalog.groups WHERE {MATCHING} {BY_NAME}"
FIND = f"SELECT {COLUMNS} FROM catalog.groups WHERE tenant_id = $1 AND id = $2"
FIND_NAMED = """
SELECT id FROM catalog.groups
WHERE tenant_id = $1 AND workspace_id = $2 AND lower(name) = lower($3)
"""
LOCK = "SELECT 1 FROM catalog.groups WHERE tenant_id = $1 AND id = $2 FOR UPDATE"
INSERT = """
INSERT INTO catalog.groups (id, tenant_id, workspace_id, name, description)
VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (tenant_id, workspace_id, lower(name)) DO NOTHING RETURNING id
"""
UPDATE = """
UPDATE catalog.groups SET name = coalesce($3, name), description = coalesce($4, description),
    version = version + 1, updated_at = now()
WHERE tenant_id = $1 AND id = $2 AND NOT EXISTS (
    SELECT 1 FROM catalog.groups AS other
    WHERE other.tenant_id = $1 AND other.workspace_id = groups.workspace_id
      AND other.id <> $2 AND lower(other.name) = lower($3))
"""
TOUCH_SYSTEMS = """
UPDATE catalog.systems SET version = version + 1, updated_at = now()
WHERE tenant_id = $1 AND id IN (
    SELECT system_id FROM catalog.system_groups WHERE tenant_id = $1 AND group_id = $2)
"""
DELETE = "DELETE FROM catalog.groups WHERE tenant_id = $1 AND id = $2"
COUNT_KNOWN = """
SELECT count(*) FROM catalog.groups
WHERE tenant_id = $1 AND workspace_id = $2 AND id = ANY ($3)
"""
SET_SYSTEMS = """
WITH gone AS (
    DELETE FROM catalog.system_groups
    WHERE tenant_id = $1 AND group_id = $3 AND system_id <> ALL ($4::uuid[]) RETURNING system_id
), come AS (
    INSERT INTO catalog.system_groups (tenant_id, workspace_id, group_id, system_id)
    SELECT DISTINCT $1::uuid, $2::uuid, $3::uuid, given FROM unnest($4::uuid[]) AS given
    ON CONFLICT DO NOTHING RETURNING system_id
)
UPDATE catalog.systems SET version = version + 1, updated_at = now()
WHERE tenant_id = $1 AND id IN (SELECT system_id FROM gone UNION SELECT system_id FROM come)
"""


async def list_groups(db: Db, tenant_id: UUID, scope: Scope, query: EntryQuery) -> list[Group]:
    rows = await db.fetch(
        LIST,
        *where_visible(tenant_id, scope, query.workspace_id),
        query.q,
        *(position_by_name(query) or (None, None)),
        query.limit + 1,
    )
    return [_group(row) for row in rows]


async def find_group(db: Db, tenant_id: UUID, group_id: UUID) -> Group | None:
    row = await db.fetchrow(FIND, tenant_id, group_id)
    return _group(row) if row else None


async def find_named(db: Db, tenant_id: UUID, workspace_id: UUID, name: str) -> UUID | None:
    return await db.fetchval(FIND_NAMED, tenant_id, workspace_id, name)


async def lock_group(db: Db, tenant_id: UUID, group_id: UUID) -> None:
    await db.execute(LOCK, tenant_id, group_id)


async def insert_group(
    db: Db,
    tenant_id: UUID,
    *,
    group_id: UUID,
    workspace_id: UUID,
    name: str,
    description: str,
) -> bool:
    inserted = await db.fetchval(INSERT, group_id, tenant_id, workspace_id, name, description)
    return inserted is not None


async def update_group(
    db: Db, tenant_id: UUID, group_id: UUID, *, name: str | None, description: str | None
) -> bool:
    """`False` if the name is taken; the row must be there."""
    done = await db.execute(UPDATE, tenant_id, group_id, name, description)
    return done == "UPDATE 1"


async def delete_group(db: Db, tenant_id: UUID, group_id: UUID) -> None:
    await db.execute(TOUCH_SYSTEMS, tenant_id, group_id)
    await db.execute(DELETE, tenant_id, group_id)


async def count_known(
    db: Db, tenant_id: UUID, workspace_id: UUID, group_ids: Sequence[UUID]
) -> int:
    return await db.fetchval(COUNT_KNOWN, tenant_id, workspace_id, group_ids)


async def set_systems(
    db: Db, tenant_id: UUID, *, workspace_id: UUID, group_id: UUID, system_ids: Sequence[UUID]
) -> None:
    await db.execute(SET_SYSTEMS, tenant_id, workspace_id, group_id, system_ids)


def _group(row: Row) -> Group:
    return Group(**row)
