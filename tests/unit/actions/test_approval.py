"""Which approval rules hold, what is missing, and who may vote: tables, and the last line."""

from typing import Any
from uuid import UUID

import pytest
from pydantic import ValidationError

from assent.actions.approval import (
    ENOUGH,
    NOT_A_PERSON,
    NOT_NAMED,
    OWN,
    VOTED,
    Matter,
    MayNotVote,
    MayVote,
    Verdict,
    Voter,
    count_votes,
    decide_vote,
    is_met,
    match_rules,
    may_decline,
)
from assent.actions.approvals.rule import (
    ApprovalRule,
    ApprovalRuleChange,
    ApprovalRuleDraft,
    apply_change,
)
from assent.ids import new_id

OWNER, ANN, BOB, EVE = (new_id() for _ in range(4))
ROLE = new_id()


def rule(**given: Any) -> ApprovalRule:
    whom: dict[str, Any] = {} if given.get("anyone") else {"role_ids": [ROLE]}
    told = {"title": "Two of us", "tool": "bank.deposit", **whom, **given}
    return ApprovalRule(id=new_id(), version=1, **told)


def matter(arguments: Any = None, **given: Any) -> Matter:
    readings = () if arguments is None else (arguments,)
    told = {"tool": "bank.deposit", "effect": "mutate", "egress": False, **given}
    return Matter(readings=readings, **told)


@pytest.mark.parametrize(
    ("pattern", "tool", "matches"),
    [
        ("bank.deposit", "bank.deposit", True),
        ("bank.*", "bank.deposit", True),
        ("*", "bank.deposit", True),
        ("bank.depositAll", "bank.deposit", False),
        ("bank.dep", "bank.deposit", False),
        ("ban.*", "bank.deposit", False),
        ("banks.*", "bank.deposit", False),
        ("shop.*", "bank.deposit", False),
    ],
)
def test_a_pattern_is_a_name_a_namespace_or_everything(
    pattern: str, tool: str, matches: bool
) -> None:
    held = match_rules([rule(tool=pattern)], matter({}, tool=tool))
    assert bool(held) is matches


@pytest.mark.parametrize(
    ("effect", "egress", "wanted", "matches"),
    [
        ("mutate", False, None, True),
        ("destructive", False, None, True),
        ("mutate", False, "mutate", True),
        ("destructive", False, "mutate", False),
        ("mutate", False, "destructive", False),
        ("read", True, None, True),
        ("read", True, "mutate", False),
        ("read", False, None, False),
    ],
)
def test_an_effect_narrows_and_a_plain_read_is_nobodys(
    effect: Any, egress: bool, wanted: Any, matches: bool
) -> None:
    held = match_rules([rule(tool="*", effect=wanted)], matter({}, effect=effect, egress=egress))
    assert bool(held) is matches


@pytest.mark.parametrize(
    ("condition", "arguments", "matches"),
    [
        ({"path": "amount", "test": "equals", "values": [5]}, {"amount": 5}, True),
        ({"path": "amount", "test": "equals", "values": [5]}, {"amount": 5.0}, True),
        ({"path": "amount", "test": "equals", "values": [1]}, {"amount": True}, False),
        ({"path": "amount", "test": "equals", "values": [5]}, {"amount": "5"}, False),
        ({"path": "amount", "test": "equals", "values": [5]}, {}, False),
        ({"path": "to.name", "test": "oneOf", "values": ["a", "b"]}, {"to": {"name": "b"}}, True),
        ({"path": "to.name", "test": "oneOf", "values": ["a", "b"]}, {"to": "b"}, False),
        ({"path": "ids", "test": "equals", "values": ["x"]}, {"ids": ["w", "x"]}, True),
        ({"path": "ids", "test": "equals", "values": [["w", "x"]]}, {"ids": ["w", "x"]}, True),
        ({"path": "ids.1", "test": "equals", "values": ["x"]}, {"ids": ["w", "x"]}, True),
        ({"path": "ids.2", "test": "equals", "values": ["x"]}, {"ids": ["w", "x"]}, False),
        ({"path": "at", "test": "present"}, {"at": 0}, True),
        ({"path": "at", "test": "present"}, {"at": None}, False),
        ({"path": "at", "test": "present"}, {}, False),
        ({"path": "at", "test": "present"}, None, True),
    ],
)
def test_a_condition_looks_at_one_argument(condition: Any, arguments: Any, matches: bool) -> None:
    """What cannot be read falls under the rule."""
    assert bool(match_rules([rule(condition=condition)], matter(arguments))) is matches


def test_what_the_tool_adds_by_itself_counts_too() -> None:
    held = rule(condition={"path": "how", "test": "equals", "values": ["well"]})
    read = Matter(
        tool="bank.deposit",
        effect="mutate",
        egress=False,
        readings=({"amount": 5}, {"amount": 5, "how": "well"}),
    )
    assert match_rules([held], read) == (held,)


def decide(
    rules: list[ApprovalRule], person: Voter, *votes: Voter, is_person: bool = True
) -> Verdict:
    return decide_vote(
        count_votes(rules, votes, OWNER),
        person,
        owner_id=OWNER,
        is_person=is_person,
        voted=frozenset(one.id for one in votes),
    )


def named(person: UUID, *rules: ApprovalRule) -> Voter:
    return Voter(id=person, named_by=frozenset(one.id for one in rules))


