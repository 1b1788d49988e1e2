"""Titles: at most six words, no quotes, Markdown or final punctuation."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.conversations.titles import LONGEST, MOST_WORDS, clean_title, fallback_title


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("Billing outage", "Billing outage"),
        ('"Billing outage."', "Billing outage"),
        ("“Billing” outage!?", "Billing outage"),
        ("'Billing' outage", "Billing outage"),
        ("Ann's checks don't run", "Ann's checks don't run"),
        ("**Title:** `billing` outage…", "billing outage"),
        ("Title:\nBilling outage", "Billing outage"),
        ("## Billing outage\n\nSome more text", "Billing outage"),
        ("- 1. Billing outage", "Billing outage"),
        ("[Billing](https://example.com/a_b) outage", "Billing outage"),
        ("_Rename_ order_items table", "Rename order_items table"),
        ("One two three four five six seven", "One two three four five six"),
        ("One two three four five, (six) seven", "One two three four five, (six)"),
        ("One two three four five - six", "One two three four five"),
        ("CPU at 90%", "CPU at 90%"),
        ("Issue #12 in C#", "Issue #12 in C#"),
        ("<think>They want\na title</think>\nBilling outage", "Billing outage"),
        ("<think>They want a title", None),
        ("支付系统故障。", "支付系统故障"),
        ("Billing\x00 \u202eoutage\ud800", "Billing outage"),
        ('"""', None),
        ("...", None),
        ("", None),
        ("x" * 100, "x" * LONGEST),
        ("Donaudampfschifffahrtsgesellschaft " * 3, "Donaudampfschifffahrtsgesellschaft"),
    ],
)
def test_what_a_model_wrote(written: str, expected: str | None) -> None:
    assert clean_title(written) == expected


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("  add a system\n\n called billing  please now", "add a system called billing please"),
        ("Why?", "Why?"),
        ("x" * 100, "x" * LONGEST),
        ("a" * 40 + " " + "b" * 40, "a" * 40),
        (" \n\x00", None),
    ],
)
def test_the_first_words(message: str, expected: str | None) -> None:
    assert fallback_title(message) == expected


@given(st.text(st.characters()))
def test_every_title_keeps_the_rules(text: str) -> None:
    for title in (clean_title(text), fallback_title(text)):
        if title is not None:
            assert 0 < len(title) <= LONGEST
            assert len(title.split()) <= MOST_WORDS
            assert title == " ".join(title.split())
            title.encode()
    cleaned = clean_title(text) or "x"
    assert not set(cleaned) & set('"“”«»*`')
    assert cleaned[-1] not in ".,;:!?…"
