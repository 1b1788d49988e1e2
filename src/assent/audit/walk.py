"""Reading one tenant's log in order: its entries, each head after what it covers, then the rest."""

from collections.abc import AsyncIterator
from uuid import UUID

from assent.audit import store
from assent.audit.head import Head
from assent.audit.link import Content, Linked
from assent.db.database import Db

PAGE = 1000


async def walk_log(db: Db, tenant_id: UUID, *, after: int = 0) -> AsyncIterator[Linked | Head]:
    """What is sealed, from the position `after` on. One snapshot, or it may not fit together."""
    entries = _walk_entries(db, tenant_id, after)
    entry = await anext(entries, None)
    async for head in _walk_heads(db, tenant_id, after):
        while entry is not None and entry.position <= head.position:
            yield entry
            entry = await anext(entries, None)
        yield head
    while entry is not None:
        yield entry
        entry = await anext(entries, None)


async def walk_unsealed(db: Db, tenant_id: UUID) -> AsyncIterator[Content]:
    after: str | None = None
    while page := await store.list_unsealed(db, tenant_id, after=after, limit=PAGE):
        for content in page:
            yield content
        after = page[-1]["id"]


async def _walk_entries(db: Db, tenant_id: UUID, after: int) -> AsyncIterator[Linked]:
    while page := await store.list_linked(db, tenant_id, after=after, limit=PAGE):
        for row in page:
            yield row
        after = page[-1].position


async def _walk_heads(db: Db, tenant_id: UUID, after: int) -> AsyncIterator[Head]:
    while page := await store.list_heads(db, tenant_id, after=after, limit=PAGE):
        for head in page:
            yield head
        after = page[-1].position
