"""What is a rule, and which rules hold which."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.identity.rules import (
    EVERYTHING,
    RULE_OR_EVERYTHING,
    RULE_PATTERN,
    describe,
    holds,
    is_rule,
    narrow,
    resource_kind,
)

READ, MANAGE, OTHER = "catalog.system.read", "catalog.system.manage", "catalog.group.read"
NONE = set[str]()
RULES = st.frozensets(st.sampled_from([READ, MANAGE, OTHER, "catalog.group.manage", EVERYTHING]))


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        (READ, True),
        (MANAGE, True),
        ("a.b2.read", True),
        ("catalog.system.write", False),
        ("catalog.system", False),
        ("system.read", False),
        ("a.b.c.read", False),
        ("Catalog.system.read", False),
        ("2a.b.read", False),
        ("a_b.c.read", False),
        (".system.read", False),
        ("catalog.system.read ", False),
        ("catalog.system.read\n", False),
        (EVERYTHING, False),
        ("", False),
    ],
)
def test_is_rule(text: str, is_one: bool) -> None:
    assert is_rule(text) is is_one
    assert bool(re.search(RULE_PATTERN.replace("$", r"\Z"), text)) is is_one
    either = bool(re.search(RULE_OR_EVERYTHING.replace("$", r"\Z"), text))
    assert either is (is_one or text == EVERYTHING)


@pytest.mark.parametrize(
    ("rules", "rule", "held"),
    [
        ([READ], READ, True),
        ([MANAGE], READ, True),
        ([READ], MANAGE, False),
        ([MANAGE], MANAGE, True),
        ([EVERYTHING], MANAGE, True),
        ([EVERYTHING], EVERYTHING, True),
        ([READ, MANAGE], EVERYTHING, False),
        ([OTHER], READ, False),
        (["catalog.group.manage"], READ, False),
        ([], READ, False),
    ],
)
def test_holds(rules: list[str], rule: str, held: bool) -> None:
    assert holds(rules, rule) is held


@pytest.mark.parametrize(
    ("rules", "within", "left"),
    [
        ([READ], [READ], {READ}),
        ([READ], [MANAGE], {READ}),
        ([MANAGE], [READ], {READ}),
        ([MANAGE], [OTHER], NONE),
        ([READ, OTHER], [READ], {READ}),
        ([READ], [EVERYTHING], {READ}),
        ([EVERYTHING], [READ, OTHER], {READ, OTHER}),
        ([EVERYTHING], [EVERYTHING], {EVERYTHING}),
        ([EVERYTHING], [], NONE),
        ([], [EVERYTHING], NONE),
    ],
)
def test_narrow(rules: list[str], within: list[str], left: set[str]) -> None:
    assert narrow(rules, within=within) == left


@given(RULES, RULES, st.sampled_from([READ, MANAGE, OTHER, EVERYTHING]))
def test_what_is_left_is_held_by_both(
    rules: frozenset[str], within: frozenset[str], rule: str
) -> None:
    if holds(narrow(rules, within=within), rule):
        assert holds(rules, rule)
        assert holds(within, rule)


@pytest.mark.parametrize(
    ("rule", "title"),
    [
        (READ, "See systems"),
        (MANAGE, "Change systems"),
        ("ai.egress.read", "See where data may go without a card"),
        ("catalog.dependency.read", "See dependencies"),
        ("identity.user.manage", "Change people and their roles"),
        ("weather.bus.read", "See buses"),
        ("ai.usage.read", "See what models cost"),
    ],
)
def test_describe(rule: str, title: str) -> None:
    assert describe(rule) == title


def test_resource_kind() -> None:
    assert resource_kind(READ) == "catalog.system"
