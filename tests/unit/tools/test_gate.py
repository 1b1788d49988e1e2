"""The gate over every combination of its inputs: what must hold whatever the code looks like."""

from dataclasses import replace
from itertools import product
from typing import Any, cast, get_args
from uuid import UUID

import pytest

from assent.audit.entry import Effect
from assent.identity.principal import Kind
from assent.tools import gate
from assent.tools.destination import Standing
from assent.tools.gate import (
    Apply,
    Call,
    Caller,
    Deed,
    Demand,
    Edge,
    Mode,
    Propose,
    Reason,
    Refuse,
    Run,
    Verdict,
    decide,
    find_caller,
)
from tests.unit.tools.samples import build_principal

YES_NO = (False, True)
DEEDS = [
    Deed(effect=effect, egress=egress, destination=destination, writes_instructions=writes)
    for effect, egress, destination, writes in product(
        get_args(Effect), YES_NO, get_args(Standing), YES_NO
    )
]
CALLS = [
    Call(
        deed=deed,
        edge=edge,
        caller=caller,
        mode=mode,
        owner_allowed=owner_allowed,
        tainted=tainted,
        demand=demand,
    )
    for deed, edge, caller, mode, owner_allowed, tainted, demand in product(
        DEEDS,
        get_args(Edge),
        get_args(Caller),
        get_args(Mode),
        YES_NO,
        YES_NO,
        get_args(Demand),
    )
]
STRICTNESS: dict[type[Verdict], int] = {Run: 0, Apply: 0, Propose: 1, Refuse: 2}


def build_call(**given: Any) -> Call:
    """A person's untainted chat in approve mode, but for what is given."""
    deed = Deed(
        effect=given.pop("effect", "read"),
        egress=given.pop("egress", False),
        destination=given.pop("destination", "other"),
        writes_instructions=given.pop("writes_instructions", False),
    )
    usual = Call(
        deed=deed,
        edge="chat",
        caller="person",
        mode="approve",
        owner_allowed=False,
        tainted=False,
        demand="none",
    )
    return replace(usual, **given)


def strictness(call: Call) -> int:
    return STRICTNESS[type(decide(call))]


def goes_ahead(call: Call) -> bool:
    return isinstance(decide(call), Run | Apply)


def all_where(**wanted: Any) -> list[Call]:
    """Every combination in which these fields, of the call or of its deed, have these values."""
    found = [
        call
        for call in CALLS
        if all(
            (getattr(call.deed, name) if hasattr(call.deed, name) else getattr(call, name)) == value
            for name, value in wanted.items()
        )
    ]
    assert found
    return found


def test_the_whole_product_is_looked_at() -> None:
    assert len(CALLS) == len(set(CALLS)) == (3 * 2 * 4 * 2) * (4 * 4 * 2 * 2 * 2 * 4)


def test_services_are_always_refused_and_nobody_else_is() -> None:
    refused = [call for call in CALLS if isinstance(decide(call), Refuse)]
    assert refused == all_where(caller="service")


def test_what_destroys_never_goes_ahead() -> None:
    assert not any(map(goes_ahead, all_where(effect="destructive")))


def test_only_reads_run_and_only_changes_are_applied() -> None:
    effects = {(type(decide(call)), call.deed.effect) for call in CALLS if goes_ahead(call)}
    assert effects == {(Run, "read"), (Apply, "mutate")}


def test_nothing_changes_through_a_credential_that_can_call_tools() -> None:
    assert {call.caller for call in CALLS if isinstance(decide(call), Apply)} == {"person"}


def test_nothing_changes_at_once_over_rest_or_mcp() -> None:
    applied = {call.edge for call in CALLS if isinstance(decide(call), Apply)}
    assert applied == {"chat", "headless"}


def test_a_change_that_carries_data_out_never_applies_itself() -> None:
    assert not any(map(goes_ahead, all_where(effect="mutate", egress=True)))


def test_taint_makes_every_change_wait() -> None:
    for effect in ("mutate", "destructive"):
        assert not any(map(goes_ahead, all_where(effect=effect, tainted=True)))


def test_approve_mode_never_changes_anything_in_a_chat() -> None:
    for effect in ("mutate", "destructive"):
        assert not any(map(goes_ahead, all_where(effect=effect, mode="approve", edge="chat")))


def test_unattended_nothing_leaves_or_changes_without_the_owner() -> None:
    waiting = [
        call
        for call in all_where(edge="headless", owner_allowed=False)
        if call.deed.effect != "read" or call.deed.egress
    ]
    assert waiting
    assert not any(map(goes_ahead, waiting))


