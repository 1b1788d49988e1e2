"""The log as the items of an export, in order. The caller gives one snapshot for all of it."""

from collections.abc import AsyncIterator, Mapping
from datetime import datetime
from uuid import UUID

from assent.audit import store
from assent.audit.lines import Beginning, End, Item, Key, Log, Unsealed
from assent.audit.walk import walk_log, walk_unsealed
from assent.db.database import Db


async def read_items(
    db: Db, logs: Mapping[UUID, str], *, keys: Mapping[str, bytes], since: datetime | None = None
) -> AsyncIterator[Item]:
    """The logs of these tenants, by id and name: whole, or from the last head before `since`."""
    yield Beginning(await store.read_clock(db))
    lines = 2
    for key_id, public_key in keys.items():
        yield Key(key_id, public_key)
        lines += 1
    for tenant_id, name in logs.items():
        async for item in _read_log(db, tenant_id, name, since):
            yield item
            lines += 1
    yield End(lines)


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
    async for content in walk_unsealed(db, tenant_id):
        yield Unsealed(content)
