"""Tools that open something with a timeline, change it and say how it goes on."""

from collections.abc import Mapping
from typing import Any, ClassVar

from assent.bundled.timeline.affected import find_names, load_systems
from assent.bundled.timeline.keep import check_updates
from assent.bundled.timeline.tools.card import (
    Edited,
    build_edit,
    on_standing,
    on_systems,
    on_title,
    on_version,
    show_subject,
)
from assent.bundled.timeline.tools.opening import (
    SubjectTool,
    feedback,
    find_destination,
    open_subject,
)
from assent.bundled.timeline.values import Draft, Edit, Notifying, UpdateDraft
from assent.plugins.api import (
    Basis,
    Context,
    FieldChange,
    Inverse,
    Preview,
    Result,
    find_changes,
)


class NotifyingTool(SubjectTool):
    """A tool that is egress for exactly those calls that also notify."""

    def egress_of(self, given: Notifying) -> bool:
        return given.notify


class OpenSubject(NotifyingTool):
    verb: ClassVar[str] = "Open"

    def check(self, ctx: Context, given: Any) -> None:
        """Raise for what the plugin's own fields must not be."""

    def show(self, given: Any) -> Mapping[str, Any]:
        """The plugin's own fields, for the card."""
        raise NotImplementedError

    async def dry_run(self, ctx: Context, given: Draft) -> Preview:
        with feedback():
            workspace = await ctx.check_workspace(given.workspace_id)
            self.check(ctx, given)
            systems = await load_systems(ctx, given.workspace_id, given.system_ids)
            told = await find_destination(ctx, self.kind, given.workspace_id, notify=given.notify)
        notifies = {"notifies": told.shown} if told.shown else {}
        return Preview(
            summary=f"{self.verb} {self.kind.noun} {given.title} in workspace {workspace.name}",
            creates={
                "workspace": workspace.name,
                "title": given.title,
                "description": given.description,
                **self.show(given),
                "systems": [system.name for system in systems],
                **notifies,
            },
            basis=(
                Basis("workspace.name", str(workspace.id), workspace.name),
                *on_systems(systems),
                *told.basis,
            ),
        )

    async def execute(self, ctx: Context, given: Draft) -> Result:
        return Result(show_subject(await ctx.call(self.procedure, given)))

    def inverse(self, given: Draft, value: Mapping[str, Any]) -> Inverse:
        return Inverse(self.undo, {self.kind.id_field: value["id"]})


class EditSubject(NotifyingTool):
    fields: ClassVar[tuple[str, ...]] = ()
    """Those of the plugin's own."""

    def check(self, ctx: Context, subject: Any, given: Any) -> None:
        """Raise for what the plugin's own fields must not become."""

    async def dry_run(self, ctx: Context, given: Edit) -> Preview:
        subject, edited = await self._open(ctx, given)
        with feedback():
            self.check(ctx, subject, given)
            coming = await load_systems(
                ctx, subject.workspace_id, given.system_ids or [], known=subject.system_ids
            )
            told = await find_destination(ctx, self.kind, subject.workspace_id, notify=given.notify)
        return Preview(
            summary=f"Change the {edited.fields} of {self.kind.noun} {subject.title}",
            diff=(*edited.diff, *told.diff),
            basis=(on_version(self.kind, subject), *on_systems(coming), *told.basis),
        )

    async def execute(self, ctx: Context, given: Edit) -> Result:
        subject, edited = await self._open(ctx, given)
        said = {**given.model_dump(), "expected_version": subject.version}
        changed = await ctx.call(self.procedure, self.procedure.input.model_validate(said))
        return Result({**show_subject(changed), "before": dict(edited.before)})

    def inverse(self, given: Edit, value: Mapping[str, Any]) -> Inverse:
        return Inverse(self.undo, {self.kind.id_field: str(given.subject_id), **value["before"]})

    async def _open(self, ctx: Context, given: Edit) -> tuple[Any, Edited]:
        subject = await open_subject(ctx, self.kind, given)
        names = await find_names(ctx, {*subject.system_ids, *(given.system_ids or ())})
        return subject, build_edit(subject, given, self.fields, names)


class SayUpdate(NotifyingTool):
    """Adds an update; `find_after` says what that makes of the status."""

    def check(self, subject: Any, given: Any) -> None:
        """Raise when this cannot be said now."""

    def summarize(self, subject: Any, given: Any) -> str:
        return f"Add an update to {self.kind.noun} {subject.title}"

    def find_after(self, subject: Any, given: Any) -> str:
        return self.kind.find_status(subject)

    def find_standing(self, subject: Any) -> str:
        """What about the status must be the same when this is said."""
        return self.kind.find_status(subject)

    async def dry_run(self, ctx: Context, given: UpdateDraft) -> Preview:
        subject = await open_subject(ctx, self.kind, given)
        with feedback(self.kind.id_field):
            self.check(subject, given)
            await check_updates(ctx, subject.id)
            told = await find_destination(ctx, self.kind, subject.workspace_id, notify=given.notify)
        status = {"status": self.kind.find_status(subject)}
        return Preview(
            summary=self.summarize(subject, given),
            diff=(
                *find_changes(status, {"status": self.find_after(subject, given)}),
                FieldChange("added", ("update",), after=given.text),
                *told.diff,
            ),
            basis=(
                on_title(self.kind, subject),
                on_standing(self.kind, subject, self.find_standing(subject)),
                *told.basis,
            ),
        )

    async def execute(self, ctx: Context, given: UpdateDraft) -> Result:
        before = await open_subject(ctx, self.kind, given)
        said = await ctx.call(self.procedure, given)
        after = await self.kind.load(ctx, given.subject_id)
        return Result(
            {
                "id": str(after.id),
                "title": after.title,
                "status": self.kind.find_status(after),
                "updateId": str(said.id),
                "before": {"status": self.kind.find_status(before)},
            }
        )
