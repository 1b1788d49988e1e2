"""Maintenance windows as something that has a timeline."""

from uuid import UUID

from assent.bundled.maintenance import store
from assent.bundled.maintenance.declaration import plugin
from assent.bundled.maintenance.values import Window
from assent.bundled.timeline.api import Kind, deliver
from assent.plugins.api import Context, NotFound, Work


async def load_window(ctx: Context, window_id: UUID) -> Window:
    """Load one that the principal may see, and change if the procedure changes things."""
    window = await store.find_window(ctx.db, ctx.tenant_id, window_id, now=ctx.now)
    if window is None:
        raise NotFound("There is no such maintenance window.")
    await ctx.check(workspace_id=window.workspace_id, resource_id=window.id)
    return window


async def lock_window(ctx: Context, window_id: UUID) -> Window:
    """The same, so that nobody else changes it before this transaction ends."""
    await store.lock_window(ctx.db, ctx.tenant_id, window_id)
    return await load_window(ctx, window_id)


@plugin.work
async def deliver_notification(work: Work) -> None:
    await deliver(work, WINDOW)


WINDOW = Kind(
    plugin="maintenance",
    resource="maintenance.window",
    noun="maintenance window",
    id_field="windowId",
    page="/p/maintenance/windows",
    load=load_window,
    find_status=lambda window: window.status,
    deliver=deliver_notification,
)
