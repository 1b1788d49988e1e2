"""Running a check before its time, because somebody wants to know now."""

from assent.bundled.healthcheck.checks import load_check
from assent.bundled.healthcheck.declaration import MANAGE, plugin
from assent.bundled.healthcheck.store import checks as store
from assent.bundled.healthcheck.values import Check, CheckRef
from assent.plugins.api import Conflict, Context


@plugin.procedure(rule=MANAGE, effect="mutate", route="POST /checks/{check_id}/run")
async def run_now(ctx: Context, ref: CheckRef) -> Check:
    """Let a check run at once; its interval begins anew."""
    await store.lock_check(ctx.db, ctx.tenant_id, ref.check_id)
    check = await load_check(ctx, ref.check_id)
    if not check.enabled:
        raise Conflict("This check is switched off.")
    await store.hasten_check(ctx.db, ctx.tenant_id, check.id, at=ctx.now)
    return await load_check(ctx, check.id)
