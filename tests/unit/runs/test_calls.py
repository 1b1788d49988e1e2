"""When a turn is over, as the stored parts show it."""

from typing import Any

import pytest

from assent.runs.calls import Progress, closes_turn
from assent.tools.taint import CLEAN

START: dict[str, Any] = {"type": "step-start"}
TEXT: dict[str, Any] = {"type": "text", "text": "What next?"}


def made(name: str, state: str = "output-available") -> dict[str, Any]:
    return {
        "type": "dynamic-tool",
        "toolName": name,
        "toolCallId": name,
        "state": state,
        "input": {},
        "errorText": "No.",
    }


SUGGEST = made("ai.suggestReplies")


@pytest.mark.parametrize(
    ("parts", "over"),
    [
        ([START, TEXT, SUGGEST], True),
        ([START, made("a.list"), START, TEXT, SUGGEST], True),
        ([START, SUGGEST], False),
        ([START, TEXT, START, SUGGEST], False),
        ([START, TEXT, made("a.list"), SUGGEST], False),
        ([START, TEXT, made("ai.suggestReplies", "output-error")], False),
        ([START, TEXT, SUGGEST, START, made("a.list")], False),
        ([START, TEXT], False),
        ([], False),
    ],
)
def test_words_with_nothing_but_suggestions_end_it(parts: list[dict[str, Any]], over: bool) -> None:
    assert closes_turn(parts) is over
    assert Progress.from_parts(parts, CLEAN, (), "discovery").over is over


def test_a_question_ends_it_too() -> None:
    asked = [START, made("ai.askOperator"), {"type": "data-question", "id": "q", "data": {}}]
    assert Progress.from_parts(asked, CLEAN, (), "discovery").over
