"""Keeping memories: who may, scrubbed, and one that says nearly the same is written over.

Nobody but their owner sees personal ones. A shared one is for everybody, or for those who see the
system that it is about; to share what every prompt gets needs a rule of its own.
"""

from typing import Any
from uuid import UUID

from assent.context.declaration import SHARE
from assent.context.memories import store
from assent.context.memories.memory import Memory, MemoryChange, MemoryDraft, find_near
from assent.db.database import Db
from assent.errors import Changed, Conflict, Forbidden, MissingRule, NotFound
from assent.identity.access import load_scope
from assent.identity.principal import Principal
from assent.ids import new_id
from assent.plugins.procedure import Context

GET_SYSTEM, SEE_SYSTEM = "catalog.getSystem", "catalog.system.read"
MOST_PERSONAL, MOST_SHARED = 200, 500
NO_SYSTEM = "There is no such system."
NOT_YOURS = f"Only its author, or somebody with {SHARE}, changes a shared memory."


async def open_viewer(db: Db, principal: Principal) -> store.Viewer:
    systems = await load_scope(db, principal, SEE_SYSTEM)
    return store.Viewer(principal.tenant_id, principal.id, systems)


async def load_memory(ctx: Context, memory_id: UUID) -> Memory:
    viewer = await open_viewer(ctx.db, ctx.principal)
    found = await store.find_memory(ctx.db, viewer, memory_id)
    if found is None:
        raise NotFound("There is no such memory.")
    return found


async def find_system(ctx: Context, system_id: UUID | None) -> store.System | None:
    """As the person sees it: what they may not see does not exist."""
    if system_id is None:
        return None
    procedure = ctx.find_procedure(GET_SYSTEM)
    if procedure is None:
        raise Conflict.at("systemId", NO_SYSTEM)
    try:
        found: Any = await ctx.call(procedure, procedure.input(system_id=system_id))
    except (NotFound, Forbidden):
        raise Conflict.at("systemId", NO_SYSTEM) from None
    return store.System(id=found.id, name=found.name, workspace_id=found.workspace_id)


async def check_may_add(ctx: Context, draft: MemoryDraft) -> None:
    if draft.reach == "shared" and (draft.always_apply or draft.system_id is None):
        await _check_shares(ctx)


async def check_may_change(ctx: Context, memory: Memory, always_apply: bool | None) -> None:
    """The author of a note about a system may; one that always applies is not theirs any more."""
    if memory.reach == "personal":
        return
    if memory.always_apply or always_apply or memory.system_id is None:
        await _check_shares(ctx)
    elif memory.author_id != ctx.principal.id and not await may_share(ctx.db, ctx.principal):
        raise Forbidden(NOT_YOURS)


async def may_share(db: Db, principal: Principal) -> bool:
    return (await load_scope(db, principal, SHARE)).everywhere


async def find_same(ctx: Context, draft: MemoryDraft) -> Memory | None:
    """The memory that this one would be written over."""
    pool = await store.list_pool(ctx.db, ctx.tenant_id, _owner(ctx, draft), draft.system_id)
    return find_near(draft.text, pool)


async def add_memory(ctx: Context, draft: MemoryDraft) -> Memory:
    await check_may_add(ctx, draft)
    system = await find_system(ctx, draft.system_id)
    text, hint = await ctx.scrub([draft.text.strip(), draft.hint.strip()])
    draft = draft.model_copy(update={"text": text, "hint": hint})
    owner_id = _owner(ctx, draft)
    await store.enter_pool(ctx.db, ctx.tenant_id, owner_id)
    same = await find_same(ctx, draft)
    if same is not None:
        change = MemoryChange(
            memory_id=same.id,
            text=text,
            hint=hint or None,
            always_apply=draft.always_apply or same.always_apply,
        )
        return await change_memory(ctx, change)
    most = MOST_SHARED if owner_id is None else MOST_PERSONAL
    if await store.count_memories(ctx.db, ctx.tenant_id, owner_id) >= most:
        raise Conflict.at("text", f"There can be {most} at the most: forget one first.")
    written = store.Written(
        owner_id=owner_id,
        text=text,
        hint=hint,
        always_apply=draft.always_apply,
        system=system,
        taint=ctx.occasion.taint.encode(),
        author=(ctx.principal.id, ctx.principal.name),
    )
    return await store.insert_memory(ctx.db, ctx.tenant_id, new_id(), written)


async def change_memory(ctx: Context, change: MemoryChange) -> Memory:
    present = await load_memory(ctx, change.memory_id)
    await check_may_change(ctx, present, change.always_apply)
    told = {name: getattr(change, name) for name in ("text", "hint")}
    scrubbed = await ctx.scrub({name: one.strip() for name, one in told.items() if one is not None})
    changed = await store.update_memory(
        ctx.db,
        ctx.tenant_id,
        change.model_copy(update=scrubbed),
        taint=ctx.occasion.taint.encode(),
        author=(ctx.principal.id, ctx.principal.name),
    )
    if changed is None:
        raise Changed
    return changed


async def remove_memory(ctx: Context, memory_id: UUID) -> None:
    present = await load_memory(ctx, memory_id)
    await check_may_change(ctx, present, None)
    if not await store.delete_memory(ctx.db, ctx.tenant_id, memory_id):
        raise NotFound("There is no such memory.")


async def _check_shares(ctx: Context) -> None:
    if not await may_share(ctx.db, ctx.principal):
        raise MissingRule(SHARE)


def _owner(ctx: Context, draft: MemoryDraft) -> UUID | None:
    return ctx.principal.id if draft.reach == "personal" else None