def test_who_asks_for_a_card_gets_one() -> None:
    for demand in ("model", "tool", "approval_rule"):
        assert not any(map(goes_ahead, all_where(demand=demand)))


def test_reads_that_stay_run_for_everybody_but_services() -> None:
    for call in all_where(effect="read", egress=False, demand="none"):
        assert isinstance(decide(call), Run) == (call.caller != "service")


def test_a_read_to_an_unknown_place_never_runs_while_somebody_could_ask() -> None:
    for edge in ("chat", "rest", "mcp"):
        assert not any(
            map(goes_ahead, all_where(effect="read", egress=True, destination="other", edge=edge))
        )


def test_what_was_typed_counts_only_for_the_person_who_chats() -> None:
    places = {
        (call.edge, call.caller)
        for call in all_where(effect="read", egress=True, destination="typed")
        if goes_ahead(call) and call.edge != "headless"
    }
    assert places == {("chat", "person")}


def test_inside_counts_only_while_nothing_untrusted_was_read() -> None:
    running = [
        call
        for call in all_where(effect="read", egress=True, destination="inside")
        if goes_ahead(call) and call.edge != "headless"
    ]
    assert running
    assert {(call.edge, call.tainted) for call in running} == {("chat", False)}


@pytest.mark.parametrize(
    "stricter",
    [
        {"tainted": True},
        {"mode": "approve"},
        {"owner_allowed": False},
        {"caller": "service"},
        {"caller": "application"},
        {"caller": "token"},
        {"demand": "model"},
        {"demand": "approval_rule"},
    ],
    ids=str,
)
def test_nothing_that_warns_ever_lowers_the_gate(stricter: dict[str, Any]) -> None:
    for call in CALLS:
        if "caller" in stricter and call.caller != "person":
            continue
        assert strictness(replace(call, **stricter)) >= strictness(call)


@pytest.mark.parametrize(
    "stricter",
    [{"egress": True}, {"destination": "other"}, {"writes_instructions": True}],
    ids=str,
)
def test_nothing_worse_to_do_ever_lowers_the_gate(stricter: dict[str, Any]) -> None:
    for call in CALLS:
        assert strictness(replace(call, deed=replace(call.deed, **stricter))) >= strictness(call)


def test_worse_effects_never_lower_the_gate() -> None:
    for call in all_where(effect="read"):
        mutate, destroy = (
            replace(call, deed=replace(call.deed, effect=cast(Effect, effect)))
            for effect in ("mutate", "destructive")
        )
        assert strictness(call) <= strictness(mutate) <= strictness(destroy)


def test_a_program_is_never_better_off_than_a_person() -> None:
    for call in all_where(caller="person"):
        for caller in ("token", "application"):
            assert strictness(call) <= strictness(replace(call, caller=caller))


@pytest.mark.parametrize("field", ["effect", "caller", "edge", "mode", "demand"])
def test_a_change_with_a_value_that_nobody_knows_never_goes_ahead(field: str) -> None:
    assert not goes_ahead(build_call(**{"effect": "mutate", "mode": "auto", field: "unheard of"}))


@pytest.mark.parametrize("field", ["effect", "caller", "destination", "demand"])
def test_egress_with_a_value_that_nobody_knows_never_goes_ahead(field: str) -> None:
    assert not goes_ahead(
        build_call(**{"egress": True, "destination": "typed", field: "unheard of"})
    )


def test_an_unknown_effect_or_caller_is_refused() -> None:
    assert decide(build_call(effect="unheard of")) == Refuse(gate.UNKNOWN)
    assert decide(build_call(caller="unheard of")) == Refuse(gate.CALLER)


