"""Routes for proposals. Programs can propose and follow; only people in a browser decide."""

import contextlib
from datetime import datetime
from typing import Annotated, Any, Literal
from uuid import UUID

from fastapi import APIRouter, Depends, Path, Query
from pydantic import Field, TypeAdapter
from starlette.requests import Request
from starlette.responses import Response

from assent.actions.apply import apply
from assent.actions.call import Circumstances, Ran, ToolCall, call_tool
from assent.actions.cards import Wanted, list_cards, load_card, show_card
from assent.actions.decide import Decision, check_person, decline, issue_token, resolve
from assent.actions.proposal import Place, Proposal, State
from assent.actions.undo import undo
from assent.api.body import read_value, read_values
from assent.api.parts import Parts, PartsOf, read_parts
from assent.api.principal import Caller
from assent.api.problems import PROBLEM_RESPONSES, Problem, describe_problem
from assent.api.proposal_card import (
    ProposalCard,
    ProposalLine,
    answer_with,
    encode_card,
    encode_line,
)
from assent.conversations.keep import load_conversation
from assent.errors import AssentError, Forbidden, Invalid, NotFound, PeopleOnly, WrongMediaType
from assent.identity.principal import Principal
from assent.value import Page, PageQuery, Value, build_page, parse_cursor, parse_cursor_id
from assent.vault.scrubbing import hide_in_error

router = APIRouter(prefix="/api/proposals", tags=["Proposals"], responses=PROBLEM_RESPONSES)

ProposalId = Annotated[UUID, Path(alias="proposalId")]
READS = {"x-assent-effect": "read"}
MOST_DECISIONS = 100


async def require_decider(request: Request, caller: Caller, proposal_id: ProposalId) -> Principal:
    """A person with a session; a program's attempt is recorded before it is refused."""
    await check_person(read_parts(request).means, caller, proposal_id)
    return caller


Decider = Annotated[Principal, Depends(require_decider)]


class NewProposal(Value):
    tool: str = Field(max_length=200, description="The tool's name, as `GET /api/tools` has it.")
    input: dict[str, Any] = Field({}, description="The arguments, by the tool's input schema.")
    conversation_id: UUID | None = Field(None, description="One's own, in which the card waits.")


class ProposalQuery(PageQuery):
    state: State | None = None
    mine: bool = Field(False, description="Only one's own, and those of one's applications.")
    waiting: bool = Field(False, description="Only those that wait for one's own decision.")


class Token(Value):
    """For this person and this card, as long as its payload has this hash."""

    token: str
    payload_hash: str
    expires_at: datetime


class Assent(Value):
    """`secrets` are values for the card's secret fields, by name."""

    token: str = Field(max_length=200)
    secrets: dict[str, str] = Field({}, max_length=20)


class Refusal(Value):
    token: str = Field(max_length=200)
    reason: str | None = Field(None, max_length=2000)


class Resolution(Value):
    outcome: Literal["applied", "failed"]
    note: str | None = Field(None, max_length=2000)


class OneDecision(Value):
    id: UUID
    token: str = Field(max_length=200)
    kind: Literal["apply", "decline"]


class Decided(Value):
    """The card as it stands now, or why nothing was decided."""

    id: UUID
    proposal: ProposalCard | None = None
    problem: Problem | None = None


_decisions: TypeAdapter[list[OneDecision]] = TypeAdapter(
    Annotated[list[OneDecision], Field(max_length=MOST_DECISIONS)]
)


def _takes(schema: dict[str, Any], **extra: Any) -> dict[str, Any]:
    content = {"application/json": {"schema": schema}}
    return {"requestBody": {"required": True, "content": content}, **extra}


@router.post(
    "",
    operation_id="proposals_create",
    status_code=201,
    response_model=ProposalCard,
    openapi_extra=_takes(NewProposal.model_json_schema(by_alias=True), **READS),
)
async def create(request: Request, caller: Caller) -> Response:
    """Propose a call of a tool, whatever its effect. A key may do this too."""
    parts = read_parts(request)
    given = await read_value(request, NewProposal)
    await _check_conversation(parts, caller, given.conversation_id)
    answer = await call_tool(
        parts.means,
        ToolCall(
            name=given.tool,
            arguments=given.input,
            principal=caller,
            place=Place(edge="rest", conversation_id=given.conversation_id),
            circumstances=Circumstances(card_asked=True),
        ),
    )
    if isinstance(answer, Ran):
        raise Forbidden
    return answer_with(await show_card(parts.means, caller, answer.proposal), status=201)


@router.get("", operation_id="proposals_list", openapi_extra=READS)
async def list_proposals(
    parts: PartsOf, caller: Caller, query: Annotated[ProposalQuery, Query()]
) -> Page[ProposalLine]:
    """List one's own proposals and those that one may decide about, newest first."""
    after = parse_cursor(query.cursor, 1)
    cards = await list_cards(
        parts.means,
        caller,
        wanted=Wanted(state=query.state, mine=query.mine, waiting=query.waiting),
        before=parse_cursor_id(after[0]) if after else None,
        limit=query.limit + 1,
    )
    lines = [encode_line(card) for card in cards]
    return build_page(lines, query.limit, lambda line: (str(line.id),))


