"""Rows that a request mentions, and objects by a schema."""

from typing import Any

import pytest

from assent.models.demo.ask import Question
from assent.models.demo.fill import fill_object, leave_out, spot_row

KINDS = [
    {"kind": "http", "title": "HTTP request"},
    {"kind": "tls", "title": "TLS certificate"},
    {"kind": "queue", "title": "Message queue"},
]
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "address": {"type": "string", "format": "uri"},
        "queue": {"type": "string", "minLength": 2, "description": "Its name."},
        "depth": {"type": "integer", "minimum": 1},
        "mode": {"enum": ["soft", "hard"]},
        "strict": {"type": "boolean"},
        "tags": {"type": "array", "items": {"type": "string"}},
        "spare": {"type": "string", "default": "x"},
    },
    "required": ["address", "queue", "depth", "mode", "strict", "tags"],
}
ANSWERS = {
    "config_queue": "mail",
    "config_depth": "12",
    "config_mode": "hard",
    "config_strict": "Yes",
    "config_tags": "a, b",
}
FILLED = {
    "address": "https://example.com/q",
    "queue": "mail",
    "depth": 12,
    "mode": "hard",
    "strict": True,
    "tags": ["a", "b"],
}


@pytest.mark.parametrize(
    ("request_text", "kind", "said"),
    [
        ("create a queue check", "queue", "queue"),
        ("create a check of the message queue", "queue", "Message queue"),
        ("add a TLS certificate check, not http", "tls", "TLS certificate"),
        ("create a check for https://queue.example/tls", "http", ""),
        ("create a queued check", "http", ""),
    ],
)
def test_spots_the_row_that_is_mentioned_or_takes_the_usual_one(
    request_text: str, kind: str, said: str
) -> None:
    found = spot_row(KINDS, ("kind", "title"), request_text, "http")
    assert found is not None
    assert (found.row["kind"], found.said) == (kind, said)


def test_there_may_be_no_row() -> None:
    assert spot_row([], ("kind",), "create a queue check", "http") is None


def test_what_was_mentioned_is_not_left_over() -> None:
    assert leave_out("Message queue nightly", "message Queue") == "nightly"


def fill(known: dict[str, Any]) -> dict[str, Any] | tuple[Question, ...]:
    return fill_object(SCHEMA, known, key="config", about="check")


def test_fills_what_is_required() -> None:
    assert fill({"url": "https://example.com/q", **ANSWERS}) == FILLED


def test_asks_for_everything_that_is_missing() -> None:
    asked = fill({})
    assert isinstance(asked, tuple)
    assert [(one.key, one.text, one.kind, one.options) for one in asked] == [
        ("config_address", "What is the address of the check?", "text", ()),
        ("config_queue", "What is the queue of the check? Its name.", "text", ()),
        ("config_depth", "What is the depth of the check?", "number", ()),
        ("config_mode", "What is the mode of the check?", "choice", ("soft", "hard")),
        ("config_strict", "Strict?", "choice", ("Yes", "No")),
        ("config_tags", "What are the tags of the check?", "text", ()),
    ]


@pytest.mark.parametrize(
    ("key", "said"),
    [
        ("config_queue", "m"),
        ("config_depth", "many"),
        ("config_depth", "0"),
        ("config_depth", "1.5"),
        ("config_mode", "other"),
        ("config_strict", "perhaps"),
        ("config_tags", " "),
    ],
)
def test_an_answer_that_does_not_fit_is_asked_for_again(key: str, said: str) -> None:
    asked = fill({"url": "https://example.com/q", **ANSWERS, key: said})
    assert isinstance(asked, tuple)
    assert [one.key for one in asked] == [key]
