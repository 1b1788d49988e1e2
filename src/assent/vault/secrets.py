"""Secrets as rows: keep, reveal, replace, forget, and re-seal under a new master key.

Callers hold a reference (the row's id); only `reveal_secret` gives the value, to server code.
"""

from uuid import UUID

from assent.db.database import Database, Db
from assent.errors import ConfigurationError, NotFound
from assent.ids import new_id
from assent.vault import store
from assent.vault.vault import Vault

PURPOSE = "secret"
BATCH = 100


async def keep_secret(db: Db, vault: Vault, *, tenant_id: UUID, name: str, value: str) -> UUID:
    secret_id = new_id()
    await store.insert_secret(
        db,
        secret_id=secret_id,
        tenant_id=tenant_id,
        name=name,
        ciphertext=_seal(vault, tenant_id, secret_id, value.encode()),
    )
    return secret_id


async def reveal_secret(db: Db, vault: Vault, *, tenant_id: UUID, secret_id: UUID) -> str:
    sealed = await store.find_secret(db, tenant_id, secret_id)
    if sealed is None:
        raise NotFound("There is no such secret.")
    return open_secret(vault, tenant_id, secret_id, sealed)


def open_secret(vault: Vault, tenant_id: UUID, secret_id: UUID, sealed: bytes) -> str:
    return _open(vault, tenant_id, secret_id, sealed).decode()


async def replace_secret(
    db: Db, vault: Vault, *, tenant_id: UUID, secret_id: UUID, value: str
) -> None:
    ciphertext = _seal(vault, tenant_id, secret_id, value.encode())
    if not await store.update_secret(
        db, secret_id=secret_id, tenant_id=tenant_id, ciphertext=ciphertext
    ):
        raise NotFound("There is no such secret.")


async def forget_secret(db: Db, *, tenant_id: UUID, secret_id: UUID) -> None:
    await store.delete_secret(db, tenant_id, secret_id)


async def reseal_secrets(database: Database, vault: Vault) -> int:
    """Bring every secret under the present key, in batches: stopped half-way, it just goes on."""
    resealed = 0
    while True:
        async with database.transaction() as db:
            rows = await store.take_stale(db, vault.keys.ring().current.id, BATCH)
            for row in rows:
                value = _open(vault, row["tenant_id"], row["id"], row["ciphertext"])
                await store.update_secret(
                    db,
                    secret_id=row["id"],
                    tenant_id=row["tenant_id"],
                    ciphertext=_seal(vault, row["tenant_id"], row["id"], value),
                )
        if not rows:
            return resealed
        resealed += len(rows)


async def check_master_key(database: Database, vault: Vault) -> None:
    """Refuse a master key that cannot open what this database holds; remember a new one."""
    ring = vault.keys.ring()
    async with database.transaction() as db:
        known = await store.list_keys(db)
        missing = sorted(key for key in await store.list_keys_in_use(db) if ring.find(key) is None)
        if missing or (known and not any(ring.find(key) for key in known)):
            raise ConfigurationError(
                f"This master key ({ring.current.id}) is not the one that this database was used "
                f"with ({', '.join(missing or sorted(known))}). Give the right one; after a change "
                "of keys list the older ones in ASSENT_PREVIOUS_MASTER_KEYS."
            )
        if ring.current.id not in known:
            await store.record_key(db, ring.current.id)


def _seal(vault: Vault, tenant_id: UUID, secret_id: UUID, value: bytes) -> bytes:
    return vault.seal(value, purpose=PURPOSE, context=f"{tenant_id}/{secret_id}")


def _open(vault: Vault, tenant_id: UUID, secret_id: UUID, sealed: bytes) -> bytes:
    return vault.open(sealed, purpose=PURPOSE, context=f"{tenant_id}/{secret_id}")
