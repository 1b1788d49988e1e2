"""Writers and sealers in a process of their own, for tests that kill it.

It writes entries and seals without a pause, several at once, until it is killed.
"""

import asyncio
import random
from multiprocessing.connection import Connection as Pipe
from uuid import UUID

from assent.audit.seal import Sealer
from assent.audit.store import append_entry
from assent.db.database import Database, open_database
from tests.store.audit.steps import SIGNING, make_entry


async def write(database: Database, tenant_id: UUID) -> None:
    while True:
        async with database.transaction() as db:
            for number in range(random.randrange(1, 20)):
                await append_entry(db, make_entry(tenant_id, f"test.number{number}"))
            await asyncio.sleep(random.random() / 50)


async def keep_sealing(database: Database) -> None:
    sealer = Sealer(database, SIGNING)
    while True:
        await sealer.seal_all()


def write_and_seal(url: str, tenant_id: UUID, pipe: Pipe) -> None:
    asyncio.run(_write_and_seal(url, tenant_id, pipe))


async def _write_and_seal(url: str, tenant_id: UUID, pipe: Pipe) -> None:
    database = await open_database(url, pool_size=6)
    pipe.send("ready")
    tasks = [write(database, tenant_id) for _ in range(3)]
    await asyncio.gather(*tasks, *(keep_sealing(database) for _ in range(2)))
