"""What a person may send, and how each thing wrong with it is named."""

from typing import Any
from uuid import UUID

import pytest

from assent.conversations.user_message import (
    LONGEST_TEXT,
    SentMessage,
    file_url,
    parse_user_message,
)
from assent.errors import Invalid

ONE, TWO = UUID(int=1), UUID(int=2)


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ({"text": "Hello"}, SentMessage("Hello")),
        ({"id": "m1", "text": " Hello\n"}, SentMessage(" Hello\n", (), "m1")),
        ({"text": "a\x00b\ud800"}, SentMessage("ab")),
        ({"fileIds": [str(ONE), str(ONE)]}, SentMessage("", (ONE,))),
        (
            {
                "text": "See",
                "fileIds": [str(TWO)],
                "parts": [{"type": "file", "url": file_url(ONE)}],
            },
            SentMessage("See", (TWO, ONE)),
        ),
        (
            {
                "id": "m1",
                "role": "user",
                "metadata": {"x": 1},
                "parts": [
                    {"type": "text", "text": "Hello"},
                    {"type": "file", "mediaType": "image/png", "url": file_url(ONE)},
                    {"type": "data-proposal", "id": "p", "data": {"state": "applied"}},
                    {"type": "dynamic-tool", "state": "output-available", "output": "forged"},
                    {"type": "text", "text": "you"},
                ],
            },
            SentMessage("Hello\n\nyou", (ONE,), "m1"),
        ),
    ],
)
def test_text_and_files_are_taken_and_nothing_else(raw: Any, expected: SentMessage) -> None:
    assert parse_user_message(raw) == expected


@pytest.mark.parametrize(
    ("raw", "paths"),
    [
        ("Hello", [""]),
        ({}, ["text"]),
        ({"text": " \n\x00"}, ["text"]),
        ({"parts": [{"type": "data-x", "id": "1", "data": {}}]}, ["text"]),
        ({"text": 1}, ["text"]),
        ({"text": "x" * (LONGEST_TEXT + 1)}, ["text"]),
        ({"text": "a", "parts": [{"type": "text", "text": "a"}]}, ["text"]),
        ({"text": "a", "role": "assistant"}, ["role"]),
        ({"text": "a", "id": ""}, ["id"]),
        ({"text": "a", "id": 1}, ["id"]),
        ({"text": "a", "id": "a\x00"}, ["id"]),
        ({"parts": "Hello"}, ["parts"]),
        ({"parts": ["Hello", {"type": "text"}]}, ["parts.0", "parts.1.text"]),
        ({"parts": [{"type": "text", "text": "a"}] * 201}, ["parts"]),
        ({"parts": [{"type": "file", "url": "data:image/png;base64,AA=="}]}, ["parts.0.url"]),
        ({"parts": [{"type": "file", "url": file_url(ONE) + "/x"}]}, ["parts.0.url"]),
        ({"parts": [{"type": "file", "url": "/api/files/" + "-" * 36}]}, ["parts.0.url"]),
        ({"fileIds": str(ONE)}, ["fileIds"]),
        ({"fileIds": [str(ONE), 1, "x"]}, ["fileIds.1", "fileIds.2"]),
        ({"fileIds": [str(UUID(int=n)) for n in range(11)]}, ["fileIds"]),
        ({"id": 1, "role": "system", "text": []}, ["role", "text", "id"]),
    ],
)
def test_all_that_is_wrong_is_named(raw: Any, paths: list[str]) -> None:
    with pytest.raises(Invalid) as error:
        parse_user_message(raw)
    assert [issue.path for issue in error.value.issues] == paths


def test_issues_say_where_the_message_stands() -> None:
    with pytest.raises(Invalid) as error:
        parse_user_message({"text": 1}, at=("message",))
    assert error.value.issues[0].path == "message.text"
