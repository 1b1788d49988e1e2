"""A client so lean that it is not what gets measured: requests over one socket, open streams."""

import asyncio
import json
import re
import time
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, cast

from assent.bench.script import MARK
from assent.errors import MeasurementFailed

HOST = "127.0.0.1"
END = b"\r\n\r\n"
LENGTH = re.compile(rb"\r\ncontent-length: *(\d+)", re.IGNORECASE)
COOKIE = re.compile(rb"\r\nset-cookie: *(assent_session=[^;\r]+)", re.IGNORECASE)
RUN_ID = re.compile(rb"\r\nx-assent-run-id: *([\w-]+)", re.IGNORECASE)
SHOWN = 300


@dataclass(frozen=True, slots=True)
class Credential:
    """The header lines that say who asks."""

    lines: str = ""


def build_session(cookie: str) -> Credential:
    return Credential(f"cookie: {cookie}\r\nx-assent-csrf: 1\r\n")


def build_key(key: str) -> Credential:
    return Credential(f"authorization: Bearer {key}\r\n")


def encode_request(
    method: str, path: str, who: Credential, body: Any = None, *, keeps: bool = False
) -> bytes:
    """With `keeps` the connection is good for more requests."""
    data = b"" if body is None else json.dumps(body).encode()
    content = f"content-type: application/json\r\ncontent-length: {len(data)}\r\n" if data else ""
    connection = "" if keeps else "connection: close\r\n"
    head = f"{method} {path} HTTP/1.1\r\nhost: {HOST}\r\n{connection}{content}{who.lines}\r\n"
    return head.encode() + data


@dataclass(frozen=True, slots=True)
class Answer:
    status: int
    head: bytes
    body: bytes

    def parse(self, *statuses: int) -> Any:
        """The JSON of an answer that must have one of these statuses."""
        if self.status not in statuses:
            shown = self.body[:SHOWN].decode(errors="replace")
            raise MeasurementFailed(f"The server answered {self.status}: {shown}")
        return json.loads(self.body) if self.body else None

    @property
    def cookie(self) -> str:
        found = COOKIE.search(self.head)
        if found is None:
            raise MeasurementFailed(f"Signing in gave no session, but {self.status}.")
        return found[1].decode()


class Caller:
    """Somebody who asks one thing after the other over one connection."""

    def __init__(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, who: Credential
    ) -> None:
        self._reader = reader
        self._writer = writer
        self.who = who

    @classmethod
    @asynccontextmanager
    async def open(cls, port: int, who: Credential) -> "AsyncGenerator[Caller]":
        reader, writer = await asyncio.open_connection(HOST, port)
        try:
            yield cls(reader, writer, who)
        finally:
            writer.close()

    async def ask(self, method: str, path: str, body: Any = None) -> Answer:
        self._writer.write(encode_request(method, path, self.who, body, keeps=True))
        try:
            head = await self._reader.readuntil(END)
            found = LENGTH.search(head)
            length = int(found[1]) if found else 0
            content = await self._reader.readexactly(length)
        except (asyncio.IncompleteReadError, OSError) as error:
            raise MeasurementFailed("The server hung up.") from error
        return Answer(int(head[9:12]), head, content)


class Stream(asyncio.Protocol):
    """One open response: counts the provider's words, keeps nothing but what it is asked to.

    `hear` gets every piece of data with the time at which it came.
    """

    def __init__(self, request: bytes, hear: Callable[[bytes, float], None] | None = None) -> None:
        self._request = request
        self._hear = hear
        self._waiting: tuple[int, asyncio.Future[None]] | None = None
        self._transport: asyncio.Transport | None = None
        self.closed: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.head = b""
        self.words = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)
        self._transport.write(self._request)

    def data_received(self, data: bytes) -> None:
        if not self.head:
            self.head = data
        self.words += data.count(MARK)
        if self._hear is not None:
            self._hear(data, time.monotonic())
        self._wake()

    def connection_lost(self, exc: Exception | None) -> None:
        if not self.closed.done():
            self.closed.set_result(None)
        self._wake()

    def close(self) -> None:
        if self._transport is not None:
            self._transport.abort()

    @property
    def is_open(self) -> bool:
        return not self.closed.done()

    @property
    def is_good(self) -> bool:
        return self.head.startswith(b"HTTP/1.1 200")

    @property
    def run_id(self) -> str:
        found = RUN_ID.search(self.head)
        if found is None:
            raise MeasurementFailed(f"No stream: {self.head[:SHOWN].decode(errors='replace')}")
        return found[1].decode()

    async def wait_words(self, count: int) -> None:
        """Until so many words have come, or the response has ended."""
        if self.words < count and self.is_open:
            self._waiting = count, asyncio.get_running_loop().create_future()
            await self._waiting[1]

    def _wake(self) -> None:
        if self._waiting is None:
            return
        count, waiting = self._waiting
        if (self.words >= count or not self.is_open) and not waiting.done():
            waiting.set_result(None)


async def open_stream(
    port: int, request: bytes, hear: Callable[[bytes, float], None] | None = None
) -> Stream:
    loop = asyncio.get_running_loop()
    _, stream = await loop.create_connection(lambda: Stream(request, hear), HOST, port)
    return stream
