"""Taint only grows."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.tools.taint import CLEAN, Source, Taint, parse_taint, taint_from, taint_of_result
from tests.unit.tools.samples import build_tool

sources = st.builds(Source, st.sampled_from(["web", "document", "tool", "message"]), st.text())
taints = st.builds(Taint, st.frozensets(sources, max_size=4))


def test_clean_and_tainted() -> None:
    assert not CLEAN.is_tainted
    assert taint_from("web", "https://example.com").is_tainted
    assert CLEAN | CLEAN == CLEAN


@pytest.mark.parametrize(
    ("trust", "expected"),
    [
        ("trusted", CLEAN),
        ("mixed", taint_from("tool", "ai.webSearch")),
        ("untrusted", taint_from("tool", "ai.webSearch")),
    ],
)
def test_results_of_tools(trust: str, expected: Taint) -> None:
    tool = build_tool("ai.webSearch", output_trust=trust)
    assert taint_of_result(tool, tool.name) == expected


def test_of_a_tool_that_is_gone_nobody_can_tell() -> None:
    assert taint_of_result(None, "old.tool") == taint_from("tool", "old.tool")


@given(taints, taints)
def test_nothing_is_washed_off(one: Taint, other: Taint) -> None:
    both = one | other
    assert both.sources == one.sources | other.sources
    assert both.is_tainted == (one.is_tainted or other.is_tainted)
    assert both == other | one


@given(taints)
def test_what_is_stored_comes_back(taint: Taint) -> None:
    assert parse_taint(taint.encode()) == taint


@pytest.mark.parametrize("stored", [{}, {"kind": "unheard of"}, {"kind": None, "name": 5}])
def test_what_makes_no_sense_taints_all_the_same(stored: dict[str, Any]) -> None:
    assert parse_taint([stored]).is_tainted
