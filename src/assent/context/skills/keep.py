"""Keeping skills, and finding the one that was chosen for a turn."""

from uuid import UUID

from assent.context.declaration import SHARE, SKILL
from assent.context.skills import store
from assent.context.skills.built_in import BUILT_IN
from assent.context.skills.skill import Skill, SkillChange, SkillDraft
from assent.db.database import Db
from assent.errors import Changed, Conflict, Invalid, MissingRule, NotFound
from assent.identity.access import load_scope
from assent.identity.principal import Principal
from assent.ids import new_id
from assent.plugins.procedure import Context

MOST = 100
TAKEN = "Another skill has this name."
UNKNOWN = "There is no such skill."
WRITTEN: set[str] = {"name", "description", "prompt", "starter"}


async def list_all(db: Db, principal: Principal) -> list[Skill]:
    own = await store.list_skills(db, principal.tenant_id, principal.id)
    return [*BUILT_IN, *own]


async def find_skill(db: Db, principal: Principal, skill_id: str) -> Skill | None:
    """One that they may use, as it is now."""
    if (await load_scope(db, principal, f"{SKILL}.read")).is_empty:
        return None
    for one in BUILT_IN:
        if one.id == skill_id:
            return one
    try:
        number = UUID(skill_id)
    except ValueError:
        return None
    return await store.find_skill(db, principal.tenant_id, principal.id, number)


async def choose_skill(db: Db, principal: Principal, skill_id: str) -> Skill:
    """The one that a person names for a turn."""
    found = await find_skill(db, principal, skill_id)
    if found is None:
        raise Invalid.at("skillId", UNKNOWN)
    return found


async def load_own(ctx: Context, skill_id: UUID) -> Skill:
    """One that the person may change."""
    found = await store.find_skill(ctx.db, ctx.tenant_id, ctx.principal.id, skill_id)
    if found is None:
        raise NotFound(UNKNOWN)
    if found.origin == "shared":
        await check_may_share(ctx)
    return found


async def check_may_share(ctx: Context) -> None:
    if not (await load_scope(ctx.db, ctx.principal, SHARE)).everywhere:
        raise MissingRule(SHARE)


async def add_skill(ctx: Context, draft: SkillDraft) -> Skill:
    if draft.reach == "shared":
        await check_may_share(ctx)
    owner_id = ctx.principal.id if draft.reach == "personal" else None
    if await store.count_skills(ctx.db, ctx.tenant_id, owner_id) >= MOST:
        raise Conflict.at("name", f"There can be {MOST} skills at the most.")
    made = await store.insert_skill(
        ctx.db,
        ctx.tenant_id,
        new_id(),
        draft.model_copy(update=await ctx.scrub(draft.model_dump(include=WRITTEN))),
        taint=ctx.occasion.taint.encode(),
        author=(ctx.principal.id, ctx.principal.name),
    )
    if made is None:
        raise Conflict.at("name", TAKEN)
    return made


async def change_skill(ctx: Context, change: SkillChange) -> Skill:
    present = await load_own(ctx, change.skill_id)
    owner_id = ctx.principal.id if present.origin == "personal" else None
    if change.name and await store.is_taken(
        ctx.db, ctx.tenant_id, owner_id, change.name, change.skill_id
    ):
        raise Conflict.at("name", TAKEN)
    given = change.model_dump(include=WRITTEN, exclude_none=True)
    changed = await store.update_skill(
        ctx.db,
        ctx.tenant_id,
        change.model_copy(update=await ctx.scrub(given)),
        taint=ctx.occasion.taint.encode(),
        author=(ctx.principal.id, ctx.principal.name),
    )
    if changed is None:
        raise Changed
    return changed


async def remove_skill(ctx: Context, skill_id: UUID) -> None:
    await load_own(ctx, skill_id)
    if not await store.delete_skill(ctx.db, ctx.tenant_id, skill_id):
        raise NotFound(UNKNOWN)
