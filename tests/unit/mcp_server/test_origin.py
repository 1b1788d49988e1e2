"""Whether a browser came from our own pages."""

import pytest

from assent.mcp_server.origin import is_own_origin

PUBLIC = "https://assent.example"


@pytest.mark.parametrize(
    ("origin", "own"),
    [
        (None, True),
        (PUBLIC, True),
        ("https://ASSENT.example", True),
        ("https://assent.example.evil.example", False),
        ("http://localhost:8700", False),
        ("http://127.0.0.1", False),
        ("null", False),
        ("", False),
        ("http://[", False),
    ],
)
def test_with_a_name(origin: str | None, own: bool) -> None:
    assert is_own_origin(origin, public_url=PUBLIC, has_public_url=True) is own


@pytest.mark.parametrize(
    ("origin", "own"),
    [
        (None, True),
        ("http://127.0.0.1:8700", True),
        ("http://localhost:3000", True),
        ("http://[::1]:8700", True),
        ("http://192.168.1.7:8700", True),
        ("http://evil.example:8700", False),
        ("http://localhost.evil.example", False),
        ("null", False),
    ],
)
def test_without_a_name(origin: str | None, own: bool) -> None:
    public_url = "http://127.0.0.1:8700"
    assert is_own_origin(origin, public_url=public_url, has_public_url=False) is own
