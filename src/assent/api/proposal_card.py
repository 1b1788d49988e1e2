"""Proposals on the wire: a line of a list, and the whole card. Never a token."""

from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from starlette.responses import Response

from assent.actions.asking.program import Program
from assent.actions.cards import Card
from assent.actions.proposal import State
from assent.api.approval_card import (
    ApprovalSummary,
    HoldingRule,
    encode_approvals,
    encode_rules,
)
from assent.audit.entry import Actor, Effect
from assent.tools.gate import Edge
from assent.tools.provenance import Origin
from assent.value import Value


class Party(Value):
    """Who proposed or decided."""

    kind: Literal["user", "application", "service"]
    id: UUID | None
    name: str


class AskingClient(Value):
    """The program that asked over MCP. `verified`: its host vouches for its name."""

    name: str
    host: str | None
    verified: bool


class FieldDifference(Value):
    """One difference; `before` and `after` are there where they say something."""

    kind: Literal["added", "removed", "changed", "reordered"]
    path: str
    before: Any = None
    after: Any = None


class Why(Value):
    code: str
    sentence: str


class ValueMatch(Value):
    """Where a value was found: `name` is the tool, file or person; not `whole`, a piece of it."""

    origin: Origin
    name: str
    trusted: bool
    whole: bool


class ValueMark(Value):
    """Every place where the value at `path` was found, the least trusted first."""

    path: str
    matches: list[ValueMatch]


class Alarm(Value):
    """Why the card is red; without a path it is about the call as a whole."""

    path: str
    code: Literal["untrusted", "unnamed"]
    sentence: str


class Origins(Value):
    """Where the values came from. Empty for what did not come from a conversation."""

    marks: list[ValueMark] = []
    alarms: list[Alarm] = []


class FailureIssue(Value):
    path: str
    message: str


class Failure(Value):
    code: str
    message: str
    issues: list[FailureIssue] = []


class UndoState(Value):
    """`available`: it can be asked for; then `proposalId` is the card that takes it back."""

    state: Literal["available", "waiting", "undone", "unknown"]
    proposal_id: UUID | None
    may_undo: bool


class SecretInput(Value):
    """A field that whoever assents types in; its value is kept in the vault and never shown."""

    name: str
    title: str


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
    client: AskingClient | None
    decider: Party | None
    created_at: datetime
    expires_at: datetime
    decided_at: datetime | None
    may_decide: bool
    is_red: bool
    may_decline: bool
    approvals: ApprovalSummary | None
    secrets: list[SecretInput]


class ProposalCard(ProposalLine):
    """`payload` are the complete arguments; without them the stored ones were altered."""

    payload: dict[str, Any] | None
    payload_hash: str
    diff: list[FieldDifference]
    creates: dict[str, Any] | None
    removes: list[str]
    reason: Why
    provenance: Origins
    rules: list[HoldingRule]
    decline_reason: str | None
    note: str | None
    finished_at: datetime | None
    result: Any
    error: Failure | None
    superseded_by: UUID | None
    supersedes: UUID | None
    undo: UndoState | None
    undoes: UUID | None


def encode_line(card: Card) -> ProposalLine:
    return ProposalLine(**_read_line(card))


def encode_card(card: Card) -> ProposalCard:
    draft, outcome = card.proposal.draft, card.proposal.outcome
    preview = draft.change.preview
    return ProposalCard(
        **_read_line(card),
        payload=dict(card.arguments) if card.arguments is not None else None,
        payload_hash=draft.change.payload_hash.hex(),
        diff=[FieldDifference.model_validate(one) for one in preview["diff"]],
        creates=preview["creates"],
        removes=preview["removes"],
        reason=Why(code=draft.grounds.reason.code, sentence=draft.grounds.reason.sentence),
        provenance=Origins.model_validate(draft.grounds.provenance),
        rules=encode_rules(card),
        decline_reason=outcome.note if card.proposal.state == "declined" else None,
        note=outcome.note if card.proposal.state != "declined" else None,
        finished_at=outcome.finished_at,
        result=outcome.result,
        error=Failure.model_validate(outcome.error) if outcome.error else None,
        superseded_by=outcome.superseded_by,
        supersedes=draft.supersedes,
        undo=_encode_undo(card),
        undoes=card.undo.standing.undoes if card.undo else None,
    )


def _encode_undo(card: Card) -> UndoState | None:
    """Nothing where there is no way back."""
    if card.undo is None or card.undo.standing.tool is None:
        return None
    standing = card.undo.standing
    told: dict[State | None, Literal["available", "waiting", "undone", "unknown"]] = {
        None: "available",
        "expired": "available",
        "applied": "undone",
        "outcome_unknown": "unknown",
    }
    state = told.get(standing.by_state, "waiting")
    return UndoState(
        state=state,
        proposal_id=None if state == "available" else standing.by_id,
        may_undo=card.undo.may_undo,
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
        "client": _client(draft.place.client),
        "decider": _party(outcome.decider) if outcome.decider else None,
        "created_at": proposal.created_at,
        "expires_at": proposal.expires_at,
        "decided_at": outcome.decided_at,
        "may_decide": card.may_decide,
        "is_red": card.proposal.draft.grounds.is_red,
        "may_decline": card.may_decline,
        "approvals": encode_approvals(card.approvals),
        "secrets": [SecretInput(name=one.name, title=one.title) for one in card.secrets],
    }


def _client(program: Program | None) -> AskingClient | None:
    if program is None:
        return None
    return AskingClient(name=program.name, host=program.host, verified=program.verified)


def _party(actor: Actor) -> Party:
    return Party(kind=actor.kind, id=actor.id, name=actor.name)
