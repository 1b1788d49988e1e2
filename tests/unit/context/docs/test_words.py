"""What counts as the same word, and what says nothing."""

import pytest

from assent.context.docs.alike import WORTH, weigh_words
from assent.context.docs.words import list_words, stem


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("approve", "approving"),
        ("approval", "approvals"),
        ("stop", "stopped"),
        ("rotate", "rotation"),
        ("policy", "policies"),
        ("process", "processes"),
    ],
)
def test_forms_of_a_word_are_one(one: str, other: str) -> None:
    assert stem(one) == stem(other)


@pytest.mark.parametrize("word", ["key", "bus", "2026", "größe", "日本", "as"])
def test_short_and_other_words_stay_words(word: str) -> None:
    assert stem(word)


def test_a_name_counts_whole_and_in_its_parts() -> None:
    assert list_words("ai.searchDocs") == ["ai", "search", "doc", "ai.searchdocs"]
    assert {"assent", "port"} <= set(list_words("ASSENT_PORT"))


def test_what_says_nothing_is_left_out() -> None:
    assert list_words("how do I get the one that is on") == []


def test_an_equivalent_counts_less_and_never_replaces_the_word() -> None:
    weights = weigh_words("login rule")
    assert weights["login"] == 1
    assert weights["oidc"] == WORTH
    assert weigh_words("permission rule")["rul"] == 1
