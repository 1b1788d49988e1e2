"""Every request gets an id, a log line, a span and measurements; no exception escapes unseen."""

import logging
import re
import time
from collections.abc import Generator
from contextlib import contextmanager

from opentelemetry.trace import INVALID_SPAN, Span, SpanKind, StatusCode
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from assent.api.problems import build_problem, build_unexpected
from assent.api.protect import guard_response
from assent.errors import AssentError
from assent.ids import new_id
from assent.logs import bind_ids
from assent.telemetry import names
from assent.telemetry.telemetry import Telemetry
from assent.telemetry.trace_context import parse_traceparent

REQUEST_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")
PRINCIPAL_KIND = names.PRINCIPAL_KIND
"""Under this name whoever finds out leaves it in the scope."""
METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
OTHER_METHOD = "_OTHER"
PROBED = frozenset({"/healthz", "/readyz", "/metrics"})

log = logging.getLogger("assent.http")


class Observe:
    """The outermost layer."""

    def __init__(self, app: ASGIApp, *, telemetry: Telemetry) -> None:
        self._app = app
        self._telemetry = telemetry

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        scope["request_id"] = _request_id(scope)
        with bind_ids(request_id=scope["request_id"]), self._span(scope) as span:
            await self._answer(scope, receive, send, span)

    async def _answer(self, scope: Scope, receive: Receive, send: Send, span: Span) -> None:
        status: int | None = None

        async def observed(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                MutableHeaders(scope=message)["x-request-id"] = scope["request_id"]
            await send(message)

        started = time.perf_counter()
        try:
            await self._app(scope, receive, observed)
        except ClientDisconnect:
            log.debug("The client left in the middle of what it sent.")
        except Exception as error:
            if not isinstance(error, AssentError):
                log.exception("Unexpected error", extra={"request_id": scope["request_id"]})
            if status is None:
                await _answer(error, scope)(scope, receive, guard_response(scope, observed))
        finally:
            self._record(scope, status or 499, time.perf_counter() - started, span)

    @contextmanager
    def _span(self, scope: Scope) -> Generator[Span]:
        """None for what monitors and browsers ask for by the dozen."""
        if scope["path"] in PROBED or scope["path"].startswith("/assets/"):
            yield INVALID_SPAN
            return
        method = _find_method(scope)
        attributes = {names.METHOD: method, names.REQUEST: scope["request_id"]}
        parent = parse_traceparent(Headers(scope=scope).get("traceparent"))
        with self._telemetry.span(method, attributes, kind=SpanKind.SERVER, parent=parent) as span:
            yield span

    def _record(self, scope: Scope, status: int, seconds: float, span: Span) -> None:
        method, metrics = _find_method(scope), self._telemetry.metrics
        route = getattr(scope.get("route"), "path", "unmatched")
        metrics.requests.labels(method, route, status).inc()
        metrics.request_seconds.labels(method, route, f"{status // 100}xx").observe(seconds)
        _describe(span, scope, f"{method} {route}", route, status)
        log.log(
            _find_level(scope["path"], status),
            "%s %s %s",
            scope["method"],
            scope["raw_path"].decode("latin-1"),
            status,
            extra={"ms": round(seconds * 1000, 1), "request_id": scope["request_id"]},
        )


def _describe(span: Span, scope: Scope, name: str, route: str, status: int) -> None:
    """By the route and not by the address, which holds ids, searches and tokens."""
    if not span.is_recording():
        return
    span.update_name(name)
    span.set_attributes({names.ROUTE: route, names.STATUS: status})
    if PRINCIPAL_KIND in scope:
        span.set_attribute(names.PRINCIPAL_KIND, scope[PRINCIPAL_KIND])
    if status >= 500:
        span.set_status(StatusCode.ERROR)


def _find_method(scope: Scope) -> str:
    """Anybody can make one up, and each would be measured by itself."""
    return scope["method"] if scope["method"] in METHODS else OTHER_METHOD


def _find_level(path: str, status: int) -> int:
    """A page brings dozens of files along: those that arrive are not worth a line."""
    if status >= 500:
        return logging.WARNING
    return logging.DEBUG if path.startswith("/assets/") and status < 400 else logging.INFO


def _answer(error: Exception, scope: Scope) -> ASGIApp:
    if isinstance(error, AssentError):
        return build_problem(error, scope["request_id"])
    return build_unexpected(scope["request_id"])


def _request_id(scope: Scope) -> str:
    given = Headers(scope=scope).get("x-request-id", "")
    return given if REQUEST_ID.fullmatch(given) else new_id().hex
