"""Procedures for maintenance windows themselves; what is on their timelines is in `updates.py`."""

from datetime import datetime

from assent.bundled.maintenance import store
from assent.bundled.maintenance.declaration import MANAGE, READ, plugin
from assent.bundled.maintenance.kind import WINDOW, load_window, lock_window
from assent.bundled.maintenance.values import (
    Window,
    WindowChange,
    WindowDetail,
    WindowDraft,
    WindowQuery,
    WindowRef,
)
from assent.bundled.timeline.api import (
    check_version,
    forget,
    load_systems,
    load_timeline,
    notify,
)
from assent.plugins.api import Context, Invalid, Page, build_page, new_id


@plugin.procedure(rule=READ, effect="read", route="GET /windows")
async def list_windows(ctx: Context, query: WindowQuery) -> Page[Window]:
    """List maintenance windows, those that begin last first."""
    rows = await store.list_windows(ctx.db, ctx.tenant_id, ctx.scope, query, now=ctx.now)
    return build_page(rows, query.limit, lambda one: (one.starts_at.isoformat(), str(one.id)))


@plugin.procedure(rule=READ, effect="read", route="GET /windows/{window_id}")
async def get_window(ctx: Context, ref: WindowRef) -> WindowDetail:
    """Show one maintenance window with its updates, links and notifications."""
    window = await load_window(ctx, ref.window_id)
    timeline = await load_timeline(ctx, window.id)
    return WindowDetail(**dict(window), **dict(timeline))


@plugin.procedure(rule=MANAGE, effect="mutate", route="POST /windows")
async def create_window(ctx: Context, draft: WindowDraft) -> Window:
    """Schedule a maintenance window in a workspace."""
    await ctx.check_workspace(draft.workspace_id)
    check_span(draft.starts_at, draft.ends_at)
    await load_systems(ctx, draft.workspace_id, draft.system_ids)
    window_id = new_id()
    await store.insert_window(ctx.db, ctx.tenant_id, window_id, draft)
    window = await load_window(ctx, window_id)
    if draft.notify:
        await notify(ctx, WINDOW, window, event="created", text=draft.description)
    await ctx.publish("maintenance.window.created", {"windowId": str(window_id)})
    return window


@plugin.procedure(rule=MANAGE, effect="mutate", route="PATCH /windows/{window_id}")
async def update_window(ctx: Context, change: WindowChange) -> Window:
    """Change a maintenance window; what is left out stays as it is."""
    window = await lock_window(ctx, change.window_id)
    check_version(window, change)
    check_span(change.starts_at or window.starts_at, change.ends_at or window.ends_at)
    await load_systems(ctx, window.workspace_id, change.system_ids or [], known=window.system_ids)
    await store.update_window(ctx.db, ctx.tenant_id, change)
    changed = await load_window(ctx, window.id)
    if change.notify:
        await notify(ctx, WINDOW, changed, event="updated", text=changed.description)
    await ctx.publish("maintenance.window.updated", {"windowId": str(window.id)})
    return changed


@plugin.procedure(rule=MANAGE, effect="destructive", route="DELETE /windows/{window_id}")
async def delete_window(ctx: Context, ref: WindowRef) -> None:
    """Delete a maintenance window with its updates and links."""
    window = await lock_window(ctx, ref.window_id)
    await forget(ctx, window.id)
    await store.delete_window(ctx.db, ctx.tenant_id, window.id)
    await ctx.forget_grants(window.id)
    await ctx.publish("maintenance.window.deleted", {"windowId": str(window.id)})


def check_span(starts_at: datetime, ends_at: datetime) -> None:
    if ends_at <= starts_at:
        raise Invalid.at("endsAt", "A maintenance window ends after it begins.")
