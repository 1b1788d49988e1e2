"""The tools that say which groups a system belongs to and which environments it runs in.

All of them change the system, by the procedure that does, and need the rule for systems. A card
rests on the group's name only, so that several for one group can be applied one after the other.
"""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from assent.bundled.catalog.declaration import plugin
from assent.bundled.catalog.groups import READ as GROUP_READ
from assent.bundled.catalog.systems import MANAGE, update_system
from assent.bundled.catalog.tools.card import compare_links, on_name, on_names, on_set, show_names
from assent.bundled.catalog.tools.checks import check_together
from assent.bundled.catalog.tools.inputs import Membership, SystemEnvironments
from assent.bundled.catalog.tools.references import (
    find_all,
    open_system,
    read_all,
    read_environment,
    read_group,
)
from assent.bundled.catalog.values import MOST_IDS, Group, System, SystemChange
from assent.plugins.api import Context, Inverse, Issue, Preview, Result, ToolValidationError


@plugin.tool("catalog.addSystemToGroup", effect="mutate", rules=[MANAGE, GROUP_READ])
class AddSystemToGroup:
    """Put one system into one group of the same workspace; its other groups stay.

    Find the ids with catalog.listSystems and catalog.listGroups. Call it once for each system.
    """

    Input = Membership

    async def dry_run(self, ctx: Context, given: Membership) -> Preview:
        system = await open_system(ctx, given.system_id)
        group = await read_group(ctx, given.group_id, "groupId")
        check_together(group, system.workspace_id, "groupId")
        if group.id in system.group_ids:
            raise _refuse("groupId", f"{system.name} is in {group.name} already.")
        if len(system.group_ids) >= MOST_IDS:
            raise _refuse("groupId", f"{system.name} is in {MOST_IDS} groups; more cannot be.")
        summary = f"Add system {system.name} to group {group.name}"
        return _preview_groups(summary, system, group, [*system.group_ids, group.id])

    async def execute(self, ctx: Context, given: Membership) -> Result:
        system = await open_system(ctx, given.system_id)
        return await _set_groups(ctx, system, [*system.group_ids, given.group_id])

    def inverse(self, given: Membership, value: Mapping[str, Any]) -> Inverse:
        return Inverse("catalog.removeSystemFromGroup", _encode(given))


@plugin.tool("catalog.removeSystemFromGroup", effect="mutate", rules=[MANAGE, GROUP_READ])
class RemoveSystemFromGroup:
    """Take one system out of one group; both stay, and so do its other groups.

    catalog.listSystems shows the ids of the groups that a system is in.
    """

    Input = Membership

    async def dry_run(self, ctx: Context, given: Membership) -> Preview:
        system = await open_system(ctx, given.system_id)
        group = await read_group(ctx, given.group_id, "groupId")
        if group.id not in system.group_ids:
            raise _refuse("groupId", f"{system.name} is not in {group.name}.")
        left = [one for one in system.group_ids if one != group.id]
        summary = f"Remove system {system.name} from group {group.name}"
        return _preview_groups(summary, system, group, left)

    async def execute(self, ctx: Context, given: Membership) -> Result:
        system = await open_system(ctx, given.system_id)
        left = [one for one in system.group_ids if one != given.group_id]
        return await _set_groups(ctx, system, left)

    def inverse(self, given: Membership, value: Mapping[str, Any]) -> Inverse:
        return Inverse("catalog.addSystemToGroup", _encode(given))


@plugin.tool("catalog.setSystemEnvironments", effect="mutate", rules=[MANAGE])
class SetSystemEnvironments:
    """Say in which environments a system runs. The list replaces the present one.

    To add one, send the present `environmentIds` of the system from catalog.listSystems and the
    new id.
    """

    Input = SystemEnvironments

    async def dry_run(self, ctx: Context, given: SystemEnvironments) -> Preview:
        system = await open_system(ctx, given.system_id)
        coming = await read_all(
            ctx,
            read_environment,
            given.environment_ids,
            path="environmentIds",
            workspace_id=system.workspace_id,
        )
        after = [environment.id for environment in coming]
        if set(after) == set(system.environment_ids):
            raise _refuse("environmentIds", f"{system.name} runs in exactly these already.")
        leaving = sorted(set(system.environment_ids).difference(after))
        shown = [*coming, *await find_all(ctx, read_environment, leaving)]
        names = {environment.id: environment.name for environment in shown}
        places = ", ".join(show_names(coming)) or "none"
        return Preview(
            summary=f"Set the environments of system {system.name} to {places}",
            diff=compare_links("environments", system.environment_ids, after, names),
            basis=(
                on_name(system),
                on_set("catalog.system.environments", system.id, system.environment_ids),
                *on_names(shown),
            ),
        )

    async def execute(self, ctx: Context, given: SystemEnvironments) -> Result:
        system = await open_system(ctx, given.system_id)
        change = SystemChange(
            system_id=system.id,
            environment_ids=given.environment_ids,
            expected_version=system.version,
        )
        changed = await ctx.call(update_system, change)
        return Result(
            {
                "id": str(changed.id),
                "name": changed.name,
                "environmentIds": _encode_ids(changed.environment_ids),
                "before": {"environmentIds": _encode_ids(system.environment_ids)},
            }
        )

    def inverse(self, given: SystemEnvironments, value: Mapping[str, Any]) -> Inverse:
        arguments = {"systemId": str(given.system_id), **value["before"]}
        return Inverse("catalog.setSystemEnvironments", arguments)


def _preview_groups(summary: str, system: System, group: Group, after: list[UUID]) -> Preview:
    return Preview(
        summary=summary,
        diff=compare_links("groups", system.group_ids, after, {group.id: group.name}),
        basis=(on_name(system), on_name(group)),
    )


async def _set_groups(ctx: Context, system: System, group_ids: list[UUID]) -> Result:
    change = SystemChange(system_id=system.id, group_ids=group_ids, expected_version=system.version)
    changed = await ctx.call(update_system, change)
    return Result(
        {
            "id": str(changed.id),
            "name": changed.name,
            "groupIds": _encode_ids(changed.group_ids),
        }
    )


def _refuse(path: str, message: str) -> ToolValidationError:
    return ToolValidationError([Issue(path, message)])


def _encode(given: Membership) -> dict[str, Any]:
    return given.model_dump(mode="json", by_alias=True)


def _encode_ids(ids: list[UUID]) -> list[str]:
    return [str(one) for one in ids]
