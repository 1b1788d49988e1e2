"""What changes is shown, all of it: from before and the changes one can compute after."""

import copy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.tools.diff import FieldChange, encode_diff, find_changes
from assent.tools.json_value import Path, same_json
from tests.unit.tools.samples import json_values

added = lambda path, after: FieldChange("added", path, after=after)  # noqa: E731
removed = lambda path, before: FieldChange("removed", path, before=before)  # noqa: E731
changed = lambda path, before, after: FieldChange("changed", path, before, after)  # noqa: E731
moved = lambda path, before, after: FieldChange("reordered", path, before, after)  # noqa: E731


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ({"a": 1}, {"a": 1}, []),
        ({"a": 1}, {"a": 1.0}, []),
        ({"a": 1}, {"a": True}, [changed(("a",), 1, True)]),
        ({"a": None}, {}, [removed(("a",), None)]),
        ({}, {"a": None}, [added(("a",), None)]),
        ({"a": {"b": 1, "c": 2}}, {"a": {"b": 3, "c": 2}}, [changed(("a", "b"), 1, 3)]),
        ({"a": []}, {"a": {}}, [changed(("a",), [], {})]),
        ({"a": {}}, {"a": None}, [changed(("a",), {}, None)]),
        ({"ids": ["x", "y"]}, {"ids": ["y"]}, [removed(("ids", 0), "x")]),
        ({"ids": ["x"]}, {"ids": ["z", "x"]}, [added(("ids", 0), "z")]),
        ({"ids": ["x", "y"]}, {"ids": ["y", "x"]}, [moved(("ids",), ["x", "y"], ["y", "x"])]),
        (
            {"steps": [{"id": 1, "do": "a"}, {"id": 2, "do": "b"}]},
            {"steps": [{"id": 2, "do": "c"}, {"id": 1, "do": "a"}]},
            [changed(("steps", 0, "do"), "b", "c"), moved(("steps",), [1, 2], [2, 1])],
        ),
        (
            {"steps": [{"id": 1}, {"id": 2}]},
            {"steps": [{"id": 1}, {"id": 3}, {"id": 2}]},
            [added(("steps", 1), {"id": 3})],
        ),
        ([1, 1, 2], [1, 2], [removed((1,), 1)]),
        ([{"n": 1}, {"n": 2}], [{"n": 1}, {"n": 3}], [changed((1, "n"), 2, 3)]),
        ([["a"], ["b"]], [["a"], ["x"], ["b"]], [added((1,), ["x"])]),
        ([{"id": 1}, {"id": 1}], [{"id": 1}], [removed((1,), {"id": 1})]),
        ([{"id": [1]}], [{"id": [2]}], [removed((0, "id", 0), 1), added((0, "id", 0), 2)]),
        ([{"id": None}], [{"id": 1}], [changed((0, "id"), None, 1)]),
        ([0, False], [False, 0], [moved((), [0, False], [False, 0])]),
        ("a", "b", [changed((), "a", "b")]),
    ],
)
def test_changes(before: Any, after: Any, expected: list[FieldChange]) -> None:
    assert list(find_changes(before, after)) == expected


def test_order_is_left_out_only_where_it_means_nothing() -> None:
    before = {"ids": ["x", "y"], "steps": ["x", "y"]}
    after = {"ids": ["y", "x"], "steps": ["y", "x"]}
    changes = find_changes(before, after, unordered={"ids"})
    assert [change.path for change in changes] == [("steps",)]
    assert find_changes({"ids": ["x"]}, {"ids": ["x", "y"]}, unordered={"ids"}) != ()


def test_as_json() -> None:
    changes = find_changes({"a": 1, "b": 2, "l": [1, 2]}, {"a": None, "c.d": 3, "l": [2, 1]})
    assert encode_diff(changes) == [
        {"kind": "changed", "path": "a", "before": 1, "after": None},
        {"kind": "removed", "path": "b", "before": 2},
        {"kind": "reordered", "path": "l", "before": [1, 2], "after": [2, 1]},
        {"kind": "added", "path": '"c.d"', "after": 3},
    ]


def apply_changes(before: Any, changes: list[FieldChange], at: Path = ()) -> Any:
    """Compute `after`, knowing only how a card is to be read."""
    here = [change for change in changes if change.path[: len(at)] == at]
    for change in here:
        if change.path == at and change.kind == "changed":
            return change.after
    if isinstance(before, dict):
        return apply_to_object(before, here, at)
    if isinstance(before, list):
        return apply_to_list(before, here, at)
    return before


def apply_to_object(before: dict[str, Any], changes: list[FieldChange], at: Path) -> Any:
    own = {change.path[-1]: change for change in changes if len(change.path) == len(at) + 1}
    gone = {key for key, change in own.items() if change.kind == "removed"}
    after = {
        key: apply_changes(value, changes, (*at, key))
        for key, value in before.items()
        if key not in gone
    }
    return after | {key: one.after for key, one in own.items() if one.kind == "added"}


def apply_to_list(before: list[Any], changes: list[FieldChange], at: Path) -> Any:
    own = [change for change in changes if len(change.path) == len(at) + 1]
    gone = {change.path[-1] for change in own if change.kind == "removed"}
    new = {change.path[-1]: change.after for change in own if change.kind == "added"}
    stayed = [item for index, item in enumerate(before) if index not in gone]
    for change in changes:
        if change.path == at and change.kind == "reordered":
            by_key = list(zip(change.before, stayed, strict=True))
            stayed = [
                next(item for key, item in by_key if same_json(key, wanted))
                for wanted in change.after
            ]
    after: list[Any] = []
    rest = iter(stayed)
    for index in range(len(stayed) + len(new)):
        is_new = index in new
        after.append(new[index] if is_new else apply_changes(next(rest), changes, (*at, index)))
    return after


words = st.sampled_from("abcd")
elements = words | st.integers(0, 3) | st.booleans() | st.none()
things = st.fixed_dictionaries({"id": words | st.integers(0, 3)}, optional={"x": elements})
documents: st.SearchStrategy[Any] = st.recursive(
    elements,
    lambda inside: st.one_of(
        st.lists(inside, max_size=4),
        st.lists(things, max_size=4, unique_by=lambda thing: str(thing["id"])),
        st.lists(st.builds(lambda thing, more: thing | {"more": more}, things, inside), max_size=3),
        st.dictionaries(words, inside, max_size=4),
    ),
    max_leaves=15,
)


@given(documents | json_values, documents | json_values)
def test_nothing_is_hidden(before: Any, after: Any) -> None:
    kept = copy.deepcopy(before)
    changes = find_changes(before, after)
    assert same_json(apply_changes(before, list(changes)), after)
    assert (changes == ()) == same_json(before, after)
    assert same_json(before, kept)


nameless = st.lists(st.sampled_from([[], [0], {}, {"x": 1}]), max_size=7)


@given(nameless, nameless)
def test_nothing_is_hidden_among_what_has_no_name(before: list[Any], after: list[Any]) -> None:
    assert same_json(apply_changes(before, list(find_changes(before, after))), after)


@given(json_values)
def test_no_change_is_no_change(value: Any) -> None:
    assert find_changes(value, copy.deepcopy(value)) == ()
