"""Procedures for what is said about a maintenance window: updates, an early end, links."""

from datetime import datetime

from assent.bundled.maintenance import store
from assent.bundled.maintenance.declaration import MANAGE, plugin
from assent.bundled.maintenance.kind import WINDOW, load_window, lock_window
from assent.bundled.maintenance.values import (
    Closing,
    Window,
    WindowLink,
    WindowLinkRef,
    WindowUpdate,
    WindowUpdateRef,
)
from assent.bundled.timeline import api as timeline
from assent.bundled.timeline.api import Link, Update, UpdateDraft
from assent.plugins.api import Conflict, Context


@plugin.procedure(rule=MANAGE, effect="mutate", route="POST /windows/{window_id}/updates")
async def add_update(ctx: Context, given: WindowUpdate) -> Update:
    """Say how it goes on; `reopen` takes an early end back."""
    window = await lock_window(ctx, given.window_id)
    if not given.reopen:
        return await _say(ctx, window, given, event="updated", closed_at=window.closed_at)
    check_closed(window)
    return await _say(ctx, window, given, event="reopened", closed_at=None)


@plugin.procedure(rule=MANAGE, effect="mutate", route="POST /windows/{window_id}/close")
async def close_window(ctx: Context, given: Closing) -> Update:
    """Say that it is over before its end, or cancelled before its beginning."""
    window = await lock_window(ctx, given.window_id)
    check_open(window)
    return await _say(ctx, window, given, event="closed", closed_at=ctx.now)


@plugin.procedure(
    rule=MANAGE, effect="destructive", route="DELETE /windows/{window_id}/updates/{update_id}"
)
async def delete_update(ctx: Context, ref: WindowUpdateRef) -> None:
    """Delete an update; the window's status stays."""
    window = await lock_window(ctx, ref.window_id)
    await timeline.remove_update(ctx, window.id, ref.update_id)
    await _touch(ctx, window)


@plugin.procedure(rule=MANAGE, effect="mutate", route="POST /windows/{window_id}/links")
async def add_link(ctx: Context, draft: WindowLink) -> Link:
    """Add a link to more about the work."""
    window = await lock_window(ctx, draft.window_id)
    link = await timeline.append_link(ctx, draft)
    await _touch(ctx, window)
    return link


@plugin.procedure(
    rule=MANAGE, effect="destructive", route="DELETE /windows/{window_id}/links/{link_id}"
)
async def remove_link(ctx: Context, ref: WindowLinkRef) -> None:
    """Remove a link."""
    window = await lock_window(ctx, ref.window_id)
    await timeline.remove_link(ctx, window.id, ref.link_id)
    await _touch(ctx, window)


def check_open(window: Window) -> None:
    if window.status in ("closed", "completed"):
        raise Conflict("This maintenance window is over already.")


def check_closed(window: Window) -> None:
    if window.status != "closed":
        raise Conflict.at("reopen", "This maintenance window was not closed early.")


async def _say(
    ctx: Context, window: Window, given: UpdateDraft, *, event: str, closed_at: datetime | None
) -> Update:
    await store.move_window(ctx.db, ctx.tenant_id, window.id, closed_at=closed_at)
    moved = await load_window(ctx, window.id)
    update = await timeline.append_update(ctx, window.id, text=given.text, status=moved.status)
    if given.notify:
        await timeline.notify(ctx, WINDOW, moved, event=event, text=given.text, update_id=update.id)
    said = {"windowId": str(window.id), "updateId": str(update.id), "status": moved.status}
    await ctx.publish(f"maintenance.window.{event}", said)
    return update


async def _touch(ctx: Context, window: Window) -> None:
    await store.touch_window(ctx.db, ctx.tenant_id, window.id)
    await ctx.publish("maintenance.window.updated", {"windowId": str(window.id)})
