"""SQL of tenants and workspaces."""

from collections.abc import Sequence
from uuid import UUID

from assent.db.database import Db, Row
from assent.identity.user import Tenant, Workspace

COUNT_TENANTS = "SELECT count(*) FROM tenants"
LIST_TENANT_IDS = "SELECT id FROM tenants ORDER BY id"
FIND_TENANT = "SELECT id, slug, name FROM tenants WHERE slug = $1"
LOAD_TENANT = "SELECT id, slug, name FROM tenants WHERE id = $1"
INSERT_TENANT = """
INSERT INTO tenants (id, slug, name) VALUES ($1, $2, $3) ON CONFLICT (slug) DO NOTHING RETURNING id
"""
LIST_WORKSPACES = """
SELECT id, slug, name, created_at FROM workspaces
WHERE tenant_id = $1 AND ($2::uuid[] IS NULL OR id = ANY ($2))
  AND ($3::text IS NULL OR (lower(name), id) > (lower($3), $4::uuid))
ORDER BY lower(name), id LIMIT $5
"""
FIND_WORKSPACE = """
SELECT id, slug, name, created_at FROM workspaces WHERE tenant_id = $1 AND id = $2
"""
INSERT_WORKSPACE = """
INSERT INTO workspaces (id, tenant_id, slug, name) VALUES ($1, $2, $3, $4)
ON CONFLICT (tenant_id, slug) DO NOTHING
RETURNING id, slug, name, created_at
"""
UPDATE_WORKSPACE = """
UPDATE workspaces SET name = $3 WHERE tenant_id = $1 AND id = $2
RETURNING id, slug, name, created_at
"""
DELETE_WORKSPACE = "DELETE FROM workspaces WHERE tenant_id = $1 AND id = $2"


async def count_tenants(db: Db) -> int:
    return await db.fetchval(COUNT_TENANTS)


async def list_tenant_ids(db: Db) -> list[UUID]:
    return [row["id"] for row in await db.fetch(LIST_TENANT_IDS)]


async def find_tenant(db: Db, slug: str) -> Tenant | None:
    row = await db.fetchrow(FIND_TENANT, slug)
    return Tenant(**row) if row else None


async def load_tenant(db: Db, tenant_id: UUID) -> Tenant:
    row = await db.fetchrow(LOAD_TENANT, tenant_id)
    assert row is not None  # noqa: S101 - a principal's tenant exists by foreign key
    return Tenant(**row)


async def insert_tenant(db: Db, tenant: Tenant) -> bool:
    return await db.fetchval(INSERT_TENANT, tenant.id, tenant.slug, tenant.name) is not None


async def list_workspaces(
    db: Db,
    tenant_id: UUID,
    *,
    among: Sequence[UUID] | None,
    after: tuple[str, UUID] | None,
    limit: int,
) -> list[Workspace]:
    name, last = after or (None, None)
    rows = await db.fetch(LIST_WORKSPACES, tenant_id, among, name, last, limit)
    return [_workspace(row) for row in rows]


async def find_workspace(db: Db, tenant_id: UUID, workspace_id: UUID) -> Workspace | None:
    row = await db.fetchrow(FIND_WORKSPACE, tenant_id, workspace_id)
    return _workspace(row) if row else None


async def insert_workspace(
    db: Db, tenant_id: UUID, *, workspace_id: UUID, slug: str, name: str
) -> Workspace | None:
    row = await db.fetchrow(INSERT_WORKSPACE, workspace_id, tenant_id, slug, name)
    return _workspace(row) if row else None


async def update_workspace(
    db: Db, tenant_id: UUID, workspace_id: UUID, name: str
) -> Workspace | None:
    row = await db.fetchrow(UPDATE_WORKSPACE, tenant_id, workspace_id, name)
    return _workspace(row) if row else None


async def delete_workspace(db: Db, tenant_id: UUID, workspace_id: UUID) -> bool:
    return await db.execute(DELETE_WORKSPACE, tenant_id, workspace_id) == "DELETE 1"


def _workspace(row: Row) -> Workspace:
    return Workspace(**row)
