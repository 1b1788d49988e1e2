"""Procedures for groups of systems."""

from collections.abc import Sequence
from uuid import UUID

from assent.bundled.catalog.checks import check_same_workspace, check_version, name_taken
from assent.bundled.catalog.declaration import plugin
from assent.bundled.catalog.store import groups as store
from assent.bundled.catalog.store import systems as system_store
from assent.bundled.catalog.store.links import lock_links
from assent.bundled.catalog.values import EntryQuery, Group, GroupChange, GroupDraft, GroupRef
from assent.plugins.api import Context, NotFound, Page, new_id, page_by_name

READ, MANAGE = "catalog.group.read", "catalog.group.manage"


@plugin.procedure(rule=READ, effect="read", route="GET /groups")
async def list_groups(ctx: Context, query: EntryQuery) -> Page[Group]:
    """List groups by name."""
    rows = await store.list_groups(ctx.db, ctx.tenant_id, ctx.scope, query)
    return page_by_name(rows, query)


@plugin.procedure(rule=READ, effect="read", route="GET /groups/{group_id}")
async def get_group(ctx: Context, ref: GroupRef) -> Group:
    """Show one group."""
    return await load_group(ctx, ref.group_id)


@plugin.procedure(rule=MANAGE, effect="mutate", route="POST /groups")
async def create_group(ctx: Context, draft: GroupDraft) -> Group:
    """Add a group to a workspace."""
    await ctx.check_workspace(draft.workspace_id)
    await lock_links(ctx.db, ctx.tenant_id)
    group_id = new_id()
    if not await store.insert_group(
        ctx.db,
        ctx.tenant_id,
        group_id=group_id,
        workspace_id=draft.workspace_id,
        name=draft.name,
        description=draft.description,
    ):
        raise name_taken("group")
    await _set_systems(ctx, draft.workspace_id, group_id, draft.system_ids)
    await ctx.publish("catalog.group.created", {"groupId": str(group_id)})
    return await load_group(ctx, group_id)


@plugin.procedure(rule=MANAGE, effect="mutate", route="PATCH /groups/{group_id}")
async def update_group(ctx: Context, change: GroupChange) -> Group:
    """Change a group; what is left out stays as it is."""
    if change.system_ids is not None:
        await lock_links(ctx.db, ctx.tenant_id)
    await store.lock_group(ctx.db, ctx.tenant_id, change.group_id)
    group = await load_group(ctx, change.group_id)
    check_version(group, change.expected_version)
    if not await store.update_group(
        ctx.db, ctx.tenant_id, group.id, name=change.name, description=change.description
    ):
        raise name_taken("group")
    if change.system_ids is not None:
        await _set_systems(ctx, group.workspace_id, group.id, change.system_ids)
    await ctx.publish("catalog.group.updated", {"groupId": str(group.id)})
    return await load_group(ctx, group.id)


@plugin.procedure(rule=MANAGE, effect="destructive", route="DELETE /groups/{group_id}")
async def delete_group(ctx: Context, ref: GroupRef) -> None:
    """Delete a group; its systems stay."""
    await lock_links(ctx.db, ctx.tenant_id)
    await store.lock_group(ctx.db, ctx.tenant_id, ref.group_id)
    group = await load_group(ctx, ref.group_id)
    await store.delete_group(ctx.db, ctx.tenant_id, group.id)
    await ctx.forget_grants(group.id)
    await ctx.publish("catalog.group.deleted", {"groupId": str(group.id)})


async def load_group(ctx: Context, group_id: UUID) -> Group:
    group = await store.find_group(ctx.db, ctx.tenant_id, group_id)
    if group is None:
        raise NotFound("There is no such group.")
    await ctx.check(workspace_id=group.workspace_id, resource_id=group.id)
    return group


async def _set_systems(
    ctx: Context, workspace_id: UUID, group_id: UUID, system_ids: Sequence[UUID]
) -> None:
    await check_same_workspace(
        ctx, system_store.count_known, workspace_id=workspace_id, path="systemIds", ids=system_ids
    )
    await store.set_systems(
        ctx.db,
        ctx.tenant_id,
        workspace_id=workspace_id,
        group_id=group_id,
        system_ids=system_ids,
    )
