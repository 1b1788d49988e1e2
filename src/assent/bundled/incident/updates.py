"""Procedures for what is said about an incident: updates, its end, links."""

from assent.bundled.incident import store
from assent.bundled.incident.declaration import MANAGE, plugin
from assent.bundled.incident.kind import INCIDENT, load_incident, lock_incident
from assent.bundled.incident.values import (
    Incident,
    IncidentLink,
    IncidentLinkRef,
    IncidentUpdate,
    IncidentUpdateRef,
    Resolution,
    Status,
)
from assent.bundled.timeline import api as timeline
from assent.bundled.timeline.api import Link, Update, UpdateDraft
from assent.plugins.api import Conflict, Context


@plugin.procedure(rule=MANAGE, effect="mutate", route="POST /incidents/{incident_id}/updates")
async def add_update(ctx: Context, given: IncidentUpdate) -> Update:
    """Say how it goes on; another status than resolved opens a resolved incident again."""
    incident = await lock_incident(ctx, given.incident_id)
    return await _say(ctx, incident, given, given.status or incident.status)


@plugin.procedure(rule=MANAGE, effect="mutate", route="POST /incidents/{incident_id}/resolve")
async def resolve_incident(ctx: Context, given: Resolution) -> Update:
    """Say that it is over, and what solved it."""
    incident = await lock_incident(ctx, given.incident_id)
    check_unresolved(incident)
    return await _say(ctx, incident, given, "resolved")


@plugin.procedure(
    rule=MANAGE, effect="destructive", route="DELETE /incidents/{incident_id}/updates/{update_id}"
)
async def delete_update(ctx: Context, ref: IncidentUpdateRef) -> None:
    """Delete an update; the incident's status stays."""
    incident = await lock_incident(ctx, ref.incident_id)
    await timeline.remove_update(ctx, incident.id, ref.update_id)
    await _touch(ctx, incident)


@plugin.procedure(rule=MANAGE, effect="mutate", route="POST /incidents/{incident_id}/links")
async def add_link(ctx: Context, draft: IncidentLink) -> Link:
    """Add a link to more about the incident."""
    incident = await lock_incident(ctx, draft.incident_id)
    link = await timeline.append_link(ctx, draft)
    await _touch(ctx, incident)
    return link


@plugin.procedure(
    rule=MANAGE, effect="destructive", route="DELETE /incidents/{incident_id}/links/{link_id}"
)
async def remove_link(ctx: Context, ref: IncidentLinkRef) -> None:
    """Remove a link."""
    incident = await lock_incident(ctx, ref.incident_id)
    await timeline.remove_link(ctx, incident.id, ref.link_id)
    await _touch(ctx, incident)


def check_unresolved(incident: Incident) -> None:
    if incident.status == "resolved":
        raise Conflict("This incident is resolved already.")


async def _say(ctx: Context, incident: Incident, given: UpdateDraft, status: Status) -> Update:
    update = await timeline.append_update(ctx, incident.id, text=given.text, status=status)
    ended = (incident.resolved_at or ctx.now) if status == "resolved" else None
    await store.move_incident(ctx.db, ctx.tenant_id, incident.id, status=status, resolved_at=ended)
    event = _find_event(incident.status, status)
    if given.notify:
        moved = await load_incident(ctx, incident.id)
        await timeline.notify(
            ctx, INCIDENT, moved, event=event, text=given.text, update_id=update.id
        )
    said = {"incidentId": str(incident.id), "updateId": str(update.id), "status": status}
    await ctx.publish(f"incident.incident.{event}", said)
    return update


def _find_event(before: Status, after: Status) -> str:
    if after == "resolved" != before:
        return "resolved"
    return "reopened" if before == "resolved" != after else "updated"


async def _touch(ctx: Context, incident: Incident) -> None:
    await store.touch_incident(ctx.db, ctx.tenant_id, incident.id)
    await ctx.publish("incident.incident.updated", {"incidentId": str(incident.id)})
