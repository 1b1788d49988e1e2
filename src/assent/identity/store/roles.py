"""SQL of roles."""

from collections.abc import Sequence
from uuid import UUID

from assent.db.database import Db, Row
from assent.identity.user import Role

ROLE_COLUMNS = """
roles.id, roles.slug, roles.name, roles.rules, roles.built_in,
(SELECT count(DISTINCT user_id) FROM memberships
 WHERE memberships.tenant_id = roles.tenant_id AND role_id = roles.id) AS members
"""
LIST_ROLES = f"""
SELECT {ROLE_COLUMNS} FROM roles
WHERE tenant_id = $1 AND ($2::text IS NULL OR (lower(name), id) > (lower($2), $3::uuid))
ORDER BY lower(name), id LIMIT $4
"""
FIND_ROLE = f"SELECT {ROLE_COLUMNS} FROM roles WHERE tenant_id = $1 AND id = $2"
FIND_BY_SLUG = f"SELECT {ROLE_COLUMNS} FROM roles WHERE tenant_id = $1 AND slug = $2"
INSERT_ROLE = """
INSERT INTO roles (id, tenant_id, slug, name, rules, built_in) VALUES ($1, $2, $3, $4, $5, $6)
ON CONFLICT (tenant_id, slug) DO NOTHING RETURNING id
"""
UPSERT_BUILT_IN = """
INSERT INTO roles (id, tenant_id, slug, name, rules, built_in) VALUES ($1, $2, $3, $4, $5, true)
ON CONFLICT (tenant_id, slug) DO UPDATE SET rules = excluded.rules
WHERE roles.built_in AND roles.rules <> excluded.rules
"""
UPDATE_ROLE = """
UPDATE roles SET name = coalesce($3, name), rules = coalesce($4::text[], rules)
WHERE tenant_id = $1 AND id = $2
"""
DELETE_ROLE = "DELETE FROM roles WHERE tenant_id = $1 AND id = $2"
COUNT_KNOWN = "SELECT count(*) FROM roles WHERE tenant_id = $1 AND id = ANY ($2)"


async def list_roles(
    db: Db, tenant_id: UUID, *, after: tuple[str, UUID] | None, limit: int
) -> list[Role]:
    name, last = after or (None, None)
    return [_role(row) for row in await db.fetch(LIST_ROLES, tenant_id, name, last, limit)]


async def find_role(db: Db, tenant_id: UUID, role_id: UUID) -> Role | None:
    row = await db.fetchrow(FIND_ROLE, tenant_id, role_id)
    return _role(row) if row else None


async def find_by_slug(db: Db, tenant_id: UUID, slug: str) -> Role | None:
    row = await db.fetchrow(FIND_BY_SLUG, tenant_id, slug)
    return _role(row) if row else None


async def insert_role(db: Db, tenant_id: UUID, role: Role) -> bool:
    inserted = await db.fetchval(
        INSERT_ROLE, role.id, tenant_id, role.slug, role.name, role.rules, role.built_in
    )
    return inserted is not None


async def upsert_built_in(db: Db, tenant_id: UUID, role: Role) -> None:
    await db.execute(UPSERT_BUILT_IN, role.id, tenant_id, role.slug, role.name, role.rules)


async def update_role(
    db: Db, tenant_id: UUID, role_id: UUID, *, name: str | None, rules: Sequence[str] | None
) -> None:
    await db.execute(UPDATE_ROLE, tenant_id, role_id, name, rules)


async def delete_role(db: Db, tenant_id: UUID, role_id: UUID) -> None:
    await db.execute(DELETE_ROLE, tenant_id, role_id)


async def count_known(db: Db, tenant_id: UUID, role_ids: Sequence[UUID]) -> int:
    return await db.fetchval(COUNT_KNOWN, tenant_id, role_ids)


def _role(row: Row) -> Role:
    return Role(**row)