EXAMPLES: list[tuple[str, dict[str, Any], Verdict]] = [
    ("a read", {}, Run(gate.READ)),
    ("a read by a key", {"caller": "application", "edge": "rest"}, Run(gate.READ)),
    ("a tainted read", {"tainted": True}, Run(gate.READ)),
    ("a service", {"caller": "service"}, Refuse(gate.CALLER)),
    ("the default mode", {"effect": "mutate"}, Propose(gate.MODE)),
    ("auto", {"effect": "mutate", "mode": "auto"}, Apply(gate.AUTO)),
    ("auto, tainted", {"effect": "mutate", "mode": "auto", "tainted": True}, Propose(gate.TAINTED)),
    (
        "a memory, tainted",
        {"effect": "mutate", "mode": "auto", "tainted": True, "writes_instructions": True},
        Propose(gate.INSTRUCTIONS),
    ),
    (
        "a memory, untainted",
        {"effect": "mutate", "mode": "auto", "writes_instructions": True},
        Apply(gate.AUTO),
    ),
    ("a delete", {"effect": "destructive", "mode": "auto"}, Propose(gate.DESTRUCTIVE)),
    (
        "a message to the outside",
        {"effect": "mutate", "mode": "auto", "egress": True, "destination": "allowed"},
        Propose(gate.EGRESS_CHANGE),
    ),
    (
        "the model asks",
        {"effect": "mutate", "mode": "auto", "demand": "model"},
        Propose(gate.DEMANDS["model"]),
    ),
    (
        "a role is changed",
        {"effect": "mutate", "mode": "auto", "demand": "tool"},
        Propose(gate.DEMANDS["tool"]),
    ),
    (
        "two of three must agree",
        {"effect": "mutate", "mode": "auto", "demand": "approval_rule"},
        Propose(gate.DEMANDS["approval_rule"]),
    ),
    ("a probe", {"egress": True}, Propose(gate.EGRESS_READ)),
    (
        "a probe of what was typed, tainted",
        {"egress": True, "destination": "typed", "tainted": True},
        Run(gate.TYPED),
    ),
    (
        "a probe of an allowed place over MCP",
        {"egress": True, "destination": "allowed", "caller": "token", "edge": "mcp"},
        Run(gate.ALLOWED),
    ),
    ("an inside source", {"egress": True, "destination": "inside"}, Run(gate.INSIDE)),
    (
        "an inside source, tainted",
        {"egress": True, "destination": "inside", "tainted": True},
        Propose(gate.EGRESS_READ),
    ),
    (
        "a change over MCP",
        {"effect": "mutate", "mode": "auto", "caller": "token", "edge": "mcp"},
        Propose(gate.NOT_A_PERSON),
    ),
    (
        "a change by a key",
        {"effect": "mutate", "mode": "auto", "caller": "application", "edge": "rest"},
        Propose(gate.NOT_A_PERSON),
    ),
    (
        "a person's own call over REST",
        {"effect": "mutate", "mode": "auto", "edge": "rest"},
        Propose(gate.MODE),
    ),
    (
        "a nightly run",
        {"effect": "mutate", "mode": "auto", "edge": "headless"},
        Propose(gate.UNATTENDED),
    ),
    (
        "a nightly run with leave",
        {"effect": "mutate", "edge": "headless", "owner_allowed": True},
        Apply(gate.OWNER),
    ),
    (
        "a nightly run with leave, tainted",
        {"effect": "mutate", "edge": "headless", "owner_allowed": True, "tainted": True},
        Propose(gate.TAINTED),
    ),
    (
        "a nightly delete with leave",
        {"effect": "destructive", "edge": "headless", "owner_allowed": True},
        Propose(gate.DESTRUCTIVE),
    ),
    (
        "a nightly probe",
        {"egress": True, "destination": "allowed", "edge": "headless"},
        Propose(gate.UNATTENDED),
    ),
    (
        "a nightly probe with leave",
        {"egress": True, "edge": "headless", "owner_allowed": True},
        Run(gate.OWNER),
    ),
]


@pytest.mark.parametrize(
    ("given", "expected"),
    [(given, expected) for _, given, expected in EXAMPLES],
    ids=[title for title, _, _ in EXAMPLES],
)
def test_examples(given: dict[str, Any], expected: Verdict) -> None:
    assert decide(build_call(**given)) == expected


def test_every_reason_has_its_own_code_and_is_used() -> None:
    declared = [one for one in vars(gate).values() if isinstance(one, Reason)]
    declared += gate.DEMANDS.values()
    assert len({one.code for one in declared}) == len(declared)
    used = {decide(call).reason for call in CALLS} | {gate.UNKNOWN}
    assert used == set(declared)


@pytest.mark.parametrize(
    ("kind", "session_id", "expected"),
    [
        ("user", UUID(int=9), "person"),
        ("user", None, "token"),
        ("application", None, "application"),
        ("service", None, "service"),
    ],
)
def test_who_calls(kind: Kind, session_id: UUID | None, expected: Caller) -> None:
    assert find_caller(build_principal(kind=kind, session_id=session_id)) == expected
