"""Sealers in processes of their own, on a durable Postgres, while they and it are killed."""

import asyncio
import os
import random
import signal
from collections.abc import AsyncGenerator, Generator
from multiprocessing.process import BaseProcess
from pathlib import Path
from uuid import UUID

import pytest

import assent.audit
from assent.audit.seal import Sealer
from assent.db.database import Database, open_database
from assent.db.migrate import Component
from assent.ids import new_id
from tests.fault.durable_postgres import DurablePostgres, open_migrated, run_durable
from tests.fault.processes import Processes
from tests.fault.seal_process import write_and_seal
from tests.store.audit.steps import SIGNING, add_entries, verify
from tests.store.work.steps import eventually, fetch

AUDIT = Component("audit", Path(assent.audit.__file__).parent / "migrations")
LIST_POSITIONS = "SELECT position FROM audit_entries WHERE tenant_id = $1 ORDER BY position"


@pytest.fixture(scope="module")
def server() -> Generator[DurablePostgres]:
    with run_durable() as running:
        yield running


@pytest.fixture
async def database(server: DurablePostgres) -> AsyncGenerator[Database]:
    async with open_migrated(server, AUDIT) as opened:
        yield opened


@pytest.fixture
def processes() -> Generator[Processes]:
    with Processes() as opened:
        yield opened


async def start(processes: Processes, database: Database, tenant_id: UUID) -> BaseProcess:
    process, pipe = processes.start(write_and_seal, database.url, tenant_id)
    assert await processes.first_word(process, pipe) == "ready"
    return process


def kill(process: BaseProcess) -> None:
    process.kill()
    process.join()


async def count_heads(database: Database, tenant_id: UUID) -> int:
    rows = await fetch(
        database, "SELECT count(*) AS n FROM audit_heads WHERE tenant_id = $1", tenant_id
    )
    return rows[0]["n"]


async def check_whole(database: Database, tenant_id: UUID) -> None:
    """Whoever comes next seals the rest; then all have one place each and every link fits."""

    async def is_sealed() -> bool:
        await Sealer(database, SIGNING).seal_all()
        rows = await fetch(database, LIST_POSITIONS, tenant_id)
        return all(row["position"] is not None for row in rows)

    await eventually(is_sealed)
    positions = [row["position"] for row in await fetch(database, LIST_POSITIONS, tenant_id)]
    assert positions == list(range(1, len(positions) + 1))
    report = await verify(database, tenant_id)
    assert report.is_sound, list(report.tell())


async def test_killed_while_sealing(database: Database, processes: Processes) -> None:
    tenant_id = new_id()
    for round_number in range(6):
        before = await count_heads(database, tenant_id)
        sealers = [await start(processes, database, tenant_id) for _ in range(2)]

        async def seals(seen: int = before) -> bool:
            return await count_heads(database, tenant_id) > seen + 3

        await eventually(seals)
        await asyncio.sleep(random.Random(round_number).random() / 10)
        for process in sealers:
            kill(process)
        await check_whole(database, tenant_id)
    assert await count_heads(database, tenant_id) > 20


async def test_a_sealer_that_freezes_does_not_hold_back_the_others(
    database: Database, processes: Processes
) -> None:
    """It froze inside its transaction, with the lock; the database ends it for the others."""
    tenant_id = new_id()
    process = await start(processes, database, tenant_id)

    async def seals() -> bool:
        return await count_heads(database, tenant_id) > 3

    await eventually(seals)
    assert process.pid is not None
    os.kill(process.pid, signal.SIGSTOP)
    await add_entries(database, tenant_id, 3)
    await check_whole(database, tenant_id)
    os.kill(process.pid, signal.SIGCONT)
    kill(process)
    await check_whole(database, tenant_id)


async def test_postgres_crashes_under_it(
    server: DurablePostgres, database: Database, processes: Processes
) -> None:
    tenant_id = new_id()
    process = await start(processes, database, tenant_id)

    async def seals() -> bool:
        return await count_heads(database, tenant_id) > 3

    await eventually(seals)
    server.stop(signal.SIGQUIT)
    kill(process)
    server.start()
    again = await open_database(database.url, pool_size=2)
    try:
        await check_whole(again, tenant_id)
    finally:
        await again.close()
