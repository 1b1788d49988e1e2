"""Tool calls in the pieces that servers make of them."""

import json
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.models import openai_calls
from assent.models.openai_calls import Outline
from tests.unit.models.openai_answer import read
from tests.unit.models.openai_streams import deltas, frame

Calls = dict[int, tuple[str, str, str]]


def piece(
    index: int | None = None,
    given: str | None = None,
    name: str | None = None,
    arguments: Any = None,
) -> dict[str, Any]:
    function = {"name": name, "arguments": arguments}
    found: dict[str, Any] = {
        "index": index,
        "id": given,
        "function": {key: value for key, value in function.items() if value is not None},
    }
    return {key: value for key, value in found.items() if value is not None}


def read_calls(*pieces: dict[str, Any] | list[dict[str, Any]], used: tuple[str, ...] = ()) -> Calls:
    """Each piece in a chunk of its own, a list of them in one."""
    found = [{"tool_calls": one if isinstance(one, list) else [one]} for one in pieces]
    return read(frame(*deltas(*found, finish="tool_calls")), used_ids=used).calls


TWO: Calls = {0: ("a", "f", '{"x":1}'), 1: ("b", "g", '{"x":2}')}


@pytest.mark.parametrize(
    "pieces",
    [
        pytest.param(
            [
                piece(0, "a", "f", ""),
                piece(0, arguments='{"x"'),
                piece(0, arguments=":1}"),
                piece(1, "b", "g", ""),
                piece(1, arguments='{"x":2}'),
            ],
            id="as documented",
        ),
        pytest.param(
            [
                piece(0, "a", "f"),
                piece(1, "b", "g"),
                piece(1, arguments='{"x"'),
                piece(0, arguments='{"x":1}'),
                piece(1, arguments=":2}"),
            ],
            id="by turns",
        ),
        pytest.param(
            [[piece(0, "a", "f", '{"x":1}'), piece(1, "b", "g", '{"x":2}')]],
            id="whole, in one chunk",
        ),
        pytest.param(
            [[piece(None, "a", "f", '{"x":1}'), piece(None, "b", "g", '{"x":2}')]],
            id="whole, in one chunk, no index",
        ),
        pytest.param(
            [piece(0, "a", "f", '{"x":1}'), piece(0, "b", "g", '{"x":2}')],
            id="whole, the same index",
        ),
        pytest.param(
            [
                piece(None, "a", "f", ""),
                piece(arguments='{"x"'),
                piece(arguments=":1}"),
                piece(None, "b", "g", ""),
                piece(arguments='{"x":2}'),
            ],
            id="no index",
        ),
        pytest.param(
            [
                piece(None, "a", "f", '{"x"'),
                piece(None, "a", arguments=":1}"),
                piece(None, "b", "g", '{"x"'),
                piece(None, "b", arguments=":2}"),
            ],
            id="no index, the id in every piece",
        ),
        pytest.param(
            [
                piece(0, "a", "f", '{"x"'),
                piece(0, "a", "f", ":1}"),
                piece(1, "b", "g", ""),
                piece(1, "b", "g", '{"x":2}'),
            ],
            id="id and name in every piece",
        ),
        pytest.param(
            [
                piece(0, "a", "f", '{"x"'),
                piece(0, "r1", arguments=":1}"),
                piece(1, "b", "g", '{"x"'),
                piece(1, "r2", arguments=":2}"),
            ],
            id="another id in every piece",
        ),
        pytest.param(
            [
                piece(0, "a"),
                piece(0, arguments='{"x"'),
                piece(0, None, "f", ":1}"),
                piece(1, "b"),
                piece(1, None, "g", '{"x":2}'),
            ],
            id="the name later",
        ),
        pytest.param(
            [piece(0, "a", "f", {"x": 1}), piece(1, "b", "g", {"x": 2})],
            id="arguments as objects",
        ),
        pytest.param(
            [piece(0, "a", "f"), piece(arguments='{"x":1}'), piece(1, "b", "g", '{"x":2}')],
            id="an index only at the beginning",
        ),
    ],
)
def test_two_calls(pieces: list[Any]) -> None:
    assert read_calls(*pieces) == TWO


