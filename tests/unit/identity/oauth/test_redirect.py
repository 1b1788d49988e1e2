"""Which addresses answers are sent to, and when two of them are the same."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.identity.oauth.redirect import (
    NEVER,
    add_parameters,
    find_place,
    find_redirect_fault,
    is_loopback,
    matches_redirect,
)

SCHEMES = ("cursor", "javascript", "data")


@pytest.mark.parametrize(
    "uri",
    [
        "https://lathe.example.com/done",
        "https://lathe.example.com",
        "https://lathe.example.com:8443/done?app=1&x=%20",
        "https://[2001:db8::1]/done",
        "http://127.0.0.1/done",
        "http://127.0.0.1:65535/done",
        "http://[::1]:4000/done",
        "http://localhost:4000/done",
        "HTTP://LOCALHOST/done",
        "cursor://anysphere.cursor-mcp/oauth/callback",
        "cursor:callback",
    ],
)
def test_usable(uri: str) -> None:
    assert find_redirect_fault(uri, SCHEMES) is None


@pytest.mark.parametrize(
    "uri",
    [
        "",
        "/done",
        "//lathe.example.com/done",
        "lathe.example.com/done",
        "http://lathe.example.com/done",
        "http://127.0.0.2/done",
        "http://127.1/done",
        "http://0.0.0.0/done",
        "http://localhost.example.com/done",
        "http://127.0.0.1@lathe.example.com/",
        "https://user@lathe.example.com/",
        "https://user:word@lathe.example.com/",
        "https:///done",
        "https:lathe.example.com",
        "https://lathe.example.com/#x",
        "https://lathe.example.com\\@thief.example.com",
        "https://lathe .example.com/",
        "https://lathe.example.com/\r\nset-cookie:x",
        "https://läthe.example.com/",
        "https://lathe.example.com/<script>",
        "https://lathe.example.com:port/",
        "https://lathe.example.com:123456/",
        "https://[::1",
        "https://1.2.3/",
        "JavaScript:alert(1)",
        "javascript:alert(1)",
        "data:text/html,x",
        "vscode://back",
        "file:///etc/passwd",
        f"https://lathe.example.com/{'x' * 1000}",
    ],
)
def test_not_usable(uri: str) -> None:
    assert find_redirect_fault(uri, SCHEMES)


@pytest.mark.parametrize("scheme", sorted(NEVER - {"http", "https"}))
def test_never_even_if_it_is_listed(scheme: str) -> None:
    assert find_redirect_fault(f"{scheme}://x/y", [scheme])
    assert find_redirect_fault(f"{scheme}:x", [scheme])


@pytest.mark.parametrize(
    ("declared", "given", "same"),
    [
        ("https://a.example/x", "https://a.example/x", True),
        ("https://a.example/x", "https://a.example/x/", False),
        ("https://a.example/x", "https://a.example:443/x", False),
        ("https://a.example/x", "https://A.example/x", False),
        ("https://a.example/x", "https://a.example/x?y", False),
        ("https://a.example:1/x", "https://a.example:2/x", False),
        ("http://127.0.0.1/x", "http://127.0.0.1:4000/x", True),
        ("http://127.0.0.1:1/x", "http://127.0.0.1:4000/x", True),
        ("http://127.0.0.1:1/x", "http://127.0.0.1/x", True),
        ("http://[::1]:1/x", "http://[::1]:4000/x", True),
        ("http://localhost/x?a", "http://localhost:9/x?a", True),
        ("http://127.0.0.1/x", "http://localhost/x", False),
        ("http://127.0.0.1/x", "http://[::1]/x", False),
        ("http://127.0.0.1/x", "http://127.0.0.1:4000/y", False),
        ("http://127.0.0.1/x", "http://127.0.0.1:4000/x?a", False),
        ("http://127.0.0.1/x", "http://127.0.0.1:4000@thief.example/x", False),
        ("http://127.0.0.1/x", "https://127.0.0.1:4000/x", False),
        ("http://127.0.0.1", "http://127.0.0.1:4000", True),
        ("cursor://a/x", "cursor://a:1/x", False),
    ],
)
def test_matching(declared: str, given: str, same: bool) -> None:
    assert matches_redirect(declared, given) is same


@given(st.text(max_size=60))
def test_what_matches_leads_where_it_was_declared(tail: str) -> None:
    given = f"http://127.0.0.1{tail}"
    if matches_redirect("http://127.0.0.1/x", given):
        assert find_redirect_fault(given, ()) is None
        assert is_loopback(given)
        assert given.endswith("/x")


@pytest.mark.parametrize(
    ("uri", "place", "loopback"),
    [
        ("https://Lathe.example.com:8443/x", "lathe.example.com", False),
        ("http://127.0.0.1:4000/x", "127.0.0.1", True),
        ("http://[::1]:4000/x", "[::1]", True),
        ("cursor://anysphere/x", "cursor:", False),
        ("https://127.0.0.1/x", "127.0.0.1", False),
    ],
)
def test_places(uri: str, place: str, loopback: bool) -> None:
    assert find_place(uri) == place
    assert is_loopback(uri) is loopback


def test_parameters_are_added() -> None:
    assert add_parameters("https://a/x", {"b": "c d&"}) == "https://a/x?b=c+d%26"
    assert add_parameters("https://a/x?y=1", {"b": "c"}) == "https://a/x?y=1&b=c"
    assert add_parameters("https://a/x?", {"b": "c"}) == "https://a/x?b=c"