@router.get("/{proposalId}", operation_id="proposals_get", openapi_extra=READS)
async def get(parts: PartsOf, caller: Caller, proposal_id: ProposalId) -> ProposalCard:
    """One proposal, as it stands now."""
    return encode_card(await load_card(parts.means, caller, proposal_id))


@router.post(
    "/decide",
    operation_id="proposals_decide",
    response_model=Page[Decided],
    openapi_extra=_takes(
        {"type": "array", "maxItems": MOST_DECISIONS, "items": OneDecision.model_json_schema()}
    ),
)
async def decide_many(request: Request, parts: PartsOf, caller: Caller) -> Page[Decided]:
    """Decide about several, one after the other: one that fails holds back no other."""
    if not caller.is_person:
        await _record_refusals(request, parts, caller)
        raise PeopleOnly
    return Page[Decided](
        items=[
            await _decide_one(parts, caller, one) for one in await read_values(request, _decisions)
        ]
    )


@router.post("/{proposalId}/token", operation_id="proposals_token")
async def token(request: Request, person: Decider, proposal_id: ProposalId) -> Token:
    """A token to decide with, for the card that the person is looking at."""
    issued = await issue_token(read_parts(request).means, person, proposal_id)
    return Token(
        token=issued.token,
        payload_hash=issued.payload_hash.hex(),
        expires_at=issued.expires_at,
    )


@router.post(
    "/{proposalId}/apply",
    operation_id="proposals_apply",
    response_model=ProposalCard,
    responses={202: {"model": ProposalCard, "description": "It is under way."}},
    openapi_extra=_takes(Assent.model_json_schema(by_alias=True)),
)
async def apply_one(request: Request, person: Decider, proposal_id: ProposalId) -> Response:
    """Assent: the stored change is made, exactly as shown, or it fails and says why."""
    means = read_parts(request).means
    given = await read_value(request, Assent)
    proposal = await apply(means, Decision(person, proposal_id, given.token, given.secrets))
    card = await show_card(means, person, proposal)
    return answer_with(card, status=202 if proposal.state == "applying" else 200)


@router.post(
    "/{proposalId}/decline",
    operation_id="proposals_decline",
    response_model=ProposalCard,
    openapi_extra=_takes(Refusal.model_json_schema(by_alias=True)),
)
async def decline_one(
    request: Request, parts: PartsOf, person: Decider, proposal_id: ProposalId
) -> Response:
    """Decline: nothing changes, and the proposal is over."""
    given = await read_value(request, Refusal)
    decision = Decision(person, proposal_id, given.token)
    return await _answer(parts, person, await decline(parts.means, decision, given.reason))


@router.post(
    "/{proposalId}/resolve",
    operation_id="proposals_resolve",
    response_model=ProposalCard,
    openapi_extra=_takes(Resolution.model_json_schema(by_alias=True)),
)
async def resolve_one(
    request: Request, parts: PartsOf, person: Decider, proposal_id: ProposalId
) -> Response:
    """Say what became of a change outside whose outcome is not known."""
    given = await read_value(request, Resolution)
    proposal = await resolve(
        parts.means, person, proposal_id, outcome=given.outcome, note=given.note
    )
    return await _answer(parts, person, proposal)


@router.post(
    "/{proposalId}/undo",
    operation_id="proposals_undo",
    status_code=201,
    response_model=ProposalCard,
)
async def undo_one(parts: PartsOf, person: Decider, proposal_id: ProposalId) -> Response:
    """Propose what takes an applied change back, while it is still as it was left."""
    proposal = await undo(parts.means, person, proposal_id)
    return answer_with(await show_card(parts.means, person, proposal), status=201)


async def _check_conversation(
    parts: Parts, caller: Principal, conversation_id: UUID | None
) -> None:
    """An archived one is not there: nobody would see the card, nor react to its decision."""
    if conversation_id is None:
        return
    async with parts.database.reading() as db:
        conversation = await load_conversation(db, caller, conversation_id)
    if conversation.archived_at is not None:
        raise NotFound


async def _answer(parts: Parts, caller: Principal, proposal: Proposal) -> Response:
    return answer_with(await show_card(parts.means, caller, proposal))


async def _record_refusals(request: Request, parts: Parts, program: Principal) -> None:
    with contextlib.suppress(Invalid, WrongMediaType):
        for one in await read_values(request, _decisions):
            with contextlib.suppress(PeopleOnly):
                await check_person(parts.means, program, one.id)


async def _decide_one(parts: Parts, caller: Principal, one: OneDecision) -> Decided:
    decision = Decision(caller, one.id, one.token)
    try:
        if one.kind == "apply":
            proposal = await apply(parts.means, decision)
        else:
            proposal = await decline(parts.means, decision, None)
    except AssentError as error:
        hide_in_error(error, parts.means.scrubbing.known)
        return Decided(id=one.id, problem=Problem(**describe_problem(error)))
    return Decided(id=one.id, proposal=encode_card(await show_card(parts.means, caller, proposal)))