@pytest.mark.parametrize(
    ("pieces", "ids"),
    [
        pytest.param(
            [piece(0, None, "f", "{}"), piece(1, None, "f", "{}")], ["made1", "made2"], id="missing"
        ),
        pytest.param(
            [piece(0, "", "f", "{}"), piece(1, "", "f", "{}")], ["made1", "made2"], id="empty"
        ),
        pytest.param(
            [piece(0, "a", "f", "{}"), piece(1, "a", "f", "{}")], ["a", "made1"], id="repeated"
        ),
        pytest.param(
            [piece(0, "a", "f", "{}"), piece(0, "a", "f", "{}")],
            ["a", "made1"],
            id="repeated with its index",
        ),
        pytest.param(
            [piece(None, "a", "f", "{}"), piece(None, "a", "f", "{}")],
            ["a", "made1"],
            id="repeated, no index",
        ),
        pytest.param(
            [piece(name="f", arguments="{}"), piece(name="f", arguments="{}")],
            ["made1", "made2"],
            id="nothing but names",
        ),
        pytest.param(
            [[piece(name="f"), piece(name="f")]],
            ["made1", "made2"],
            id="nothing but names, at once",
        ),
        pytest.param(
            [piece(0, "old", "f", "{}"), piece(1, "new", "f", "{}")],
            ["made1", "new"],
            id="of an earlier answer",
        ),
    ],
)
def test_ids_are_unique(pieces: list[Any], ids: list[str]) -> None:
    calls = read_calls(*pieces, used=("old",))
    assert [call[0] for call in calls.values()] == ids
    assert [call[1] for call in calls.values()] == ["f", "f"]


@pytest.mark.parametrize(
    "pieces",
    [
        pytest.param([piece(0, "a", "f"), piece(0, "b", "f")], id="ids that differ"),
        pytest.param([piece(0, "a", "f"), piece(0, None, "g")], id="names that differ"),
        pytest.param([piece(None, "a", "f"), piece(name="g")], id="names that differ, no index"),
    ],
)
def test_what_tells_calls_without_arguments_apart(pieces: list[Any]) -> None:
    assert len(read_calls(*pieces)) == 2


def test_a_call_without_arguments() -> None:
    assert read_calls(piece(0, "a", "f")) == {0: ("a", "f", "")}
    assert read_calls(piece(0, "a", "f", "")) == {0: ("a", "f", "")}


def test_arguments_are_passed_on_as_they_were_written() -> None:
    written = '{ "x" : 1.0,\n"y":"\\u00fc" '
    assert read_calls(piece(0, "a", "f", written))[0][2] == written


def test_blanks_after_a_whole_call_belong_to_it() -> None:
    assert read_calls(piece(0, "a", "f", "{}"), piece(0, "a", "f", " \n")) == {
        0: ("a", "f", "{} \n")
    }


def test_a_call_that_never_gets_a_name() -> None:
    assert read_calls(piece(0, "a", arguments="{}")) == {0: ("a", "", "{}")}
    assert read_calls(piece(0, "a")) == {}


def test_the_old_function_call() -> None:
    found = [{"function_call": {"name": "f", "arguments": ""}}] + [
        {"function_call": {"arguments": one}} for one in ('{"x"', ":1}")
    ]
    whole = read(frame(*deltas(*found, finish="function_call")))
    assert (whole.calls, whole.reason) == ({0: ("made1", "f", '{"x":1}')}, "tool_calls")


TEXTS = st.text(st.sampled_from('ab \\"{}[]é\n'), max_size=6)
OBJECTS = st.dictionaries(
    TEXTS,
    st.recursive(TEXTS | st.integers(), lambda inner: st.lists(inner, max_size=3), max_leaves=5),
    max_size=3,
)


@given(OBJECTS, st.lists(st.integers(1, 5), max_size=50), st.sampled_from(["", " ", "\n"]))
def test_json_in_pieces_is_whole_at_its_end(
    value: dict[str, Any], lengths: list[int], space: str
) -> None:
    written = json.dumps(value, ensure_ascii=False)
    outline, rest = Outline(), written
    for length in [*lengths, len(written)]:
        outline.add(rest[:length])
        rest = rest[length:]
        assert outline.is_whole == (not rest)
    outline.add(space)
    assert outline.is_whole
    outline.add("x")
    assert not outline.is_whole


def test_pieces_that_repeat_the_name_are_looked_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    decode, decoded = msgspec.json.decode, 0

    def count(text: str) -> Any:
        nonlocal decoded
        decoded += len(text)
        return decode(text)

    monkeypatch.setattr(openai_calls.msgspec.json, "decode", count)
    words = ["{", *['"}":"{",'] * 2000, '"a":1}']
    first = [piece(0, "a", "f", word) for word in words]
    assert read_calls(*first, piece(0, "a", "f", '{"x":2}')) == {
        0: ("a", "f", "".join(words)),
        1: ("made1", "f", '{"x":2}'),
    }
    assert decoded <= len("".join(words))
