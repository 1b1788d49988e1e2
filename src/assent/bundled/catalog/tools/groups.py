"""The tools that create, change and delete a group; who is in it is in `links.py`."""

from collections.abc import Mapping
from typing import Any

from assent.bundled.catalog.declaration import plugin
from assent.bundled.catalog.groups import MANAGE, create_group, delete_group, update_group
from assent.bundled.catalog.store.groups import find_named
from assent.bundled.catalog.tools.card import (
    build_edit,
    on_names,
    on_version,
    on_workspace,
    show_edited,
    show_entry,
    show_names,
)
from assent.bundled.catalog.tools.checks import check_name, check_place
from assent.bundled.catalog.tools.going import find_going_with_group
from assent.bundled.catalog.tools.inputs import GroupUpdate, NewGroup, OldGroup
from assent.bundled.catalog.tools.references import open_group, read_all, read_system
from assent.bundled.catalog.values import GroupChange
from assent.plugins.api import Context, Inverse, Preview, Result


@plugin.tool("catalog.createGroup", effect="mutate", rules=[MANAGE])
class CreateGroup:
    """Add a group of systems to a workspace.

    Look for it with catalog.listGroups first. Its systems must exist already and be in the same
    workspace.
    """

    Input = NewGroup

    async def dry_run(self, ctx: Context, given: NewGroup) -> Preview:
        workspace_id = given.workspace_id
        workspace = await check_place(ctx, workspace_id)
        await check_name(ctx, given, find_named, kind="group")
        systems = await read_all(
            ctx, read_system, given.system_ids, path="systemIds", workspace_id=workspace_id
        )
        return Preview(
            summary=f"Create group {given.name} in workspace {workspace}",
            creates={
                "workspace": workspace,
                "name": given.name,
                "description": given.description,
                "systems": show_names(systems),
            },
            basis=(on_workspace(workspace_id, workspace), *on_names(systems)),
        )

    async def execute(self, ctx: Context, given: NewGroup) -> Result:
        return Result(show_entry(await ctx.call(create_group, given)))

    def inverse(self, given: NewGroup, value: Mapping[str, Any]) -> Inverse:
        return Inverse("catalog.deleteGroup", {"groupId": value["id"]})


@plugin.tool("catalog.updateGroup", effect="mutate", rules=[MANAGE])
class UpdateGroup:
    """Change the name or the description of a group; what you leave out stays as it is.

    For its systems use catalog.addSystemToGroup and catalog.removeSystemFromGroup.
    """

    Input = GroupUpdate

    async def dry_run(self, ctx: Context, given: GroupUpdate) -> Preview:
        group = await open_group(ctx, given.group_id)
        edit = build_edit(group, given)
        await check_name(ctx, edit.draft, find_named, kind="group", own_id=group.id)
        return Preview(
            summary=f"Change the {edit.fields} of group {group.name}",
            diff=edit.diff,
            basis=(on_version(group),),
        )

    async def execute(self, ctx: Context, given: GroupUpdate) -> Result:
        group = await open_group(ctx, given.group_id)
        edit = build_edit(group, given)
        change = GroupChange(
            group_id=group.id,
            name=edit.draft.name,
            description=edit.draft.description,
            expected_version=group.version,
        )
        return Result(show_edited(await ctx.call(update_group, change), edit))

    def inverse(self, given: GroupUpdate, value: Mapping[str, Any]) -> Inverse:
        arguments = {"groupId": str(given.group_id), **value["before"]}
        return Inverse("catalog.updateGroup", arguments)


@plugin.tool("catalog.deleteGroup", effect="destructive", rules=[MANAGE])
class DeleteGroup:
    """Delete a group with its memberships and grants; its systems stay.

    This cannot be undone. Use it only when the person asked for exactly this group to be deleted.
    To take a single system out use catalog.removeSystemFromGroup.
    """

    Input = OldGroup

    async def dry_run(self, ctx: Context, given: OldGroup) -> Preview:
        group = await open_group(ctx, given.group_id)
        going = await find_going_with_group(ctx, group)
        return Preview(
            summary=f"Delete group {group.name}",
            removes=(f"group {group.name}", *going.names),
            basis=(on_version(group), *going.basis),
        )

    async def execute(self, ctx: Context, given: OldGroup) -> Result:
        group = await open_group(ctx, given.group_id)
        await ctx.call(delete_group, given)
        return Result({"deleted": {"id": str(group.id), "name": group.name}})
