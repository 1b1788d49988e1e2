"""A proposal: a prepared change that waits for a decision, as a value, and its states. Pure."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Literal, TypeAlias
from uuid import UUID

from assent.actions.asking.program import Program
from assent.audit.entry import Actor, Effect
from assent.errors import Conflict, Expired, MissingRule, NotFound
from assent.identity.principal import Principal
from assent.identity.rules import holds
from assent.tools.gate import Edge, Reason
from assent.tools.registry import find_missing_rule
from assent.tools.taint import CLEAN, Taint
from assent.tools.tool import Basis, Preview, Tool

State: TypeAlias = Literal[
    "proposed",
    "applying",
    "applied",
    "failed",
    "outcome_unknown",
    "declined",
    "expired",
    "voided",
    "superseded",
]

CHAT_LIFETIME = timedelta(minutes=10)
OTHER_LIFETIME = timedelta(days=7)
TOKEN_LIFETIME = timedelta(minutes=10)
OVER: Mapping[State, str] = {
    "applying": "It is being applied.",
    "applied": "It was applied already.",
    "failed": "It was tried and failed.",
    "outcome_unknown": "It was tried, and what became of it is not known.",
    "declined": "It was declined.",
    "expired": "It has expired.",
    "voided": "It was withdrawn.",
    "superseded": "A newer proposal has taken its place.",
}


@dataclass(frozen=True, slots=True)
class Undoing:
    """The change that a call is to take back, and what that rested on when it was made."""

    proposal_id: UUID
    basis: tuple[Basis, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where a call came from.

    `call_key` names the call within its run, or outside of one among those whose outcome was not
    told yet: it proposes once. `client` is the program that asked over MCP.
    """

    edge: Edge
    conversation_id: UUID | None = None
    run_id: UUID | None = None
    call_key: str | None = None
    undoing: Undoing | None = None
    client: Program | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """What would be done, by which tool, with how much of an effect."""

    tool: str
    effect: Effect
    egress: bool
    external: bool
    preview: Mapping[str, Any]
    basis: tuple[Basis, ...]
    payload_hash: bytes


@dataclass(frozen=True, slots=True)
class Grounds:
    """Why a card is shown, and where the values on it came from, as `tools/provenance.py` says.

    `taint` is what untrusted content the model had before it when it prepared the change.
    """

    reason: Reason
    provenance: Mapping[str, Any] = field(default_factory=dict[str, Any])
    taint: Taint = CLEAN

    @property
    def is_red(self) -> bool:
        return bool(self.provenance.get("alarms"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """What is stored when a change is proposed. `owner_id` is the person whose proposal it is."""

    id: UUID
    tenant_id: UUID
    change: Change
    place: Place
    proposer: Actor
    owner_id: UUID
    grounds: Grounds
    lifetime: timedelta
    supersedes: UUID | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """How a proposal ended, as far as it has."""

    decider: Actor | None = None
    decided_at: datetime | None = None
    finished_at: datetime | None = None
    note: str | None = None
    superseded_by: UUID | None = None
    result: Any = None
    error: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """A stored proposal. `is_expired` was judged by the database's clock when it was read.

    `begun_at`: a change outside was begun then, and may have happened. `secrets` are references to
    what a person typed into its card.
    """

    draft: Draft
    payload: bytes
    state: State
    is_expired: bool
    begun_at: datetime | None
    created_at: datetime
    expires_at: datetime
    outcome: Outcome
    secrets: Mapping[str, UUID] = field(default_factory=dict[str, UUID])

    @property
    def id(self) -> UUID:
        return self.draft.id

    @property
    def tenant_id(self) -> UUID:
        return self.draft.tenant_id

    @property
    def change(self) -> Change:
        return self.draft.change

    @property
    def present_state(self) -> State:
        """Expired counts before anybody has marked it."""
        return "expired" if self.state == "proposed" and self.is_expired else self.state


def check_open(proposal: Proposal) -> None:
    """Raise unless the proposal still waits for its decision."""
    state = proposal.present_state
    if state == "expired":
        raise Expired(OVER["expired"])
    if state != "proposed":
        raise Conflict(OVER[state])


def check_may_see(proposal: Proposal, tool: Tool | None, principal: Principal) -> None:
    """Who proposed it, whose it is, and whoever may decide about it; nobody else learns of it."""
    draft = proposal.draft
    if principal.id not in (draft.proposer.id, draft.owner_id):
        _check_decides_for_others(draft, tool, principal)


def check_may_decide(
    proposal: Proposal, tool: Tool, person: Principal, granted: Collection[str]
) -> None:
    """Raise unless this person may decide.

    The person whose it is needs the tool's rules, at least somewhere: what is changed is checked
    again for the proposer. Another person needs them everywhere, and never decides about what a
    conversation or a program of somebody else prepared.
    """
    if proposal.draft.owner_id != person.id:
        _check_decides_for_others(proposal.draft, tool, person)
        return
    missing = find_missing_rule(tool, person, granted)
    if missing is not None:
        raise MissingRule(missing)


def decides_everywhere(tool: Tool, person: Principal) -> bool:
    """Whether all of the tool's rules hold for the person in the whole tenant."""
    return person.is_person and all(holds(person.rules, rule) for rule in tool.rules)


def _check_decides_for_others(draft: Draft, tool: Tool | None, person: Principal) -> None:
    shared = draft.proposer.kind == "user" and draft.place.conversation_id is None
    if tool is None or not shared or not decides_everywhere(tool, person):
        raise NotFound


def find_lifetime(
    tool: Tool, preview: Preview, edge: Edge, *, needs_others: bool = False
) -> timedelta:
    default = CHAT_LIFETIME if edge == "chat" and not needs_others else OTHER_LIFETIME
    return preview.expires_after or tool.behaviour.expires_after or default


def find_waiting_time(tool: Tool | None, proposal: Proposal) -> timedelta:
    """How long one waits that turned out to need others: what its author said stays."""
    lifetime = proposal.draft.lifetime
    said = tool is not None and tool.behaviour.expires_after is not None
    by_default = abs(lifetime - CHAT_LIFETIME) < timedelta(seconds=1)
    return OTHER_LIFETIME if by_default and not said else lifetime


def encode_basis(basis: Sequence[Basis]) -> list[list[str | int]]:
    return [[one.kind, one.id, one.version] for one in basis]


def parse_basis(encoded: Sequence[Sequence[Any]]) -> tuple[Basis, ...]:
    return tuple(Basis(*one) for one in encoded)


def has_moved(seen: Change, now: Change) -> bool:
    """Whether what the change was based on, or how far it goes, is different by now."""
    return (set(seen.basis), seen.effect, seen.egress) != (set(now.basis), now.effect, now.egress)
