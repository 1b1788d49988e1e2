"""SQL of dependencies."""

from uuid import UUID

from assent.bundled.catalog.store.listing import VISIBLE, where_visible
from assent.bundled.catalog.values import Dependency, DependencyDraft, DependencyQuery, Strength
from assent.plugins.api import Db, Row, Scope, parse_cursor, parse_cursor_id

COLUMNS = """
id, workspace_id, system_id, depends_on_id, strength, note, version, created_at, updated_at
"""
LIST = f"""
SELECT {COLUMNS} FROM catalog.dependencies
WHERE {VISIBLE}
  AND ($6::uuid IS NULL OR system_id = $6 OR depends_on_id = $6)
  AND ($7::uuid IS NULL OR id > $7)
ORDER BY id LIMIT $8
"""
LIST_OF_SYSTEM = f"""
SELECT {COLUMNS} FROM catalog.dependencies
WHERE tenant_id = $1 AND (system_id = $2 OR depends_on_id = $2)
ORDER BY id
"""
FIND = f"SELECT {COLUMNS} FROM catalog.dependencies WHERE tenant_id = $1 AND id = $2"
LOCK = "SELECT 1 FROM catalog.dependencies WHERE tenant_id = $1 AND id = $2 FOR UPDATE"
INSERT = """
INSERT INTO catalog.dependencies
    (id, tenant_id, workspace_id, system_id, depends_on_id, strength, note)
VALUES ($1, $2, $3, $4, $5, $6, $7)
ON CONFLICT (system_id, depends_on_id) DO NOTHING RETURNING id
"""
UPDATE = """
UPDATE catalog.dependencies SET strength = coalesce($3, strength), note = coalesce($4, note),
    version = version + 1, updated_at = now()
WHERE tenant_id = $1 AND id = $2
"""
DELETE = "DELETE FROM catalog.dependencies WHERE tenant_id = $1 AND id = $2"


async def list_dependencies(
    db: Db, tenant_id: UUID, scope: Scope, query: DependencyQuery
) -> list[Dependency]:
    position = parse_cursor(query.cursor, 1)
    rows = await db.fetch(
        LIST,
        *where_visible(tenant_id, scope, query.workspace_id),
        query.system_id,
        parse_cursor_id(position[0]) if position else None,
        query.limit + 1,
    )
    return [_dependency(row) for row in rows]


async def list_of_system(db: Db, tenant_id: UUID, system_id: UUID) -> list[Dependency]:
    """All with the system at either end, whoever may see them."""
    return [_dependency(row) for row in await db.fetch(LIST_OF_SYSTEM, tenant_id, system_id)]


async def find_dependency(db: Db, tenant_id: UUID, dependency_id: UUID) -> Dependency | None:
    row = await db.fetchrow(FIND, tenant_id, dependency_id)
    return _dependency(row) if row else None


async def lock_dependency(db: Db, tenant_id: UUID, dependency_id: UUID) -> None:
    await db.execute(LOCK, tenant_id, dependency_id)


async def insert_dependency(
    db: Db, tenant_id: UUID, *, dependency_id: UUID, workspace_id: UUID, draft: DependencyDraft
) -> bool:
    inserted = await db.fetchval(
        INSERT,
        dependency_id,
        tenant_id,
        workspace_id,
        draft.system_id,
        draft.depends_on_id,
        draft.strength,
        draft.note,
    )
    return inserted is not None


async def update_dependency(
    db: Db,
    tenant_id: UUID,
    dependency_id: UUID,
    *,
    strength: Strength | None,
    note: str | None,
) -> None:
    await db.execute(UPDATE, tenant_id, dependency_id, strength, note)


async def delete_dependency(db: Db, tenant_id: UUID, dependency_id: UUID) -> None:
    await db.execute(DELETE, tenant_id, dependency_id)


def _dependency(row: Row) -> Dependency:
    return Dependency(**row)
