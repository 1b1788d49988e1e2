"""Results are cut to size: never over it, never made up, and never without saying so."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from assent.tools.clamp import (
    DEPTH,
    LEAST_BUDGET,
    MARK,
    NARROW,
    NOTE,
    USEFUL,
    clamp,
    cut_text,
    find_budget,
)
from assent.tools.json_value import encode_json, json_kind, same_json
from tests.unit.tools.samples import json_texts, json_values

BUDGET = 4_000

long_texts = st.builds(lambda text, times: text * times, json_texts, st.integers(1, 400))
large_values: st.SearchStrategy[Any] = st.one_of(
    st.builds(lambda value, times: [value] * times, json_values, st.integers(1, 600)),
    st.lists(json_values | long_texts, max_size=30),
    st.dictionaries(json_texts, json_values | long_texts, max_size=30),
    st.builds(
        lambda value, times: {f"field {number}": value for number in range(times)},
        json_values,
        st.integers(1, 600),
    ),
    st.recursive(
        long_texts | json_values,
        lambda inside: (
            st.lists(inside, max_size=5) | st.dictionaries(json_texts, inside, max_size=5)
        ),
        max_leaves=10,
    ),
)
budgets = st.integers(LEAST_BUDGET, 12_000)


@pytest.mark.parametrize(
    ("window", "expected"),
    [
        (None, 12_000),
        (0, 4_000),
        (8_192, 4_000),
        (16_000, 4_000),
        (16_004, 4_001),
        (128_000, 32_000),
        (240_000, 60_000),
        (1_000_000, 60_000),
    ],
)
def test_budgets(window: int | None, expected: int) -> None:
    assert find_budget(window) == expected


def is_beginning(cut: Any, whole: Any) -> bool:
    """Whether `cut` is `whole` with nothing added, changed or moved, but for marks and notes."""
    if isinstance(cut, str) and isinstance(whole, str):
        return cut == whole or (cut.endswith(MARK) and whole.startswith(cut.removesuffix(MARK)))
    if isinstance(cut, list) and isinstance(whole, list):
        return len(cut) <= len(whole) and all(map(is_beginning, cut, whole))
    if isinstance(cut, dict) and isinstance(whole, dict):
        return list(cut) == list(whole)[: len(cut)] and all(
            is_beginning(cut[key], whole[key]) for key in cut
        )
    return same_json(cut, whole)


def without_note(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: item for key, item in value.items() if key != NOTE}
    if isinstance(value, list):
        return value[:-1]
    return value[: value.rindex(f" [{NOTE}: ")]


@given(large_values.filter(lambda value: not isinstance(value, dict) or NOTE not in value), budgets)
def test_any_value(value: Any, budget: int) -> None:
    size = len(encode_json(value))
    clamped = clamp(value, budget)
    assert clamped.truncated == (size > budget)
    if not clamped.truncated:
        assert clamped.value is value
        return
    text = encode_json(clamped.value)
    assert len(text) <= budget
    assert same_json(json.loads(text), clamped.value)
    assert json_kind(clamped.value) == json_kind(value)
    assert NOTE in text
    assert is_beginning(without_note(clamped.value), value)
    assert clamp(clamped.value, budget) == type(clamped)(clamped.value, truncated=False)
    assert clamp(value, budget) == clamped


@given(large_values, budgets)
@example(value={"text": "x" * 9000, **{f"n{n}": 10**15 for n in range(90)}}, budget=4000)
@example(value=["x" * 9000, *[10**15] * 90], budget=4000)
@example(value={f"n{n}": {"a": "x" * 2000} for n in range(300)}, budget=60_000)
@example(value={f"n{n}": ["x" * 2000] for n in range(300)}, budget=60_000)
@example(value={NOTE: "x" * 9000, "a": 1}, budget=1000)
@example(value=10**4000, budget=1000)
@example(value=[10**4000, 1], budget=1000)
@example(value=["\x00" * 9000], budget=1000)
@example(value="\u0301" * 9000, budget=1000)
@example(value={"k" * 9000: 1, "a": 2}, budget=1000)
@example(value={"\x01" * 90: ["x" * 9000]}, budget=1000)
def test_nothing_gets_over_the_budget(value: Any, budget: int) -> None:
    assert len(encode_json(clamp(value, budget).value)) <= budget
    assert len(encode_json(clamp(value, budget, narrow="\x02" * 9000).value)) <= budget


def records(count: int, length: int = 60) -> list[dict[str, Any]]:
    return [{"id": number, "note": "n" * length} for number in range(count)]


def test_a_long_list_keeps_whole_records_and_says_how_many_are_missing() -> None:
    clamped = clamp({"items": records(500), "total": 500}, BUDGET).value
    kept = clamped["items"]
    assert kept == records(len(kept))
    assert len(kept) > 20
    assert clamped["total"] == 500
    assert clamped[NOTE] == {
        "dropped": [f"items: {500 - len(kept)} of 500 items"],
        "narrow": NARROW,
    }


def test_a_list_at_the_top_ends_with_the_note() -> None:
    clamped = clamp(records(500), BUDGET, narrow="Use a filter.").value
    assert clamped[:-1] == records(len(clamped) - 1)
    assert clamped[-1] == {
        NOTE: {
            "dropped": [f"the result: {501 - len(clamped)} of 500 items"],
            "narrow": "Use a filter.",
        }
    }


def test_a_text_at_the_top_ends_with_the_note() -> None:
    text = "one two three " * 1000
    clamped = clamp(text, BUDGET).value
    kept, _, note = clamped.partition(MARK)
    assert text.startswith(kept)
    assert len(kept) > BUDGET // 2
    missing = f"{len(text) - len(kept)} of {len(text)} characters"
    assert note == f" [{NOTE}: the result: {missing} dropped. {NARROW}]"


def test_cuts_in_the_depth_are_named() -> None:
    value = {"a": [{"b": {"c.d": "word " * 2000}}], "z": list(range(2000)), "last": True}
    clamped = clamp(value, BUDGET).value
    assert clamped["last"] is True
    assert clamped["a"][0]["b"]["c.d"].endswith(MARK)
    places = [line.rpartition(": ")[0] for line in clamped[NOTE]["dropped"]]
    assert places == ['a.0.b."c.d"', "z"]


def test_small_fields_behind_large_ones_are_kept() -> None:
    value = {**{f"log{number}": "l" * 50_000 for number in range(10)}, "id": 7, "next": "abc"}
    clamped = clamp(value, BUDGET).value
    assert (clamped["id"], clamped["next"]) == (7, "abc")
    assert all(len(clamped[f"log{number}"]) >= USEFUL for number in range(10))


def test_a_wide_object_keeps_its_first_fields_whole() -> None:
    value = {f"field{number}": "v" * 30 for number in range(10_000)}
    clamped = clamp(value, BUDGET).value
    kept = without_note(clamped)
    assert kept == dict(list(value.items())[: len(kept)])
    assert len(kept) > 50


def test_a_few_large_elements_are_all_kept_in_part() -> None:
    clamped = clamp(["a" * 50_000, "b" * 50_000, "c" * 50_000], BUDGET).value
    assert [item[0] for item in clamped[:-1]] == ["a", "b", "c"]
    assert min(len(item) for item in clamped[:-1]) > 800


def test_most_of_the_budget_is_used() -> None:
    for value in (
        records(5000),
        {"items": records(5000)},
        "word " * 50_000,
        {"a": {"b": records(900)}},
    ):
        assert len(encode_json(clamp(value, 12_000).value)) > 9_000


def test_a_long_path_is_shown_by_its_end() -> None:
    value = {"k" * 200: {"last": "x" * 9000}}
    (line,) = clamp(value, BUDGET).value[NOTE]["dropped"]
    assert line.startswith(f"{MARK}kkk")
    assert "k.last: " in line
    assert len(line) < 130


def test_many_places_are_counted() -> None:
    value = {f"list{number}": list(range(1000)) for number in range(20)}
    *named, others = clamp(value, BUDGET).value[NOTE]["dropped"]
    assert [line.partition(":")[0] for line in named] == [f"list{n}" for n in range(len(named))]
    assert others == f"{20 - len(named)} more places"


@pytest.mark.parametrize("depth", [DEPTH + 5, 5_000])
@pytest.mark.parametrize(
    ("nest", "expected"),
    [(lambda value: [value], "1 of 1 items"), (lambda value: {"a": value}, "1 of 1 fields")],
)
def test_what_is_nested_too_deeply_is_left_out(
    depth: int, nest: Callable[[Any], Any], expected: str
) -> None:
    value: Any = "x" * BUDGET
    for _ in range(depth):
        value = nest(value)
    clamped = clamp({"deep": value, "id": 1}, BUDGET).value
    assert clamped["id"] == 1
    (dropped,) = clamped[NOTE]["dropped"]
    assert dropped.endswith(expected)


@pytest.mark.parametrize(
    ("text", "room", "expected"),
    [
        ("short", 5, "short"),
        ("one two three", 12, "one two thr…"),
        ("one two three four", 16, "one two three…"),
        ("onetwothree", 8, "onetwot…"),
        ('""""""', 7, '"""…'),
        ("\n\n\n\n", 6, "\n\n…"),
        ("\x00\x00\x00", 13, "\x00\x00…"),
        ("aaae\u0301\u0301\u0301", 6, "aaa…"),
    ],
)
def test_texts(text: str, room: int, expected: str) -> None:
    assert cut_text(text, room) == expected


def test_a_budget_without_room_for_the_note_is_a_mistake() -> None:
    with pytest.raises(ValueError, match="no room"):
        clamp([], LEAST_BUDGET - 1)
