"""What HTTP statuses and the words of servers mean."""

import json
from dataclasses import replace
from typing import Any

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
from assent.models.openai_errors import find_failure, parse_complaint


def find(status: int, body: Any, retry_after: float | None = None) -> ModelError:
    payload = body if isinstance(body, bytes) else json.dumps(body).encode()
    return find_failure(replace(parse_complaint(payload), status=status), retry_after)


@pytest.mark.parametrize(
    ("status", "expected"),
    [
        (302, ModelRefused),
        (400, ModelRefused),
        (401, ModelCredentials),
        (402, ModelQuota),
        (403, ModelCredentials),
        (404, ModelRefused),
        (408, ModelUnavailable),
        (409, ModelUnavailable),
        (413, ModelContextTooLong),
        (422, ModelRefused),
        (429, ModelRateLimit),
        (500, ModelUnavailable),
        (502, ModelUnavailable),
        (503, ModelUnavailable),
        (529, ModelUnavailable),
    ],
)
@pytest.mark.parametrize("body", [b"", b"<html>", b"[]", b"null", b'{"error":null}', b"\xff\0{"])
def test_statuses(status: int, body: bytes, expected: type[ModelError]) -> None:
    assert type(find(status, body)) is expected


@pytest.mark.parametrize(
    ("status", "error", "expected"),
    [
        (429, {"type": "insufficient_quota", "code": "insufficient_quota"}, ModelQuota),
        (429, {"type": "tokens", "code": "rate_limit_exceeded"}, ModelRateLimit),
        (429, {"message": "Too many tokens, please wait."}, ModelRateLimit),
        (403, {"code": "insufficient_credits"}, ModelQuota),
        (400, {"type": "invalid_request_error", "code": "billing_hard_limit_reached"}, ModelQuota),
        (400, {"code": "invalid_api_key"}, ModelCredentials),
        (400, {"code": "context_length_exceeded"}, ModelContextTooLong),
        (400, {"message": "This model's maximum context length is 8192."}, ModelContextTooLong),
        (400, {"code": 400, "type": "exceed_context_size_error"}, ModelContextTooLong),
        (400, {"message": "prompt is too long: 210000 tokens"}, ModelContextTooLong),
        (
            400,
            {"message": "The input token count (9) exceeds the maximum number of tokens"},
            ModelContextTooLong,
        ),
        (413, {"type": "tokens", "code": "rate_limit_exceeded"}, ModelContextTooLong),
        (500, {"message": "the request exceeds the available context size"}, ModelContextTooLong),
        (
            400,
            {"code": "content_filter", "innererror": {"code": "ResponsibleAIPolicyViolation"}},
            ModelRefused,
        ),
        (403, {"code": 403, "metadata": {"reasons": ["violence"]}}, ModelRefused),
        (404, {"code": "model_not_found"}, ModelRefused),
        (400, "model is required", ModelRefused),
        (503, {"message": "Overloaded"}, ModelUnavailable),
    ],
)
def test_errors_of_servers(status: int, error: Any, expected: type[ModelError]) -> None:
    assert type(find(status, {"error": error})) is expected


@pytest.mark.parametrize(
    "body",
    [
        {"object": "error", "message": "maximum context length", "code": 400},
        {"message": "maximum context length"},
        {"detail": "maximum context length"},
        [{"error": {"message": "maximum context length"}}],
        b"Error: maximum context length",
    ],
)
def test_other_shapes(body: Any) -> None:
    assert type(find(400, body)) is ModelContextTooLong


def test_what_a_person_wrote_is_no_code() -> None:
    echo: dict[str, Any] = {
        "detail": [],
        "body": {"messages": ["insufficient_quota, maximum context length"]},
    }
    assert type(find(422, echo)) is ModelRefused


def test_an_unknown_model_says_so() -> None:
    assert "does not know this model" in str(find(404, {"error": {"code": "model_not_found"}}))


@pytest.mark.parametrize("status", [429, 503])
def test_how_long_to_wait(status: int) -> None:
    error = find(status, b"", 7.5)
    assert isinstance(error, ModelRateLimit | ModelUnavailable)
    assert error.retry_after == 7.5


def test_nothing_of_the_servers_text_is_in_an_error() -> None:
    for status in (400, 401, 402, 404, 413, 429, 500):
        error = find(status, {"error": {"message": "SECRET", "code": "SECRET", "type": "SECRET"}})
        assert "SECRET" not in f"{error!r} {error.__dict__}"
