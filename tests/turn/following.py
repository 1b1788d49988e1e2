"""A page that follows `/api/events`, over real HTTP."""

import asyncio
import json
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any

import httpx2

from assent.testing import Client

PATIENCE = 30

Event = dict[str, Any]


class Following:
    """`events` are all that came, `comments` counts what keeps the connection alive."""

    def __init__(self, response: httpx2.Response) -> None:
        self.response = response
        self.events: list[Event] = []
        self.comments = 0
        self.ended = asyncio.Event()
        self._seen = 0
        self._changed = asyncio.Event()

    async def listen(self) -> None:
        buffer = ""
        async for text in self.response.aiter_text():
            buffer += text
            *frames, buffer = buffer.split("\n\n")
            for frame in frames:
                self._take(frame)
            self._changed.set()
        self.ended.set()

    def _take(self, frame: str) -> None:
        if frame.startswith(":"):
            self.comments += 1
            return
        assert frame.startswith("data: "), frame
        self.events.append(json.loads(frame.removeprefix("data: ")))

    async def until(self, holds: Callable[[Event], Any]) -> Event:
        """The next event of which that holds; what came before it is passed over."""
        async with asyncio.timeout(PATIENCE):
            while True:
                while self._seen < len(self.events):
                    self._seen += 1
                    if holds(self.events[self._seen - 1]):
                        return self.events[self._seen - 1]
                self._changed.clear()
                await self._changed.wait()

    async def until_hello(self) -> None:
        await self.until(lambda event: event == {"type": "hello"})

    async def until_conversation(self, conversation_id: str, **wanted: Any) -> Event:
        def holds(event: Event) -> bool:
            found = event.get("conversation", {})
            return found.get("id") == conversation_id and wanted.items() <= found.items()

        return (await self.until(holds))["conversation"]

    async def until_proposal(self, state: str, proposal_id: str | None = None) -> Event:
        return await self.until(
            lambda event: (
                event["type"] == "proposal.changed"
                and event["state"] == state
                and proposal_id in (None, event["proposalId"])
            )
        )

    async def until_comment(self) -> None:
        async with asyncio.timeout(PATIENCE):
            while not self.comments:
                self._changed.clear()
                await self._changed.wait()

    async def until_end(self) -> None:
        async with asyncio.timeout(PATIENCE):
            await self.ended.wait()


@asynccontextmanager
async def follow(client: Client) -> AsyncGenerator[Following]:
    """Follow until the body ends, or the server does."""
    async with client.stream("GET", "/api/events") as response:
        assert response.status_code == 200, await response.aread()
        following = Following(response)
        listening = asyncio.create_task(following.listen())
        try:
            await following.until_hello()
            yield following
        finally:
            listening.cancel()
            with suppress(asyncio.CancelledError):
                await listening
