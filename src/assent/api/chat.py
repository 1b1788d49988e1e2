"""The chat: one turn, from what a person says to the stream of the answer.

The turn does not belong to the request. It is stored and queued; every response here only follows
what it says.
"""

from typing import Annotated, Any, cast
from uuid import UUID

from fastapi import APIRouter, Header, Path
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from assent.api.body import read_body
from assent.api.conversations import ConversationId
from assent.api.parts import Parts, PartsOf
from assent.api.principal import Person
from assent.api.problems import PROBLEM_RESPONSES
from assent.conversations.keep import load_conversation
from assent.conversations.user_message import SentMessage, parse_user_message
from assent.errors import Invalid, NotFound
from assent.identity.principal import Principal
from assent.runs import store
from assent.runs.events import DONE
from assent.runs.follow import follow
from assent.runs.frames import START, parse_position
from assent.runs.run import Run
from assent.runs.turn import cancel_run, start_turn
from assent.value import Value

router = APIRouter(prefix="/api", tags=["Chat"], responses=PROBLEM_RESPONSES)

STREAM: dict[int | str, dict[str, Any]] = {
    200: {"content": {"text/event-stream": {}}, "description": "The AI SDK's UI message stream."}
}
HEADERS = {
    "cache-control": "no-cache",
    "x-accel-buffering": "no",
    "x-vercel-ai-ui-message-stream": "v1",
}
LastEventId = Annotated[str | None, Header(alias="last-event-id", max_length=200)]


class Started(Value):
    conversation_id: UUID
    run_id: UUID


@router.post("/chat", operation_id="chat_send", response_class=Response, responses=STREAM)
async def chat(request: Request, parts: PartsOf, person: Person) -> Response:
    """Say something and follow the answer.

    Takes `{conversationId, message: {id?, text?, parts?}, timeZone?}`, or what the AI SDK's
    default transport sends, of which only the last message of the user is read.
    """
    body = await read_body(request)
    conversation_id, said = _read_turn(body)
    run = await _start(parts, person, conversation_id, said, body.get("timeZone"))
    return _stream(parts, run)


@router.post(
    "/conversations/{conversationId}/messages",
    operation_id="conversations_send",
    status_code=202,
)
async def send(
    request: Request, parts: PartsOf, person: Person, conversation_id: ConversationId
) -> Started:
    """Say something without waiting for the answer."""
    body = await read_body(request)
    said = parse_user_message(body.get("message", body), at=())
    run = await _start(parts, person, conversation_id, said, body.get("timeZone"))
    return Started(conversation_id=conversation_id, run_id=run.id)


@router.get(
    "/chat/{conversationId}/stream",
    operation_id="chat_resume",
    response_class=Response,
    responses={**STREAM, 204: {"description": "Nothing runs."}},
)
async def resume(
    parts: PartsOf,
    person: Person,
    conversation_id: ConversationId,
    last_event_id: LastEventId = None,
) -> Response:
    """Follow what runs in the conversation, from the beginning or from the last event seen."""
    async with parts.database.transaction(read_only=True) as db:
        await load_conversation(db, person, conversation_id)
        run = await store.find_active_run(db, person.tenant_id, conversation_id)
    return _stream(parts, run, last_event_id) if run else Response(status_code=204)


@router.get(
    "/runs/{runId}/stream",
    operation_id="runs_follow",
    response_class=Response,
    responses=STREAM,
)
async def follow_run(
    parts: PartsOf,
    person: Person,
    run_id: Annotated[UUID, Path(alias="runId")],
    last_event_id: LastEventId = None,
) -> Response:
    """Follow one run, from the beginning or from the last event seen."""
    async with parts.database.transaction(read_only=True) as db:
        run = await store.find_run(db, person.tenant_id, run_id)
        if run is None:
            raise NotFound
        await load_conversation(db, person, run.conversation_id)
    return _stream(parts, run, last_event_id)


@router.post(
    "/conversations/{conversationId}/cancel", operation_id="conversations_cancel", status_code=202
)
async def cancel(parts: PartsOf, person: Person, conversation_id: ConversationId) -> None:
    """Stop what runs; what was said so far stays."""
    await cancel_run(parts.database, person, conversation_id)


def _read_turn(body: dict[str, Any]) -> tuple[UUID, SentMessage]:
    """The conversation and what is said, from either form of the request."""
    name = "conversationId" if "conversationId" in body else "id"
    try:
        conversation_id = UUID(str(body.get(name)))
    except ValueError:
        raise Invalid.at(name, "This must be the id of a conversation.") from None
    if isinstance(body.get("messages"), list) and body["messages"]:
        messages = cast(list[Any], body["messages"])
        return conversation_id, parse_user_message(messages[-1], at=("messages", len(messages) - 1))
    return conversation_id, parse_user_message(body.get("message"), at=("message",))


async def _start(
    parts: Parts, person: Principal, conversation_id: UUID, said: SentMessage, zone: Any
) -> Run:
    if zone is not None and not isinstance(zone, str):
        raise Invalid.at("timeZone", "This must be the name of a time zone.")
    async with parts.database.connection() as db:
        conversation = await load_conversation(db, person, conversation_id)
        agent = await parts.studio.choose_agent(db, person.tenant_id, conversation.agent)
    return await start_turn(
        parts.database, person, conversation_id, said, agent=agent.slug, time_zone=zone
    )


def _stream(parts: Parts, run: Run, last_event_id: str | None = None) -> Response:
    seen = parse_position(last_event_id, run.id) or START

    async def frames():
        studio = parts.studio
        async for sent in follow(parts.database, studio.journal, studio.wakeups, run, seen):
            yield sent
        yield DONE

    return StreamingResponse(
        frames(),
        media_type="text/event-stream",
        headers={**HEADERS, "x-assent-run-id": str(run.id)},
    )
