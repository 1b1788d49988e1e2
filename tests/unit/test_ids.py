"""Ids sort by time and are valid UUIDs of version 7."""

import time
from uuid import RFC_4122, UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.ids import new_id, uuid7

MILLISECONDS = st.integers(0, 2**48 - 1)
RANDOM = st.integers(0, 2**80 - 1)


@given(MILLISECONDS, RANDOM)
def test_version_and_variant(milliseconds: int, random: int) -> None:
    made = uuid7(milliseconds, random)
    assert made.version == 7
    assert made.variant == RFC_4122
    assert made.int >> 80 == milliseconds


@given(MILLISECONDS, MILLISECONDS, RANDOM, RANDOM)
def test_later_sorts_later(first: int, second: int, one: int, two: int) -> None:
    if first < second:
        assert uuid7(first, one) < uuid7(second, two)
        assert str(uuid7(first, one)) < str(uuid7(second, two))


@pytest.mark.parametrize(
    ("milliseconds", "random", "text"),
    [
        (0, 0, "00000000-0000-7000-8000-000000000000"),
        (0x017F22E279B0, 0, "017f22e2-79b0-7000-8000-000000000000"),
        (0, 2**80 - 1, "00000000-0000-7fff-bfff-ffffffffffff"),
    ],
)
def test_examples(milliseconds: int, random: int, text: str) -> None:
    assert uuid7(milliseconds, random) == UUID(text)


def test_new_ids_are_of_now_and_differ() -> None:
    before = time.time_ns() // 1_000_000
    made = [new_id() for _ in range(1000)]
    after = time.time_ns() // 1_000_000
    assert len(set(made)) == 1000
    assert all(before <= one.int >> 80 <= after for one in made)
