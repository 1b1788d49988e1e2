"""JSON as somebody sent it."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.tools.json_text import DEEPEST, NotJson, TooDeep, parse_json
from assent.value import strip_unstorable

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)


@given(VALUES, st.booleans())
def test_reads_what_can_be_stored(value: Any, escaped: bool) -> None:
    text = json.dumps(value, ensure_ascii=escaped)
    assert parse_json(text.encode("utf-8", "surrogatepass")) == strip_unstorable(value)


@pytest.mark.parametrize(
    ("body", "value"),
    [
        (b"2.0", 2),
        (b"2.5", 2.5),
        (b"1e300", 1e300),
        (b'"a\\u0000b"', "ab"),
        (b'"a\\ud800b"', "ab"),
        (b'"a\\uD83D\\uDE00b"', "a😀b"),
        (b"\xef\xbb\xbf7", 7),
        (b"[" * DEEPEST + b"]" * DEEPEST, None),
    ],
)
def test_examples(body: bytes, value: Any) -> None:
    parsed = parse_json(body)
    assert value is None or (parsed == value and type(parsed) is type(value))


@pytest.mark.parametrize(
    "body",
    [b"", b"{", b"NaN", b"-Infinity", b"1e999", b"\xff", b"9" * 5000, b"[" * 100_000, b"'a'"],
)
def test_what_is_no_json(body: bytes) -> None:
    with pytest.raises(NotJson):
        parse_json(body)


def test_what_is_too_deep() -> None:
    with pytest.raises(TooDeep):
        parse_json(b"[" * (DEEPEST + 2) + b"]" * (DEEPEST + 2))
