"""Procedures for the business context: one's own, and that of the tenant and its workspaces."""

from typing import Any

from assent.context.business import store
from assent.context.business.facts import (
    BusinessContext,
    ContextQuery,
    LevelFacts,
    OwnFacts,
    SharedFacts,
    merge_facts,
)
from assent.context.declaration import BUSINESS, MEMORY, SHARED_EVERYWHERE, plugin
from assent.errors import Changed, MissingRule
from assent.plugins.procedure import Context

READ, MANAGE = f"{BUSINESS}.read", f"{BUSINESS}.manage"


@plugin.procedure(rule=READ, effect="read", route="GET /business-context")
async def get_business_context(ctx: Context, query: ContextQuery) -> BusinessContext:
    """Show each level, and what the assistant is told of all."""
    if query.workspace_id is not None:
        await ctx.check_workspace(query.workspace_id)
    levels = await store.load_levels(
        ctx.db, ctx.tenant_id, workspace_id=query.workspace_id, user_id=ctx.principal.id
    )
    platform: dict[str, Any] = ctx.settings.business_context if ctx.settings else {}
    tenant, user = levels.get("tenant", store.NOTHING), levels.get("user", store.NOTHING)
    near = levels.get("workspace", store.NOTHING)
    return BusinessContext(
        platform=platform,
        tenant=tenant,
        workspace=near if query.workspace_id else None,
        user=user,
        merged=merge_facts([platform, tenant.facts, near.facts, user.facts]),
    )


@plugin.procedure(rule=MANAGE, effect="mutate", route="PUT /business-context")
async def set_business_context(ctx: Context, given: SharedFacts) -> LevelFacts:
    """Set the facts of the tenant, or of one workspace, whole."""
    if given.workspace_id is not None:
        await ctx.check_workspace(given.workspace_id)
    elif not ctx.scope.everywhere:
        raise MissingRule(MANAGE)
    set_now = await store.set_level(
        ctx.db,
        ctx.tenant_id,
        "workspace" if given.workspace_id else "tenant",
        given.workspace_id or SHARED_EVERYWHERE,
        await ctx.scrub(given.facts),
        given.expected_version,
    )
    return _check(set_now)


@plugin.procedure(rule=f"{MEMORY}.manage", effect="mutate", route="PUT /business-context/own")
async def set_own_context(ctx: Context, given: OwnFacts) -> LevelFacts:
    """Set the facts about oneself, whole; they count before all others."""
    set_now = await store.set_level(
        ctx.db,
        ctx.tenant_id,
        "user",
        ctx.principal.id,
        await ctx.scrub(given.facts),
        given.expected_version,
    )
    return _check(set_now)


def _check(set_now: LevelFacts | None) -> LevelFacts:
    if set_now is None:
        raise Changed
    return set_now
