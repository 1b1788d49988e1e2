"""Where a rule holds for a principal."""

from typing import Any
from uuid import UUID

import pytest

from assent.errors import MissingRule, NotFound
from assent.identity.principal import (
    Client,
    Principal,
    Scope,
    act_through,
    check_covers,
    check_rule,
    find_scope,
)

READ, MANAGE = "catalog.system.read", "catalog.system.manage"
HERE, THERE, THING, OTHER = (UUID(int=number) for number in range(1, 5))
NOTHING = frozenset[UUID]()


def person(**fields: Any) -> Principal:
    return Principal(kind="user", id=UUID(int=9), tenant_id=UUID(int=8), name="Ann", **fields)


EVERYWHERE = person(rules=frozenset({MANAGE}))
IN_HERE = person(workspace_rules={HERE: frozenset({MANAGE}), THERE: frozenset({"a.b.read"})})
VIEWER = person(rules=frozenset({READ}))
ADMIN = person(rules=frozenset({"*"}))
NOBODY = person()


@pytest.mark.parametrize(
    ("who", "rule", "granted", "scope"),
    [
        (EVERYWHERE, READ, NOTHING, Scope(READ, True, NOTHING, NOTHING)),
        (ADMIN, MANAGE, NOTHING, Scope(MANAGE, True, NOTHING, NOTHING)),
        (IN_HERE, READ, NOTHING, Scope(READ, False, frozenset({HERE}), NOTHING)),
        (VIEWER, MANAGE, NOTHING, Scope(MANAGE, False, NOTHING, NOTHING)),
        (NOBODY, READ, frozenset({THING}), Scope(READ, False, NOTHING, frozenset({THING}))),
    ],
)
def test_find_scope(who: Principal, rule: str, granted: frozenset[UUID], scope: Scope) -> None:
    assert find_scope(who, rule, granted) == scope


@pytest.mark.parametrize(
    ("scope", "workspace", "resource", "covered"),
    [
        (Scope(READ, True, NOTHING, NOTHING), THERE, OTHER, True),
        (Scope(READ, False, frozenset({HERE}), NOTHING), HERE, OTHER, True),
        (Scope(READ, False, frozenset({HERE}), NOTHING), THERE, OTHER, False),
        (Scope(READ, False, NOTHING, frozenset({THING})), THERE, THING, True),
        (Scope(READ, False, NOTHING, frozenset({THING})), THERE, OTHER, False),
        (Scope(READ, False, NOTHING, frozenset({THING})), THERE, None, False),
        (Scope(READ, False, NOTHING, NOTHING), HERE, THING, False),
    ],
)
def test_covers(scope: Scope, workspace: UUID, resource: UUID | None, covered: bool) -> None:
    assert scope.covers(workspace_id=workspace, resource_id=resource) is covered


@pytest.mark.parametrize(
    ("scope", "is_empty"),
    [
        (Scope(READ, True, NOTHING, NOTHING), False),
        (Scope(READ, False, frozenset({HERE}), NOTHING), False),
        (Scope(READ, False, NOTHING, frozenset({THING})), False),
        (Scope(READ, False, NOTHING, NOTHING), True),
    ],
)
def test_is_empty(scope: Scope, is_empty: bool) -> None:
    assert scope.is_empty is is_empty


SEES = Scope(READ, True, NOTHING, NOTHING)
BLIND = Scope(READ, False, NOTHING, NOTHING)
CHANGES = Scope(MANAGE, True, NOTHING, NOTHING)
CHANGES_NOT = Scope(MANAGE, False, NOTHING, NOTHING)


@pytest.mark.parametrize(
    ("reading", "changing", "error"),
    [
        (SEES, None, None),
        (SEES, CHANGES, None),
        (BLIND, None, NotFound),
        (BLIND, CHANGES, NotFound),
        (BLIND, CHANGES_NOT, NotFound),
        (SEES, CHANGES_NOT, MissingRule),
    ],
)
def test_what_is_unseen_is_not_found_and_what_is_fixed_names_the_rule(
    reading: Scope, changing: Scope | None, error: type[Exception] | None
) -> None:
    if error is None:
        check_covers(reading, changing, workspace_id=HERE, resource_id=THING)
        return
    with pytest.raises(error) as caught:
        check_covers(reading, changing, workspace_id=HERE, resource_id=THING)
    if isinstance(caught.value, MissingRule):
        assert caught.value.rule == MANAGE


@pytest.mark.parametrize(
    ("kind", "session", "is_person"),
    [("user", HERE, True), ("user", None, False), ("application", HERE, False)],
)
def test_a_person_has_a_session(kind: Any, session: UUID | None, is_person: bool) -> None:
    one = Principal(kind=kind, id=HERE, tenant_id=HERE, name="x", session_id=session)
    assert one.is_person is is_person


@pytest.mark.parametrize(
    ("who", "enters"), [(VIEWER, True), (IN_HERE, True), (NOBODY, False), (ADMIN, True)]
)
def test_enters(who: Principal, enters: bool) -> None:
    assert who.enters(HERE) is enters


def test_only_everything_makes_an_admin() -> None:
    assert ADMIN.is_admin
    assert not EVERYWHERE.is_admin
    assert not person(workspace_rules={HERE: frozenset({"*"})}).is_admin


def test_check_rule_counts_only_what_holds_everywhere() -> None:
    check_rule(EVERYWHERE, READ)
    with pytest.raises(MissingRule):
        check_rule(IN_HERE, READ)


def through(*scopes: str, **fields: Any) -> Principal:
    client = Client(id=OTHER, name="Claude", scopes=frozenset(scopes))
    return act_through(person(session_id=HERE, **fields), client)


@pytest.mark.parametrize(
    ("held", "scopes", "left"),
    [
        ({MANAGE}, {MANAGE}, {MANAGE}),
        ({MANAGE}, {READ}, {READ}),
        ({READ}, {MANAGE}, {READ}),
        ({READ}, {"*"}, {READ}),
        ({"*"}, {READ}, {READ}),
        ({"*"}, {"*"}, {"*"}),
        ({READ}, set[str](), set[str]()),
        (set[str](), {"*"}, set[str]()),
    ],
)
def test_a_program_may_what_both_may(held: set[str], scopes: set[str], left: set[str]) -> None:
    assert through(*scopes, rules=frozenset(held)).rules == left
    somewhere = through(*scopes, workspace_rules={HERE: frozenset(held)})
    assert somewhere.workspace_rules == {HERE: left}


def test_a_program_never_has_the_session() -> None:
    one = through("*", rules=frozenset({"*"}))
    assert (one.is_person, one.session_id, one.kind) == (False, None, "user")
    assert one.actor.name == "Ann via Claude"
    assert person().actor.name == "Ann"


def test_grants_count_within_what_the_program_got() -> None:
    assert through(READ).may_be_granted(READ)
    assert not through(READ).may_be_granted(MANAGE)
    assert through("*").may_be_granted(MANAGE)
    assert person().may_be_granted(MANAGE)
    application = Principal(kind="application", id=HERE, tenant_id=HERE, name="x")
    assert not application.may_be_granted(READ)
