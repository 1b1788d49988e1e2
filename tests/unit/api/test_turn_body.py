"""The forms of a request for a turn."""

from typing import Any
from uuid import UUID

import pytest

from assent.api.turn_body import (
    Attach,
    parse_bare_form,
    parse_conversation_id,
    parse_form,
    parse_retry,
    parse_time_zone,
)
from assent.conversations.question import Reply
from assent.conversations.user_message import Retry, SentMessage
from assent.errors import Invalid

ID = UUID(int=5)
MESSAGE = {"text": "Hello"}
ANSWER = {"partId": "q", "value": {"a": 1}}
DECISION = {"proposalId": str(ID)}


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ({"message": MESSAGE}, SentMessage("Hello")),
        ({"message": MESSAGE, "answer": None}, SentMessage("Hello")),
        ({"messages": [{}, {"role": "user", **MESSAGE}]}, SentMessage("Hello")),
        ({"answer": ANSWER}, Reply("q", {"a": 1})),
        ({"decision": DECISION}, Attach(ID)),
    ],
)
def test_each_form(body: dict[str, Any], expected: Any) -> None:
    assert parse_form(body) == expected
    assert parse_bare_form(body) == expected


def test_a_message_alone() -> None:
    assert parse_bare_form({**MESSAGE, "timeZone": "UTC"}) == SentMessage("Hello")


@pytest.mark.parametrize(
    ("body", "paths"),
    [
        ({}, ["message"]),
        ({"message": "Hello"}, ["message"]),
        ({"message": {"text": ""}}, ["message.text"]),
        ({"messages": []}, ["messages"]),
        ({"messages": "Hello"}, ["messages"]),
        ({"messages": [{"text": 1}]}, ["messages.0.text"]),
        ({"decision": "yes"}, ["decision"]),
        ({"decision": {}}, ["decision.proposalId"]),
        ({"decision": {"proposalId": "x"}}, ["decision.proposalId"]),
        ({"message": MESSAGE, "answer": ANSWER}, ["answer"]),
        ({"message": MESSAGE, "messages": [MESSAGE]}, ["messages"]),
        ({"answer": ANSWER, "decision": DECISION}, ["decision"]),
        (
            {"decision": 1, "answer": 1, "message": 1, "messages": 1},
            ["messages", "answer", "decision"],
        ),
    ],
)
def test_bad_forms_name_their_field(body: dict[str, Any], paths: list[str]) -> None:
    with pytest.raises(Invalid) as raised:
        parse_form(body)
    assert [one.path for one in raised.value.issues] == paths


def test_what_stands_beside_the_form() -> None:
    assert parse_conversation_id({"conversationId": str(ID)}) == ID
    assert parse_conversation_id({"id": str(ID)}) == ID
    assert parse_time_zone({"timeZone": "Europe/Rome"}) == "Europe/Rome"
    for read, body, path in (
        (parse_conversation_id, {"conversationId": 1, "id": str(ID)}, "conversationId"),
        (parse_conversation_id, {}, "id"),
        (parse_time_zone, {"timeZone": 1}, "timeZone"),
    ):
        with pytest.raises(Invalid) as raised:
            read(body)
        assert raised.value.issues[0].path == path


@pytest.mark.parametrize(
    ("given", "retry"),
    [
        ({}, Retry()),
        ({"text": "new", "id": "c"}, Retry(text="new", client_id="c")),
        ({"text": "", "messageId": "m"}, Retry(text="", message_id="m")),
        ({"fileIds": []}, Retry(file_ids=())),
    ],
)
def test_a_retry(given: dict[str, Any], retry: Retry) -> None:
    assert parse_retry(given) == retry
    assert parse_form({"retry": given}) == retry


def test_the_sdk_regenerates() -> None:
    sent = {"messages": [{"role": "user"}], "trigger": "regenerate-message", "messageId": "m"}
    assert parse_form(sent) == Retry(message_id="m")


@pytest.mark.parametrize("given", ["x", {"messageId": 1}, {"text": 1}, {"fileIds": "x"}])
def test_a_retry_that_is_none(given: Any) -> None:
    with pytest.raises(Invalid):
        parse_form({"retry": given})
