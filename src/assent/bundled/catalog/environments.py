"""Procedures for environments."""

from uuid import UUID

from assent.bundled.catalog.checks import check_version, name_taken
from assent.bundled.catalog.declaration import plugin
from assent.bundled.catalog.store import environments as store
from assent.bundled.catalog.store.links import lock_links
from assent.bundled.catalog.values import (
    Draft,
    EntryQuery,
    Environment,
    EnvironmentChange,
    EnvironmentRef,
)
from assent.plugins.api import Context, NotFound, Page, new_id, page_by_name

READ, MANAGE = "catalog.environment.read", "catalog.environment.manage"


@plugin.procedure(rule=READ, effect="read", route="GET /environments")
async def list_environments(ctx: Context, query: EntryQuery) -> Page[Environment]:
    """List environments by name."""
    rows = await store.list_environments(ctx.db, ctx.tenant_id, ctx.scope, query)
    return page_by_name(rows, query)


@plugin.procedure(rule=READ, effect="read", route="GET /environments/{environment_id}")
async def get_environment(ctx: Context, ref: EnvironmentRef) -> Environment:
    """Show one environment."""
    return await load_environment(ctx, ref.environment_id)


@plugin.procedure(rule=MANAGE, effect="mutate", route="POST /environments")
async def create_environment(ctx: Context, draft: Draft) -> Environment:
    """Add an environment to a workspace."""
    await ctx.check_workspace(draft.workspace_id)
    environment_id = new_id()
    if not await store.insert_environment(
        ctx.db,
        ctx.tenant_id,
        environment_id=environment_id,
        workspace_id=draft.workspace_id,
        name=draft.name,
        description=draft.description,
    ):
        raise name_taken("environment")
    await ctx.publish("catalog.environment.created", {"environmentId": str(environment_id)})
    return await load_environment(ctx, environment_id)


@plugin.procedure(rule=MANAGE, effect="mutate", route="PATCH /environments/{environment_id}")
async def update_environment(ctx: Context, change: EnvironmentChange) -> Environment:
    """Change an environment; what is left out stays as it is."""
    await store.lock_environment(ctx.db, ctx.tenant_id, change.environment_id)
    environment = await load_environment(ctx, change.environment_id)
    check_version(environment, change.expected_version)
    if not await store.update_environment(
        ctx.db, ctx.tenant_id, environment.id, name=change.name, description=change.description
    ):
        raise name_taken("environment")
    await ctx.publish("catalog.environment.updated", {"environmentId": str(environment.id)})
    return await load_environment(ctx, environment.id)


@plugin.procedure(rule=MANAGE, effect="destructive", route="DELETE /environments/{environment_id}")
async def delete_environment(ctx: Context, ref: EnvironmentRef) -> None:
    """Delete an environment; its systems stay."""
    await lock_links(ctx.db, ctx.tenant_id)
    await store.lock_environment(ctx.db, ctx.tenant_id, ref.environment_id)
    environment = await load_environment(ctx, ref.environment_id)
    await store.delete_environment(ctx.db, ctx.tenant_id, environment.id)
    await ctx.forget_grants(environment.id)
    await ctx.publish("catalog.environment.deleted", {"environmentId": str(environment.id)})


async def load_environment(ctx: Context, environment_id: UUID) -> Environment:
    environment = await store.find_environment(ctx.db, ctx.tenant_id, environment_id)
    if environment is None:
        raise NotFound("There is no such environment.")
    await ctx.check(workspace_id=environment.workspace_id, resource_id=environment.id)
    return environment
