"""SQL of the vault."""

from collections.abc import Sequence
from uuid import UUID

from assent.db.database import Db, Row
from assent.vault.vault import key_id_of

INSERT_SECRET = """
INSERT INTO secrets (id, tenant_id, name, key_id, ciphertext) VALUES ($1, $2, $3, $4, $5)
"""
UPDATE_SECRET = """
UPDATE secrets SET key_id = $3, ciphertext = $4, updated_at = now()
WHERE tenant_id = $1 AND id = $2
"""
FIND_SECRET = "SELECT ciphertext FROM secrets WHERE tenant_id = $1 AND id = $2"
DELETE_SECRET = "DELETE FROM secrets WHERE tenant_id = $1 AND id = $2"
LIST_SECRETS = "SELECT id, ciphertext FROM secrets WHERE tenant_id = $1"
FIND_VERSION = "SELECT version FROM secret_versions WHERE tenant_id = $1"
RENEW_VERSION = """
INSERT INTO secret_versions (tenant_id) VALUES ($1)
ON CONFLICT (tenant_id) DO UPDATE SET version = gen_random_uuid()
"""
TAKE_STALE = """
SELECT tenant_id, id, ciphertext FROM secrets WHERE key_id <> $1
ORDER BY id LIMIT $2 FOR UPDATE SKIP LOCKED
"""
COUNT_STALE = "SELECT count(*) FROM secrets WHERE key_id <> $1"
LIST_KEYS = "SELECT key_id FROM vault_keys"
LIST_KEYS_IN_USE = "SELECT DISTINCT key_id FROM secrets"
RECORD_KEY = "INSERT INTO vault_keys (key_id) VALUES ($1) ON CONFLICT DO NOTHING"


async def insert_secret(
    db: Db, *, secret_id: UUID, tenant_id: UUID, name: str, ciphertext: bytes
) -> None:
    await db.execute(INSERT_SECRET, secret_id, tenant_id, name, key_id_of(ciphertext), ciphertext)
    await db.execute(RENEW_VERSION, tenant_id)


async def update_secret(db: Db, *, secret_id: UUID, tenant_id: UUID, ciphertext: bytes) -> bool:
    done = await db.execute(UPDATE_SECRET, tenant_id, secret_id, key_id_of(ciphertext), ciphertext)
    await db.execute(RENEW_VERSION, tenant_id)
    return done == "UPDATE 1"


async def find_secret(db: Db, tenant_id: UUID, secret_id: UUID) -> bytes | None:
    return await db.fetchval(FIND_SECRET, tenant_id, secret_id)


async def delete_secret(db: Db, tenant_id: UUID, secret_id: UUID) -> None:
    await db.execute(DELETE_SECRET, tenant_id, secret_id)
    await db.execute(RENEW_VERSION, tenant_id)


async def list_secrets(db: Db, tenant_id: UUID) -> list[tuple[UUID, bytes]]:
    return [(row["id"], row["ciphertext"]) for row in await db.fetch(LIST_SECRETS, tenant_id)]


async def find_version(db: Db, tenant_id: UUID) -> UUID | None:
    return await db.fetchval(FIND_VERSION, tenant_id)


async def take_stale(db: Db, key_id: str, limit: int) -> Sequence[Row]:
    return await db.fetch(TAKE_STALE, key_id, limit)


async def count_stale(db: Db, key_id: str) -> int:
    return await db.fetchval(COUNT_STALE, key_id)


async def list_keys(db: Db) -> set[str]:
    return {row["key_id"] for row in await db.fetch(LIST_KEYS)}


async def list_keys_in_use(db: Db) -> set[str]:
    return {row["key_id"] for row in await db.fetch(LIST_KEYS_IN_USE)}


async def record_key(db: Db, key_id: str) -> None:
    await db.execute(RECORD_KEY, key_id)
