"""The tools that create, change and delete a system."""

from collections.abc import Mapping
from typing import Any

from assent.bundled.catalog.declaration import plugin
from assent.bundled.catalog.store.systems import find_named
from assent.bundled.catalog.systems import MANAGE, create_system, delete_system, update_system
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
from assent.bundled.catalog.tools.going import find_going_with_system
from assent.bundled.catalog.tools.inputs import NewSystem, OldSystem, SystemUpdate
from assent.bundled.catalog.tools.references import (
    open_system,
    read_all,
    read_environment,
    read_group,
)
from assent.bundled.catalog.values import SystemChange
from assent.plugins.api import Context, Inverse, Preview, Result


@plugin.tool("catalog.createSystem", effect="mutate", rules=[MANAGE])
class CreateSystem:
    """Add a system to a workspace.

    Look for it with catalog.listSystems first: it may exist under a similar name. Groups and
    environments must exist already and be in the same workspace.
    """

    Input = NewSystem
    examples = ("Add a system called billing",)

    async def dry_run(self, ctx: Context, given: NewSystem) -> Preview:
        workspace_id = given.workspace_id
        workspace = await check_place(ctx, workspace_id)
        await check_name(ctx, given, find_named, kind="system")
        groups = await read_all(
            ctx, read_group, given.group_ids, path="groupIds", workspace_id=workspace_id
        )
        environments = await read_all(
            ctx,
            read_environment,
            given.environment_ids,
            path="environmentIds",
            workspace_id=workspace_id,
        )
        return Preview(
            summary=f"Create system {given.name} in workspace {workspace}",
            creates={
                "workspace": workspace,
                "name": given.name,
                "description": given.description,
                "groups": show_names(groups),
                "environments": show_names(environments),
            },
            basis=(
                on_workspace(workspace_id, workspace),
                *on_names(groups),
                *on_names(environments),
            ),
        )

    async def execute(self, ctx: Context, given: NewSystem) -> Result:
        return Result(show_entry(await ctx.call(create_system, given)))

    def inverse(self, given: NewSystem, value: Mapping[str, Any]) -> Inverse:
        return Inverse("catalog.deleteSystem", {"systemId": value["id"]})


@plugin.tool("catalog.updateSystem", effect="mutate", rules=[MANAGE])
class UpdateSystem:
    """Change the name or the description of a system; what you leave out stays as it is.

    For its groups use catalog.addSystemToGroup and catalog.removeSystemFromGroup, for its
    environments catalog.setSystemEnvironments.
    """

    Input = SystemUpdate

    async def dry_run(self, ctx: Context, given: SystemUpdate) -> Preview:
        system = await open_system(ctx, given.system_id)
        edit = build_edit(system, given)
        await check_name(ctx, edit.draft, find_named, kind="system", own_id=system.id)
        return Preview(
            summary=f"Change the {edit.fields} of system {system.name}",
            diff=edit.diff,
            basis=(on_version(system),),
        )

    async def execute(self, ctx: Context, given: SystemUpdate) -> Result:
        system = await open_system(ctx, given.system_id)
        edit = build_edit(system, given)
        change = SystemChange(
            system_id=system.id,
            name=edit.draft.name,
            description=edit.draft.description,
            expected_version=system.version,
        )
        return Result(show_edited(await ctx.call(update_system, change), edit))

    def inverse(self, given: SystemUpdate, value: Mapping[str, Any]) -> Inverse:
        arguments = {"systemId": str(given.system_id), **value["before"]}
        return Inverse("catalog.updateSystem", arguments)


@plugin.tool("catalog.deleteSystem", effect="destructive", rules=[MANAGE])
class DeleteSystem:
    """Delete a system with its dependencies, group memberships, environment links and grants.

    This cannot be undone. Use it only when the person asked for exactly this system to be deleted,
    and never to rename one: that is catalog.updateSystem.
    """

    Input = OldSystem

    async def dry_run(self, ctx: Context, given: OldSystem) -> Preview:
        system = await open_system(ctx, given.system_id)
        going = await find_going_with_system(ctx, system)
        return Preview(
            summary=f"Delete system {system.name}",
            removes=(f"system {system.name}", *going.names),
            basis=(on_version(system), *going.basis),
        )

    async def execute(self, ctx: Context, given: OldSystem) -> Result:
        system = await open_system(ctx, given.system_id)
        await ctx.call(delete_system, given)
        return Result({"deleted": {"id": str(system.id), "name": system.name}})
