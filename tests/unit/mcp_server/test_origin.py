"""Which pages may use the tools' address from within a browser."""

import pytest

from assent.mcp_server.origin import is_let_in

PUBLIC = "https://assent.example"
LISTED = ("https://chat.example.com", "http://localhost:6274", "vscode-webview://panel")


@pytest.mark.parametrize(
    ("origin", "let_in"),
    [
        (None, True),
        (PUBLIC, True),
        ("https://ASSENT.example", True),
        ("https://assent.example:443", True),
        ("https://assent.example:8443", False),
        ("http://assent.example", False),
        ("https://assent.example.evil.example", False),
        ("http://localhost:8700", False),
        ("http://127.0.0.1", False),
        ("null", False),
        ("", False),
        ("http://[", False),
        ("http://assent.example:x", False),
    ],
)
def test_with_a_name(origin: str | None, let_in: bool) -> None:
    host = "assent.example"
    assert is_let_in(origin, host=host, public_url=PUBLIC, listed=()) is let_in


@pytest.mark.parametrize(
    ("origin", "let_in"),
    [
        (None, True),
        ("http://127.0.0.1:8700", True),
        ("http://localhost:3000", True),
        ("http://[::1]:8700", True),
        ("http://192.168.1.7:8700", True),
        ("http://192.168.1.7:80", False),
        ("http://192.168.1.8:8700", False),
        ("http://evil.example:8700", False),
        ("http://localhost.evil.example", False),
        ("null", False),
    ],
)
def test_without_a_name(origin: str | None, let_in: bool) -> None:
    """One that leads here for a moment is not let in, also where it is what was asked for."""
    hosts = ("192.168.1.7:8700", "evil.example:8700", "localhost.evil.example", "")
    found = [is_let_in(origin, host=host, public_url=None, listed=()) for host in hosts]
    assert any(found) is let_in


@pytest.mark.parametrize(
    ("origin", "let_in"),
    [
        ("https://chat.example.com", True),
        ("https://chat.example.com:443", True),
        ("http://localhost:6274", True),
        ("vscode-webview://panel", True),
        (PUBLIC, True),
        ("http://chat.example.com", False),
        ("https://chat.example.com:444", False),
        ("https://x.chat.example.com", False),
        ("http://localhost:6275", False),
        ("vscode-webview://other", False),
        ("null", False),
    ],
)
def test_those_that_are_listed(origin: str, let_in: bool) -> None:
    assert is_let_in(origin, host="assent.example", public_url=PUBLIC, listed=LISTED) is let_in
