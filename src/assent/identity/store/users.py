"""SQL of people."""

from collections.abc import Sequence
from uuid import UUID

from assent.db.database import Db, Row
from assent.identity.user import Membership, User

USER_COLUMNS = """
users.id, users.name, users.email, users.active, users.password_hash IS NOT NULL AS has_password,
users.created_at, users.last_seen_at,
coalesce((
    SELECT jsonb_agg(jsonb_build_object('roleId', role_id, 'workspaceId', workspace_id)
                     ORDER BY workspace_id NULLS FIRST, role_id)
    FROM memberships WHERE memberships.tenant_id = users.tenant_id AND user_id = users.id
), '[]') AS memberships
"""
LIST_USERS = f"""
SELECT {USER_COLUMNS} FROM users
WHERE tenant_id = $1
  AND ($2 = '' OR strpos(lower(name || ' ' || email), lower($2)) > 0)
  AND ($3::text IS NULL OR (lower(name), id) > (lower($3), $4::uuid))
ORDER BY lower(name), id LIMIT $5
"""
FIND_USER = f"SELECT {USER_COLUMNS} FROM users WHERE tenant_id = $1 AND id = $2"
INSERT_USER = """
INSERT INTO users (id, tenant_id, email, name) VALUES ($1, $2, $3, $4)
ON CONFLICT (email) DO NOTHING RETURNING id
"""
UPDATE_USER = """
UPDATE users SET name = coalesce($3, name), active = coalesce($4, active),
    email = coalesce($5, email)
WHERE tenant_id = $1 AND id = $2
"""
SET_PASSWORD = "UPDATE users SET password_hash = $3 WHERE tenant_id = $1 AND id = $2"
LOCK_PASSWORD = """
SELECT 1 FROM users
WHERE tenant_id = $1 AND id = $2 AND password_hash = $3 AND active FOR UPDATE
"""
LOAD_PASSWORD = "SELECT password_hash FROM users WHERE tenant_id = $1 AND id = $2"
DELETE_MEMBERSHIPS = "DELETE FROM memberships WHERE tenant_id = $1 AND user_id = $2"
INSERT_MEMBERSHIPS = """
INSERT INTO memberships (tenant_id, user_id, role_id, workspace_id)
SELECT DISTINCT $1::uuid, $2::uuid, given.role_id, given.workspace_id
FROM unnest($3::uuid[], $4::uuid[]) AS given (role_id, workspace_id)
"""
COUNT_ADMINS = """
SELECT count(*) FROM users
WHERE tenant_id = $1 AND active AND EXISTS (
    SELECT 1 FROM memberships JOIN roles ON roles.id = memberships.role_id
    WHERE memberships.tenant_id = $1 AND memberships.user_id = users.id
      AND workspace_id IS NULL AND '*' = ANY (roles.rules)
)
"""
LOCK_TENANT = "SELECT 1 FROM tenants WHERE id = $1 FOR UPDATE"
FIND_BY_EMAIL = """
SELECT id, tenant_id, name, email, password_hash, active FROM users WHERE email = $1
"""
FIND_FIRST_ADMIN = """
SELECT users.tenant_id, users.id FROM users
JOIN memberships ON memberships.user_id = users.id AND memberships.workspace_id IS NULL
JOIN roles ON roles.id = memberships.role_id AND '*' = ANY (roles.rules)
WHERE users.active ORDER BY users.id LIMIT 1
"""
ANYBODY_SIGNED_IN = "SELECT EXISTS (SELECT 1 FROM users WHERE last_seen_at IS NOT NULL)"
FIND_EXTERNAL = (
    "SELECT tenant_id, user_id FROM external_identities WHERE issuer = $1 AND subject = $2"
)
INSERT_EXTERNAL = """
INSERT INTO external_identities (issuer, subject, tenant_id, user_id) VALUES ($1, $2, $3, $4)
ON CONFLICT DO NOTHING
"""


async def list_users(
    db: Db, tenant_id: UUID, *, search: str, after: tuple[str, UUID] | None, limit: int
) -> list[User]:
    name, last = after or (None, None)
    rows = await db.fetch(LIST_USERS, tenant_id, search, name, last, limit)
    return [_user(row) for row in rows]


async def find_user(db: Db, tenant_id: UUID, user_id: UUID) -> User | None:
    row = await db.fetchrow(FIND_USER, tenant_id, user_id)
    return _user(row) if row else None


async def insert_user(db: Db, tenant_id: UUID, *, user_id: UUID, email: str, name: str) -> bool:
    return await db.fetchval(INSERT_USER, user_id, tenant_id, email, name) is not None


async def update_user(
    db: Db,
    tenant_id: UUID,
    user_id: UUID,
    *,
    name: str | None = None,
    active: bool | None = None,
    email: str | None = None,
) -> None:
    await db.execute(UPDATE_USER, tenant_id, user_id, name, active, email)


async def set_password(db: Db, tenant_id: UUID, user_id: UUID, password_hash: str) -> None:
    await db.execute(SET_PASSWORD, tenant_id, user_id, password_hash)


async def lock_password(db: Db, tenant_id: UUID, user_id: UUID, password_hash: str | None) -> bool:
    """Keep the password as it is until the transaction ends; `False` if it is another by now."""
    return await db.fetchval(LOCK_PASSWORD, tenant_id, user_id, password_hash) is not None


async def load_password(db: Db, tenant_id: UUID, user_id: UUID) -> str | None:
    return await db.fetchval(LOAD_PASSWORD, tenant_id, user_id)


async def replace_memberships(
    db: Db, tenant_id: UUID, user_id: UUID, memberships: Sequence[Membership]
) -> None:
    await db.execute(DELETE_MEMBERSHIPS, tenant_id, user_id)
    await db.execute(
        INSERT_MEMBERSHIPS,
        tenant_id,
        user_id,
        [membership.role_id for membership in memberships],
        [membership.workspace_id for membership in memberships],
    )


async def count_admins(db: Db, tenant_id: UUID) -> int:
    return await db.fetchval(COUNT_ADMINS, tenant_id)


async def lock_tenant(db: Db, tenant_id: UUID) -> None:
    """Let one change of who is admin happen at a time."""
    await db.execute(LOCK_TENANT, tenant_id)


async def find_by_email(db: Db, email: str) -> Row | None:
    return await db.fetchrow(FIND_BY_EMAIL, email.lower())


async def find_first_admin(db: Db) -> tuple[UUID, UUID] | None:
    row = await db.fetchrow(FIND_FIRST_ADMIN)
    return (row["tenant_id"], row["id"]) if row else None


async def anybody_signed_in(db: Db) -> bool:
    return await db.fetchval(ANYBODY_SIGNED_IN)


async def find_external(db: Db, issuer: str, subject: str) -> tuple[UUID, UUID] | None:
    row = await db.fetchrow(FIND_EXTERNAL, issuer, subject)
    return (row["tenant_id"], row["user_id"]) if row else None


async def insert_external(
    db: Db, tenant_id: UUID, user_id: UUID, *, issuer: str, subject: str
) -> None:
    await db.execute(INSERT_EXTERNAL, issuer, subject, tenant_id, user_id)


def _user(row: Row) -> User:
    return User.model_validate(dict(row))
