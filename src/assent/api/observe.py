"""Every request gets an id, a log line and a measurement, and no exception escapes unseen."""

import logging
import re
import time

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from assent.api.metrics import Metrics
from assent.api.problems import build_problem, build_unexpected
from assent.api.protect import guard_response
from assent.errors import AssentError
from assent.ids import new_id

REQUEST_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")

log = logging.getLogger("assent.http")


class Observe:
    """The outermost layer."""

    def __init__(self, app: ASGIApp, *, metrics: Metrics) -> None:
        self._app = app
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        scope["request_id"] = _request_id(scope)
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
        except Exception as error:
            if not isinstance(error, AssentError):
                log.exception("Unexpected error", extra={"request_id": scope["request_id"]})
            if status is None:
                await _answer(error, scope)(scope, receive, guard_response(scope, observed))
        finally:
            self._record(scope, status or 499, time.perf_counter() - started)

    def _record(self, scope: Scope, status: int, seconds: float) -> None:
        route = getattr(scope.get("route"), "path", "unmatched")
        self._metrics.count_request(
            method=scope["method"], route=route, status=status, seconds=seconds
        )
        log.log(
            _find_level(scope["path"], status),
            "%s %s %s",
            scope["method"],
            scope["raw_path"].decode("latin-1"),
            status,
            extra={"ms": round(seconds * 1000, 1), "request_id": scope["request_id"]},
        )


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
