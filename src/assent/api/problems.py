"""Errors as HTTP: one mapping from our errors to RFC 9457 problem documents."""

import json
from collections.abc import Mapping
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.responses import Response

from assent import errors
from assent.api.methods import list_methods
from assent.api.parts import Parts
from assent.errors import AssentError, Issue
from assent.vault.scrubbing import hide_in_error

STATUS: dict[type[AssentError], int] = {
    errors.NotSignedIn: 401,
    errors.SignInFailed: 401,
    errors.CreditsExhausted: 402,
    errors.Forbidden: 403,
    errors.NotFound: 404,
    errors.Conflict: 409,
    errors.Repeated: 409,
    errors.LinkUnusable: 410,
    errors.Expired: 410,
    errors.Changed: 412,
    errors.TooLarge: 413,
    errors.WrongMediaType: 415,
    errors.Invalid: 422,
    errors.TooMany: 429,
    errors.Unavailable: 503,
    errors.Unreachable: 503,
    errors.SandboxUnavailable: 503,
}
TITLES = {
    400: "Bad request",
    401: "Not signed in",
    402: "Credits used up",
    403: "Not allowed",
    404: "Not found",
    405: "Method not allowed",
    409: "Conflict",
    410: "Gone",
    412: "Changed in the meantime",
    413: "Too large",
    415: "Wrong media type",
    422: "Not valid",
    429: "Too many requests",
    500: "Something went wrong",
    503: "Unavailable",
}
MEDIA_TYPE = "application/problem+json"
NOTHING_THERE = "There is nothing at this address."


class ProblemIssue(BaseModel):
    path: str
    message: str


class Problem(BaseModel):
    """What went wrong (RFC 9457). `code` is stable; `detail` is for people."""

    type: str
    title: str
    status: int
    detail: str
    code: str
    requestId: str | None = None  # noqa: N815 - its name on the wire
    rule: str | None = None
    successorId: str | None = None  # noqa: N815 - its name on the wire
    issues: list[ProblemIssue] = []


PROBLEM_RESPONSES: dict[int | str, dict[str, Any]] = {
    status: {
        "description": TITLES[status],
        "content": {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}},
    }
    for status in (400, 401, 402, 403, 404, 409, 410, 412, 413, 415, 422, 429, 503)
}


def add_problem_handlers(app: FastAPI) -> None:
    app.add_exception_handler(AssentError, _on_assent_error)
    app.add_exception_handler(RequestValidationError, _on_validation_error)
    app.add_exception_handler(HTTPException, _on_http_exception)


def find_status(error: AssentError) -> int:
    for kind in type(error).__mro__:
        if kind in STATUS:
            return STATUS[kind]
    return 500


def describe_problem(error: AssentError, request_id: str | None = None) -> dict[str, Any]:
    """An error as a problem document."""
    status = find_status(error)
    extra: dict[str, Any] = {}
    if isinstance(error, errors.Invalid | errors.Conflict) and error.issues:
        extra["issues"] = [{"path": i.path, "message": i.message} for i in error.issues]
    if isinstance(error, errors.MissingRule):
        extra["rule"] = error.rule
    if isinstance(error, errors.Changed) and error.successor_id:
        extra["successorId"] = str(error.successor_id)
    detail = error.message if status != 500 else TITLES[500]
    return _build_document(status, error.code, detail, request_id) | extra


def build_problem(error: AssentError, request_id: str | None) -> Response:
    document = describe_problem(error, request_id)
    status = document["status"]
    headers: dict[str, str] = {}
    if isinstance(error, errors.TooMany):
        headers["retry-after"] = str(error.retry_after)
    if status == 401:
        headers["www-authenticate"] = 'Bearer realm="assent"'
    if status == 503:
        headers["retry-after"] = "1"
    return _respond(document, headers)


def build_unexpected(request_id: str | None) -> Response:
    """For what nobody foresaw: the details are in the log under the request's id."""
    detail = "Something went wrong on the server. The log has the details under this request id."
    return _respond(_build_document(500, "internal", detail, request_id))


def _build_document(status: int, code: str, detail: str, request_id: str | None) -> dict[str, Any]:
    document: dict[str, Any] = {
        "type": f"urn:assent:problem:{code}",
        "title": TITLES.get(status, "Problem"),
        "status": status,
        "detail": detail,
        "code": code,
    }
    return document | ({"requestId": request_id} if request_id else {})


def _respond(document: dict[str, Any], headers: Mapping[str, str] | None = None) -> Response:
    body = json.dumps(document, ensure_ascii=False).encode("utf-8", "replace")
    return Response(body, document["status"], media_type=MEDIA_TYPE, headers=dict(headers or {}))


async def _on_assent_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, AssentError)  # noqa: S101 - registered for this class only
    parts: Parts | None = getattr(request.app.state, "parts", None)
    if parts is not None:
        hide_in_error(error, parts.means.scrubbing.known)
    return build_problem(error, request.scope.get("request_id"))


async def _on_validation_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)  # noqa: S101 - registered for this class only
    issues = [
        Issue("body", "This is not JSON.")
        if problem["type"] == "json_invalid"
        else Issue(
            ".".join(str(part) for part in problem["loc"][1:]),
            problem["msg"].removeprefix("Value error, "),
        )
        for problem in error.errors()
    ]
    return build_problem(errors.Invalid(issues), request.scope.get("request_id"))


async def _on_http_exception(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)  # noqa: S101 - registered for this class only
    request_id = request.scope.get("request_id")
    # FastAPI turns whatever happens while it reads a body into its own error.
    if isinstance(error.__cause__, AssentError):
        return build_problem(error.__cause__, request_id)
    if isinstance(error.__cause__, ClientDisconnect):
        raise error.__cause__
    headers = error.headers
    if error.status_code == 405:
        methods = list_methods(request)
        if not methods:
            return build_problem(errors.NotFound(NOTHING_THERE), request_id)
        headers = {"allow": ", ".join(methods)}
    code = TITLES.get(error.status_code, "problem").lower().replace(" ", "_")
    detail = TITLES.get(error.status_code, str(error.detail))
    return _respond(_build_document(error.status_code, code, detail, request_id), headers)
