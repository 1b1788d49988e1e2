"""How long runs and hours are kept."""

from datetime import timedelta

from assent.bundled.healthcheck.declaration import plugin
from assent.bundled.healthcheck.store.runs import delete_hours, delete_runs
from assent.plugins.api import Context, Tick

BATCH = 20_000


@plugin.every(timedelta(minutes=10))
async def remove_old(ctx: Context, tick: Tick) -> None:
    """A bounded number at a time: what is left waits for the next time."""
    oldest = ctx.now - timedelta(days=ctx.settings.keep_days)
    await delete_runs(ctx.db, ctx.tenant_id, before=oldest, limit=BATCH)
    oldest = ctx.now - timedelta(days=ctx.settings.keep_hours_days)
    await delete_hours(ctx.db, ctx.tenant_id, before=oldest, limit=BATCH)
