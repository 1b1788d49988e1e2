"""The chat: one turn, from what a person says to the stream of the answer.

The turn does not belong to the request. It is stored and queued; every response here only follows
what it says.
"""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import replace
from typing import Annotated, Any
from uuid import UUID

from fastapi import APIRouter, Header, Path
from starlette.requests import Request
from starlette.responses import Response

from assent.api.body import read_body, read_value
from assent.api.conversations import ConversationId, takes
from assent.api.parts import Parts, PartsOf
from assent.api.principal import Person
from assent.api.problems import PROBLEM_RESPONSES
from assent.api.sse import EventStream
from assent.api.turn_body import (
    Attach,
    Form,
    parse_bare_form,
    parse_conversation_id,
    parse_form,
    parse_retry,
    parse_skill_id,
    parse_time_zone,
)
from assent.context.skills.keep import choose_skill
from assent.conversations.keep import load_conversation
from assent.conversations.question import Reply
from assent.conversations.user_message import Retry, SentMessage
from assent.errors import Expired, NotFound
from assent.identity.principal import Principal
from assent.runs import store
from assent.runs.admission import check_admission
from assent.runs.decision import find_decision_turn
from assent.runs.events import DONE
from assent.runs.follow import follow
from assent.runs.frames import START, Position, parse_position
from assent.runs.reply import start_reply
from assent.runs.retry import start_retry
from assent.runs.run import Run
from assent.runs.turn import cancel_run, start_turn
from assent.value import Value

router = APIRouter(prefix="/api", tags=["Chat"], responses=PROBLEM_RESPONSES)

STREAM: dict[int | str, dict[str, Any]] = {
    200: {"content": {"text/event-stream": {}}, "description": "The AI SDK's UI message stream."}
}
LastEventId = Annotated[str | None, Header(alias="last-event-id", max_length=200)]


class Stop(Value):
    """Without a run, whatever runs is meant; one that is over is left alone."""

    run_id: UUID | None = None


class Started(Value):
    conversation_id: UUID
    run_id: UUID


@router.post("/chat", operation_id="chat_send", response_class=Response, responses=STREAM)
async def chat(request: Request, parts: PartsOf, person: Person) -> Response:
    """Say something and follow the answer.

    Takes `{conversationId, message: {id?, text?, parts?}, timeZone?, skillId?}`, or what the AI
    SDK's default transport sends, of which only the last message of the user is read; its trigger
    `regenerate-message` tries that message again. Instead of a
    message: `answer: {partId, value}` to a question card, or `decision: {proposalId}` to follow the
    turn in which the model reacts to that decision.
    """
    body = await read_body(request)
    form = await _add_skill(parts, person, parse_form(body), parse_skill_id(body))
    conversation_id, zone = parse_conversation_id(body), parse_time_zone(body)
    run = await _start(parts, person, conversation_id, form, zone)
    return await _stream(parts, run)


@router.post(
    "/conversations/{conversationId}/messages",
    operation_id="conversations_send",
    status_code=202,
)
async def send(
    request: Request, parts: PartsOf, person: Person, conversation_id: ConversationId
) -> Started:
    """Say something without waiting for the answer; in the same forms, or as a message alone."""
    body = await read_body(request)
    form = await _add_skill(parts, person, parse_bare_form(body), parse_skill_id(body))
    zone = parse_time_zone(body)
    run = await _start(parts, person, conversation_id, form, zone)
    return Started(conversation_id=conversation_id, run_id=run.id)


@router.post(
    "/conversations/{conversationId}/retry",
    operation_id="conversations_retry",
    status_code=202,
)
async def retry(
    request: Request, parts: PartsOf, person: Person, conversation_id: ConversationId
) -> Started:
    """Try the last message again, as it was or with `{messageId?, id?, text?, fileIds?}`.

    What runs is stopped, and cards of the older version that nobody decided are voided.
    """
    body = await read_body(request)
    form = await _add_skill(parts, person, parse_retry(body), parse_skill_id(body))
    run = await _start(parts, person, conversation_id, form, parse_time_zone(body))
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
    async with parts.database.reading() as db:
        await load_conversation(db, person, conversation_id)
        run = await store.find_active_run(db, person.tenant_id, conversation_id)
    return await _stream(parts, run, last_event_id) if run else Response(status_code=204)


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
    async with parts.database.reading() as db:
        run = await store.find_run(db, person.tenant_id, run_id)
        if run is None:
            raise NotFound
        await load_conversation(db, person, run.conversation_id, tasks=True)
    return await _stream(parts, run, last_event_id)


@router.post(
    "/conversations/{conversationId}/cancel",
    operation_id="conversations_cancel",
    status_code=202,
    openapi_extra=takes(Stop),
)
async def cancel(
    request: Request, parts: PartsOf, person: Person, conversation_id: ConversationId
) -> None:
    """Stop what runs, or only the run that is named; what was said so far stays."""
    given = await read_value(request, Stop)
    await cancel_run(parts.database, person, conversation_id, given.run_id)


async def _add_skill(parts: Parts, person: Principal, form: Form, skill_id: str | None) -> Form:
    """What is said with the skill that was chosen for it; other forms have none."""
    if skill_id is None or not isinstance(form, SentMessage | Retry):
        return form
    async with parts.database.reading() as db:
        skill = await choose_skill(db, person, skill_id)
    return replace(form, skill=(skill.id, skill.name))


async def _start(
    parts: Parts, person: Principal, conversation_id: UUID, form: Form, zone: str | None
) -> Run:
    if isinstance(form, Attach):
        return await find_decision_turn(parts.studio, person, conversation_id, form.proposal_id)
    async with parts.database.connection() as db:
        conversation = await load_conversation(db, person, conversation_id)
        agent = await parts.studio.choose_agent(db, person.tenant_id, conversation.agent)
        await check_admission(db, parts.studio, person, conversation, agent)
    scrubbing = parts.means.scrubbing
    if isinstance(form, Retry):
        return await start_retry(
            parts.means, person, conversation_id, form, agent=agent.slug, time_zone=zone
        )
    if isinstance(form, Reply):
        return await start_reply(
            parts.database,
            person,
            conversation_id,
            form,
            agent=agent.slug,
            scrubbing=scrubbing,
            time_zone=zone,
        )
    return await start_turn(
        parts.database,
        person,
        conversation_id,
        form,
        agent=agent.slug,
        scrubbing=scrubbing,
        time_zone=zone,
    )


async def _stream(parts: Parts, run: Run, last_event_id: str | None = None) -> Response:
    await _check_kept(parts, run)
    seen = parse_position(last_event_id, run.id) or START
    headers = {"x-vercel-ai-ui-message-stream": "v1", "x-assent-run-id": str(run.id)}
    return EventStream(_tell(parts, run, seen), headers)


async def _tell(parts: Parts, run: Run, seen: Position) -> AsyncGenerator[bytes]:
    studio = parts.studio
    following = follow(parts.database, studio.journal, studio.copies, run, seen)
    async with aclosing(following):
        async for frames in following:
            yield frames
    yield DONE


async def _check_kept(parts: Parts, run: Run) -> None:
    """What a run said is kept as events for a while after its end; its message stays."""
    if run.is_active:
        return
    async with parts.database.reading() as db:
        if not await store.has_events(db, run):
            raise Expired("What this turn said is no longer here as events: load the messages.")
