"""Procedures for the tenant's own documents."""

from assent.context.declaration import DOCUMENT, plugin
from assent.context.documents import keep, store
from assent.context.documents.document import (
    Document,
    DocumentChange,
    DocumentDraft,
    DocumentQuery,
    DocumentRef,
    DocumentSummary,
)
from assent.plugins.procedure import Context
from assent.value import Page, build_page, parse_cursor, parse_cursor_id

READ, MANAGE = f"{DOCUMENT}.read", f"{DOCUMENT}.manage"


@plugin.procedure(rule=READ, effect="read", route="GET /documents")
async def list_documents(ctx: Context, query: DocumentQuery) -> Page[DocumentSummary]:
    """List the tenant's own documents by title."""
    at = parse_cursor(query.cursor, 2)
    after = (at[0], parse_cursor_id(at[1])) if at else None
    rows = await store.list_documents(
        ctx.db, ctx.tenant_id, q=query.q, after=after, limit=query.limit + 1
    )
    return build_page(rows, query.limit, lambda one: (one.title, str(one.document_id)))


@plugin.procedure(rule=READ, effect="read", route="GET /documents/{document_id}")
async def get_document(ctx: Context, given: DocumentRef) -> Document:
    """Read one document."""
    return await keep.load_document(ctx, given.document_id)


@plugin.procedure(rule=MANAGE, effect="mutate", route="POST /documents", tenant_wide=True)
async def create_document(ctx: Context, draft: DocumentDraft) -> Document:
    """Add a document that the assistant looks things up in."""
    return await keep.add_document(ctx, draft)


@plugin.procedure(
    rule=MANAGE, effect="mutate", route="PATCH /documents/{document_id}", tenant_wide=True
)
async def update_document(ctx: Context, change: DocumentChange) -> Document:
    """Change a document; it is found by its new words at once."""
    return await keep.change_document(ctx, change)


@plugin.procedure(
    rule=MANAGE, effect="destructive", route="DELETE /documents/{document_id}", tenant_wide=True
)
async def delete_document(ctx: Context, given: DocumentRef) -> None:
    """Remove a document."""
    await keep.remove_document(ctx, given.document_id)
