"""Question cards: which answers fit, and how they are said and kept."""

from typing import Any
from uuid import UUID

import pytest

from assent.conversations.question import (
    Card,
    check_answers,
    find_card,
    find_typed,
    is_same,
    parse_reply,
    store_answers,
    write_answers,
)
from assent.errors import Invalid

RUN = UUID(int=7)
ASKED = [
    {"key": "where", "text": "Environment", "kind": "choice", "options": ["test", "production"]},
    {"key": "when", "text": "On which day?", "kind": "date", "options": []},
    {"key": "who", "text": "Who  may\nread it?", "kind": "choices", "options": ["Ann", "Bo"]},
    {"key": "why", "text": "Why", "kind": "text", "options": []},
    {"key": "how many", "text": "How many", "kind": "number", "options": []},
]
GIVEN: dict[str, Any] = {
    "where": "production",
    "when": "2028-02-29",
    "who": ["Bo", "Ann"],
    "why": "see https://example.com/why",
    "how many": 2.5,
}
CALL = {"type": "dynamic-tool", "toolCallId": "q", "output": {"status": "asked"}}
PART = {"type": "data-question", "id": "q", "data": {"questions": ASKED}}
PARTS = [{"type": "text", "text": "Well:"}, CALL, PART, {**PART, "id": "other"}]


@pytest.fixture
def card() -> Card:
    found = find_card(PARTS, "q")
    assert found is not None
    return found


def test_finds_its_card(card: Card) -> None:
    assert [one.key for one in card.questions] == ["where", "when", "who", "why", "how many"]
    assert (card.answers, card.run_id) == (None, None)
    assert find_card(PARTS, "Well:") is None


def test_answers_that_fit(card: Card) -> None:
    assert check_answers(card, GIVEN) == GIVEN
    assert write_answers(card, GIVEN).splitlines() == [
        "Environment: production",
        "On which day? 2028-02-29",
        "Who may read it? Bo, Ann",
        "Why: see https://example.com/why",
        "How many: 2.5",
    ]


def test_only_what_was_typed_counts_as_the_persons_words(card: Card) -> None:
    assert find_typed(card, GIVEN) == "see https://example.com/why"


@pytest.mark.parametrize(
    ("key", "answer"),
    [
        ("where", "staging"),
        ("where", ["test"]),
        ("where", None),
        ("when", "2027-02-29"),
        ("when", "29.2.2028"),
        ("when", "20280229"),
        ("when", 20280229),
        ("who", []),
        ("who", "Ann"),
        ("who", ["Ann", "Ann"]),
        ("who", ["Ann", "Cy"]),
        ("who", [["Ann"]]),
        ("why", "  "),
        ("why", 1),
        ("why", "x" * 4_001),
        ("how many", "2"),
        ("how many", True),
        ("how many", 1e300),
    ],
)
def test_answers_that_do_not_fit(card: Card, key: str, answer: Any) -> None:
    with pytest.raises(Invalid) as raised:
        check_answers(card, GIVEN | {key: answer})
    [issue] = raised.value.issues
    assert issue.path == ('answer.value."how many"' if key == "how many" else f"answer.value.{key}")


def test_all_that_is_wrong_is_told_at_once(card: Card) -> None:
    with pytest.raises(Invalid) as raised:
        check_answers(card, {"where": "test", "else": 1})
    assert [one.path for one in raised.value.issues][:3] == [
        "answer.value.else",
        "answer.value.when",
        "answer.value.who",
    ]


def test_the_card_and_the_call_keep_the_answer(card: Card) -> None:
    stored = store_answers(PARTS, "q", GIVEN, RUN)
    assert stored[0] == PARTS[0]
    assert stored[1]["output"] == {"status": "answered", "answers": GIVEN}
    assert stored[3] == PARTS[3]
    answered = find_card(stored, "q")
    assert answered is not None
    assert (answered.answers, answered.run_id) == (GIVEN, RUN)
    assert is_same(answered, dict(GIVEN))
    assert not is_same(answered, GIVEN | {"how many": 3})
    assert not is_same(card, GIVEN)


@pytest.mark.parametrize(
    ("raw", "paths"),
    [
        ({"partId": "q", "value": {}}, []),
        ({"partId": "q"}, ["answer.value"]),
        ({"partId": 1, "value": {}}, ["answer.partId"]),
        ({"partId": "", "value": []}, ["answer.partId", "answer.value"]),
        ("yes", ["answer.partId", "answer.value"]),
    ],
)
def test_what_a_reply_must_have(raw: Any, paths: list[str]) -> None:
    try:
        parse_reply(raw)
    except Invalid as error:
        assert [one.path for one in error.issues] == paths
    else:
        assert paths == []
