"""What a program says of itself, made fit to be shown to whoever decides."""

from uuid import UUID

import pytest

from assent.actions.asking.program import (
    LONGEST_NAME,
    NAMELESS,
    build_program,
    parse_program,
    tidy,
)


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("Claude", "Claude"),
        ("  Claude \t\r\n Desktop ", "Claude Desktop"),
        ("evil\u202egro.dnab\u202c", "evilgro.dnab"),
        ("\u2066left\u2069 \u200bto\u200d \ufeffright\u200f", "left to right"),
        ("nul\x00 bell\x07 escape\x1b[31m", "nul bell escape[31m"),
        ("line\u2028para\u2029graph", "line para graph"),
        ("Zoë", "Zoë"),
        ("a" + "\u0301" * 50 + "b", "\u00e1\u0301\u0301b"),
        ("日本語 アシスタント", "日本語 アシスタント"),
        ("\ud800half", "half"),
        ("", NAMELESS),
        ("\u202e\u200b \n", NAMELESS),
    ],
)
def test_a_name_is_one_visible_line(given: str, shown: str) -> None:
    assert build_program(given).name == shown


def test_a_name_is_cut() -> None:
    name = build_program("word " * 1000).name
    assert len(name) <= LONGEST_NAME
    assert name.endswith("word…")
    assert tidy("x" * LONGEST_NAME, LONGEST_NAME) == "x" * LONGEST_NAME
    assert tidy("\u200b" * 10**6 + "x", LONGEST_NAME) == ""


@pytest.mark.parametrize("host", ["claude.ai", "localhost:8080", "[::1]:80", "xn--80ak6aa92e.com"])
def test_a_host_vouches_for_a_name(host: str) -> None:
    program = build_program("Claude", host=host, verified=True)
    assert (program.host, program.verified) == (host, True)


@pytest.mark.parametrize(
    "host", [None, "", "claude.ai\u202e", "a b", "apple.com/аррӏе", "сlaude.ai"]
)
def test_what_is_no_host_vouches_for_nothing(host: str | None) -> None:
    program = build_program("Claude", host=host, verified=True)
    assert (program.host, program.verified) == (None, False)


@pytest.mark.parametrize("connection", [None, UUID(int=7)])
def test_what_is_stored_is_read_again(connection: UUID | None) -> None:
    program = build_program("Claude", host="claude.ai", verified=True, connection_id=connection)
    assert parse_program(program.encode()) == program
    assert parse_program(None) is None
