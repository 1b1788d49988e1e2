"""What a server with Anthropic's API means when it complains."""

import json
from dataclasses import replace

import pytest

from assent.errors import (
    ModelContextTooLong,
    ModelCredentials,
    ModelError,
    ModelQuota,
    ModelRateLimit,
    ModelRefused,
    ModelUnavailable,
)
from assent.models.anthropic_errors import find_failure
from assent.models.openai_errors import UNKNOWN_MODEL, parse_complaint
from assent.testing.anthropic_answers import build_error


@pytest.mark.parametrize(
    ("status", "kind", "message", "expected"),
    [
        (400, "invalid_request_error", "messages.0: bad", ModelRefused),
        (400, "invalid_request_error", "Your credit balance is too low to access", ModelQuota),
        (400, "invalid_request_error", "prompt is too long: 210 tokens > 200", ModelContextTooLong),
        (
            400,
            "invalid_request_error",
            "input length and `max_tokens` exceed context limit: 1 + 2 > 2",
            ModelContextTooLong,
        ),
        (401, "authentication_error", "invalid x-api-key", ModelCredentials),
        (402, "billing_error", "", ModelQuota),
        (403, "permission_error", "", ModelCredentials),
        (404, "not_found_error", "model: x", ModelRefused),
        (413, "request_too_large", "", ModelContextTooLong),
        (429, "rate_limit_error", "", ModelRateLimit),
        (500, "api_error", "", ModelUnavailable),
        (504, "timeout_error", "", ModelUnavailable),
        (529, "overloaded_error", "Overloaded", ModelUnavailable),
        (None, "overloaded_error", "Overloaded", ModelUnavailable),
        (None, "not_found_error", "model: x", ModelRefused),
        (None, "rate_limit_error", "", ModelRateLimit),
    ],
)
def test_kinds(status: int | None, kind: str, message: str, expected: type[ModelError]) -> None:
    body = json.dumps(build_error(kind, message)).encode()
    failure = find_failure(replace(parse_complaint(body), status=status))
    assert type(failure) is expected
    if kind == "not_found_error":
        assert failure.message == UNKNOWN_MODEL
    assert not message or message not in failure.message


def test_how_long_to_wait() -> None:
    body = json.dumps(build_error("rate_limit_error")).encode()
    failure = find_failure(replace(parse_complaint(body), status=429), 7.0)
    assert isinstance(failure, ModelRateLimit)
    assert failure.retry_after == 7
