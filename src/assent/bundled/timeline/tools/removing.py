"""Tools that add and remove links, and remove updates and what has the timeline itself."""

from collections.abc import Mapping
from typing import Any

from assent.bundled.timeline.keep import check_link, load_link, load_timeline, load_update
from assent.bundled.timeline.store.links import list_links
from assent.bundled.timeline.tools.card import on_set, on_title, on_version
from assent.bundled.timeline.tools.opening import SubjectTool, feedback, open_subject
from assent.bundled.timeline.values import LinkDraft, LinkRef, Ref, UpdateRef
from assent.plugins.api import Basis, Context, FieldChange, Inverse, Preview, Result

LONGEST_QUOTE = 300


class AddLinkTo(SubjectTool):
    async def dry_run(self, ctx: Context, given: LinkDraft) -> Preview:
        subject = await open_subject(ctx, self.kind, given)
        links = await list_links(ctx.db, ctx.tenant_id, subject.id)
        with feedback():
            check_link(links, given)
        return Preview(
            summary=f"Add the link {given.label} to {self.kind.noun} {subject.title}",
            diff=(FieldChange("added", ("link",), after=f"{given.label}: {given.url}"),),
            basis=(on_title(self.kind, subject),),
        )

    async def execute(self, ctx: Context, given: LinkDraft) -> Result:
        link = await ctx.call(self.procedure, given)
        return Result({self.kind.id_field: str(given.subject_id), **link.model_dump(mode="json")})

    def inverse(self, given: LinkDraft, value: Mapping[str, Any]) -> Inverse:
        arguments = {self.kind.id_field: str(given.subject_id), "linkId": value["id"]}
        return Inverse(self.undo, arguments)


class RemoveLinkFrom(SubjectTool):
    async def dry_run(self, ctx: Context, given: LinkRef) -> Preview:
        subject = await open_subject(ctx, self.kind, given)
        with feedback("linkId"):
            link = await load_link(ctx, subject.id, given.link_id)
        return Preview(
            summary=f"Remove the link {link.label} from {self.kind.noun} {subject.title}",
            removes=(f"link {link.label}: {link.url}",),
            basis=(
                on_title(self.kind, subject),
                on_set(f"{self.kind.resource}.link", link.id, [link.label, link.url]),
            ),
        )

    async def execute(self, ctx: Context, given: LinkRef) -> Result:
        link = await load_link(ctx, given.subject_id, given.link_id)
        await ctx.call(self.procedure, given)
        return Result({"removed": link.model_dump(mode="json")})

    def inverse(self, given: LinkRef, value: Mapping[str, Any]) -> Inverse:
        link = value["removed"]
        arguments = {"label": link["label"], "url": link["url"]}
        return Inverse(self.undo, {self.kind.id_field: str(given.subject_id), **arguments})


class DeleteUpdateOf(SubjectTool):
    async def dry_run(self, ctx: Context, given: UpdateRef) -> Preview:
        subject = await open_subject(ctx, self.kind, given)
        with feedback("updateId"):
            update = await load_update(ctx, subject.id, given.update_id)
        said_at = update.created_at.isoformat(timespec="minutes")
        quote = update.text[:LONGEST_QUOTE] + ("…" if len(update.text) > LONGEST_QUOTE else "")
        return Preview(
            summary=f"Delete an update of {self.kind.noun} {subject.title}",
            removes=(f"update by {update.author} at {said_at}: {quote}",),
            basis=(
                on_title(self.kind, subject),
                Basis(f"{self.kind.resource}.update", str(update.id), said_at),
            ),
        )

    async def execute(self, ctx: Context, given: UpdateRef) -> Result:
        await ctx.call(self.procedure, given)
        return Result({"deleted": {"updateId": str(given.update_id)}})


class DeleteSubject(SubjectTool):
    async def dry_run(self, ctx: Context, given: Ref) -> Preview:
        subject = await open_subject(ctx, self.kind, given)
        timeline = await load_timeline(ctx, subject.id)
        grants = [f"{one.id} {one.level}" for one in await ctx.list_grants(subject.id)]
        waiting = [one for one in timeline.deliveries if one.state == "waiting"]
        return Preview(
            summary=f"Delete {self.kind.noun} {subject.title}",
            removes=(
                f"{self.kind.noun} {subject.title}",
                *_count(len(timeline.updates), "update"),
                *_count(len(timeline.links), "link"),
                *_count(
                    len(waiting),
                    "notification that was not sent yet",
                    plural="notifications that were not sent yet",
                ),
                *_count(len(grants), "grant of access to it", plural="grants of access to it"),
            ),
            basis=(
                on_version(self.kind, subject),
                on_set(f"{self.kind.resource}.grants", subject.id, grants),
            ),
        )

    async def execute(self, ctx: Context, given: Ref) -> Result:
        subject = await open_subject(ctx, self.kind, given)
        await ctx.call(self.procedure, given)
        return Result({"deleted": {"id": str(subject.id), "title": subject.title}})


def _count(number: int, one: str, *, plural: str = "") -> list[str]:
    return [f"{number} {one if number == 1 else plural or f'{one}s'}"] if number else []
