"""Procedures for incidents themselves; what is on their timelines is in `updates.py`."""

from datetime import datetime

from assent.bundled.incident import store
from assent.bundled.incident.declaration import MANAGE, READ, plugin
from assent.bundled.incident.kind import INCIDENT, load_incident, lock_incident
from assent.bundled.incident.values import (
    Incident,
    IncidentChange,
    IncidentDetail,
    IncidentDraft,
    IncidentQuery,
    IncidentRef,
)
from assent.bundled.timeline.api import check_version, forget, load_systems, load_timeline, notify
from assent.plugins.api import Conflict, Context, Page, build_page, new_id


@plugin.procedure(rule=READ, effect="read", route="GET /incidents")
async def list_incidents(ctx: Context, query: IncidentQuery) -> Page[Incident]:
    """List incidents, those that began last first."""
    rows = await store.list_incidents(ctx.db, ctx.tenant_id, ctx.scope, query)
    return build_page(rows, query.limit, lambda one: (one.started_at.isoformat(), str(one.id)))


@plugin.procedure(rule=READ, effect="read", route="GET /incidents/{incident_id}")
async def get_incident(ctx: Context, ref: IncidentRef) -> IncidentDetail:
    """Show one incident with its updates, links and notifications."""
    incident = await load_incident(ctx, ref.incident_id)
    timeline = await load_timeline(ctx, incident.id)
    return IncidentDetail(**dict(incident), **dict(timeline))


@plugin.procedure(rule=MANAGE, effect="mutate", route="POST /incidents")
async def create_incident(ctx: Context, draft: IncidentDraft) -> Incident:
    """Open an incident in a workspace."""
    await ctx.check_workspace(draft.workspace_id)
    check_start(draft.started_at, latest=ctx.now)
    await load_systems(ctx, draft.workspace_id, draft.system_ids)
    incident_id = new_id()
    started_at = draft.started_at or ctx.now
    await store.insert_incident(ctx.db, ctx.tenant_id, incident_id, draft, started_at=started_at)
    incident = await load_incident(ctx, incident_id)
    if draft.notify:
        await notify(ctx, INCIDENT, incident, event="created", text=draft.description)
    await ctx.publish("incident.incident.created", {"incidentId": str(incident_id)})
    return incident


@plugin.procedure(rule=MANAGE, effect="mutate", route="PATCH /incidents/{incident_id}")
async def update_incident(ctx: Context, change: IncidentChange) -> Incident:
    """Change an incident; what is left out stays as it is."""
    incident = await lock_incident(ctx, change.incident_id)
    check_version(incident, change)
    check_start(change.started_at, latest=incident.resolved_at or ctx.now)
    await load_systems(
        ctx, incident.workspace_id, change.system_ids or [], known=incident.system_ids
    )
    await store.update_incident(ctx.db, ctx.tenant_id, change)
    changed = await load_incident(ctx, incident.id)
    if change.notify:
        await notify(ctx, INCIDENT, changed, event="updated", text=changed.description)
    await ctx.publish("incident.incident.updated", {"incidentId": str(incident.id)})
    return changed


@plugin.procedure(rule=MANAGE, effect="destructive", route="DELETE /incidents/{incident_id}")
async def delete_incident(ctx: Context, ref: IncidentRef) -> None:
    """Delete an incident with its updates and links."""
    incident = await lock_incident(ctx, ref.incident_id)
    await forget(ctx, incident.id)
    await store.delete_incident(ctx.db, ctx.tenant_id, incident.id)
    await ctx.forget_grants(incident.id)
    await ctx.publish("incident.incident.deleted", {"incidentId": str(incident.id)})


def check_start(started_at: datetime | None, *, latest: datetime) -> None:
    """Raise when it would have begun in the future, or after its own end."""
    if started_at is not None and started_at > latest:
        when = latest.isoformat(timespec="seconds")
        raise Conflict.at("startedAt", f"An incident cannot begin after {when}.")
