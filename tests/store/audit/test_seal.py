"""Sealing on a real database: each entry once, whoever seals and however late it is seen."""

import asyncio
import logging
import random
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack
from uuid import UUID

import pytest
import pytest_asyncio

from assent.audit import seal, store
from assent.audit.seal import Sealer, seal_batch, sealing
from assent.audit.signing import Signing
from assent.db.database import Database, open_database
from assent.ids import new_id
from assent.vault.keys import KeyRing, MasterKey
from tests.store.audit.steps import (
    KEY,
    SIGNING,
    add_entries,
    list_faults,
    make_entry,
    verify,
)
from tests.store.work.steps import eventually, execute, fetch

LIST_POSITIONS = "SELECT position FROM audit_entries WHERE tenant_id = $1 ORDER BY position"
READ_COUNTER = "SELECT pg_snapshot_xmax(pg_current_snapshot())::text AS next"


@pytest_asyncio.fixture
async def pools(database: Database) -> AsyncGenerator[list[Database]]:
    """Four processes' worth of connections."""
    async with AsyncExitStack() as stack:
        opened = [await open_database(database.url, pool_size=3) for _ in range(4)]
        for one in opened:
            stack.push_async_callback(one.close)
        yield opened


async def list_positions(database: Database, tenant_id: UUID) -> list[int | None]:
    return [row["position"] for row in await fetch(database, LIST_POSITIONS, tenant_id)]


async def test_entries_get_their_place_and_a_signed_head(database: Database) -> None:
    one, other = new_id(), new_id()
    await add_entries(database, one, 5)
    await add_entries(database, other, 2)
    assert await Sealer(database, SIGNING).seal_all() == 7
    assert await list_positions(database, one) == [1, 2, 3, 4, 5]
    assert await list_positions(database, other) == [1, 2]
    report = await verify(database, one, other)
    assert report.is_sound, list(report.tell())
    assert [(log.through, log.heads) for _, log in report.logs] == [(5, 1), (2, 1)]
    await add_entries(database, one, 1)
    await Sealer(database, SIGNING).seal_all()
    assert (await verify(database, one)).logs[0][1].heads == 2


async def test_nothing_is_written_when_there_is_nothing_to_seal(database: Database) -> None:
    await add_entries(database, new_id(), 1)
    sealer = Sealer(database, SIGNING)
    await sealer.seal_all()
    [before] = await fetch(database, READ_COUNTER)
    for _ in range(5):
        assert await sealer.seal_all() == 0
    async with database.transaction() as db:
        assert await seal_batch(db, SIGNING, new_id()) == 0
    assert await fetch(database, READ_COUNTER) == [before]
    await add_entries(database, new_id(), 1)
    assert await fetch(database, READ_COUNTER) != [before]


async def test_an_entry_that_becomes_visible_late_is_sealed(database: Database) -> None:
    tenant_id, sealer = new_id(), Sealer(database, SIGNING)
    async with database.transaction() as held:
        await store.append_entry(held, make_entry(tenant_id, "test.first"))
        await add_entries(database, tenant_id, 3)
        assert await sealer.seal_all() == 3
    assert await sealer.seal_all() == 1
    rows = await fetch(
        database,
        "SELECT action FROM audit_entries WHERE position = 4 AND tenant_id = $1",
        tenant_id,
    )
    assert [row["action"] for row in rows] == ["test.first"]
    assert (await verify(database, tenant_id)).is_sound


async def test_many_sealers_while_entries_come(database: Database, pools: list[Database]) -> None:
    """Positions have no gap, nothing is sealed twice, and held-open transactions lose nothing."""
    tenants = [new_id(), new_id()]
    chance = random.Random(1)
    done = asyncio.Event()

    async def write(pool: Database, seed: int) -> None:
        dice = random.Random(seed)
        for number in range(60):
            async with pool.transaction() as db:
                await store.append_entry(db, make_entry(dice.choice(tenants), f"test.{number}"))
                await asyncio.sleep(dice.choice((0, 0, 0.002, 0.05)))

    async def keep_sealing(pool: Database) -> int:
        sealer, sealed = Sealer(pool, SIGNING), 0
        while not done.is_set():
            sealed += await sealer.seal_all()
            await asyncio.sleep(chance.random() / 200)
        return sealed

    sealers = [asyncio.create_task(keep_sealing(pool)) for pool in pools for _ in range(2)]
    await asyncio.gather(*(write(pool, seed) for seed, pool in enumerate(pools)))
    done.set()
    counts = await asyncio.gather(*sealers)
    last = await Sealer(database, SIGNING).seal_all()
    assert sum(counts) + last == 4 * 60
    assert sum(count > 0 for count in counts) > 1
    found = [await list_positions(database, tenant_id) for tenant_id in tenants]
    assert sum(len(positions) for positions in found) == 4 * 60
    for positions in found:
        assert positions == list(range(1, len(positions) + 1))
    report = await verify(database, *tenants)
    assert report.is_sound, list(report.tell())
    assert sum(log.heads for _, log in report.logs) > 4


