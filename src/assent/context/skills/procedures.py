"""Procedures for skills: those that come along, one's own and shared ones."""

from assent.context.declaration import SKILL, plugin
from assent.context.skills import keep
from assent.context.skills.skill import Skill, SkillChange, SkillDraft, SkillRef
from assent.plugins.procedure import Context
from assent.value import Nothing, Page

READ, MANAGE = f"{SKILL}.read", f"{SKILL}.manage"


@plugin.procedure(rule=READ, effect="read", route="GET /skills")
async def list_skills(ctx: Context, _nothing: Nothing) -> Page[Skill]:
    """List the skills that one may choose: built in, one's own, shared."""
    return Page[Skill](items=await keep.list_all(ctx.db, ctx.principal))


@plugin.procedure(rule=MANAGE, effect="mutate", route="POST /skills")
async def create_skill(ctx: Context, draft: SkillDraft) -> Skill:
    """Write a skill, for oneself or for everybody."""
    return await keep.add_skill(ctx, draft)


@plugin.procedure(rule=MANAGE, effect="mutate", route="PATCH /skills/{skill_id}")
async def update_skill(ctx: Context, change: SkillChange) -> Skill:
    """Change a skill; turns that begin from now on have it so."""
    return await keep.change_skill(ctx, change)


@plugin.procedure(rule=MANAGE, effect="destructive", route="DELETE /skills/{skill_id}")
async def delete_skill(ctx: Context, given: SkillRef) -> None:
    """Remove a skill."""
    await keep.remove_skill(ctx, given.skill_id)
