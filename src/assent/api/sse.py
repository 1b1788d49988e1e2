"""Server-sent events: a response that goes on until either side leaves."""

from collections.abc import AsyncGenerator, Mapping

from starlette.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

HEADERS = {"cache-control": "no-cache", "x-accel-buffering": "no"}
"""Nothing on the way may keep an event back."""


class EventStream(StreamingResponse):
    """Its generator ends with it: at once, whoever went away, wherever it was."""

    media_type = "text/event-stream"

    def __init__(
        self, frames: AsyncGenerator[bytes], headers: Mapping[str, str] | None = None
    ) -> None:
        super().__init__(frames, headers={**HEADERS, **(headers or {})})
        self._frames = frames

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            await self._frames.aclose()
