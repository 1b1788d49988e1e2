"""Which two memories say nearly the same, and whose words can be relied on."""

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest

from assent.context.memories.memory import Memory, find_near, is_trusted

NOW = datetime(2026, 3, 1, tzinfo=UTC)
READER = uuid4()


def memory(text: str, **more: Any) -> Memory:
    given: dict[str, Any] = {
        "id": uuid4(),
        "reach": "personal",
        "hint": "",
        "always_apply": False,
        "system_id": None,
        "system_name": None,
        "author_id": READER,
        "author_name": "Ann",
        "updated_at": NOW,
        "version": 1,
        "taint": [],
    }
    return Memory(text=text, **{**given, **more})


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("I prefer tables.", "I prefer tables!", True),
        ("I prefer tables", "I PREFER  table", True),
        (
            "Deploys of the shop begin at ten on Tuesday",
            "Deploys of the shop begin at nine on Tuesday",
            True,
        ),
        ("Ann's phone is 4711", "Bob's phone is 4711", False),
        ("Deploy on Tuesday", "Deploy on Friday", False),
        ("The shop closes early", "The pump is loud", False),
        ("the of and", "the of and", False),
        ("日本語のメモ", "日本語のメモ", True),
    ],
)
def test_what_is_nearly_the_same(one: str, other: str, same: bool) -> None:
    there = memory(one)
    assert find_near(other, [memory("Something else"), there]) == (there if same else None)


def test_the_nearest_is_taken_then_the_newest() -> None:
    far, near = memory("red green blue cyan pink"), memory("red green blue cyan grey")
    assert find_near("red green blue cyan grey", [far, near]) == near
    old, new = memory("a red fox runs"), memory("a red fox runs", updated_at=NOW + timedelta(1))
    assert find_near("a red fox runs", [old, new]) == new
    assert find_near("anything", []) is None


@pytest.mark.parametrize(
    ("more", "trusted"),
    [
        ({}, True),
        ({"taint": [{"kind": "web", "name": "x"}]}, False),
        ({"author_id": UUID(int=7), "reach": "shared"}, False),
        ({"author_id": UUID(int=7), "reach": "shared", "always_apply": True}, True),
        ({"reach": "shared"}, True),
    ],
)
def test_whose_words_count(more: dict[str, Any], trusted: bool) -> None:
    assert is_trusted(memory("x", **more), READER) is trusted
