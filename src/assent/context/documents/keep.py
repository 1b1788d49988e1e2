"""Keeping a tenant's documents: scrubbed, bounded, and found by their words from then on."""

from itertools import count
from uuid import UUID

from assent.context.docs.page import list_passages
from assent.context.documents import store
from assent.context.documents.document import Document, DocumentChange, DocumentDraft, build_slug
from assent.errors import Changed, Conflict, NotFound
from assent.ids import new_id
from assent.plugins.procedure import Context

MOST = 500
FULL = f"There can be {MOST} documents at the most."


async def load_document(ctx: Context, document_id: UUID) -> Document:
    found = await store.find_document(ctx.db, ctx.tenant_id, document_id)
    if found is None:
        raise NotFound("There is no such document.")
    return found


async def add_document(ctx: Context, draft: DocumentDraft) -> Document:
    """Under a slug of its title; a number tells it from another of the same title."""
    if await store.count_documents(ctx.db, ctx.tenant_id) >= MOST:
        raise Conflict.at("title", FULL)
    written = await _write(ctx, draft)
    slug, document_id = build_slug(written.title), new_id()
    for number in count(1):
        wanted = slug if number == 1 else f"{slug}-{number}"
        made = await store.insert_document(ctx.db, ctx.tenant_id, document_id, wanted, written)
        if made is not None:
            await _index(ctx, made)
            return made
    raise AssertionError


async def change_document(ctx: Context, change: DocumentChange) -> Document:
    present = await load_document(ctx, change.document_id)
    text = present.text if change.text is None else change.text
    draft = DocumentDraft(
        title=change.title or present.title, section=change.section or present.section, text=text
    )
    changed = await store.update_document(
        ctx.db, ctx.tenant_id, change.document_id, await _write(ctx, draft), change.expected_version
    )
    if changed is None:
        raise Changed
    await _index(ctx, changed)
    return changed


async def remove_document(ctx: Context, document_id: UUID) -> None:
    if not await store.delete_document(ctx.db, ctx.tenant_id, document_id):
        raise NotFound("There is no such document.")


async def _write(ctx: Context, draft: DocumentDraft) -> store.Written:
    title, section, text = await ctx.scrub([draft.title, draft.section, draft.text])
    return store.Written(
        title=title,
        section=section,
        text=text.strip() + "\n",
        by=ctx.principal.id,
        by_name=ctx.principal.name,
    )


async def _index(ctx: Context, document: Document) -> None:
    await store.replace_passages(ctx.db, ctx.tenant_id, document.id, list_passages(document.page))
