"""Procedures for a tenant's own agents, declared with the assistant's plugin."""

from uuid import UUID

from assent.agents import store
from assent.agents.profile import AgentChange, AgentDraft, AgentProfile
from assent.errors import Changed, Conflict, NotFound
from assent.ids import new_id
from assent.plugins.assistant import plugin
from assent.plugins.procedure import Context
from assent.value import Nothing, Page, Value

READ, MANAGE = "ai.agent.read", "ai.agent.manage"


class AgentRef(Value):
    agent_id: UUID


@plugin.procedure(rule=READ, effect="read", route="GET /admin/agents", tenant_wide=True)
async def list_agents(ctx: Context, _nothing: Nothing) -> Page[AgentProfile]:
    """List the tenant's own agents by their slugs."""
    return Page[AgentProfile](items=await store.list_profiles(ctx.db, ctx.tenant_id))


@plugin.procedure(rule=MANAGE, effect="mutate", route="POST /admin/agents", tenant_wide=True)
async def create_agent(ctx: Context, draft: AgentDraft) -> AgentProfile:
    """Add an agent. One with the slug `assistant` takes the place of the built-in one."""
    made = await store.insert_agent(ctx.db, ctx.tenant_id, draft, new_id())
    if made is None:
        raise Conflict.at("slug", "Another agent has this slug.")
    return made


@plugin.procedure(
    rule=MANAGE, effect="mutate", route="PATCH /admin/agents/{agent_id}", tenant_wide=True
)
async def update_agent(ctx: Context, change: AgentChange) -> AgentProfile:
    """Change an agent; turns that begin from now on have it so."""
    if await store.find_profile(ctx.db, ctx.tenant_id, change.agent_id) is None:
        raise NotFound
    changed = await store.update_agent(ctx.db, ctx.tenant_id, change)
    if changed is None:
        raise Changed
    return changed


@plugin.procedure(
    rule=MANAGE, effect="destructive", route="DELETE /admin/agents/{agent_id}", tenant_wide=True
)
async def delete_agent(ctx: Context, given: AgentRef) -> None:
    """Remove an agent; its conversations go on with the default one."""
    if not await store.delete_agent(ctx.db, ctx.tenant_id, given.agent_id):
        raise NotFound
