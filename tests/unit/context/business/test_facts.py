"""Facts of several levels as one, key by key."""

from typing import Any

import pytest

from assent.context.business.facts import merge_facts


@pytest.mark.parametrize(
    ("levels", "merged"),
    [
        ([], {}),
        ([{"a": 1}, {}, {"b": 2}], {"a": 1, "b": 2}),
        ([{"a": 1}, {"a": 2}], {"a": 2}),
        ([{"a": [1, 2]}, {"a": [3]}], {"a": [3]}),
        ([{"a": {"x": 1, "y": [1]}}, {"a": {"y": [2]}}], {"a": {"x": 1, "y": [2]}}),
        ([{"a": {"x": 1}}, {"a": "none"}], {"a": "none"}),
        ([{"a": "none"}, {"a": {"x": 1}}], {"a": {"x": 1}}),
        ([{"a": 1}, {"a": None}], {"a": None}),
    ],
)
def test_the_nearer_level_counts(levels: list[dict[str, Any]], merged: dict[str, Any]) -> None:
    assert merge_facts(levels) == merged


def test_nothing_that_was_given_is_changed() -> None:
    far = {"a": {"x": 1}}
    merge_facts([far, {"a": {"x": 2}}])
    assert far == {"a": {"x": 1}}
