"""Secrets as rows: kept, moved, brought under a new key, and refused under a foreign one."""

import asyncio
from uuid import UUID

import pytest

from assent.db.database import Database
from assent.errors import ConfigurationError, NotFound, SealBroken
from assent.ids import new_id
from assent.vault.keys import KeyRing, MasterKey
from assent.vault.master_key import KeySource, new_master_key
from assent.vault.secrets import (
    BATCH,
    check_master_key,
    forget_secret,
    keep_secret,
    replace_secret,
    reseal_secrets,
    reveal_secret,
)
from assent.vault.store import count_stale
from assent.vault.vault import Vault

TENANT = new_id()
COUNT = "SELECT count(*) FROM secrets WHERE key_id = $1"


def open_vault(current: MasterKey, *previous: MasterKey) -> Vault:
    return Vault(KeySource(KeyRing(current, previous), None))


async def keep(database: Database, vault: Vault, value: str, tenant_id: UUID = TENANT) -> UUID:
    async with database.transaction() as db:
        return await keep_secret(db, vault, tenant_id=tenant_id, name="test", value=value)


async def reveal(
    database: Database, vault: Vault, secret_id: UUID, tenant_id: UUID = TENANT
) -> str:
    async with database.transaction(read_only=True) as db:
        return await reveal_secret(db, vault, tenant_id=tenant_id, secret_id=secret_id)


async def keep_many(database: Database, vault: Vault, count: int) -> dict[UUID, str]:
    async with database.transaction() as db:
        return {
            await keep_secret(db, vault, tenant_id=TENANT, name="test", value=f"value {n}"): (
                f"value {n}"
            )
            for n in range(count)
        }


async def test_kept_replaced_forgotten(database: Database) -> None:
    vault = open_vault(new_master_key())
    secret_id = await keep(database, vault, "first")
    assert await reveal(database, vault, secret_id) == "first"
    async with database.transaction() as db:
        await replace_secret(db, vault, tenant_id=TENANT, secret_id=secret_id, value="second")
    assert await reveal(database, vault, secret_id) == "second"
    with pytest.raises(NotFound):
        await reveal(database, vault, secret_id, tenant_id=new_id())
    async with database.transaction() as db:
        await forget_secret(db, tenant_id=new_id(), secret_id=secret_id)
    assert await reveal(database, vault, secret_id) == "second"
    async with database.transaction() as db:
        await forget_secret(db, tenant_id=TENANT, secret_id=secret_id)
    with pytest.raises(NotFound):
        await reveal(database, vault, secret_id)
    with pytest.raises(NotFound):
        async with database.transaction() as db:
            await replace_secret(db, vault, tenant_id=TENANT, secret_id=secret_id, value="x")


async def test_a_row_copied_over_another_does_not_open(database: Database) -> None:
    """Whoever writes to the table cannot make one secret pass for another."""
    vault = open_vault(new_master_key())
    one, other = await keep(database, vault, "one"), await keep(database, vault, "other")
    async with database.transaction() as db:
        await db.execute(
            "UPDATE secrets SET ciphertext = (SELECT ciphertext FROM secrets WHERE id = $1) "
            "WHERE id = $2",
            one,
            other,
        )
    with pytest.raises(SealBroken):
        await reveal(database, vault, other)
    async with database.transaction() as db:
        await db.execute("UPDATE secrets SET tenant_id = $2 WHERE id = $1", one, UUID(int=7))
    with pytest.raises(SealBroken):
        await reveal(database, vault, one, tenant_id=UUID(int=7))


async def test_a_rotation_leaves_nothing_under_the_old_key(database: Database) -> None:
    old, new = new_master_key(), new_master_key()
    kept = await keep_many(database, open_vault(old), BATCH + 20)
    both = open_vault(new, old)
    assert await reseal_secrets(database, both) == BATCH + 20
    assert await reseal_secrets(database, both) == 0
    alone = open_vault(new)
    for secret_id, value in list(kept.items())[:: BATCH // 4]:
        assert await reveal(database, alone, secret_id) == value
    async with database.transaction() as db:
        assert await count_stale(db, new.id) == 0


async def test_an_interrupted_rotation_goes_on(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    old, new = new_master_key(), new_master_key()
    kept = await keep_many(database, open_vault(old), 25)
    monkeypatch.setattr("assent.vault.secrets.BATCH", 10)

    class StopsHalfWay(Vault):
        left = 14

        def seal(self, plaintext: bytes, *, purpose: str, context: str) -> bytes:
            self.left -= 1
            if self.left < 0:
                raise KeyboardInterrupt
            return super().seal(plaintext, purpose=purpose, context=context)

    with pytest.raises(KeyboardInterrupt):
        await reseal_secrets(database, StopsHalfWay(KeySource(KeyRing(new, (old,)), None)))
    async with database.transaction() as db:
        assert await db.fetchval(COUNT, new.id) == 10, "whole batches only"
        assert await db.fetchval(COUNT, old.id) == 15
    both = open_vault(new, old)
    for secret_id, value in kept.items():
        assert await reveal(database, both, secret_id) == value
    assert await reseal_secrets(database, both) == 15


async def test_rotations_at_once_share_the_work(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    old, new = new_master_key(), new_master_key()
    kept = await keep_many(database, open_vault(old), 40)
    monkeypatch.setattr("assent.vault.secrets.BATCH", 5)
    both = open_vault(new, old)
    counts = await asyncio.gather(*(reseal_secrets(database, both) for _ in range(4)))
    assert sum(counts) == 40
    alone = open_vault(new)
    for secret_id, value in kept.items():
        assert await reveal(database, alone, secret_id) == value


async def test_a_secret_replaced_during_a_rotation_keeps_its_new_value(
    database: Database,
) -> None:
    old, new = new_master_key(), new_master_key()
    secret_id = await keep(database, open_vault(old), "before")
    both = open_vault(new, old)

    async def replace() -> None:
        async with database.transaction() as db:
            await replace_secret(db, both, tenant_id=TENANT, secret_id=secret_id, value="after")

    await asyncio.gather(reseal_secrets(database, both), replace(), reseal_secrets(database, both))
    assert await reveal(database, open_vault(new), secret_id) == "after"


async def test_a_foreign_master_key_is_refused(database: Database) -> None:
    first, second, foreign = new_master_key(), new_master_key(), new_master_key()
    await check_master_key(database, open_vault(first))
    await check_master_key(database, open_vault(first))
    with pytest.raises(ConfigurationError, match=first.id):
        await check_master_key(database, open_vault(foreign))
    await keep(database, open_vault(first), "value")
    await check_master_key(database, open_vault(second, first))
    with pytest.raises(ConfigurationError, match="ASSENT_PREVIOUS_MASTER_KEYS"):
        await check_master_key(database, open_vault(second))
    await reseal_secrets(database, open_vault(second, first))
    await check_master_key(database, open_vault(second))
    with pytest.raises(ConfigurationError):
        await check_master_key(database, open_vault(first))


async def test_a_refused_key_leaves_no_trace(database: Database) -> None:
    first, foreign = new_master_key(), new_master_key()
    await check_master_key(database, open_vault(first))
    with pytest.raises(ConfigurationError):
        await check_master_key(database, open_vault(foreign))
    async with database.transaction() as db:
        known = [row["key_id"] for row in await db.fetch("SELECT key_id FROM vault_keys")]
    assert known == [first.id]
