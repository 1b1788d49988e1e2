"""Tools that write the tenant's own documents: always with a card."""

from uuid import UUID

from pydantic import Field

from assent.context.documents.document import (
    SECTION,
    Document,
    DocumentChange,
    DocumentDraft,
    DocumentRef,
    DocumentText,
)
from assent.context.documents.keep import load_document
from assent.context.documents.procedures import (
    MANAGE,
    create_document,
    delete_document,
    update_document,
)
from assent.errors import NotFound
from assent.plugins.assistant import plugin
from assent.plugins.procedure import Context
from assent.tools.diff import find_changes
from assent.tools.tool import Basis, Preview, Result, ToolValidationError
from assent.value import Name, Value


class SavedDocument(Value):
    title: Name
    text: DocumentText = Field(description="Markdown, whole: it replaces what was there.")
    section: Name = SECTION
    document_id: UUID | None = Field(None, description="To replace one; without it one is added.")


@plugin.tool(
    "ai.saveDocument",
    effect="mutate",
    rules=[MANAGE],
    phase="build",
    writes_instructions=True,
    always_asks=True,
)
class SaveDocument:
    """Add a document to the tenant's documentation, or replace one.

    For what people of this organization should be able to look up: runbooks, agreements, how
    things are called. Write it from what the person said or asked for. Everybody who chats here
    can read it. A person decides on the card.
    """

    title = "Save a document"
    Input = SavedDocument

    async def dry_run(self, ctx: Context, given: SavedDocument) -> Preview:
        if given.document_id is None:
            shown = {"title": given.title, "section": given.section, "text": given.text}
            return Preview(summary=f"Add the document {given.title}", creates=shown)
        present = await _find(ctx, given.document_id)
        fields = {"title", "section", "text"}
        diff = find_changes(present.model_dump(include=fields), given.model_dump(include=fields))
        if not diff:
            raise ToolValidationError.at("text", "The document says this already.")
        basis = (_on(present),)
        return Preview(summary=f"Change the document {present.title}", diff=diff, basis=basis)

    async def execute(self, ctx: Context, given: SavedDocument) -> Result:
        if given.document_id is None:
            draft = DocumentDraft(title=given.title, section=given.section, text=given.text)
            saved = await ctx.call(create_document, draft)
        else:
            change = DocumentChange(**given.model_dump())
            saved = await ctx.call(update_document, change)
        return Result({"slug": saved.page.slug, "documentId": str(saved.id)})


@plugin.tool("ai.deleteDocument", effect="destructive", rules=[MANAGE], phase="build")
class DeleteDocument:
    """Remove one of the tenant's own documents for good."""

    title = "Delete a document"
    Input = DocumentRef

    async def dry_run(self, ctx: Context, given: DocumentRef) -> Preview:
        present = await _find(ctx, given.document_id)
        return Preview(
            summary=f"Delete the document {present.title}",
            removes=(f"document {present.title} ({len(present.text):,} characters)",),
            basis=(_on(present),),
        )

    async def execute(self, ctx: Context, given: DocumentRef) -> Result:
        await ctx.call(delete_document, given)
        return Result({"deleted": True})


async def _find(ctx: Context, document_id: UUID) -> Document:
    try:
        return await load_document(ctx, document_id)
    except NotFound as error:
        raise ToolValidationError.at("documentId", error.message) from None


def _on(document: Document) -> Basis:
    return Basis("context.document", str(document.id), document.version)
