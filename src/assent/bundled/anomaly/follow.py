"""Following checks: what changed becomes anomalies, once, in whatever order it is heard."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from assent.bundled.anomaly import store
from assent.bundled.anomaly.declaration import plugin
from assent.bundled.anomaly.spans import Change, Span, find_spans, match_spans
from assent.bundled.anomaly.values import Anomaly
from assent.plugins.api import Context, Event, Tick, new_id


@dataclass(frozen=True, slots=True)
class Seen:
    """A check as an event tells of it."""

    check_id: UUID
    workspace_id: UUID | None = None
    name: str = ""
    system_ids: tuple[UUID, ...] = ()


@plugin.on("healthcheck.check.changed")
async def note_change(ctx: Context, event: Event) -> None:
    said = event.payload
    seen = Seen(
        check_id=UUID(said["checkId"]),
        workspace_id=UUID(said["workspaceId"]),
        name=said["name"],
        system_ids=tuple(UUID(one) for one in said["systemIds"]),
    )
    await _note(ctx, event.id, seen, Change(datetime.fromisoformat(said["at"]), said["to"]))


@plugin.on("healthcheck.check.deleted")
async def note_end(ctx: Context, event: Event) -> None:
    """What is gone is not watched any more."""
    gone = Seen(UUID(event.payload["checkId"]))
    await _note(ctx, event.id, gone, Change(ctx.now, "unknown"))


@plugin.every(timedelta(hours=1))
async def forget_old(ctx: Context, tick: Tick) -> None:
    before = ctx.now - timedelta(days=ctx.settings.keep_days)
    await store.delete_old(ctx.db, ctx.tenant_id, before)


async def _note(ctx: Context, event_id: str, seen: Seen, change: Change) -> None:
    await store.lock_check(ctx.db, ctx.tenant_id, seen.check_id)
    heard = await store.append_change(
        ctx.db, ctx.tenant_id, seen.check_id, event_id=event_id, change=change
    )
    if not heard:
        return
    spans = find_spans(await store.list_changes(ctx.db, ctx.tenant_id, seen.check_id))
    kept = await store.list_kept(ctx.db, ctx.tenant_id, seen.check_id)
    for span, anomaly_id in match_spans(spans, kept):
        if anomaly_id is None:
            await _open(ctx, seen, span)
        elif await store.adjust_anomaly(ctx.db, ctx.tenant_id, anomaly_id, span):
            await _tell(ctx, "updated" if span.closed_at is None else "closed", anomaly_id)


async def _open(ctx: Context, seen: Seen, span: Span) -> None:
    """Nothing to open for a check of which nothing but its end was heard, or without workspace."""
    if seen.workspace_id is None:
        return
    anomaly = Anomaly(
        id=new_id(),
        workspace_id=seen.workspace_id,
        check_id=seen.check_id,
        check_name=seen.name,
        system_ids=list(seen.system_ids),
        worst=span.worst,
        opened_at=span.opened_at,
        closed_at=span.closed_at,
        acknowledged=None,
        version=1,
    )
    if await store.insert_anomaly(ctx.db, ctx.tenant_id, anomaly):
        await _tell(ctx, "opened", anomaly.id)


async def _tell(ctx: Context, what: str, anomaly_id: UUID) -> None:
    await ctx.publish(f"anomaly.anomaly.{what}", {"anomalyId": str(anomaly_id)})
