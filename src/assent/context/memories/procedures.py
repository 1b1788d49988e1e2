"""Procedures for memories, one's own and shared ones; those of a system go with it."""

from uuid import UUID

from assent.context.declaration import MEMORY, plugin
from assent.context.memories import keep, store
from assent.context.memories.memory import (
    Memory,
    MemoryChange,
    MemoryDraft,
    MemoryQuery,
    MemoryRef,
)
from assent.plugins.plugin import Event
from assent.plugins.procedure import Context
from assent.value import Page, build_page, parse_cursor, parse_cursor_id

READ, MANAGE = f"{MEMORY}.read", f"{MEMORY}.manage"


@plugin.procedure(rule=READ, effect="read", route="GET /memories")
async def list_memories(ctx: Context, query: MemoryQuery) -> Page[Memory]:
    """List one's own memories and shared ones, the newest first."""
    at = parse_cursor(query.cursor, 1)
    rows = await store.list_memories(
        ctx.db,
        await keep.open_viewer(ctx.db, ctx.principal),
        q=query.q.strip(),
        reach=query.reach,
        system_id=query.system_id,
        after=parse_cursor_id(at[0]) if at else None,
        limit=query.limit + 1,
    )
    return build_page(rows, query.limit, lambda one: (str(one.id),))


@plugin.procedure(rule=MANAGE, effect="mutate", route="POST /memories")
async def create_memory(ctx: Context, draft: MemoryDraft) -> Memory:
    """Remember something; what says nearly the same is written over."""
    return await keep.add_memory(ctx, draft)


@plugin.procedure(rule=MANAGE, effect="mutate", route="PATCH /memories/{memory_id}")
async def update_memory(ctx: Context, change: MemoryChange) -> Memory:
    """Change a memory."""
    return await keep.change_memory(ctx, change)


@plugin.procedure(rule=MANAGE, effect="destructive", route="DELETE /memories/{memory_id}")
async def delete_memory(ctx: Context, given: MemoryRef) -> None:
    """Forget something."""
    await keep.remove_memory(ctx, given.memory_id)


@plugin.on("catalog.system.deleted")
async def forget_system(ctx: Context, event: Event) -> None:
    """Nobody would see them any more."""
    await store.delete_of_system(ctx.db, ctx.tenant_id, UUID(event.payload["systemId"]))
