"""What programs in pages of other sites may send here, and read of the answers (CORS).

Never with cookies: what counts is a token or a code that the program itself sends along.
"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

PREFLIGHT = "OPTIONS"
ANYBODY = "*"
SENT = (
    "authorization",
    "accept",
    "content-type",
    "last-event-id",
    "mcp-method",
    "mcp-name",
    "mcp-protocol-version",
    "mcp-session-id",
    "*",
)
"""The last one is for headers that a tool's parameters are repeated in, and those of tracing."""
READ = ("www-authenticate", "retry-after", "mcp-session-id", "mcp-protocol-version")
REMEMBERED = 600
"""Seconds for which a browser need not ask again."""

Answer: TypeAlias = Callable[[Request], Awaitable[ASGIApp]]
FindReader: TypeAlias = Callable[[Request], str | None]


def let_anybody_read(_request: Request) -> str | None:
    return ANYBODY


def share(answer: Answer, methods: Sequence[str], find_reader: FindReader) -> Answer:
    """The same answers, for pages of whichever site `find_reader` names; and for what they ask
    before they send anything."""

    async def shared(request: Request) -> ASGIApp:
        reader = find_reader(request)
        if request.method == PREFLIGHT:
            return _answer_preflight(reader, methods)
        app = await answer(request)
        return app if reader is None else Shared(app, reader)

    return shared


@dataclass(frozen=True, slots=True)
class Shared:
    app: ASGIApp
    reader: str

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        told = {**_name(self.reader), "access-control-expose-headers": ", ".join(READ)}
        added = [(name.encode(), value.encode("latin-1")) for name, value in told.items()]

        async def sharing(message: Message) -> None:
            if message["type"] == "http.response.start":
                message = {**message, "headers": [*message["headers"], *added]}
            await send(message)

        await self.app(scope, receive, sharing)


def _answer_preflight(reader: str | None, methods: Sequence[str]) -> Response:
    allowed = {"allow": ", ".join([*methods, PREFLIGHT])}
    if reader is None:
        return Response(status_code=403, headers=allowed)
    headers = {
        **allowed,
        **_name(reader),
        "access-control-allow-methods": ", ".join(methods),
        "access-control-allow-headers": ", ".join(SENT),
        "access-control-max-age": str(REMEMBERED),
    }
    return Response(status_code=204, headers=headers)


def _name(reader: str) -> dict[str, str]:
    """What is for one site must not be kept for another."""
    named = {"access-control-allow-origin": reader}
    return named if reader == ANYBODY else {**named, "vary": "origin"}
