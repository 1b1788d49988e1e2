"""SQL of codes and the tokens that came of them. Who changes a family locks its code's row."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID

from assent.db.database import Db
from assent.identity.oauth.family import Family, Kept

INSERT_CODE = """
INSERT INTO oauth_codes (
    id, tenant_id, connection_id, code_hash, challenge, redirect_uri, resource, scopes, expires_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, now() + $9::interval)
"""
FIND_CODE = "SELECT tenant_id, id FROM oauth_codes WHERE code_hash = $1"
FIND_TOKEN = "SELECT tenant_id, code_id, kind FROM oauth_tokens WHERE token_hash = $1"
LOCK = """
SELECT oauth_codes.id, oauth_codes.tenant_id, connection_id, client_id, client_name, user_id,
       users.name AS user_name, active, challenge, redirect_uri, resource, oauth_codes.scopes,
       oauth_connections.scopes AS allowed, used_at IS NOT NULL AS is_used,
       oauth_codes.expires_at <= now() AS is_over
FROM oauth_codes
JOIN oauth_connections ON oauth_connections.id = connection_id
JOIN users ON users.id = user_id
WHERE oauth_codes.tenant_id = $1 AND oauth_codes.id = $2
FOR UPDATE OF oauth_codes
"""
USE_CODE = "UPDATE oauth_codes SET used_at = now() WHERE tenant_id = $1 AND id = $2"
DELETE_FAMILY = "DELETE FROM oauth_codes WHERE tenant_id = $1 AND id = $2"
LOAD_REFRESH = """
SELECT id, scopes, used_at IS NOT NULL AS is_used, expires_at <= now() AS is_over
FROM oauth_tokens WHERE tenant_id = $1 AND token_hash = $2 AND kind = 'refresh'
"""
USE_REFRESH = "UPDATE oauth_tokens SET used_at = now() WHERE tenant_id = $1 AND id = $2"
COUNT_NEWEST = """
SELECT count(*) AS count, extract(epoch FROM min(expires_at) - now() - $3::interval) AS wait
FROM oauth_tokens
WHERE tenant_id = $1 AND code_id = $2 AND kind = 'refresh' AND expires_at > now() + $3::interval
"""
INSERT_TOKEN = """
INSERT INTO oauth_tokens (id, tenant_id, code_id, kind, token_hash, scopes, expires_at)
VALUES ($1, $2, $3, $4, $5, $6, now() + $7::interval)
"""
DELETE_TOKEN = "DELETE FROM oauth_tokens WHERE tenant_id = $1 AND token_hash = $2"
PURGE_TOKENS = "DELETE FROM oauth_tokens WHERE expires_at < now()"
PURGE_CODES = """
DELETE FROM oauth_codes
WHERE expires_at < now() - interval '10 minutes' AND NOT EXISTS (
    SELECT FROM oauth_tokens WHERE oauth_tokens.code_id = oauth_codes.id)
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewCode:
    id: UUID
    connection_id: UUID
    code_hash: bytes
    challenge: str
    redirect_uri: str
    resource: str
    scopes: Sequence[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class NewToken:
    id: UUID
    kind: str
    token_hash: bytes
    scopes: Sequence[str]
    lifetime: timedelta


async def insert_code(db: Db, tenant_id: UUID, code: NewCode, *, lifetime: timedelta) -> None:
    await db.execute(
        INSERT_CODE,
        code.id,
        tenant_id,
        code.connection_id,
        code.code_hash,
        code.challenge,
        code.redirect_uri,
        code.resource,
        list(code.scopes),
        lifetime,
    )


async def lock_by_code(db: Db, code_hash: bytes) -> Family | None:
    row = await db.fetchrow(FIND_CODE, code_hash)
    return await _lock(db, row["tenant_id"], row["id"]) if row else None


async def lock_by_token(db: Db, token_hash: bytes) -> tuple[Family, str] | None:
    """The family of a token, and which kind of token it is."""
    row = await db.fetchrow(FIND_TOKEN, token_hash)
    family = await _lock(db, row["tenant_id"], row["code_id"]) if row else None
    return (family, row["kind"]) if row and family else None


async def load_refresh(db: Db, tenant_id: UUID, token_hash: bytes) -> Kept | None:
    """Read after the lock: what was there before may have been used up since."""
    row = await db.fetchrow(LOAD_REFRESH, tenant_id, token_hash)
    return Kept.from_row(row) if row else None


async def use_code(db: Db, tenant_id: UUID, code_id: UUID) -> None:
    await db.execute(USE_CODE, tenant_id, code_id)


async def use_refresh(db: Db, tenant_id: UUID, token_id: UUID) -> None:
    await db.execute(USE_REFRESH, tenant_id, token_id)


async def delete_family(db: Db, tenant_id: UUID, code_id: UUID) -> None:
    await db.execute(DELETE_FAMILY, tenant_id, code_id)


async def insert_token(db: Db, tenant_id: UUID, code_id: UUID, token: NewToken) -> None:
    await db.execute(
        INSERT_TOKEN,
        token.id,
        tenant_id,
        code_id,
        token.kind,
        token.token_hash,
        list(token.scopes),
        token.lifetime,
    )


async def count_newest(
    db: Db, tenant_id: UUID, code_id: UUID, *, left: timedelta
) -> tuple[int, float]:
    """How many refresh tokens of a family have more than this left, and the seconds until one of
    them has not."""
    row = await db.fetchrow(COUNT_NEWEST, tenant_id, code_id, left)
    return (row["count"], float(row["wait"] or 0)) if row else (0, 0.0)


async def delete_token(db: Db, tenant_id: UUID, token_hash: bytes) -> None:
    await db.execute(DELETE_TOKEN, tenant_id, token_hash)


async def purge(db: Db) -> None:
    """Remove what has expired, and families without tokens."""
    await db.execute(PURGE_TOKENS)
    await db.execute(PURGE_CODES)


async def _lock(db: Db, tenant_id: UUID, code_id: UUID) -> Family | None:
    row = await db.fetchrow(LOCK, tenant_id, code_id)
    return Family.from_row(row) if row else None
