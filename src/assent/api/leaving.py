"""Between the signal to stop and the end: every answer asks for a new connection, elsewhere.

A proxy that keeps connections to this process would sooner or later send a request into one that
is just being closed, and must not send it again if it changes something.
"""

import asyncio

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send


class Leaving:
    def __init__(self, app: ASGIApp, *, leaving: asyncio.Event) -> None:
        self._app = app
        self._leaving = leaving

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_last(message: Message) -> None:
            if message["type"] == "http.response.start" and self._leaving.is_set():
                MutableHeaders(scope=message)["connection"] = "close"
            await send(message)

        await self._app(scope, receive, send_last)
