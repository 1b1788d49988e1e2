"""The tool that deletes a check."""

from assent.bundled.healthcheck.checks import delete_check
from assent.bundled.healthcheck.declaration import MANAGE, plugin
from assent.bundled.healthcheck.tools.card import on_version, open_check
from assent.bundled.healthcheck.values import CheckRef
from assent.plugins.api import Basis, Context, Preview, Result


@plugin.tool("healthcheck.delete", effect="destructive", rules=[MANAGE])
class DeleteCheck:
    """Delete a health check with all its runs and figures.

    This cannot be undone. Use it only when the person asked for exactly this check to be deleted;
    to stop one for a while set `enabled` to false with healthcheck.update.
    """

    title = "Delete a health check"
    Input = CheckRef

    async def dry_run(self, ctx: Context, given: CheckRef) -> Preview:
        check = await open_check(ctx, given.check_id)
        grants = await ctx.list_grants(check.id)
        held = sorted(f"{one.id} {one.level}" for one in grants)
        removes = [f"health check {check.name}", "all its runs and figures"]
        if grants:
            removes.append(f"{len(grants)} grant{'s' if len(grants) > 1 else ''} of access to it")
        return Preview(
            summary=f"Delete health check {check.name}",
            removes=tuple(removes),
            basis=(
                on_version(check),
                Basis("healthcheck.check.grants", str(check.id), " ".join(held) or "none"),
            ),
        )

    async def execute(self, ctx: Context, given: CheckRef) -> Result:
        check = await open_check(ctx, given.check_id)
        await ctx.call(delete_check, given)
        return Result({"deleted": {"id": str(check.id), "name": check.name}})
