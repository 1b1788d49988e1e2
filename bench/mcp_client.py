"""A client of MCP so lean that it is not what gets measured: prepared bytes over one socket.

It reads plain JSON and event streams alike, and looks at every answer: a call that failed is an
error here, not a fast answer.
"""

import asyncio
import itertools
import json
import time
from dataclasses import dataclass, field
from typing import Any, cast

import httptools

HOST = "127.0.0.1"
MODERN, LEGACY = "2026-07-28", "2025-11-25"
META = "io.modelcontextprotocol/"
PROGRAM = {"name": "bench", "version": "1"}
DIGITS = 9
"""Of a request's id, so that all requests of a kind are equally long."""


@dataclass(frozen=True, slots=True)
class Target:
    """A server and who asks it: `lines` are further lines of the head."""

    name: str
    pid: int
    port: int
    lines: str = ""


@dataclass(frozen=True, slots=True)
class Reply:
    status: int
    headers: dict[str, str]
    body: bytes

    def parse(self) -> dict[str, Any]:
        """The one message in it, be it a document or an event."""
        text = self.body
        if "text/event-stream" in self.headers.get("content-type", ""):
            events = [one for one in text.splitlines() if one.startswith(b"data: {")]
            text = events[-1].removeprefix(b"data: ")
        return json.loads(text)

    def check(self) -> "Reply":
        """Raises unless it is a result without an error."""
        if self.status != 200 or b'"result"' not in self.body or b'"isError":true' in self.body:
            raise RuntimeError(f"{self.status}: {self.body[:500]!r}")
        return self


class Connection(asyncio.Protocol):
    """One request after the other; the next is sent when the answer before it is complete."""

    def __init__(self) -> None:
        self._transport: asyncio.Transport | None = None
        self._waiting: asyncio.Future[Reply] | None = None
        self._begin()

    def _begin(self) -> None:
        self._parser = httptools.HttpResponseParser(self)
        self._headers: dict[str, str] = {}
        self._body: list[bytes] = []

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)

    def connection_lost(self, exc: Exception | None) -> None:
        if self._waiting is not None and not self._waiting.done():
            self._waiting.set_exception(RuntimeError("The server hung up."))

    def data_received(self, data: bytes) -> None:
        self._parser.feed_data(data)

    def on_header(self, name: bytes, value: bytes) -> None:
        self._headers[name.decode().lower()] = value.decode()

    def on_body(self, body: bytes) -> None:
        self._body.append(body)

    def on_message_complete(self) -> None:
        reply = Reply(self._parser.get_status_code(), self._headers, b"".join(self._body))
        self._begin()
        if self._waiting is not None:
            self._waiting.set_result(reply)

    async def send(self, request: bytes) -> Reply:
        assert self._transport is not None
        self._waiting = asyncio.get_running_loop().create_future()
        self._transport.write(request)
        return await self._waiting

    def close(self) -> None:
        assert self._transport is not None
        self._transport.close()


@dataclass(slots=True)
class Lane:
    """One client with a connection of its own, in one revision of the protocol."""

    target: Target
    revision: str
    connection: Connection
    session: str = ""
    asked: int = 0
    prepared: dict[str, tuple[bytes, bytes]] = field(default_factory=dict)

    async def ask(self, method: str, params: dict[str, Any], *, name: str = "") -> Reply:
        """Prepared once for each method and name: `params` are those of the first time."""
        key = f"{method} {name}"
        if key not in self.prepared:
            self.prepared[key] = self._prepare(method, params, name)
        before, after = self.prepared[key]
        self.asked += 1
        return await self.connection.send(b"%b%0*d%b" % (before, DIGITS, self._number(), after))

    def _number(self) -> int:
        return 10 ** (DIGITS - 1) + self.asked

    def _prepare(self, method: str, params: dict[str, Any], name: str) -> tuple[bytes, bytes]:
        whole = params
        if self.revision == MODERN:
            meta = {
                f"{META}protocolVersion": MODERN,
                f"{META}clientInfo": PROGRAM,
                f"{META}clientCapabilities": {},
            }
            whole = {**params, "_meta": meta}
        mark = 10 ** (DIGITS - 1)
        message = {"jsonrpc": "2.0", "id": mark, "method": method, "params": whole}
        data = json.dumps(message, separators=(",", ":")).encode()
        before, after = (self._head(method, name, len(data)) + data).split(b"%d" % mark, 1)
        return before, after

    async def notify(self, method: str) -> None:
        data = json.dumps({"jsonrpc": "2.0", "method": method}).encode()
        reply = await self.connection.send(self._head(method, "", len(data)) + data)
        if reply.status not in (200, 202):
            raise RuntimeError(f"{method}: {reply.status} {reply.body[:300]!r}")

    def _head(self, method: str, name: str, length: int) -> bytes:
        lines = [
            "POST /mcp HTTP/1.1",
            f"host: {HOST}:{self.target.port}",
            "content-type: application/json",
            "accept: application/json, text/event-stream",
            f"content-length: {length}",
        ]
        if self.revision == MODERN:
            lines.append(f"mcp-method: {method}")
            lines += [f"mcp-name: {name}"] if name else []
        if self.revision == MODERN or method != "initialize":
            lines.append(f"mcp-protocol-version: {self.revision}")
        lines += [f"mcp-session-id: {self.session}"] if self.session else []
        return ("\r\n".join(lines) + f"\r\n{self.target.lines}\r\n").encode()

    async def call(self, tool: str, arguments: dict[str, Any]) -> Reply:
        return (
            await self.ask("tools/call", {"name": tool, "arguments": arguments}, name=tool)
        ).check()

    async def begin(self) -> None:
        """What a client of the older revisions has to say first."""
        if self.revision == MODERN:
            return
        params = {"protocolVersion": self.revision, "capabilities": {}, "clientInfo": PROGRAM}
        reply = (await self.ask("initialize", params)).check()
        self.session = reply.headers.get("mcp-session-id", "")
        await self.notify("notifications/initialized")


async def open_lane(target: Target, revision: str) -> Lane:
    loop = asyncio.get_running_loop()
    _, connection = await loop.create_connection(Connection, HOST, target.port)
    lane = Lane(target, revision, connection)
    await lane.begin()
    return lane


async def drive(
    lanes: list[Lane], tool: str, arguments: dict[str, Any], *, at_once: int, seconds: float
) -> int:
    """So many calls at a time, over all lanes in turn; how many calls that were."""
    end = time.monotonic() + seconds
    count = 0

    async def walk(own: list[Lane]) -> None:
        nonlocal count
        for lane in itertools.cycle(own):
            if time.monotonic() >= end:
                return
            await lane.call(tool, arguments)
            count += 1

    await asyncio.gather(*(walk(lanes[number::at_once]) for number in range(at_once)))
    return count