ONE, TWO = rule(), rule(needed=2)
OTHERS = rule(not_proposer=True)
ANYONE = rule(anyone=True)
SECOND = rule(title="And one of those")


@pytest.mark.parametrize(
    ("rules", "person", "votes", "verdict"),
    [
        ([ONE], named(ANN, ONE), [], MayVote(completes=True)),
        ([ONE], named(EVE), [], MayNotVote(NOT_NAMED)),
        ([ONE], Voter(id=EVE, uses_tool=True), [], MayNotVote(NOT_NAMED)),
        ([ONE], named(OWNER), [], MayNotVote(OWN)),
        ([ONE], named(OWNER, ONE), [], MayVote(completes=True)),
        ([TWO], named(ANN, TWO), [], MayVote(completes=False)),
        ([TWO], named(BOB, TWO), [named(ANN, TWO)], MayVote(completes=True)),
        ([TWO], named(ANN, TWO), [named(ANN, TWO)], MayNotVote(VOTED)),
        # A voter who lost their role does not count any more.
        ([TWO], named(BOB, TWO), [named(ANN)], MayVote(completes=False)),
        ([OTHERS], named(OWNER, OTHERS), [], MayNotVote(OWN)),
        ([OTHERS], named(ANN, OTHERS), [], MayVote(completes=True)),
        ([OTHERS], named(ANN, OTHERS), [named(OWNER, OTHERS)], MayVote(completes=True)),
        ([ANYONE], Voter(id=EVE, uses_tool=True), [], MayVote(completes=True)),
        ([ANYONE], Voter(id=EVE), [], MayNotVote(NOT_NAMED)),
        # All rules that hold must be met; one vote counts for each that counts the person.
        ([ONE, SECOND], named(ANN, ONE), [], MayVote(completes=False)),
        ([ONE, SECOND], named(ANN, ONE, SECOND), [], MayVote(completes=True)),
        ([ONE, SECOND], named(BOB, SECOND), [named(ANN, ONE)], MayVote(completes=True)),
        ([ONE, SECOND], named(BOB, ONE), [named(ANN, ONE)], MayNotVote(ENOUGH)),
        # The rule got weaker since: whoever it counts can have it done.
        ([ONE], named(ANN, ONE), [named(ANN, ONE)], MayVote(completes=True)),
        ([ONE], named(EVE), [named(ANN, ONE)], MayNotVote(NOT_NAMED)),
        ([], named(ANN), [], MayNotVote(NOT_NAMED)),
    ],
)
def test_who_may_vote(
    rules: list[ApprovalRule], person: Voter, votes: list[Voter], verdict: Verdict
) -> None:
    assert decide(rules, person, *votes) == verdict


def test_programs_never_vote() -> None:
    verdict = decide([ANYONE], Voter(id=ANN, uses_tool=True), is_person=False)
    assert verdict == MayNotVote(NOT_A_PERSON)


def test_a_rule_that_names_nobody_lets_nobody_decide() -> None:
    for person in (OWNER, ANN):
        assert isinstance(decide([ONE], Voter(id=person, uses_tool=True)), MayNotVote)


def test_what_is_missing() -> None:
    tallies = count_votes([TWO, SECOND], [named(ANN, TWO), named(BOB, TWO, SECOND)], OWNER)
    assert [tally.missing for tally in tallies] == [0, 0]
    assert is_met(tallies)
    tallies = count_votes([TWO, SECOND], [named(ANN, TWO)], OWNER)
    assert [tally.missing for tally in tallies] == [1, 1]
    assert not is_met(tallies)


def test_whoever_may_vote_and_whose_it_is_may_decline() -> None:
    tallies = count_votes([OTHERS], [], OWNER)
    assert may_decline(tallies, named(OWNER), owner_id=OWNER)
    assert may_decline(tallies, named(ANN, OTHERS), owner_id=OWNER)
    assert not may_decline(tallies, named(EVE), owner_id=OWNER)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"role_ids": []}, "Name roles or people"),
        ({"role_ids": [ROLE], "anyone": True}, "Either"),
        ({"tool": "bank"}, "tool's name"),
        ({"tool": "bank.*.*"}, "tool's name"),
        ({"tool": "*bank"}, "tool's name"),
        ({"needed": 0}, "greater"),
        ({"condition": {"path": "", "test": "present"}}, "at least 1"),
        ({"condition": {"path": "a", "test": "present", "values": [1]}}, "present none"),
        ({"condition": {"path": "a", "test": "equals", "values": []}}, "one value"),
        ({"condition": {"path": "a", "test": "oneOf"}}, "one value"),
    ],
)
def test_a_rule_must_make_sense(given: dict[str, Any], message: str) -> None:
    told: dict[str, Any] = {"title": "t", "tool": "bank.*", "role_ids": [ROLE], **given}
    with pytest.raises(ValidationError, match=message):
        ApprovalRuleDraft(**told)


def test_a_change_keeps_what_it_leaves_out() -> None:
    before = rule(effect="mutate", needed=2)
    change = ApprovalRuleChange(approval_rule_id=before.id, needed=3, effect=None)
    assert apply_change(before, change) == before.model_copy(update={"needed": 3, "effect": None})
    with pytest.raises(ValidationError):
        apply_change(before, ApprovalRuleChange(approval_rule_id=before.id, role_ids=[]))
