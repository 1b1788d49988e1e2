"""The tools of maintenance windows: two that read, the others proposed as cards."""

from collections.abc import Mapping
from typing import Any

from assent.bundled.maintenance.declaration import MANAGE, plugin
from assent.bundled.maintenance.kind import WINDOW
from assent.bundled.maintenance.updates import (
    add_link,
    add_update,
    check_closed,
    check_open,
    close_window,
    delete_update,
    remove_link,
)
from assent.bundled.maintenance.values import (
    Closing,
    Window,
    WindowDraft,
    WindowEdit,
    WindowLink,
    WindowLinkRef,
    WindowRef,
    WindowUpdate,
    WindowUpdateRef,
)
from assent.bundled.maintenance.windows import (
    check_span,
    create_window,
    delete_window,
    get_window,
    list_windows,
    update_window,
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
    list_windows,
    tool="maintenance.list",
    title="List maintenance windows",
    description="List maintenance windows, those that begin last first: title, beginning, end, "
    "status, affected systems, with ids. `status` `in_progress` gives those of this moment, "
    "`open` true also those to come. For what was said about one use maintenance.get.",
    project_result=project_page,
    examples=["Is any maintenance planned?"],
)
plugin.project(
    get_window,
    tool="maintenance.get",
    title="Show a maintenance window",
    description="Show one maintenance window with all its updates (the newest first), links and "
    "notifications, with their ids.",
    project_result=show_subject,
)


@plugin.tool("maintenance.create", effect="mutate", rules=[MANAGE], egress=True)
class CreateWindow(OpenSubject):
    """Schedule a maintenance window: systems are worked on from one moment to another.

    Look with maintenance.list whether it is there already. Find the systems with
    catalog.listSystems.
    """

    title = "Schedule maintenance"
    verb = "Schedule"
    Input = WindowDraft
    kind, procedure, undo = WINDOW, create_window, "maintenance.delete"
    examples = ("Schedule maintenance for tonight",)

    def check(self, ctx: Context, given: WindowDraft) -> None:
        check_span(given.starts_at, given.ends_at)

    def show(self, given: WindowDraft) -> Mapping[str, Any]:
        return given.model_dump(mode="json", by_alias=True, include={"starts_at", "ends_at"})


@plugin.tool("maintenance.update", effect="mutate", rules=[MANAGE], egress=True)
class UpdateWindow(EditSubject):
    """Change a maintenance window: title, description, beginning, end, affected systems.

    What you leave out stays as it is. To say how the work goes use maintenance.addUpdate.
    """

    title = "Change a maintenance window"
    Input = WindowEdit
    kind, procedure, undo = WINDOW, update_window, "maintenance.update"
    fields = ("starts_at", "ends_at")

    def check(self, ctx: Context, subject: Window, given: WindowEdit) -> None:
        check_span(given.starts_at or subject.starts_at, given.ends_at or subject.ends_at)


class SayOfWindow(SayUpdate):
    """A card outlives the moment at which the work begins: it rests on what people have decided."""

    kind = WINDOW

    def find_standing(self, subject: Window) -> str:
        return "closed" if subject.status == "closed" else "open"


@plugin.tool("maintenance.addUpdate", effect="mutate", rules=[MANAGE], egress=True)
class AddUpdate(SayOfWindow):
    """Say how the work of a maintenance window goes.

    `reopen` takes it back that a window was closed early. To end one early use maintenance.close.
    """

    title = "Add an update to a maintenance window"
    Input = WindowUpdate
    procedure, undo = add_update, "maintenance.deleteUpdate"

    def check(self, subject: Window, given: WindowUpdate) -> None:
        if given.reopen:
            check_closed(subject)

    def find_after(self, subject: Window, given: WindowUpdate) -> str:
        return "open again" if given.reopen else subject.status

    def inverse(self, given: WindowUpdate, value: Mapping[str, Any]) -> Inverse | None:
        if given.reopen:
            return None
        arguments = {"windowId": value["id"], "updateId": value["updateId"]}
        return Inverse(self.undo, arguments)


@plugin.tool("maintenance.close", effect="mutate", rules=[MANAGE], egress=True)
class CloseWindow(SayOfWindow):
    """End a maintenance window before its time, or cancel one that has not begun."""

    title = "Close a maintenance window"
    Input = Closing
    procedure, undo = close_window, "maintenance.addUpdate"

    def check(self, subject: Window, given: Closing) -> None:
        check_open(subject)

    def summarize(self, subject: Window, given: Closing) -> str:
        return f"Close maintenance window {subject.title}"

    def find_after(self, subject: Window, given: Closing) -> str:
        return "closed"

    def inverse(self, given: Closing, value: Mapping[str, Any]) -> Inverse:
        arguments = {"windowId": value["id"], "text": "Opened again.", "reopen": True}
        return Inverse(self.undo, arguments)


@plugin.tool("maintenance.addLink", effect="mutate", rules=[MANAGE])
class AddLink(AddLinkTo):
    """Add a link to a maintenance window: a plan, a ticket, a document that tells more."""

    title = "Add a link to a maintenance window"
    Input = WindowLink
    kind, procedure, undo = WINDOW, add_link, "maintenance.removeLink"


@plugin.tool("maintenance.removeLink", effect="destructive", rules=[MANAGE])
class RemoveLink(RemoveLinkFrom):
    """Remove a link from a maintenance window. maintenance.get shows the ids of its links."""

    title = "Remove a link from a maintenance window"
    Input = WindowLinkRef
    kind, procedure, undo = WINDOW, remove_link, "maintenance.addLink"


@plugin.tool("maintenance.deleteUpdate", effect="destructive", rules=[MANAGE])
class DeleteUpdate(DeleteUpdateOf):
    """Delete one update of a maintenance window; its status stays. This cannot be undone.

    Only for what should never have been said: a correction is another update. maintenance.get
    shows the ids.
    """

    title = "Delete an update of a maintenance window"
    Input = WindowUpdateRef
    kind, procedure = WINDOW, delete_update


@plugin.tool("maintenance.delete", effect="destructive", rules=[MANAGE])
class DeleteWindow(DeleteSubject):
    """Delete a maintenance window with its updates, links and grants. This cannot be undone.

    Only when the person asked for exactly this window to be deleted. One that does not take place
    is closed instead: maintenance.close.
    """

    title = "Delete a maintenance window"
    Input = WindowRef
    kind, procedure = WINDOW, delete_window