async def test_who_finds_it_taken_goes_on(database: Database) -> None:
    tenant_id = new_id()
    await add_entries(database, tenant_id, 2)
    async with database.transaction() as holder:
        assert await store.try_lock(holder, tenant_id)
        assert await Sealer(database, SIGNING).seal_all() == 0
        other = new_id()
        await add_entries(database, other, 1)
        assert await Sealer(database, SIGNING).seal_all() == 1
    assert await Sealer(database, SIGNING).seal_all() == 2


async def test_writing_does_not_wait_for_sealing(database: Database) -> None:
    tenant_id = new_id()
    await add_entries(database, tenant_id, 3)
    async with database.transaction() as sealing_now:
        assert await seal_batch(sealing_now, SIGNING, tenant_id) == 3
        async with database.transaction() as db:
            await db.execute("SET LOCAL lock_timeout = '10s'")
            await store.append_entry(db, make_entry(tenant_id))
    assert await Sealer(database, SIGNING).seal_all() == 1
    assert (await verify(database, tenant_id)).is_sound


async def test_a_batch_that_fails_leaves_nothing(database: Database) -> None:
    tenant_id = new_id()
    await add_entries(database, tenant_id, 3)
    with pytest.raises(RuntimeError):
        async with database.transaction() as db:
            await seal_batch(db, SIGNING, tenant_id)
            raise RuntimeError
    assert await list_positions(database, tenant_id) == [None] * 3
    assert await fetch(database, "SELECT 1 FROM audit_heads WHERE tenant_id = $1", tenant_id) == []


async def test_a_backlog_is_sealed_in_batches(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(seal, "BATCH", 4)
    tenant_id = new_id()
    await add_entries(database, tenant_id, 10)
    assert await Sealer(database, SIGNING).seal_all() == 10
    [(_, log)] = (await verify(database, tenant_id)).logs
    assert (log.through, log.heads, log.findings) == (10, 3, ())


async def test_a_new_master_key_goes_on_from_the_old_one(database: Database) -> None:
    tenant_id, new = new_id(), MasterKey(b"n" * 32)
    await add_entries(database, tenant_id, 1)
    await Sealer(database, SIGNING).seal_all()
    rotated = Signing(lambda: KeyRing(new, (KEY,)))
    await add_entries(database, tenant_id, 1)
    assert await Sealer(database, rotated).seal_all() == 1
    assert (await verify(database, tenant_id, signing=rotated)).is_sound
    alone = Signing(lambda: KeyRing(new))
    await add_entries(database, tenant_id, 1)
    assert await Sealer(database, alone).seal_all() == 1
    assert list_faults(await verify(database, tenant_id, signing=alone)) == [("head", 1, 1)]


FORGERIES = {
    "a head with another link": "UPDATE audit_heads SET link = sha256('x')",
    "a head at another place": "UPDATE audit_heads SET position = position + 5",
    "a head by an unknown key": "UPDATE audit_heads SET key_id = '0000000000000000'",
    "no head": "DELETE FROM audit_heads",
}


@pytest.mark.parametrize("statement", FORGERIES.values(), ids=FORGERIES)
async def test_nothing_is_signed_on_top_of_a_forged_end(
    database: Database, statement: str, caplog: pytest.LogCaptureFixture
) -> None:
    """Or else a forged log would be vouched for by the next honest head."""
    tenant_id, sealer = new_id(), Sealer(database, SIGNING)
    await add_entries(database, tenant_id, 3)
    await sealer.seal_all()
    await execute(database, statement)
    await add_entries(database, tenant_id, 1)
    with caplog.at_level(logging.ERROR, "assent.audit"):
        for _ in range(3):
            assert await sealer.seal_all() == 0
    assert [str(tenant_id) in record.message for record in caplog.records] == [True]
    assert (await list_positions(database, tenant_id))[-1] is None
    assert not (await verify(database, tenant_id)).is_sound


async def test_it_seals_in_the_background_and_once_more_at_the_end(database: Database) -> None:
    tenant_id = new_id()

    async def is_sealed() -> bool:
        return await list_positions(database, tenant_id) == [1, 2]

    async with sealing(database, SIGNING):
        await add_entries(database, tenant_id, 2)
        await eventually(is_sealed)
        await asyncio.sleep(0.1)
        await add_entries(database, tenant_id, 1)
    assert await list_positions(database, tenant_id) == [1, 2, 3]


async def test_it_goes_on_after_a_failure(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(seal, "EVERY", 0.01)
    tenant_id, real, failures = new_id(), store.list_unsealed_tenants, [OSError(), KeyError()]

    async def fail(db: store.Db) -> list[UUID]:
        if failures:
            raise failures.pop()
        return await real(db)

    monkeypatch.setattr(store, "list_unsealed_tenants", fail)
    await add_entries(database, tenant_id, 1)

    async def is_sealed() -> bool:
        return await list_positions(database, tenant_id) == [1]

    async with sealing(database, SIGNING):
        await eventually(is_sealed)
    assert failures == []
