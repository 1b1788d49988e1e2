"""Tools for skills: which there are, and writing one, which always has a card."""

from typing import Any
from uuid import UUID

from pydantic import Field

from assent.context.skills import keep
from assent.context.skills.procedures import (
    MANAGE,
    create_skill,
    delete_skill,
    list_skills,
    update_skill,
)
from assent.context.skills.skill import (
    Description,
    Reach,
    Skill,
    SkillChange,
    SkillDraft,
    SkillPrompt,
    SkillRef,
    Starter,
)
from assent.errors import NotFound
from assent.plugins.assistant import plugin
from assent.plugins.procedure import Context
from assent.tools.diff import find_changes
from assent.tools.tool import Basis, Preview, Result, ToolValidationError
from assent.value import Name, Page, Value


class SavedSkill(Value):
    name: Name
    prompt: SkillPrompt = Field(description="What you are to do while it is active, whole.")
    description: Description = ""
    starter: Starter = Field("", description="What may be said with it, as a beginning.")
    reach: Reach = Field("personal", description="`shared` is for everybody.")
    skill_id: UUID | None = Field(None, description="To change this one, from ai.listSkills.")


def _lean(page: Page[Skill]) -> list[dict[str, Any]]:
    return [
        {"skillId": one.id, "name": one.name, "description": one.description, "origin": one.origin}
        for one in page.items
    ]


plugin.project(
    list_skills,
    tool="ai.listSkills",
    title="List skills",
    description="List the skills that the person may choose in the composer, with their ids.",
    project_result=_lean,
)


@plugin.tool(
    "ai.saveSkill",
    effect="mutate",
    rules=[MANAGE],
    phase="build",
    writes_instructions=True,
    always_asks=True,
)
class SaveSkill:
    """Write a skill: instructions for turns in which the person chooses it. Or change one.

    Only when the person asks for it. The person sees the whole text on a card first.
    """

    title = "Save a skill"
    Input = SavedSkill

    async def dry_run(self, ctx: Context, given: SavedSkill) -> Preview:
        if given.skill_id is None:
            if given.reach == "shared":
                await keep.check_may_share(ctx)
            shown = given.model_dump(exclude={"skill_id"})
            return Preview(summary=f"Write the skill {given.name}", creates=shown)
        present = await _load(ctx, given.skill_id)
        fields = keep.WRITTEN
        diff = find_changes(present.model_dump(include=fields), given.model_dump(include=fields))
        if not diff:
            raise ToolValidationError.at("prompt", "The skill says this already.")
        return Preview(summary=f"Change the skill {present.name}", diff=diff, basis=(_on(present),))

    async def execute(self, ctx: Context, given: SavedSkill) -> Result:
        said = given.model_dump(include=keep.WRITTEN)
        if given.skill_id is None:
            saved = await ctx.call(create_skill, SkillDraft(**said, reach=given.reach))
        else:
            saved = await ctx.call(update_skill, SkillChange(skill_id=given.skill_id, **said))
        return Result({"skillId": saved.id, "name": saved.name})


@plugin.tool("ai.deleteSkill", effect="destructive", rules=[MANAGE], phase="build")
class DeleteSkill:
    """Remove a skill that people have written."""

    title = "Delete a skill"
    Input = SkillRef

    async def dry_run(self, ctx: Context, given: SkillRef) -> Preview:
        present = await _load(ctx, given.skill_id)
        return Preview(
            summary=f"Delete the skill {present.name}",
            removes=(f"skill {present.name}",),
            basis=(_on(present),),
        )

    async def execute(self, ctx: Context, given: SkillRef) -> Result:
        await ctx.call(delete_skill, given)
        return Result({"deleted": True})


async def _load(ctx: Context, skill_id: UUID) -> Skill:
    try:
        return await keep.load_own(ctx, skill_id)
    except NotFound as error:
        raise ToolValidationError.at("skillId", error.message) from None


def _on(skill: Skill) -> Basis:
    return Basis("context.skill", skill.id, skill.version)
