"""The tools of incidents: two that read, the others proposed as cards."""

from collections.abc import Mapping
from typing import Any

from assent.bundled.incident.declaration import MANAGE, plugin
from assent.bundled.incident.incidents import (
    check_start,
    create_incident,
    delete_incident,
    get_incident,
    list_incidents,
    update_incident,
)
from assent.bundled.incident.kind import INCIDENT
from assent.bundled.incident.updates import (
    add_link,
    add_update,
    check_unresolved,
    delete_update,
    remove_link,
    resolve_incident,
)
from assent.bundled.incident.values import (
    Incident,
    IncidentDraft,
    IncidentEdit,
    IncidentLink,
    IncidentLinkRef,
    IncidentRef,
    IncidentUpdate,
    IncidentUpdateRef,
    Resolution,
)
from assent.bundled.timeline.api import (
    AddLinkTo,
    DeleteSubject,
    DeleteUpdateOf,
    EditSubject,
    OpenSubject,
    RemoveLinkFrom,
    SayUpdate,
    project_page,
    show_subject,
)
from assent.plugins.api import Context, Inverse

plugin.project(
    list_incidents,
    tool="incident.list",
    title="List incidents",
    description="List incidents, those that began last first: title, severity, status, affected "
    "systems, with ids. `open` true gives those that are not resolved. For what was said about "
    "one use incident.get.",
    project_result=project_page,
    examples=["Which incidents are open?"],
)
plugin.project(
    get_incident,
    tool="incident.get",
    title="Show an incident",
    description="Show one incident with all its updates (the newest first), links and "
    "notifications, with their ids.",
    project_result=show_subject,
)


@plugin.tool("incident.create", effect="mutate", rules=[MANAGE], egress=True)
class CreateIncident(OpenSubject):
    """Open an incident: something is broken or getting worse.

    Look with incident.list whether it is known already; then say what is new with
    incident.addUpdate. Find affected systems with catalog.listSystems.
    """

    title = "Open an incident"
    Input = IncidentDraft
    kind, procedure, undo = INCIDENT, create_incident, "incident.delete"
    examples = ("Open an incident for the checkout",)

    def check(self, ctx: Context, given: IncidentDraft) -> None:
        check_start(given.started_at, latest=ctx.now)

    def show(self, given: IncidentDraft) -> Mapping[str, Any]:
        own = {"severity", "status", "started_at"}
        return given.model_dump(mode="json", by_alias=True, include=own, exclude_none=True)


@plugin.tool("incident.update", effect="mutate", rules=[MANAGE], egress=True)
class UpdateIncident(EditSubject):
    """Correct what an incident is: title, description, severity, affected systems, its beginning.

    What you leave out stays as it is. To say how it goes on, or to change its status, use
    incident.addUpdate.
    """

    title = "Change an incident"
    Input = IncidentEdit
    kind, procedure, undo = INCIDENT, update_incident, "incident.update"
    fields = ("severity", "started_at")

    def check(self, ctx: Context, subject: Incident, given: IncidentEdit) -> None:
        check_start(given.started_at, latest=subject.resolved_at or ctx.now)


@plugin.tool("incident.addUpdate", effect="mutate", rules=[MANAGE], egress=True)
class AddUpdate(SayUpdate):
    """Say how an incident goes on, and change its status if that is what happened.

    With another status than `resolved` a resolved incident is open again. To end one use
    incident.resolve.
    """

    title = "Add an update to an incident"
    Input = IncidentUpdate
    kind, procedure, undo = INCIDENT, add_update, "incident.deleteUpdate"

    def find_after(self, subject: Incident, given: IncidentUpdate) -> str:
        return given.status or subject.status

    def inverse(self, given: IncidentUpdate, value: Mapping[str, Any]) -> Inverse | None:
        if value["status"] != value["before"]["status"]:
            return None
        arguments = {"incidentId": value["id"], "updateId": value["updateId"]}
        return Inverse(self.undo, arguments)


@plugin.tool("incident.resolve", effect="mutate", rules=[MANAGE], egress=True)
class ResolveIncident(SayUpdate):
    """Say that an incident is over, and what solved it."""

    title = "Resolve an incident"
    Input = Resolution
    kind, procedure, undo = INCIDENT, resolve_incident, "incident.addUpdate"

    def check(self, subject: Incident, given: Resolution) -> None:
        check_unresolved(subject)

    def summarize(self, subject: Incident, given: Resolution) -> str:
        return f"Resolve incident {subject.title}"

    def find_after(self, subject: Incident, given: Resolution) -> str:
        return "resolved"

    def inverse(self, given: Resolution, value: Mapping[str, Any]) -> Inverse:
        arguments = {"incidentId": value["id"], "text": "Opened again.", **value["before"]}
        return Inverse(self.undo, arguments)


@plugin.tool("incident.addLink", effect="mutate", rules=[MANAGE])
class AddLink(AddLinkTo):
    """Add a link to an incident: a dashboard, a call, a document that tells more."""

    title = "Add a link to an incident"
    Input = IncidentLink
    kind, procedure, undo = INCIDENT, add_link, "incident.removeLink"


@plugin.tool("incident.removeLink", effect="destructive", rules=[MANAGE])
class RemoveLink(RemoveLinkFrom):
    """Remove a link from an incident. incident.get shows the ids of its links."""

    title = "Remove a link from an incident"
    Input = IncidentLinkRef
    kind, procedure, undo = INCIDENT, remove_link, "incident.addLink"


@plugin.tool("incident.deleteUpdate", effect="destructive", rules=[MANAGE])
class DeleteUpdate(DeleteUpdateOf):
    """Delete one update of an incident; its status stays. This cannot be undone.

    Only for what should never have been said: a correction is another update. incident.get shows
    the ids.
    """

    title = "Delete an update of an incident"
    Input = IncidentUpdateRef
    kind, procedure = INCIDENT, delete_update


@plugin.tool("incident.delete", effect="destructive", rules=[MANAGE])
class DeleteIncident(DeleteSubject):
    """Delete an incident with its updates, links and grants. This cannot be undone.

    Only when the person asked for exactly this incident to be deleted. One that is over is
    resolved instead: incident.resolve.
    """

    title = "Delete an incident"
    Input = IncidentRef
    kind, procedure = INCIDENT, delete_incident
