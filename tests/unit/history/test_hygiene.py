"""Stale results as lines: which, when, and what they say."""

from typing import Any

import pytest

from assent.history.hygiene import LONG, WHOLE, collapse, collapse_stale, is_long, read_output
from tests.unit.history.samples import CUT_OFF, STEP


def result(number: int, size: int = 1_000, **keys: Any) -> dict[str, Any]:
    part = {"type": "dynamic-tool", "toolName": "shop.list", "toolCallId": f"c{number}"}
    return part | {"state": "output-available", "input": {}, "output": "x" * size} | keys


def count_whole(*groups: Any) -> int:
    return sum(is_long(part) for parts in groups for part in parts)


def test_all_but_the_newest_six_collapse_when_a_turn_begins() -> None:
    history = [[result(n)] for n in range(10)]
    shown = collapse_stale(history, ()).history
    assert [is_long(parts[0]) for parts in shown] == [False] * 4 + [True] * 6


def test_short_results_never_collapse_and_do_not_count() -> None:
    history = [[result(n, LONG)] for n in range(20)] + [[result(20 + n)] for n in range(WHOLE)]
    assert [list(one) for one in collapse_stale(history, ()).history] == history


def test_while_a_turn_lasts_results_collapse_six_at_a_time() -> None:
    """So that what was sent before stays the beginning of what is sent next, mostly."""
    history = [[result(n)] for n in range(8)]
    moved = 0
    before = collapse_stale(history, ())
    for count in range(1, 17):
        shown = collapse_stale(history, [result(100 + n) for n in range(count)])
        moved += shown.history != before.history or shown.answer[:-1] != before.answer
        assert WHOLE <= count_whole(*shown.history, shown.answer) < 2 * WHOLE
        before = shown
    assert moved == 2


@pytest.mark.parametrize(
    ("part", "expected"),
    [
        (
            result(1, 2_000),
            "[An earlier result of shop.list, 2,000 characters, is left out here: "
            "call again to see it.]",
        ),
        (
            result(1, state="output-error", errorText="y" * 700),
            "[An earlier error of shop.list, 700 characters, is left out here: "
            "call again to see it.]",
        ),
        (
            result(1, output=CUT_OFF),
            "[An earlier result of shop.list, 835 characters, is left out here: read it with "
            'ai.readArtifact and {"artifactId": "01a1debf-3562-75bd-84f2-10180e0bc73e"}, or call '
            "again.]",
        ),
    ],
)
def test_the_line_says_what_it_was_and_how_to_read_it_again(
    part: dict[str, Any], expected: str
) -> None:
    collapsed = collapse(part)
    assert collapsed.get("errorText") == expected or collapsed.get("output") == expected
    assert not is_long(collapsed)
    assert collapsed["toolCallId"] == part["toolCallId"]


@pytest.mark.parametrize("part", [STEP, {}, None, "x", {"type": "text", "text": "z" * 900}])
def test_only_results_are_long(part: Any) -> None:
    assert not is_long(part)


def test_what_is_long_is_what_its_text_says() -> None:
    """However deep it stands, and without writing all of it out."""
    for size in (0, 1, 100, 598, 599, 600, 601, 5_000):
        for output in ("x" * size, ["x" * size], {"a": [1] * size}, [{"b": "é"}] * (size // 9)):
            part = result(1, output=output)
            assert is_long(part) == (len(read_output(part)) > LONG), size
