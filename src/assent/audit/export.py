"""The log as the items of an export, in order. The caller gives one snapshot for all of it."""

from collections.abc import AsyncIterator, Mapping
from datetime import datetime
from uuid import UUID

from assent.audit import store
from assent.audit.head import Head
from assent.audit.lines import Beginning, End, Item, Key, Log, Unsealed
from assent.audit.link import Linked
from assent.audit.walk import walk_log, walk_unsealed
from assent.db.database import Db


async def read_items(
    db: Db, logs: Mapping[UUID, str], *, keys: Mapping[str, bytes], since: datetime | None = None
) -> AsyncIterator[Item]:
    """The logs of these tenants, by id and name: whole, or from the last head before `since`."""
    async for item in _frame(db, keys, _read_logs(db, logs, since)):
        yield item


async def read_sealed(
    db: Db, tenant_id: UUID, name: str, *, keys: Mapping[str, bytes], since: datetime | None = None
) -> AsyncIterator[Item]:
    """What is sealed of one log by now. It takes no snapshot: that part never changes."""
    last = await store.find_last_head(db, tenant_id)
    async for item in _frame(db, keys, _read_through(db, tenant_id, name, last, since)):
        yield item


async def _frame(
    db: Db, keys: Mapping[str, bytes], items: AsyncIterator[Item]
) -> AsyncIterator[Item]:
    yield Beginning(await store.read_clock(db))
    lines = 2
    for key_id, public_key in keys.items():
        yield Key(key_id, public_key)
        lines += 1
    async for item in items:
        yield item
        lines += 1
    yield End(lines)


async def _read_logs(
    db: Db, logs: Mapping[UUID, str], since: datetime | None
) -> AsyncIterator[Item]:
    for tenant_id, name in logs.items():
        async for item in _read_log(db, tenant_id, name, since):
            yield item
        async for content in walk_unsealed(db, tenant_id):
            yield Unsealed(content)


async def _read_through(
    db: Db, tenant_id: UUID, name: str, last: Head | None, since: datetime | None
) -> AsyncIterator[Item]:
    end = last.position if last else 0
    async for item in _read_log(db, tenant_id, name, since):
        if isinstance(item, Linked | Head) and item.position > end:
            return
        yield item


async def _read_log(
    db: Db, tenant_id: UUID, name: str, since: datetime | None
) -> AsyncIterator[Item]:
    start = await store.find_start(db, tenant_id, since) if since else None
    after = start.position if start else 0
    yield Log(tenant_id, name, after)
    if start is not None:
        yield start
    async for item in walk_log(db, tenant_id, after=after):
        yield item
