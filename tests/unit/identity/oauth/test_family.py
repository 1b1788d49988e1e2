"""What becomes of whoever shows a code or a refresh token."""

from dataclasses import replace
from uuid import UUID

import pytest

from assent.identity.oauth.family import (
    Family,
    Issue,
    Kept,
    Reused,
    ShownCode,
    ShownRefresh,
    decide_redemption,
    decide_refresh,
    find_effective,
    verify_challenge,
)
from assent.identity.oauth.request import Fault, Terms

NOBODY = UUID(int=0)
NONE = set[str]()
KNOWN = ("a.b.read", "a.b.manage", "a.c.read")
TERMS = Terms(issuer="https://a", known=KNOWN, offered=KNOWN)
VERIFIER = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
CHALLENGE = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
FAMILY = Family(
    id=NOBODY,
    tenant_id=NOBODY,
    connection_id=NOBODY,
    client_id="lathe",
    client_name="Lathe",
    user_id=NOBODY,
    user_name="Ada",
    active=True,
    challenge=CHALLENGE,
    redirect_uri="https://lathe/done",
    resource=TERMS.resource,
    scopes=("a.b.read",),
    allowed=("a.b.read",),
    is_used=False,
    is_over=False,
)
CODE = ShownCode(
    code="c",
    client_id="lathe",
    redirect_uri="https://lathe/done",
    verifier=VERIFIER,
    resource=TERMS.resource,
)
KEPT = Kept(id=NOBODY, scopes=("a.b.manage", "a.c.read"), is_used=False, is_over=False)
REFRESH = ShownRefresh(token="t", client_id="lathe", scope=None, resource=None)


def test_the_example_of_the_standard() -> None:
    assert verify_challenge(VERIFIER, CHALLENGE)
    assert not verify_challenge(VERIFIER[:-1] + "x", CHALLENGE)
    assert not verify_challenge(CHALLENGE, CHALLENGE)
    for wrong in ("", "x" * 42, "x" * 129, "ü" * 43, "x" * 42 + "\n"):
        assert not verify_challenge(wrong, CHALLENGE)


def test_a_code_gives_what_was_allowed() -> None:
    assert decide_redemption(FAMILY, CODE, TERMS.resource) == Issue(("a.b.read",))
    less = replace(CODE, redirect_uri=None, resource=None)
    assert decide_redemption(FAMILY, less, TERMS.resource) == Issue(("a.b.read",))


@pytest.mark.parametrize(
    ("family", "shown", "error"),
    [
        ({}, {"client_id": "saw"}, "invalid_grant"),
        ({"is_used": True}, {"client_id": "saw"}, "invalid_grant"),
        ({"is_over": True}, {}, "invalid_grant"),
        ({"active": False}, {}, "invalid_grant"),
        ({}, {"redirect_uri": "https://lathe/done/"}, "invalid_grant"),
        ({}, {"verifier": "x" * 43}, "invalid_grant"),
        ({}, {"resource": "https://b/mcp"}, "invalid_target"),
        ({"resource": "https://b/mcp"}, {}, "invalid_target"),
    ],
)
def test_a_code_that_gives_nothing(
    family: dict[str, object], shown: dict[str, object], error: str
) -> None:
    verdict = decide_redemption(replace(FAMILY, **family), replace(CODE, **shown), TERMS.resource)  # pyright: ignore[reportArgumentType]
    assert isinstance(verdict, Fault)
    assert verdict.error == error


def test_what_was_used_gives_a_thief_away() -> None:
    """Whatever else is wrong with it: over, without the verifier, for another resource."""
    used = replace(FAMILY, is_used=True, is_over=True)
    wrong = replace(CODE, verifier="x", resource="https://b")
    assert decide_redemption(used, wrong, TERMS.resource) == Reused()
    kept = replace(KEPT, is_used=True, is_over=True)
    assert decide_refresh(FAMILY, kept, REFRESH, TERMS) == Reused()


@pytest.mark.parametrize(
    ("scope", "expected"),
    [
        (None, ("a.b.manage", "a.c.read")),
        ("a.b.read", ("a.b.read",)),
        ("a.c.read a.b.manage", ("a.b.manage", "a.c.read")),
        ("a.b.read offline_access", ("a.b.read",)),
    ],
)
def test_a_refresh_gives_as_much_or_less(scope: str | None, expected: tuple[str, ...]) -> None:
    shown = replace(REFRESH, scope=scope)
    assert decide_refresh(FAMILY, KEPT, shown, TERMS) == Issue(expected)


@pytest.mark.parametrize(
    ("kept", "shown", "error"),
    [
        ({}, {"client_id": "saw"}, "invalid_grant"),
        ({"is_over": True}, {}, "invalid_grant"),
        ({}, {"resource": "https://b/mcp"}, "invalid_target"),
        ({}, {"scope": "*"}, "invalid_scope"),
        ({}, {"scope": "nothing"}, "invalid_scope"),
        ({"scopes": ("a.c.read",)}, {"scope": "a.b.read"}, "invalid_scope"),
        ({"scopes": ("a.b.read",)}, {"scope": "a.b.manage"}, "invalid_scope"),
    ],
)
def test_a_refresh_that_gives_nothing(
    kept: dict[str, object], shown: dict[str, object], error: str
) -> None:
    verdict = decide_refresh(FAMILY, replace(KEPT, **kept), replace(REFRESH, **shown), TERMS)  # pyright: ignore[reportArgumentType]
    assert isinstance(verdict, Fault)
    assert verdict.error == error


def test_nobody_who_is_not_let_in_refreshes() -> None:
    verdict = decide_refresh(replace(FAMILY, active=False), KEPT, REFRESH, TERMS)
    assert isinstance(verdict, Fault)


@pytest.mark.parametrize(
    ("scopes", "allowed", "left"),
    [
        (("a.b.read",), ("a.b.read", "a.c.read"), {"a.b.read"}),
        (("a.b.manage",), ("a.b.read",), {"a.b.read"}),
        (("*",), ("a.b.read",), {"a.b.read"}),
        (("a.b.read",), ("*",), {"a.b.read"}),
        (("*",), ("*",), {"*"}),
        (("a.b.read",), ("a.c.read",), NONE),
    ],
)
def test_a_later_yes_narrows_older_tokens(
    scopes: tuple[str, ...], allowed: tuple[str, ...], left: set[str]
) -> None:
    assert find_effective(scopes, allowed) == left


def test_who_acted() -> None:
    assert FAMILY.actor.name == "Ada via Lathe"
