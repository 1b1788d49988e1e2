"""Verifying a file: with the file alone, line by line, against whatever was done to it."""

import json
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.audit.check import verify_lines
from assent.audit.head import KeptHead
from assent.audit.lines import (
    Beginning,
    End,
    Item,
    Key,
    Log,
    Unreadable,
    Unsealed,
    encode_line,
    parse_line,
)
from assent.audit.report import Report
from tests.unit.audit.logs import KEY, SIGNING, TENANT, keep, make_content, make_log

PUBLIC_KEY = SIGNING.list_public_keys()[KEY.id]


def make_items() -> list[Item]:
    items: list[Item] = [
        Beginning("2026-01-02T03:06:00.000000Z"),
        Key(KEY.id, PUBLIC_KEY),
        Log(TENANT, "default", 0),
        *make_log([2, 3]).items(),
        Unsealed(make_content(6)),
    ]
    return [*items, End(len(items) + 1)]


LINES = [encode_line(item) for item in make_items()]


def check(lines: Sequence[str], *keys: bytes, kept: Sequence[KeptHead] = ()) -> Report:
    return verify_lines(lines, keys, kept)


def test_an_untouched_file() -> None:
    report = check(LINES)
    assert report.is_sound
    told = list(report.tell())
    assert "not who made it" in told[0]
    assert told[1:] == [
        "✓ default: entries 1 to 5, signed heads: 2.",
        "· default: not sealed yet: 1, the oldest of 2026-01-02T03:04:06.000000Z. "
        "Nothing can be said about these.",
        "Nothing was changed.",
    ]
    assert next(iter(check(LINES, PUBLIC_KEY).tell())).endswith("that you gave.")


def test_a_file_of_another_key() -> None:
    report = check(LINES, b"\x01" * 32)
    assert [one.fault for one in report.logs[0][1].findings] == ["head", "head", "unsigned"]


@pytest.mark.parametrize("item", make_items(), ids=lambda item: type(item).__name__)
def test_a_line_is_read_back(item: Item) -> None:
    assert parse_line(encode_line(item)) == item


@given(st.integers(0, len(LINES) - 1))
def test_a_line_taken_out(index: int) -> None:
    assert not check([*LINES[:index], *LINES[index + 1 :]]).is_sound


@given(st.integers(0, len(LINES) - 1))
def test_a_line_twice(index: int) -> None:
    assert not check([*LINES[: index + 1], *LINES[index:]]).is_sound


FIXED = [index for index, line in enumerate(LINES) if json.loads(line)["type"] != "head"]
"""A head a few lines earlier or later says the same."""


@given(st.lists(st.sampled_from(FIXED), min_size=2, max_size=2, unique=True))
def test_two_lines_swapped(indexes: list[int]) -> None:
    lines = list(LINES)
    one, other = indexes
    lines[one], lines[other] = lines[other], lines[one]
    assert not check(lines).is_sound


@given(st.integers(0, len(LINES) - 1))
def test_a_file_cut_off(length: int) -> None:
    assert not check(LINES[:length]).is_sound


def list_places(value: Any, path: tuple[str, ...] = ()) -> list[tuple[str, ...]]:
    if not isinstance(value, dict):
        return [path]
    return [place for name in value for place in list_places(value[name], (*path, name))]


PLACES = [
    (index, path)
    for index, line in enumerate(LINES)
    for path in list_places(json.loads(line))
    if json.loads(line)["type"] != "unsealed" or path == ("type",)
    if path not in (("exportedAt",), ("name",))
]


@given(st.sampled_from(PLACES), st.sampled_from(["x", "", 7, None, [], True, "00" * 32]))
def test_any_value_changed(place: tuple[int, tuple[str, ...]], value: Any) -> None:
    """But for the export's own time and the log's name, which nothing vouches for."""
    index, path = place
    fields = json.loads(LINES[index])
    inner = fields
    for name in path[:-1]:
        inner = inner[name]
    if inner[path[-1]] == value:
        return
    inner[path[-1]] = value
    lines = [*LINES[:index], json.dumps(fields), *LINES[index + 1 :]]
    assert not check(lines).is_sound


@pytest.mark.parametrize(
    "line",
    [
        "",
        "x",
        "[]",
        "{}",
        "[" * 100_000,
        '{"type":"nothing"}',
        '{"type":["end"]}',
        '{"type":"end","lines":1,"more":1}',
        '{"type":"end","lines":true}',
        '{"type":"end","lines":1,"lines":1}',
        '{"type":"export","version":2,"exportedAt":""}',
        '{"type":"unsealed","entry":{"id":1}}',
        '{"type":"key","keyId":"1","publicKey":"x"}',
    ],
)
def test_what_is_no_line(line: str) -> None:
    with pytest.raises(Unreadable):
        parse_line(line)
    report = check([*LINES[:-1], line])
    assert f"✗ Line {len(LINES)} cannot be read." in list(report.tell())


def test_a_kept_head() -> None:
    log = make_log([2, 3])
    assert check(LINES, kept=[keep(log, 0), keep(log, 1)]).is_sound
    longer = make_log([2, 3, 1])
    told = list(check(LINES, kept=[keep(longer, 2)]).tell())
    assert "✗ default: The log ends at 5, but a head at 6 was kept: " in " ".join(told)
    absent = KeptHead(TENANT.__class__(int=9), 1, bytes(32))
    assert f"✗ There is no log of {absent.tenant_id}, of which a head was kept." in list(
        check(LINES, kept=[absent]).tell()
    )


def test_a_log_with_many_faults_is_told_in_part() -> None:
    log = make_log([1] * 80)
    for index in range(80):
        log.change(index, action="x")
    items = [Log(TENANT, "default", 0), *log.items()]
    told = list(check([LINES[0], LINES[1], *map(encode_line, items)]).tell())
    assert "✗ default: and 30 more." in told
    assert told[-1] == "This log is not as it was written."
