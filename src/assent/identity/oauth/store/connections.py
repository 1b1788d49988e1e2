"""SQL of people's consents to programs."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from assent.db.database import Db, Row
from assent.identity.application import Owner
from assent.identity.oauth.connection import Connection, ListedScope
from assent.identity.oauth.program import Program
from assent.identity.oauth.scopes import describe_scope
from assent.identity.store.principals import HELD, THEIR_ROLES

COLUMNS = """
oauth_connections.id, client_name, client_host, registered_by, user_id,
users.name AS user_name, scopes,
oauth_connections.created_at, last_used_at,
(SELECT max(oauth_tokens.expires_at) FROM oauth_codes
 JOIN oauth_tokens ON oauth_tokens.code_id = oauth_codes.id AND oauth_tokens.used_at IS NULL
 WHERE oauth_codes.tenant_id = oauth_connections.tenant_id
   AND oauth_codes.connection_id = oauth_connections.id
   AND oauth_tokens.expires_at > now()) AS expires_at
"""
LIST = f"""
SELECT {COLUMNS} FROM oauth_connections JOIN users ON users.id = user_id
WHERE oauth_connections.tenant_id = $1 AND ($2::uuid IS NULL OR user_id = $2)
  AND ($3::timestamptz IS NULL OR (oauth_connections.created_at, oauth_connections.id)
                                  < ($3, $4::uuid))
ORDER BY oauth_connections.created_at DESC, oauth_connections.id DESC LIMIT $5
"""
FIND = """
SELECT created_at, scopes FROM oauth_connections
WHERE tenant_id = $1 AND user_id = $2 AND client_id = $3
"""
ALLOW = """
INSERT INTO oauth_connections AS known (
    id, tenant_id, user_id, client_id, client_name, client_host, registered_by, scopes)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
ON CONFLICT (tenant_id, user_id, client_id) DO UPDATE SET
    client_name = excluded.client_name, client_host = excluded.client_host,
    scopes = excluded.scopes, allowed_at = now()
RETURNING id
"""
DELETE = """
DELETE FROM oauth_connections
WHERE tenant_id = $1 AND id = $2 AND ($3::uuid IS NULL OR user_id = $3)
"""
TOUCH = "UPDATE oauth_connections SET last_used_at = now() WHERE tenant_id = $1 AND id = $2"
PURGE = """
DELETE FROM oauth_connections
WHERE allowed_at < now() - interval '90 days' AND NOT EXISTS (
    SELECT FROM oauth_codes WHERE oauth_codes.connection_id = oauth_connections.id)
"""
FIND_ACCESS = f"""
SELECT oauth_tokens.tenant_id, users.id AS user_id, users.name,
       oauth_connections.id AS connection_id, client_name, client_host, registered_by,
       resource, oauth_tokens.scopes,
       oauth_connections.scopes AS allowed,
       coalesce(last_used_at < now() - interval '1 minute', true) AS is_stale, {HELD}
FROM oauth_tokens
JOIN oauth_codes ON oauth_codes.id = oauth_tokens.code_id
JOIN oauth_connections ON oauth_connections.id = oauth_codes.connection_id
JOIN users ON users.id = oauth_connections.user_id AND users.active {THEIR_ROLES}
WHERE token_hash = $1 AND kind = 'access' AND oauth_tokens.expires_at > now()
"""


@dataclass(frozen=True, slots=True)
class Known:
    """What a person has allowed a program before."""

    since: datetime
    scopes: tuple[str, ...]


async def list_connections(
    db: Db,
    tenant_id: UUID,
    *,
    user_id: UUID | None,
    before: tuple[datetime, UUID] | None,
    limit: int,
) -> list[Connection]:
    """The newest first; everybody's where nobody is named."""
    time, last = before or (None, None)
    rows = await db.fetch(LIST, tenant_id, user_id, time, last, limit)
    return [_connection(row) for row in rows]


async def find_known(db: Db, tenant_id: UUID, user_id: UUID, client_id: str) -> Known | None:
    row = await db.fetchrow(FIND, tenant_id, user_id, client_id)
    return Known(row["created_at"], tuple(row["scopes"])) if row else None


async def allow(
    db: Db,
    tenant_id: UUID,
    user_id: UUID,
    program: Program,
    *,
    connection_id: UUID,
    scopes: Sequence[str],
) -> UUID:
    """The id of the consent: a new one, or the one that this changes."""
    return await db.fetchval(
        ALLOW,
        connection_id,
        tenant_id,
        user_id,
        program.client_id,
        program.name,
        program.host,
        program.registered_by,
        list(scopes),
    )


async def delete_connection(
    db: Db, tenant_id: UUID, connection_id: UUID, *, user_id: UUID | None
) -> bool:
    """With its codes and tokens; of one person, or anybody's where none is named."""
    return await db.execute(DELETE, tenant_id, connection_id, user_id) == "DELETE 1"


async def find_access(db: Db, token_hash: bytes) -> Sequence[Row]:
    """Whose token it is, with what that person holds; no rows where it is good for nothing."""
    return await db.fetch(FIND_ACCESS, token_hash)


async def touch(db: Db, tenant_id: UUID, connection_id: UUID) -> None:
    await db.execute(TOUCH, tenant_id, connection_id)


async def purge(db: Db) -> None:
    """Remove consents that were not used for long and of which nothing is left."""
    await db.execute(PURGE)


def _connection(row: Row) -> Connection:
    return Connection(
        id=row["id"],
        client_name=row["client_name"],
        client_host=row["client_host"],
        registered_by=row["registered_by"],
        user=Owner(id=row["user_id"], name=row["user_name"]),
        scopes=[ListedScope(rule=one, title=describe_scope(one)) for one in row["scopes"]],
        created_at=row["created_at"],
        last_used_at=row["last_used_at"],
        expires_at=row["expires_at"],
    )
