"""What is put on a timeline and taken off it. Whoever calls has locked the subject."""

from uuid import UUID

from assent.bundled.timeline.store import links as link_store
from assent.bundled.timeline.store import notifications as notification_store
from assent.bundled.timeline.store import updates as update_store
from assent.bundled.timeline.values import (
    MOST_LINKS,
    MOST_UPDATES,
    Guarded,
    Link,
    LinkDraft,
    Subject,
    Timeline,
    Update,
)
from assent.plugins.api import Changed, Conflict, Context, NotFound, new_id


async def load_timeline(ctx: Context, subject_id: UUID) -> Timeline:
    return Timeline(
        updates=await update_store.list_updates(ctx.db, ctx.tenant_id, subject_id),
        links=await link_store.list_links(ctx.db, ctx.tenant_id, subject_id),
        deliveries=await notification_store.list_deliveries(ctx.db, ctx.tenant_id, subject_id),
    )


async def append_update(ctx: Context, subject_id: UUID, *, text: str, status: str) -> Update:
    await check_updates(ctx, subject_id)
    update_id = new_id()
    await update_store.append_update(
        ctx.db,
        subject_id,
        update_id=update_id,
        text=text,
        status=status,
        author=ctx.principal,
        now=ctx.now,
    )
    return await load_update(ctx, subject_id, update_id)


async def load_update(ctx: Context, subject_id: UUID, update_id: UUID) -> Update:
    update = await update_store.find_update(ctx.db, ctx.tenant_id, subject_id, update_id)
    if update is None:
        raise NotFound("There is no such update.")
    return update


async def remove_update(ctx: Context, subject_id: UUID, update_id: UUID) -> None:
    update = await load_update(ctx, subject_id, update_id)
    await notification_store.call_back(ctx.db, ctx.tenant_id, update.id)
    await update_store.delete_update(ctx.db, ctx.tenant_id, subject_id, update.id)


async def append_link(ctx: Context, draft: LinkDraft) -> Link:
    subject_id = draft.subject_id
    check_link(await link_store.list_links(ctx.db, ctx.tenant_id, subject_id), draft)
    link = Link(id=new_id(), label=draft.label, url=draft.url)
    await link_store.insert_link(ctx.db, ctx.tenant_id, subject_id, link)
    return link


async def load_link(ctx: Context, subject_id: UUID, link_id: UUID) -> Link:
    for link in await link_store.list_links(ctx.db, ctx.tenant_id, subject_id):
        if link.id == link_id:
            return link
    raise NotFound("There is no such link.")


async def remove_link(ctx: Context, subject_id: UUID, link_id: UUID) -> None:
    link = await load_link(ctx, subject_id, link_id)
    await link_store.delete_link(ctx.db, ctx.tenant_id, subject_id, link.id)


async def forget(ctx: Context, subject_id: UUID) -> None:
    """Remove the timeline of what is being deleted, and what was not sent about it yet."""
    await update_store.forget(ctx.db, ctx.tenant_id, subject_id)


def check_version(subject: Subject, change: Guarded) -> None:
    if change.expected_version not in (None, subject.version):
        raise Changed(f"This is at version {subject.version} by now. Load it again.")


async def check_updates(ctx: Context, subject_id: UUID) -> None:
    if await update_store.count_updates(ctx.db, ctx.tenant_id, subject_id) >= MOST_UPDATES:
        raise Conflict.at("text", f"There can be {MOST_UPDATES} updates at the most.")


def check_link(links: list[Link], draft: LinkDraft) -> None:
    if any(link.url == draft.url for link in links):
        raise Conflict.at("url", "This link is there already.")
    if len(links) >= MOST_LINKS:
        raise Conflict.at("url", f"There can be {MOST_LINKS} links at the most.")
