"""What people type into the search, and what it marks."""

import pytest

from assent.runs.overview.words import START, STOP, build_words, split_headline


@pytest.mark.parametrize(
    ("typed", "query"),
    [
        ("incident 47", "'incident':* & '47':*"),
        ("it's", "'it''s':*"),
        ("a\\b", "'a\\\\b':*"),
        ("!!! & | :*", ""),
        ("   ", ""),
        ("a & b", "'a':* & 'b':*"),
    ],
)
def test_words(typed: str, query: str) -> None:
    assert build_words(typed) == query


def test_not_more_words_than_make_sense() -> None:
    assert build_words("a " * 100).count("&") == 11


@pytest.mark.parametrize(
    ("headline", "pieces"),
    [
        (f"one {START}two{STOP} three", [("one ", False), ("two", True), (" three", False)]),
        (f"{START}one{STOP}\n\n  two", [("one", True), (" two", False)]),
        ("nothing", [("nothing", False)]),
        (f"{START}open", [("open", False)]),
    ],
)
def test_headlines(headline: str, pieces: list[tuple[str, bool]]) -> None:
    assert [(one.text, one.is_match) for one in split_headline(headline)] == pieces
