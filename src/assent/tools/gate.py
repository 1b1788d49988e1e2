"""Whether a call runs, is proposed, is applied at once or is refused (SPEC P9, P11, G4). Pure.

`decide` is the one place that says so; the door acts on it. Rights, budgets and duplicates are
checked before, by others: nothing here makes up for them, and nothing there gets around this.
"""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from assent.audit.entry import Effect
from assent.identity.principal import Principal
from assent.tools.destination import Standing

Edge: TypeAlias = Literal["chat", "headless", "rest", "mcp"]
Mode: TypeAlias = Literal["approve", "auto"]
Caller: TypeAlias = Literal["person", "token", "application", "service"]
Demand: TypeAlias = Literal["none", "model", "tool", "approval_rule"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Deed:
    """What this call would do, computed from its arguments."""

    effect: Effect
    egress: bool
    destination: Standing
    writes_instructions: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """All that the decision depends on.

    `caller` is a person only if a browser session of theirs began the run, or if they own the
    headless one. `owner_allowed`: the owner of a headless run has allowed this tool with exactly
    this destination. `tainted`: untrusted content is in the model's context. `demand`: who asks
    for a card where none may be needed.
    """

    deed: Deed
    edge: Edge
    caller: Caller
    mode: Mode
    owner_allowed: bool
    tainted: bool
    demand: Demand


@dataclass(frozen=True, slots=True)
class Reason:
    """A stable code, and a sentence for people and models."""

    code: str
    sentence: str


@dataclass(frozen=True, slots=True)
class Run:
    """Read, and answer."""

    reason: Reason


@dataclass(frozen=True, slots=True)
class Propose:
    """Show a card and let a person decide."""

    reason: Reason


@dataclass(frozen=True, slots=True)
class Apply:
    """Change it at once and show what was changed."""

    reason: Reason


@dataclass(frozen=True, slots=True)
class Refuse:
    """Do nothing."""

    reason: Reason


Verdict: TypeAlias = Run | Propose | Apply | Refuse

READ = Reason("read", "It only reads.")
ALLOWED = Reason("destination_allowed", "Its destination is on the allow-list.")
TYPED = Reason("destination_typed", "The person wrote exactly this destination.")
INSIDE = Reason("destination_inside", "It stays inside, and nothing untrusted has been read.")
OWNER = Reason("owner_allowed", "The owner of this run has allowed this tool and destination.")
AUTO = Reason("mode_auto", "This conversation applies changes at once.")

MODE = Reason("mode_approve", "A person decides about each change.")
DESTRUCTIVE = Reason("destructive", "What destroys something always needs a decision.")
EGRESS_READ = Reason("egress_read", "It would carry data to a place that nobody has named.")
EGRESS_CHANGE = Reason("egress_change", "A change that carries data out always needs a decision.")
NOT_A_PERSON = Reason("not_a_person", "A program can propose a change; a person decides.")
TAINTED = Reason("tainted", "Untrusted content has been read, so a person decides.")
INSTRUCTIONS = Reason(
    "instructions_tainted",
    "It would write instructions for later, and untrusted content has been read.",
)
UNATTENDED = Reason("unattended", "Nobody watches this run, and its owner has not allowed this.")
DEMANDS = {
    "model": Reason("card_asked", "A decision was asked for."),
    "tool": Reason("tool_always_asks", "This tool always needs a decision."),
    "approval_rule": Reason("approval_rule", "An approval rule says who decides about this."),
}

CALLER = Reason("caller", "Only a person, or a program that acts for one, calls tools.")
UNKNOWN = Reason("unknown", "Nothing says that this may be done.")


def decide(call: Call) -> Verdict:
    if call.caller not in ("person", "token", "application"):
        return Refuse(CALLER)
    if call.deed.effect == "destructive":
        return Propose(DESTRUCTIVE)
    if call.demand != "none":
        return Propose(DEMANDS.get(call.demand, UNKNOWN))
    if call.deed.effect == "read":
        return _decide_egress(call) if call.deed.egress else Run(READ)
    if call.deed.effect == "mutate":
        return _decide_change(call)
    return Refuse(UNKNOWN)


def _decide_egress(call: Call) -> Verdict:
    """A read that carries data out. Only in a chat is known what was typed and what was read."""
    if call.edge == "headless":
        return Run(OWNER) if call.owner_allowed else Propose(UNATTENDED)
    if call.deed.destination == "allowed":
        return Run(ALLOWED)
    if call.edge == "chat" and call.caller == "person":
        if call.deed.destination == "typed":
            return Run(TYPED)
        if call.deed.destination == "inside" and not call.tainted:
            return Run(INSIDE)
    return Propose(EGRESS_READ)


def _decide_change(call: Call) -> Verdict:
    """A change that can be made again differently. Only a person's own run ever applies it."""
    if call.deed.egress:
        return Propose(EGRESS_CHANGE)
    if call.caller != "person":
        return Propose(NOT_A_PERSON)
    if call.tainted:
        return Propose(INSTRUCTIONS if call.deed.writes_instructions else TAINTED)
    if call.edge == "headless":
        return Apply(OWNER) if call.owner_allowed else Propose(UNATTENDED)
    if call.edge == "chat" and call.mode == "auto":
        return Apply(AUTO)
    return Propose(MODE)


def find_caller(principal: Principal) -> Caller:
    """A user without a browser session came with a token."""
    if principal.kind == "user":
        return "person" if principal.is_person else "token"
    return principal.kind
