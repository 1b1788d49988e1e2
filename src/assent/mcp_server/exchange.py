"""One request and its answer: JSON, or a stream of events once there is something to tell before.

It is what the SDK calls a dispatch context. The answer is begun as late as can be, so that a
refusal still gets the status that belongs to it.
"""

import asyncio
import json
from collections.abc import Mapping
from typing import Any

import anyio
import msgspec
from mcp.shared.dispatcher import CallOptions
from mcp.shared.exceptions import NoBackChannelError
from mcp.shared.jsonrpc_dispatcher import progress_token_from_params
from mcp.shared.message import ServerMessageMetadata
from mcp.shared.transport_context import TransportContext
from mcp_types import RequestId
from starlette.types import Send

from assent.mcp_server.asking import Asking
from assent.mcp_server.extension import BackChannel
from assent.mcp_server.message import Asked

JSON = b"application/json"
EVENTS = b"text/event-stream"
EVENT_HEADERS = [
    (b"content-type", EVENTS),
    (b"cache-control", b"no-cache, no-transform"),
    (b"x-accel-buffering", b"no"),
]
_ENCODER = msgspec.json.Encoder()


class Exchange:
    def __init__(
        self,
        send: Send,
        asked: Asked,
        headers: Mapping[str, str],
        *,
        takes_events: bool,
        back_channel: BackChannel | None,
    ) -> None:
        self._send = send
        self._asked = asked
        self._takes_events = takes_events
        self._back_channel = back_channel if takes_events else None
        self._turn = asyncio.Lock()
        self.begun = False
        self.transport = TransportContext(
            kind="streamable-http", can_send_request=self.can_send_request, headers=headers
        )
        self.message_metadata: ServerMessageMetadata | None = None
        self.cancel_requested = anyio.Event()

    def carry(self, asking: Asking) -> None:
        """Where handlers find who asks."""
        self.message_metadata = ServerMessageMetadata(request_context=asking)

    @property
    def can_send_request(self) -> bool:
        return self._back_channel is not None

    @property
    def request_id(self) -> RequestId:
        return self._asked.id

    async def send_raw_request(
        self, method: str, params: Mapping[str, Any] | None, opts: CallOptions | None = None
    ) -> dict[str, Any]:
        if self._back_channel is None:
            raise NoBackChannelError(method)
        return await self._back_channel.ask(self._write_event, method, params)

    async def notify(
        self, method: str, params: Mapping[str, Any] | None, opts: CallOptions | None = None
    ) -> None:
        """Nobody waits for these: where they cannot be delivered, they are dropped."""
        if self._takes_events:
            told: dict[str, Any] = {"jsonrpc": "2.0", "method": method}
            await self._write_event(told | ({"params": dict(params)} if params else {}))

    async def progress(
        self, progress: float, total: float | None = None, message: str | None = None
    ) -> None:
        token = progress_token_from_params(self._asked.params)
        if token is not None:
            told = {"progressToken": token, "progress": progress}
            more = {"total": total, "message": message}
            given = {key: value for key, value in more.items() if value is not None}
            await self.notify("notifications/progress", told | given)

    async def keep_alive(self) -> None:
        """Whatever stands between us and the client sees that there is still somebody."""
        if self._takes_events:
            async with self._turn:
                await self._write(b": \r\n\r\n")

    async def end(
        self, answer: Mapping[str, Any], *, status: int, headers: Mapping[str, str]
    ) -> None:
        if self.begun:
            await self._write_event(answer, last=True)
            return
        body = encode_alone(answer)
        given = [(name.encode(), value.encode("latin-1")) for name, value in headers.items()]
        length = (b"content-length", str(len(body)).encode())
        head = [(b"content-type", JSON), length, *given]
        await self._send({"type": "http.response.start", "status": status, "headers": head})
        await self._send({"type": "http.response.body", "body": body})

    async def _write_event(self, message: Mapping[str, Any], *, last: bool = False) -> None:
        async with self._turn:
            await self._write(b"event: message\r\ndata: " + encode(message) + b"\r\n\r\n", last)

    async def _write(self, data: bytes, last: bool = False) -> None:
        if not self.begun:
            self.begun = True
            head = {"type": "http.response.start", "status": 200, "headers": EVENT_HEADERS}
            await self._send(head)
        await self._send({"type": "http.response.body", "body": data, "more_body": not last})


def encode(message: Mapping[str, Any]) -> bytes:
    """In ASCII: whatever a text holds, it comes through."""
    return json.dumps(message, separators=(",", ":")).encode()


def encode_alone(message: Mapping[str, Any]) -> bytes:
    """For an answer that is nothing but JSON: in UTF-8, which is much faster where it can be."""
    try:
        return _ENCODER.encode(message)
    except UnicodeEncodeError:
        return encode(message)
