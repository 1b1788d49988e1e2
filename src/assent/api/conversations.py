"""Routes for conversations: for the signed-in person whose they are."""

from datetime import datetime
from typing import Annotated, Any, Literal, cast
from urllib.parse import quote
from uuid import UUID

from fastapi import APIRouter, Path, Query
from pydantic import Field
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from assent.api.body import read_value
from assent.api.parts import PartsOf
from assent.api.principal import Person
from assent.api.problems import PROBLEM_RESPONSES
from assent.conversations import keep
from assent.conversations.conversation import (
    Conversation,
    ConversationChange,
    ConversationDraft,
    ConversationQuery,
)
from assent.conversations.rating import Feedback
from assent.models.credits import check_chat
from assent.models.store.credits import find_allowance
from assent.runs.branch import branch_conversation
from assent.runs.export import ENDINGS, ExportForm, open_export
from assent.runs.overview import listing
from assent.runs.overview.line import ConversationLine, Ending, FinishedMessage, RunError
from assent.runs.transcript import build_shown_parts
from assent.runs.turn import supersede_active
from assent.value import Page, Value

router = APIRouter(prefix="/api/conversations", tags=["Conversations"], responses=PROBLEM_RESPONSES)

ConversationId = Annotated[UUID, Path(alias="conversationId")]
LAST_SEQ = 2**62
EXPORTED: dict[int | str, dict[str, Any]] = {
    200: {"content": {"application/json": {}, "text/markdown": {}}, "description": "The file."}
}


class PendingCard(Value):
    """What waits for the person.

    A proposal's state is always that of `GET /api/proposals/{id}`; a question has the id of the
    part that asks it.
    """

    kind: Literal["proposal", "question"]
    id: str
    summary: str


class ConversationView(ConversationLine):
    active_run_id: UUID | None
    pending: list[PendingCard]


class ShownMessage(Value):
    """A message of the AI SDK, with what the page wants to know besides."""

    id: UUID
    role: str
    parts: list[dict[str, Any]]
    metadata: "MessageMetadata"


class MessageMetadata(Value):
    seq: int
    created_at: datetime
    run_id: UUID | None
    status: Ending | None = Field(description="How the run ended that wrote the answer.")
    error: RunError | None
    feedback: Feedback | None
    versions: int = Field(description="How often it was said, this time included.")


class BranchPoint(Value):
    message_id: UUID


class ReadMark(Value):
    """How far; left out: through everything that is finished."""

    seq: int | None = Field(None, ge=0, le=LAST_SEQ)


class MessagePage(Value):
    """Oldest first; `before` of the next page is the first one's `seq`."""

    items: list[ShownMessage]
    has_more: bool


class ShownVersion(Value):
    """What a message was before, with all that came of it."""

    number: int
    messages: list[ShownMessage]


class VersionList(Value):
    """Oldest first, without the one that is shown in the conversation."""

    items: list[ShownVersion]


def takes(model: type[Value]) -> dict[str, Any]:
    """A body; without one where a field is required, nothing can be done."""
    schema = model.model_json_schema(by_alias=True)
    known = schema.pop("$defs", {})
    content = {"application/json": {"schema": _inline(schema, known)}}
    is_needed = {"required": True} if schema.get("required") else {}
    return {"requestBody": {"content": content, **is_needed}}


def _inline(schema: Any, known: dict[str, Any]) -> Any:
    """References lead from the root of the whole document, where these definitions are not."""
    if isinstance(schema, list):
        return [_inline(one, known) for one in cast(list[Any], schema)]
    if not isinstance(schema, dict):
        return schema
    node = cast(dict[str, Any], schema)
    if "$ref" in node:
        return _inline(known[node["$ref"].rpartition("/")[2]], known)
    return {name: _inline(one, known) for name, one in node.items()}


@router.post(
    "",
    operation_id="conversations_open",
    status_code=201,
    response_model=Conversation,
    responses={200: {"model": Conversation, "description": "An empty one is used again."}},
    openapi_extra=takes(ConversationDraft),
)
async def open_one(request: Request, parts: PartsOf, person: Person) -> Response:
    """Start a chat; one in which nothing was said yet is used again, with 200."""
    draft = await read_value(request, ConversationDraft)
    async with parts.database.reading() as db:
        check_chat(await find_allowance(db, person.tenant_id))
    conversation, is_new = await keep.open_conversation(parts.database, person, draft)
    body = conversation.model_dump_json(by_alias=True)
    return Response(body, 201 if is_new else 200, media_type="application/json")


@router.get("", operation_id="conversations_list")
async def list_all(
    parts: PartsOf, person: Person, query: Annotated[ConversationQuery, Query()]
) -> Page[ConversationLine]:
    """List one's own conversations that are not archived, the latest used first.

    Those in which nothing was said yet are left out.
    """
    return await listing.list_conversations(parts.database, person, query)


