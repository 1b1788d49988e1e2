"""Sealing: gives entries their place and link, and signs a head for each batch.

Entries become visible in another order than they were made, and some late. So each pass takes what
is visible and has no place yet, whenever it was made. No write of an entry ever waits for this.
"""

import asyncio
import logging
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager, suppress
from datetime import timedelta
from uuid import UUID

from assent.audit import store
from assent.audit.head import Head
from assent.audit.link import START, Content, Linked, extend
from assent.audit.signing import Signing, Trust
from assent.db.database import Database, Db
from assent.errors import SealBroken
from assent.work.link import DATABASE_ERRORS

EVERY = 1.0
BATCH = 1000
LAST_PASS = 2.0
LIMIT = timedelta(seconds=5)

log = logging.getLogger("assent.audit")


class Sealer:
    """Seals every tenant's log, in turns with the sealers of other processes."""

    def __init__(self, database: Database, signing: Signing) -> None:
        self._database = database
        self._signing = signing
        self._broken: dict[UUID, str] = {}

    async def run(self, stop: asyncio.Event) -> None:
        """Seal about once a second until `stop`, and once more then."""
        while not stop.is_set():
            await self._try_to_seal()
            with suppress(TimeoutError):
                async with asyncio.timeout(EVERY):
                    await stop.wait()
        with suppress(TimeoutError):
            async with asyncio.timeout(LAST_PASS):
                await self._try_to_seal()

    async def seal_all(self) -> int:
        """Seal what is visible now; return how many entries."""
        sealed = 0
        async with self._database.connection() as db:
            waiting = await store.list_unsealed_tenants(db)
        while waiting:
            counts = {tenant_id: await self._seal(tenant_id) for tenant_id in waiting}
            sealed += sum(counts.values())
            waiting = [tenant_id for tenant_id, count in counts.items() if count == BATCH]
        return sealed

    async def _try_to_seal(self) -> None:
        try:
            await self.seal_all()
        except DATABASE_ERRORS as error:
            log.warning("The database does not answer the sealer: %s", error)
        except Exception:
            log.exception("Sealing the audit log failed.")

    async def _seal(self, tenant_id: UUID) -> int:
        try:
            async with self._database.transaction() as db:
                # A process that freezes in here would hold back the other sealers.
                await store.limit_time(db, LIMIT)
                count = await seal_batch(db, self._signing, tenant_id)
        except SealBroken as error:
            if self._broken.get(tenant_id) != error.message:
                log.error(error.message, extra={"tenant_id": str(tenant_id)})
            self._broken[tenant_id] = error.message
            return 0
        self._broken.pop(tenant_id, None)
        return count


@asynccontextmanager
async def sealing(database: Database, signing: Signing) -> AsyncGenerator[None]:
    """Seal in the background until the body ends."""
    stop = asyncio.Event()
    task = asyncio.create_task(Sealer(database, signing).run(stop))
    try:
        yield
    finally:
        stop.set()
        await task


async def seal_batch(db: Db, signing: Signing, tenant_id: UUID) -> int:
    """Seal some of a tenant's entries in this transaction; 0 if there are none or it is taken."""
    if not await store.try_lock(db, tenant_id):
        return 0
    contents = await store.take_unsealed(db, tenant_id, BATCH)
    if not contents:
        return 0
    last = await store.find_last_head(db, tenant_id)
    position, link = await _check_end(db, signing, tenant_id, last)
    rows = _link(contents, position, link)
    if await store.link_entries(db, tenant_id, rows) != len(rows):
        raise SealBroken("Entries of the audit log changed while they were being sealed.")
    head = Head(
        tenant_id=tenant_id,
        position=rows[-1].position,
        entries=len(rows),
        link=rows[-1].link,
        signed_at=await store.read_clock(db),
        key_id="",
    )
    await store.insert_head(db, signing.sign(head))
    return len(rows)


async def _check_end(
    db: Db, signing: Signing, tenant_id: UUID, last: Head | None
) -> tuple[int, bytes]:
    """Where the log goes on. Signing on top of a forged end would make it true for everybody."""
    if last is not None and Trust(signing.list_public_keys()).judge(last) != "valid":
        raise SealBroken(
            f"The last head of the audit log of {tenant_id}, at {last.position}, is not signed by "
            f"a known key ({last.key_id}). Nothing more is sealed; see docs/audit.md."
        )
    position, link = (last.position, last.link) if last else (0, START)
    if await store.find_last_position(db, tenant_id) > position:
        raise SealBroken(
            f"The audit log of {tenant_id} has entries beyond its last head, at {position}. "
            "Nothing more is sealed; see docs/audit.md."
        )
    return position, link


def _link(contents: Sequence[Content], position: int, link: bytes) -> list[Linked]:
    rows: list[Linked] = []
    for content in contents:
        position, link = position + 1, extend(link, content)
        rows.append(Linked(position, link, content))
    return rows
