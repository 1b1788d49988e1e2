"""Proposals on the wire: a line of a list, and the whole card. Never a token."""

from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from starlette.responses import Response

from assent.actions.cards import Card
from assent.actions.proposal import State
from assent.audit.entry import Actor, Effect
from assent.tools.gate import Edge
from assent.value import Value


class Party(Value):
    """Who proposed or decided."""

    kind: Literal["user", "application", "service"]
    id: UUID | None
    name: str


class FieldDifference(Value):
    """One difference; `before` and `after` are there where they say something."""

    kind: Literal["added", "removed", "changed", "reordered"]
    path: str
    before: Any = None
    after: Any = None


class Why(Value):
    code: str
    sentence: str


class FailureIssue(Value):
    path: str
    message: str


class Failure(Value):
    code: str
    message: str
    issues: list[FailureIssue] = []


class ProposalLine(Value):
    id: UUID
    tool: str
    title: str
    effect: Effect
    egress: bool
    summary: str
    state: State
    edge: Edge
    proposer: Party
    decider: Party | None
    created_at: datetime
    expires_at: datetime
    decided_at: datetime | None
    may_decide: bool


class SecretInput(Value):
    """A field that whoever assents types in; its value is kept in the vault and never shown."""

    name: str
    title: str


class ProposalCard(ProposalLine):
    """`payload` are the complete arguments; without them the stored ones were altered."""

    secrets: list[SecretInput]
    payload: dict[str, Any] | None
    payload_hash: str
    diff: list[FieldDifference]
    creates: dict[str, Any] | None
    removes: list[str]
    reason: Why
    decline_reason: str | None
    note: str | None
    finished_at: datetime | None
    result: Any
    error: Failure | None
    superseded_by: UUID | None
    supersedes: UUID | None


def encode_line(card: Card) -> ProposalLine:
    return ProposalLine(**_read_line(card))


def encode_card(card: Card) -> ProposalCard:
    draft, outcome = card.proposal.draft, card.proposal.outcome
    preview = draft.change.preview
    return ProposalCard(
        **_read_line(card),
        secrets=[SecretInput(name=one.name, title=one.title) for one in card.secrets],
        payload=dict(card.arguments) if card.arguments is not None else None,
        payload_hash=draft.change.payload_hash.hex(),
        diff=[FieldDifference.model_validate(one) for one in preview["diff"]],
        creates=preview["creates"],
        removes=preview["removes"],
        reason=Why(code=draft.reason.code, sentence=draft.reason.sentence),
        decline_reason=outcome.note if card.proposal.state == "declined" else None,
        note=outcome.note if card.proposal.state != "declined" else None,
        finished_at=outcome.finished_at,
        result=outcome.result,
        error=Failure.model_validate(outcome.error) if outcome.error else None,
        superseded_by=outcome.superseded_by,
        supersedes=draft.supersedes,
    )


def answer_with(card: Card, *, status: int = 200) -> Response:
    body = encode_card(card).model_dump_json(by_alias=True)
    return Response(body, status, media_type="application/json")


def _read_line(card: Card) -> dict[str, Any]:
    proposal = card.proposal
    draft, outcome = proposal.draft, proposal.outcome
    return {
        "id": draft.id,
        "tool": draft.change.tool,
        "title": card.title,
        "effect": draft.change.effect,
        "egress": draft.change.egress,
        "summary": draft.change.preview["summary"],
        "state": proposal.present_state,
        "edge": draft.place.edge,
        "proposer": _party(draft.proposer),
        "decider": _party(outcome.decider) if outcome.decider else None,
        "created_at": proposal.created_at,
        "expires_at": proposal.expires_at,
        "decided_at": outcome.decided_at,
        "may_decide": card.may_decide,
    }


def _party(actor: Actor) -> Party:
    return Party(kind=actor.kind, id=actor.id, name=actor.name)
