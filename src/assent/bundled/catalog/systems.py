"""Procedures for systems."""

from collections.abc import Collection, Sequence
from uuid import UUID

from assent.bundled.catalog.checks import check_same_workspace, check_version, name_taken
from assent.bundled.catalog.declaration import plugin
from assent.bundled.catalog.store import environments as environment_store
from assent.bundled.catalog.store import groups as group_store
from assent.bundled.catalog.store import systems as store
from assent.bundled.catalog.store.links import lock_links
from assent.bundled.catalog.values import (
    System,
    SystemChange,
    SystemDraft,
    SystemQuery,
    SystemRef,
)
from assent.plugins.api import Context, NotFound, Page, new_id, page_by_name

READ, MANAGE = "catalog.system.read", "catalog.system.manage"


@plugin.procedure(rule=READ, effect="read", route="GET /systems")
async def list_systems(ctx: Context, query: SystemQuery) -> Page[System]:
    """List systems by name."""
    rows = await store.list_systems(ctx.db, ctx.tenant_id, ctx.scope, query)
    return page_by_name(rows, query)


@plugin.procedure(rule=READ, effect="read", route="GET /systems/{system_id}")
async def get_system(ctx: Context, ref: SystemRef) -> System:
    """Show one system."""
    return await load_system(ctx, ref.system_id)


@plugin.procedure(rule=MANAGE, effect="mutate", route="POST /systems")
async def create_system(ctx: Context, draft: SystemDraft) -> System:
    """Add a system to a workspace."""
    await ctx.check_workspace(draft.workspace_id)
    await lock_links(ctx.db, ctx.tenant_id)
    system_id = new_id()
    if not await store.insert_system(
        ctx.db,
        ctx.tenant_id,
        system_id=system_id,
        workspace_id=draft.workspace_id,
        name=draft.name,
        description=draft.description,
    ):
        raise name_taken("system")
    await _set_links(
        ctx,
        draft.workspace_id,
        system_id,
        group_ids=draft.group_ids,
        environment_ids=draft.environment_ids,
    )
    await ctx.publish("catalog.system.created", {"systemId": str(system_id)})
    return await load_system(ctx, system_id)


@plugin.procedure(rule=MANAGE, effect="mutate", route="PATCH /systems/{system_id}")
async def update_system(ctx: Context, change: SystemChange) -> System:
    """Change a system; what is left out stays as it is."""
    if change.group_ids is not None or change.environment_ids is not None:
        await lock_links(ctx.db, ctx.tenant_id)
    await store.lock_system(ctx.db, ctx.tenant_id, change.system_id)
    system = await load_system(ctx, change.system_id)
    check_version(system, change.expected_version)
    if not await store.update_system(
        ctx.db, ctx.tenant_id, system.id, name=change.name, description=change.description
    ):
        raise name_taken("system")
    await _set_links(
        ctx,
        system.workspace_id,
        system.id,
        group_ids=change.group_ids,
        environment_ids=change.environment_ids,
    )
    await ctx.publish("catalog.system.updated", {"systemId": str(system.id)})
    return await load_system(ctx, system.id)


@plugin.procedure(rule=MANAGE, effect="destructive", route="DELETE /systems/{system_id}")
async def delete_system(ctx: Context, ref: SystemRef) -> None:
    """Delete a system together with its dependencies."""
    await lock_links(ctx.db, ctx.tenant_id)
    await store.lock_system(ctx.db, ctx.tenant_id, ref.system_id)
    system = await load_system(ctx, ref.system_id)
    await _set_links(ctx, system.workspace_id, system.id, group_ids=[], environment_ids=[])
    await store.delete_system(ctx.db, ctx.tenant_id, system.id)
    await ctx.forget_grants(system.id)
    await ctx.publish("catalog.system.deleted", {"systemId": str(system.id)})


async def load_system(ctx: Context, system_id: UUID) -> System:
    """Load a system that the principal may see, and change if the procedure changes things."""
    system = await store.find_system(ctx.db, ctx.tenant_id, system_id)
    if system is None:
        raise NotFound("There is no such system.")
    await ctx.check(workspace_id=system.workspace_id, resource_id=system.id)
    return system


async def name_systems(ctx: Context, system_ids: Collection[UUID]) -> dict[UUID, str]:
    """The names of those of them that may be seen in `ctx.scope`."""
    rows = await store.list_visible(ctx.db, ctx.tenant_id, ctx.scope, sorted(system_ids))
    return {system.id: system.name for system in rows}


async def _set_links(
    ctx: Context,
    workspace_id: UUID,
    system_id: UUID,
    *,
    group_ids: Sequence[UUID] | None,
    environment_ids: Sequence[UUID] | None,
) -> None:
    if group_ids is not None:
        await check_same_workspace(
            ctx,
            group_store.count_known,
            workspace_id=workspace_id,
            path="groupIds",
            ids=group_ids,
        )
        await store.set_groups(
            ctx.db,
            ctx.tenant_id,
            workspace_id=workspace_id,
            system_id=system_id,
            group_ids=group_ids,
        )
    if environment_ids is not None:
        await check_same_workspace(
            ctx,
            environment_store.count_known,
            workspace_id=workspace_id,
            path="environmentIds",
            ids=environment_ids,
        )
        await store.set_environments(
            ctx.db,
            ctx.tenant_id,
            workspace_id=workspace_id,
            system_id=system_id,
            environment_ids=environment_ids,
        )
