"""Estimates, and what is learned from providers' reports."""

import random

import pytest

from assent.history.estimate import (
    LEAST,
    MOST,
    count_tokens,
    find_factor,
    learn,
    parse_learned,
    raise_factor,
)
from assent.models.estimate import IMAGE_TOKENS, estimate_request, estimate_text
from assent.models.model import ImagePart, ModelRequest, OfferedTool, TextPart, UserMessage


def build(*parts: TextPart | ImagePart, tools: int = 0) -> ModelRequest:
    return ModelRequest(
        purpose="turn",
        model="m",
        instructions=("Be brief.",),
        messages=(UserMessage(parts),),
        max_tokens=10,
        tools=tuple(OfferedTool(f"t{n}", "d" * 30, {"type": "object"}) for n in range(tools)),
    )


def test_texts_count_by_their_bytes() -> None:
    assert estimate_text("abc" * 100) == 100
    assert estimate_text("長" * 100) == 100
    assert estimate_text("\ud800") == 1
    assert estimate_text("") == 0


def test_tools_count_and_images_count_as_images() -> None:
    bare = estimate_request(build(TextPart("Hello")))
    assert estimate_request(build(TextPart("Hello"), tools=2)) > bare + 30
    image = ImagePart("image/png", b"x" * 5_000_000)
    assert estimate_request(build(TextPart("Hello"), image)) == bare + IMAGE_TOKENS
    assert count_tokens(build(TextPart("Hello"), image), 3.0) == bare * 3 + IMAGE_TOKENS


def test_a_factor_rises_at_once_and_falls_slowly() -> None:
    learned = learn({}, "m", estimated=1_000, reported=1_500)
    assert find_factor(learned, "m") == 1.5
    learned = learn(learned, "m", estimated=1_000, reported=1_000)
    assert find_factor(learned, "m") == 1.375
    assert find_factor(learn(learned, "m", estimated=1_000, reported=2_000), "m") == 2.0


@pytest.mark.parametrize(("reported", "expected"), [(1, LEAST), (10**9, MOST), (0, 1.0), (-5, 1.0)])
def test_nonsense_moves_it_no_further_than_its_bounds(reported: int, expected: float) -> None:
    assert find_factor(learn({}, "m", estimated=1_000, reported=reported), "m") == expected


def test_a_small_request_says_nothing() -> None:
    assert learn({}, "m", estimated=50, reported=400) == {}


def test_a_model_that_is_new_here_counts_as_the_worst_and_some_more() -> None:
    assert find_factor({}, "m") == 1.0
    assert find_factor({"a": 0.8, "b": 1.4}, "m") == pytest.approx(1.61)


def test_a_refusal_raises_it_until_it_cannot_rise() -> None:
    learned: dict[str, float] = {}
    for _ in range(4):
        learned = raise_factor(learned, "m")
    assert learned == raise_factor(learned, "m") == {"m": MOST}


def test_what_is_stored_is_read_with_care() -> None:
    stored = {"a": 1.2, "b": "x", "c": None, "d": 99, "e": float("nan"), "f": True}
    assert parse_learned(stored) == {"a": 1.2, "d": MOST}
    assert parse_learned(None) == parse_learned([1]) == {}


def test_it_converges_on_any_tokenizer() -> None:
    chance = random.Random(1)
    for true in (0.8, 1.3, 2.6):
        learned: dict[str, float] = {}
        for _ in range(40):
            reported = round(5_000 * true * chance.uniform(0.97, 1.03))
            learned = learn(learned, "m", estimated=5_000, reported=reported)
        assert find_factor(learned, "m") == pytest.approx(true, rel=0.05)
