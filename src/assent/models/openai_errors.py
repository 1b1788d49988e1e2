"""What an OpenAI-style server means when it complains. Pure.

Codes and phrases are only recognised here: nothing that the server wrote goes into an error.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, cast

from assent.errors import (
    ModelContextTooLong,
    ModelCredentials,
    ModelError,
    ModelQuota,
    ModelRateLimit,
    ModelRefused,
    ModelUnavailable,
)
from assent.models.openai_chunk import parse_document

UNKNOWN_MODEL = (
    "The model provider does not know this model, or not under this address. "
    "Ask an admin to check the integration."
)
MESSAGE_LENGTH = 4000

QUOTA = frozenset(
    {
        "insufficient_quota",
        "insufficient_balance",
        "insufficient_credits",
        "insufficient_funds",
        "billing_hard_limit_reached",
        "billing_not_active",
        "billing_error",
        "payment_required",
        "quota_exceeded",
    }
)
CREDENTIALS = frozenset(
    {
        "invalid_api_key",
        "invalid_authentication",
        "authentication_error",
        "authenticationerror",
        "unauthenticated",
        "unauthorized",
        "permission_denied",
        "permission_error",
    }
)
POLICY = frozenset(
    {
        "content_filter",
        "content_policy_violation",
        "responsibleaipolicyviolation",
        "moderation_blocked",
        "data_inspection_failed",
        "cyber_policy_violation",
    }
)
RATE = frozenset(
    {
        "rate_limit_exceeded",
        "rate_limit_error",
        "rate_limited",
        "ratelimiterror",
        "ratelimitreached",
        "too_many_requests",
        "resource_exhausted",
        "throttling",
        "tokens",
        "requests",
    }
)
TOO_LONG = frozenset(
    {
        "context_length_exceeded",
        "exceed_context_size_error",
        "contextwindowexceedederror",
        "model_max_prompt_tokens_exceeded",
        "request_too_large",
    }
)
TOO_LONG_PHRASES = (
    "maximum context length",
    "context length",
    "context size",
    "context window",
    "maximum prompt length",
    "prompt is too long",
    "input is too long",
    "prompt too long",
    "reduce the length",
    "exceeds the maximum number of tokens",
    "too many tokens",
)
UNKNOWN = frozenset({"model_not_found", "deployment_not_found", "deploymentnotfound"})
BAD_REQUEST = frozenset(
    {"invalid_request_error", "badrequesterror", "bad_request", "bad_request_error"}
)
PASSING = frozenset({408, 409, 423, 425, 499})
"""Client errors that may be gone at the next attempt."""


@dataclass(frozen=True, slots=True)
class Complaint:
    """The status, the codes in lower case and the message, as far as they could be found."""

    status: int | None = None
    codes: frozenset[str] = frozenset()
    message: str = ""

    def has(self, codes: frozenset[str], *statuses: int) -> bool:
        return self.status in statuses or not self.codes.isdisjoint(codes)


def parse_complaint(payload: bytes) -> Complaint:
    """Find what is wrong: under `error`, flat as vLLM and some gateways have it, or in plain text.

    Only the fields of an object are looked at: the rest may quote what a person wrote.
    """
    document = parse_document(payload)
    if document is None:
        return _read_complaint(payload[:MESSAGE_LENGTH].decode("utf-8", "replace"))
    return _read_complaint(document.get("error") or document)


def is_complaint(payload: bytes) -> bool:
    """Whether an object without choices is an error that is not called one."""
    document = parse_document(payload) or {}
    return document.get("object") == "error" or "message" in document or "detail" in document


def _read_complaint(error: Any) -> Complaint:
    if not isinstance(error, dict):
        return Complaint(message=str(error)[:MESSAGE_LENGTH].lower())
    found = cast(dict[str, Any], error)
    statuses = [_find_status(found.get(key)) for key in ("code", "status", "status_code")]
    return Complaint(
        status=next((one for one in statuses if one is not None), None),
        codes=frozenset(_list_codes(found)),
        message=str(found.get("message") or found.get("detail"))[:MESSAGE_LENGTH].lower(),
    )


def find_failure(complaint: Complaint, retry_after: float | None = None) -> ModelError:
    """The first rule that fits; what nobody can explain may pass by itself."""
    for fits, build in _RULES:
        if fits(complaint):
            return build()
    if complaint.has(RATE, 429):
        return ModelRateLimit(retry_after=retry_after)
    return ModelUnavailable(retry_after=retry_after)


def _is_too_long(complaint: Complaint) -> bool:
    if complaint.has(TOO_LONG, 413):
        return True
    is_other = complaint.has(RATE, 429)
    return not is_other and any(one in complaint.message for one in TOO_LONG_PHRASES)


def _is_refused(complaint: Complaint) -> bool:
    if complaint.status is None:
        return complaint.has(BAD_REQUEST)
    is_passing = complaint.status in PASSING or complaint.has(RATE, 429)
    return 400 <= complaint.status < 500 and not is_passing


_RULES: tuple[tuple[Callable[[Complaint], bool], Callable[[], ModelError]], ...] = (
    (lambda one: one.has(POLICY), ModelRefused),
    (lambda one: one.has(QUOTA, 402), ModelQuota),
    (lambda one: one.has(CREDENTIALS, 401, 403), ModelCredentials),
    (_is_too_long, ModelContextTooLong),
    (lambda one: one.has(UNKNOWN, 404), lambda: ModelRefused(UNKNOWN_MODEL)),
    (lambda one: 300 <= (one.status or 0) < 400, lambda: ModelRefused(UNKNOWN_MODEL)),
    (_is_refused, ModelRefused),
)


def _list_codes(found: Mapping[str, Any]) -> Iterator[str]:
    for key in ("code", "type", "status"):
        if isinstance(found.get(key), str):
            yield found[key].lower()
    inner = found.get("innererror")
    if isinstance(inner, dict):
        yield str(cast(dict[str, Any], inner).get("code")).lower()
    metadata = found.get("metadata")
    if isinstance(metadata, dict) and "reasons" in metadata:
        yield "content_filter"


def _find_status(value: Any) -> int | None:
    text = str(value)
    if len(text) == 3 and text.isascii() and text.isdigit():
        return int(text)
    return None
