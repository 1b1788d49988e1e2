"""The tool that creates an environment; which systems run in it is in `links.py`."""

from assent.bundled.catalog.declaration import plugin
from assent.bundled.catalog.environments import MANAGE, create_environment
from assent.bundled.catalog.store.environments import find_named
from assent.bundled.catalog.tools.card import on_workspace, show_entry
from assent.bundled.catalog.tools.checks import check_name, check_place
from assent.bundled.catalog.tools.inputs import NewEnvironment
from assent.plugins.api import Context, Preview, Result


@plugin.tool("catalog.createEnvironment", effect="mutate", rules=[MANAGE])
class CreateEnvironment:
    """Add an environment, such as production or staging, to a workspace.

    Look for it with catalog.listEnvironments first. Then put systems into it with
    catalog.setSystemEnvironments.
    """

    Input = NewEnvironment

    async def dry_run(self, ctx: Context, given: NewEnvironment) -> Preview:
        workspace = await check_place(ctx, given.workspace_id)
        await check_name(ctx, given, find_named, kind="environment")
        return Preview(
            summary=f"Create environment {given.name} in workspace {workspace}",
            creates={
                "workspace": workspace,
                "name": given.name,
                "description": given.description,
            },
            basis=(on_workspace(given.workspace_id, workspace),),
        )

    async def execute(self, ctx: Context, given: NewEnvironment) -> Result:
        return Result(show_entry(await ctx.call(create_environment, given)))
