"""JSON values: kinds, sameness, and paths that lead back."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.tools.json_value import (
    Path,
    encode_json,
    encode_path,
    json_kind,
    parse_path,
    same_json,
)
from tests.unit.tools.samples import json_texts, json_values


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (None, "null"),
        (True, "boolean"),
        (1, "integer"),
        (1.0, "integer"),
        (1.5, "number"),
        ("", "string"),
        ([], "array"),
        ({}, "object"),
        (float("nan"), "unknown"),
        (float("inf"), "unknown"),
        ((), "unknown"),
        (b"", "unknown"),
    ],
)
def test_kinds(value: Any, expected: str) -> None:
    assert json_kind(value) == expected


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        (1, 1.0, True),
        (1, True, False),
        (0, False, False),
        ([1], [True], False),
        ({"a": 0}, {"a": False}, False),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}, True),
        ({"a": None}, {}, False),
        ([1, 2], [2, 1], False),
        ([1], [1, 2], False),
        ("1", 1, False),
        (None, False, False),
        ([], {}, False),
    ],
)
def test_sameness(one: Any, other: Any, expected: bool) -> None:
    assert same_json(one, other) is expected
    assert same_json(other, one) is expected


@given(json_values)
def test_a_value_is_the_same_as_its_text_read_back(value: Any) -> None:
    assert same_json(value, json.loads(encode_json(value)))


@pytest.mark.parametrize("number", [float("nan"), float("inf")])
def test_what_is_no_json_has_no_text(number: float) -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        encode_json([number])


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ((), ""),
        (("items", 0, "name"), "items.0.name"),
        (("labels", "a.b"), 'labels."a.b"'),
        (("labels", "0"), 'labels."0"'),
        (("", 'say "x"'), r'""."say \"x\""'),
        (("x-y", "größe"), "x-y.größe"),
    ],
)
def test_paths(path: Path, expected: str) -> None:
    assert encode_path(path) == expected
    assert parse_path(expected) == path


@given(st.lists(json_texts | st.integers(0, 999), max_size=5).map(tuple))
def test_every_path_leads_back(path: Path) -> None:
    assert parse_path(encode_path(path)) == path


@pytest.mark.parametrize("text", [".", "a.", ".a", "a..b", 'a."b', 'a"b', '"a"b'])
def test_what_is_no_path(text: str) -> None:
    with pytest.raises(ValueError, match="not a path"):
        parse_path(text)
