"""What becomes of a tool's value: plain JSON that Postgres takes, or an error at once."""

import json
from collections import OrderedDict, deque
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from enum import Enum, IntEnum
from typing import Any, NamedTuple, cast
from uuid import UUID

import pytest

from assent.actions.run_tool import to_json
from assent.tools.json_value import encode_json
from assent.value import Value


class Word(str):
    __slots__ = ()


class Color(Enum):
    RED = "red"


class Size(IntEnum):
    SMALL = 1


@dataclass
class Pair:
    left: Any
    right: Any


class Point(NamedTuple):
    x: int
    y: Any


class Thing(Value):
    long_name: str
    parts: Any = ()


VALUES: tuple[Any, ...] = (
    None,
    True,
    10**30,
    -0.5,
    "ü \\u0041 \\x00",
    Word("word"),
    Color.RED,
    Size.SMALL,
    (1, (2, [3])),
    {1},
    deque([Word("word")]),
    Point(1, Pair(Word("left"), {2: "right"})),
    OrderedDict({Word("key"): 1, 2: True, None: "none", 1.5: []}),
    datetime(2026, 1, 2, tzinfo=UTC),
    timedelta(hours=1),
    Decimal("1.10"),
    UUID(int=7),
    b"bytes",
    Thing(long_name="x", parts=[Thing(long_name="y")]),
    (number for number in range(3)),
)


def list_types(value: object) -> set[type]:
    below: list[object] = []
    if isinstance(value, dict):
        below = [*cast(dict[object, object], value), *cast(dict[object, object], value).values()]
    if isinstance(value, list):
        below = cast(list[object], value)
    return {type(value)}.union(*map(list_types, below))


@pytest.mark.parametrize("value", VALUES, ids=lambda value: type(value).__name__)
def test_every_value_becomes_what_a_way_through_json_leaves(value: Any) -> None:
    plain = to_json(value)
    assert list_types(plain) <= {type(None), bool, int, float, str, list, dict}
    assert plain == json.loads(encode_json(plain))


def test_names_are_those_of_the_wire() -> None:
    assert to_json(Thing(long_name="x")) == {"longName": "x", "parts": []}


def test_numbers_that_json_does_not_know_are_nothing() -> None:
    assert to_json([float("nan"), {"x": float("inf")}]) == [None, {"x": None}]


def test_what_is_no_json_is_refused() -> None:
    with pytest.raises(ValueError, match="object"):
        to_json({"x": object()})


@pytest.mark.parametrize(
    ("value", "stored"),
    [
        ("a\0b", "ab"),
        ({"a\0": ["\ud800b", "ü"]}, {"a": ["b", "ü"]}),
        ([{"x": "\udfff"}], [{"x": ""}]),
        ("\\u0000", "\\u0000"),
        ("😀", "😀"),
    ],
)
def test_what_postgres_cannot_hold_is_dropped(value: Any, stored: Any) -> None:
    assert to_json(value) == stored
