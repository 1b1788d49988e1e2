"""Scopes that are asked for, held, given and lacking."""

from uuid import UUID

import pytest

from assent.identity.oauth.scopes import (
    ALL,
    describe_scope,
    find_lacking,
    gather_held,
    is_held,
    keep_held,
    parse_scopes,
)
from assent.identity.principal import Principal

KNOWN = ("a.b.read", "a.b.manage", "a.c.read")
NOBODY = UUID(int=0)
NONE = set[str]()


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("", ()),
        ("a.c.read a.b.read", ("a.b.read", "a.c.read")),
        ("a.c.read a.c.read", ("a.c.read",)),
        ("a.c.read openid", ("a.c.read",)),
        ("openid", ()),
        ("*", ("*",)),
        ("a.b.read *", ("*",)),
    ],
)
def test_what_is_asked_for(text: str, asked: tuple[str, ...]) -> None:
    assert parse_scopes(text, KNOWN) == asked


def test_what_a_person_has_to_give() -> None:
    person = Principal(
        kind="user",
        id=NOBODY,
        tenant_id=NOBODY,
        name="Ada",
        rules=frozenset({"a.b.read"}),
        workspace_rules={NOBODY: frozenset({"a.c.manage"})},
    )
    held = gather_held(person, {"a.d.read"})
    assert held == {"a.b.read", "a.c.manage", "a.d.read"}
    assert is_held(held, "a.c.read")
    assert not is_held(held, "a.b.manage")
    assert is_held(held, "*")
    assert not is_held(frozenset(), "*")


@pytest.mark.parametrize(
    ("chosen", "held", "kept"),
    [
        (["a.b.read"], {"a.b.manage"}, ("a.b.read",)),
        (["a.b.manage"], {"a.b.read"}, ("a.b.read",)),
        (["a.b.manage"], {"a.c.read"}, ()),
        (["*"], {"a.c.read"}, ("*",)),
        (["*"], NONE, ()),
        (["a.c.read", "a.b.read"], {"*"}, ("a.b.read", "a.c.read")),
    ],
)
def test_what_is_given(chosen: list[str], held: set[str], kept: tuple[str, ...]) -> None:
    assert keep_held(chosen, held) == kept


def test_what_is_lacking() -> None:
    assert find_lacking({"a.b.manage"}, ["a.b.read", "a.c.read"]) == ("a.c.read",)
    assert find_lacking({"*"}, KNOWN) == ()


def test_in_words() -> None:
    assert describe_scope("*") == ALL
    assert describe_scope("catalog.system.manage") == "Change systems"
