"""What the demo workspace holds on the first start: one incident that is open."""

from assent.bundled.catalog.api import SystemQuery, list_systems
from assent.bundled.incident.declaration import plugin
from assent.bundled.incident.incidents import create_incident
from assent.bundled.incident.updates import add_update
from assent.bundled.incident.values import IncidentDraft, IncidentUpdate
from assent.plugins.api import Context, DemoWorkspace

AFFECTED = "search"


@plugin.demo
async def fill_incidents(ctx: Context, demo: DemoWorkspace) -> None:
    query = SystemQuery(workspace_id=demo.workspace_id, q=AFFECTED, cursor=None, limit=50)
    systems = (await ctx.call(list_systems, query)).items
    draft = IncidentDraft(
        workspace_id=demo.workspace_id,
        title="Search does not answer",
        description="Nothing listens where the search is expected on this machine.",
        system_ids=[one.id for one in systems if one.name == AFFECTED],
        severity="major",
    )
    incident = await ctx.call(create_incident, draft)
    update = IncidentUpdate(
        incident_id=incident.id,
        text="The health check finds the port closed. The rest of the shop works.",
        status="identified",
    )
    await ctx.call(add_update, update)
