"""Server-sent events: a response that goes on until either side leaves."""

import asyncio
from collections.abc import AsyncGenerator, Mapping
from typing import cast

from starlette.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

HEADERS = {"cache-control": "no-cache", "x-accel-buffering": "no"}
"""Nothing on the way may keep an event back."""


class EventStream(StreamingResponse):
    """Its generator ends with it: at once, whoever went away, wherever it was.

    Starlette's own way to notice who leaves costs a task group for each, which only the garbage
    collector takes away: after thousands have left, much later.
    """

    media_type = "text/event-stream"

    def __init__(
        self, frames: AsyncGenerator[bytes], headers: Mapping[str, str] | None = None
    ) -> None:
        super().__init__(frames, headers={**HEADERS, **(headers or {})})
        self._frames = frames
        self._is_left = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        streaming = cast("asyncio.Task[object]", asyncio.current_task())
        watching = asyncio.create_task(self._watch(receive, streaming))
        try:
            await self.stream_response(send)
        except asyncio.CancelledError:
            if not self._is_left or streaming.uncancel():
                raise
        finally:
            watching.cancel()
            await self._frames.aclose()

    async def _watch(self, receive: Receive, streaming: asyncio.Task[object]) -> None:
        await self.listen_for_disconnect(receive)
        self._is_left = True
        streaming.cancel()
