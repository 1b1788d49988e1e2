"""What is wrong with a program's request, and how it is answered."""

import pytest

from assent.identity.oauth.request import Ask, Fault, Terms, find_fault, is_ours

TERMS = Terms(
    issuer="https://assent.example.com", known=("a.b.read", "a.b.manage"), offered=("a.b.read",)
)
ASK = Ask(
    client_id="https://lathe.example.com/program.json",
    redirect_uri="https://lathe.example.com/done",
    response_type="code",
    code_challenge="x" * 43,
    code_challenge_method="S256",
    state=None,
    scope=None,
    resource=None,
)


@pytest.mark.parametrize(
    "changed",
    [
        {},
        {"state": ""},
        {"scope": "a.b.read openid"},
        {"scope": "*"},
        {"scope": "  "},
        {"resource": "https://assent.example.com/mcp"},
        {"response_mode": "query"},
    ],
)
def test_nothing_is_wrong(changed: dict[str, str]) -> None:
    assert find_fault(ASK.model_copy(update=changed), TERMS) is None


@pytest.mark.parametrize(
    ("changed", "error"),
    [
        ({"response_type": ""}, "unsupported_response_type"),
        ({"response_type": "code token"}, "unsupported_response_type"),
        ({"response_mode": "form_post"}, "invalid_request"),
        ({"code_challenge": ""}, "invalid_request"),
        ({"code_challenge": "x" * 42}, "invalid_request"),
        ({"code_challenge": "x" * 42 + "="}, "invalid_request"),
        ({"code_challenge_method": ""}, "invalid_request"),
        ({"code_challenge_method": "s256"}, "invalid_request"),
        ({"resource": "https://assent.example.com"}, "invalid_target"),
        ({"resource": "https://assent.example.com/mcp?x"}, "invalid_target"),
        ({"scope": "openid"}, "invalid_scope"),
    ],
)
def test_what_is_wrong(changed: dict[str, str], error: str) -> None:
    fault = find_fault(ASK.model_copy(update=changed), TERMS)
    assert fault is not None
    assert fault.error == error


def test_answers_have_our_name_and_their_state() -> None:
    to = ASK.answer(TERMS, {"code": "c"})
    assert to == "https://lathe.example.com/done?code=c&iss=https%3A%2F%2Fassent.example.com"
    with_state = ASK.model_copy(update={"state": "s"})
    assert "&state=s&iss=" in with_state.answer(TERMS, {"code": "c"})
    refused = with_state.refuse(TERMS, Fault("e", "d d"))
    assert "?error=e&error_description=d+d&state=s&iss=" in refused


@pytest.mark.parametrize(
    ("resource", "ours"),
    [
        (None, True),
        ("https://a/mcp", True),
        ("https://a/mcp/", True),
        ("https://a/mcp//", False),
        ("https://a", False),
        ("https://a/mcp2", False),
        ("", False),
    ],
)
def test_the_resource(resource: str | None, ours: bool) -> None:
    assert is_ours(resource, "https://a/mcp") is ours


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        (None, ("a.b.read",)),
        (" ", ("a.b.read",)),
        ("a.b.manage", ("a.b.manage",)),
        ("openid", ()),
        ("*", ("*",)),
    ],
)
def test_who_says_nothing_asks_for_what_is_offered(
    text: str | None, asked: tuple[str, ...]
) -> None:
    assert TERMS.parse_scopes(text) == asked