@router.get("/{conversationId}", operation_id="conversations_get")
async def get_one(
    parts: PartsOf, person: Person, conversation_id: ConversationId
) -> ConversationView:
    """One conversation: what runs in it, and what waits for a decision."""
    overview = await listing.load_overview(parts.database, person, conversation_id)
    return ConversationView(
        **overview.line.model_dump(),
        active_run_id=overview.active.id if overview.active else None,
        pending=[
            PendingCard(kind="proposal", id=str(one.id), summary=one.change.preview["summary"])
            for one in overview.pending
        ]
        + [
            PendingCard(kind="question", id=card.part_id, summary=card.summary)
            for card in overview.questions
        ],
    )


@router.patch(
    "/{conversationId}",
    operation_id="conversations_change",
    response_model=Conversation,
    openapi_extra=takes(ConversationChange),
)
async def change_one(
    request: Request, parts: PartsOf, person: Person, conversation_id: ConversationId
) -> Conversation:
    """Change the title, the mode, the agent, the model or the workspace."""
    change = await read_value(request, ConversationChange)
    if change.title is not None:
        async with parts.database.connection() as db:
            scrubber = await parts.means.scrubbing.load(db, person.tenant_id)
        change = change.model_copy(update={"title": scrubber.scrub_text(change.title)})
    return await keep.change_conversation(parts.database, person, conversation_id, change)


@router.post("/{conversationId}/archive", operation_id="conversations_archive")
async def archive_one(
    parts: PartsOf, person: Person, conversation_id: ConversationId
) -> Conversation:
    """Take it out of the lists. A turn that runs in it is stopped."""
    async with parts.database.transaction() as db:
        archived = await keep.archive_conversation(db, person, conversation_id)
        await supersede_active(db, person.tenant_id, conversation_id)
        return archived


@router.post(
    "/{conversationId}/read",
    operation_id="conversations_read",
    response_model=ConversationLine,
    openapi_extra=takes(ReadMark),
)
async def mark_read(
    request: Request, parts: PartsOf, person: Person, conversation_id: ConversationId
) -> ConversationLine:
    """Say how far one has read. It never goes back."""
    mark = await read_value(request, ReadMark)
    return await listing.mark_read(parts.database, person, conversation_id, mark.seq)


@router.post(
    "/{conversationId}/branch",
    operation_id="conversations_branch",
    status_code=201,
    openapi_extra=takes(BranchPoint),
)
async def branch(
    request: Request, parts: PartsOf, person: Person, conversation_id: ConversationId
) -> Conversation:
    """Go on elsewhere from a message: a new conversation with all that was said through it."""
    point = await read_value(request, BranchPoint)
    return await branch_conversation(parts.database, person, conversation_id, point.message_id)


@router.get(
    "/{conversationId}/export",
    operation_id="conversations_export",
    response_class=Response,
    responses=EXPORTED,
)
async def export(
    parts: PartsOf,
    person: Person,
    conversation_id: ConversationId,
    form: Annotated[ExportForm, Query(alias="format")] = "json",
) -> Response:
    """The whole conversation as a file, without secrets, as JSON or Markdown."""
    opened = await open_export(parts.means, person, conversation_id, form)
    name = quote(f"{opened.name}.{ENDINGS[form]}", safe="")
    headers = {"content-disposition": f"attachment; filename*=UTF-8''{name}"}
    return StreamingResponse(opened.pieces, media_type=opened.media_type, headers=headers)


@router.get("/{conversationId}/messages", operation_id="conversations_messages")
async def list_messages(
    parts: PartsOf,
    person: Person,
    conversation_id: ConversationId,
    before: Annotated[int | None, Query(ge=1, le=LAST_SEQ)] = None,
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
) -> MessagePage:
    """The newest messages, or those before a number; without the one that is being written."""
    found = await listing.list_finished_messages(
        parts.database, person, conversation_id, before=before, limit=limit
    )
    return MessagePage(items=[_show(one) for one in found], has_more=len(found) >= limit)


@router.get(
    "/{conversationId}/messages/{messageId}/versions", operation_id="conversations_versions"
)
async def list_versions(
    parts: PartsOf,
    person: Person,
    conversation_id: ConversationId,
    message_id: Annotated[UUID, Path(alias="messageId")],
) -> VersionList:
    """What a message was before it was tried again or written anew, with the answers."""
    found = await listing.list_older_versions(parts.database, person, conversation_id, message_id)
    return VersionList(
        items=[
            ShownVersion(number=one.number, messages=[_show(said) for said in one.messages])
            for one in found
        ]
    )


def _show(message: FinishedMessage) -> ShownMessage:
    return ShownMessage(
        id=message.id,
        role=message.role,
        parts=build_shown_parts(message.parts),
        metadata=MessageMetadata(
            seq=message.seq,
            created_at=message.created_at,
            run_id=message.run_id,
            status=message.status,
            error=message.error,
            feedback=message.feedback,
            versions=message.versions,
        ),
    )
