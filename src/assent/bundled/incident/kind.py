"""Incidents as something that has a timeline."""

from uuid import UUID

from assent.bundled.incident import store
from assent.bundled.incident.declaration import plugin
from assent.bundled.incident.values import Incident
from assent.bundled.timeline.api import Kind, deliver
from assent.plugins.api import Context, NotFound, Work


async def load_incident(ctx: Context, incident_id: UUID) -> Incident:
    """Load one that the principal may see, and change if the procedure changes things."""
    incident = await store.find_incident(ctx.db, ctx.tenant_id, incident_id)
    if incident is None:
        raise NotFound("There is no such incident.")
    await ctx.check(workspace_id=incident.workspace_id, resource_id=incident.id)
    return incident


async def lock_incident(ctx: Context, incident_id: UUID) -> Incident:
    """The same, so that nobody else changes it before this transaction ends."""
    await store.lock_incident(ctx.db, ctx.tenant_id, incident_id)
    return await load_incident(ctx, incident_id)


@plugin.work
async def deliver_notification(work: Work) -> None:
    await deliver(work, INCIDENT)


INCIDENT = Kind(
    plugin="incident",
    resource="incident.incident",
    noun="incident",
    id_field="incidentId",
    page="/p/incident/incidents",
    load=load_incident,
    find_status=lambda incident: incident.status,
    deliver=deliver_notification,
)
