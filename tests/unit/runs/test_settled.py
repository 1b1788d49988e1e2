"""Cards in copies of messages."""

from typing import Any
from uuid import UUID

from assent.runs.settled import NOT_CARRIED_OVER, list_card_ids, settle_parts

CARD = "01a1e15c-6a61-7d08-8368-220209f8449b"
SHOWN: dict[str, Any] = {
    "type": "data-proposal",
    "id": CARD,
    "data": {
        "proposalId": CARD,
        "tool": "bank.deposit",
        "effect": "mutate",
        "summary": "Move 5",
        "state": "proposed",
        "expiresAt": "2026-01-01T00:00:00Z",
    },
}
CALL: dict[str, Any] = {
    "type": "dynamic-tool",
    "toolName": "bank.deposit",
    "toolCallId": "c1",
    "state": "output-available",
    "input": {},
    "output": {"status": "awaiting_operator", "proposalId": CARD, "summary": "Move 5"},
}


def test_a_card_becomes_a_receipt_with_nothing_to_decide() -> None:
    call, receipt = settle_parts([CALL, SHOWN], {})
    assert call["output"] == {"status": NOT_CARRIED_OVER, "summary": "Move 5"}
    assert receipt["type"] == "data-receipt"
    assert receipt["data"] == {
        "tool": "bank.deposit",
        "effect": "mutate",
        "summary": "Move 5",
        "state": NOT_CARRIED_OVER,
    }


def test_other_parts_stay_as_they_are() -> None:
    parts: list[dict[str, Any]] = [
        {"type": "text", "text": "x"},
        {**CALL, "output": {"rows": []}},
        {**CALL, "output": "words"},
    ]
    assert settle_parts(parts, {}) == parts
    assert list_card_ids([*parts, SHOWN]) == [UUID(CARD)]
