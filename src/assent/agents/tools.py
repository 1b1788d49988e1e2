"""Tools for a tenant's own agents: under the manage rule, and always proposed (SPEC G5)."""

from typing import Any
from uuid import UUID

from assent.agents import store
from assent.agents.procedures import (
    MANAGE,
    AgentRef,
    create_agent,
    delete_agent,
    list_agents,
    update_agent,
)
from assent.agents.profile import AgentChange, AgentDraft, AgentProfile
from assent.plugins.assistant import plugin
from assent.plugins.procedure import Context
from assent.tools.diff import find_changes
from assent.tools.tool import Basis, Preview, Result, ToolValidationError

KEPT = {"agent_id", "expected_version"}

plugin.project(
    list_agents,
    tool="ai.listAgents",
    title="List agents",
    description="List the tenant's own agents with their instructions, tools and ids.",
    phase="build",
)


@plugin.tool(
    "ai.createAgent",
    effect="mutate",
    rules=[MANAGE],
    phase="build",
    writes_instructions=True,
    always_asks=True,
)
class CreateAgent:
    """Add an agent of the tenant's own: who answers, with which instructions and tools.

    Without `tools` it may use all that the person may use. One with the slug `assistant` takes the
    place of the built-in one.
    """

    title = "Create an agent"
    Input = AgentDraft

    async def dry_run(self, ctx: Context, given: AgentDraft) -> Preview:
        taken = await store.list_profiles(ctx.db, ctx.tenant_id)
        if any(one.slug == given.slug for one in taken):
            raise ToolValidationError.at("slug", "Another agent has this slug.")
        return Preview(summary=f"Create the agent {given.name}", creates=_show(given))

    async def execute(self, ctx: Context, given: AgentDraft) -> Result:
        made = await ctx.call(create_agent, given)
        return Result({"agentId": str(made.id), "slug": made.slug})


@plugin.tool(
    "ai.updateAgent",
    effect="mutate",
    rules=[MANAGE],
    phase="build",
    writes_instructions=True,
    always_asks=True,
)
class UpdateAgent:
    """Change an agent of the tenant's own; what is left out stays."""

    title = "Change an agent"
    Input = AgentChange

    async def dry_run(self, ctx: Context, given: AgentChange) -> Preview:
        present = await _find(ctx, given.agent_id)
        said = given.model_dump(mode="json", exclude=KEPT, exclude_unset=True)
        before = present.model_dump(mode="json", include=set(said))
        diff = find_changes(before, said)
        if not diff:
            raise ToolValidationError.at("", "Say what to change.")
        return Preview(summary=f"Change the agent {present.name}", diff=diff, basis=(_on(present),))

    async def execute(self, ctx: Context, given: AgentChange) -> Result:
        changed = await ctx.call(update_agent, given)
        return Result({"agentId": str(changed.id), "slug": changed.slug})


@plugin.tool("ai.deleteAgent", effect="destructive", rules=[MANAGE], phase="build")
class DeleteAgent:
    """Remove an agent; its conversations go on with the default one."""

    title = "Delete an agent"
    Input = AgentRef

    async def dry_run(self, ctx: Context, given: AgentRef) -> Preview:
        present = await _find(ctx, given.agent_id)
        return Preview(
            summary=f"Delete the agent {present.name}",
            removes=(f"agent {present.name} ({present.slug})",),
            basis=(_on(present),),
        )

    async def execute(self, ctx: Context, given: AgentRef) -> Result:
        await ctx.call(delete_agent, given)
        return Result({"deleted": True})


async def _find(ctx: Context, agent_id: UUID) -> AgentProfile:
    found = await store.find_profile(ctx.db, ctx.tenant_id, agent_id)
    if found is None:
        raise ToolValidationError.at("agentId", "There is no such agent.")
    return found


def _show(draft: AgentDraft) -> dict[str, Any]:
    return draft.model_dump(mode="json", by_alias=True)


def _on(agent: AgentProfile) -> Basis:
    return Basis("ai.agent", str(agent.id), agent.version)
