"""A model provider that says what it is told to, in OpenAI's streaming format.

A process of its own, `python -m assent.bench.provider`: it prints its port, and ends when its
standard input does. It does as little as it can for each word, and pauses by the clock, so that a
slow reader does not slow it down.
"""

import asyncio
import random
import re
import sys
import time
from collections.abc import Callable
from typing import cast

import uvloop

from assent.bench.script import Script, encode_word, parse_script

HEAD = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n"
REFUSAL = b"HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n"
LENGTH = re.compile(rb"\r\ncontent-length: *(\d+)", re.IGNORECASE)
PIECE = (
    b'data: {"id":"bench","object":"chat.completion.chunk","created":1,"model":"bench",'
    b'"choices":[{"index":0,"delta":{"content":"%b"},"finish_reason":null}]}\n\n'
)
LAST = (
    b'data: {"id":"bench","object":"chat.completion.chunk","created":1,"model":"bench",'
    b'"choices":[{"index":0,"delta":{},"finish_reason":"stop"}],'
    b'"usage":{"prompt_tokens":100,"completion_tokens":100,"total_tokens":200}}\n\n'
    b"data: [DONE]\n\n"
)
SIGN_OF_LIFE = b": still here\n\n"
SIGN_SECONDS = 10


class Answering(asyncio.Protocol):
    """One connection, one answer after the other."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._transport: asyncio.Transport | None = None
        self._received = b""
        self._next: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)

    def connection_lost(self, exc: Exception | None) -> None:
        self._transport = None
        if self._next is not None:
            self._next.cancel()

    def data_received(self, data: bytes) -> None:
        self._received += data
        head, end, rest = self._received.partition(b"\r\n\r\n")
        found = LENGTH.search(head)
        length = int(found[1]) if found else 0
        if end and len(rest) >= length:
            self._received = rest[length:]
            self._answer(rest[:length], time.monotonic())

    def _answer(self, body: bytes, asked: float) -> None:
        script = parse_script(body)
        if script is None:
            self._write(REFUSAL)
            return
        self._write(HEAD)
        # All answers at once at the same pace must not all speak at the same moment.
        phase = random.random() * script.pace  # noqa: S311
        self._at(asked + script.delay, lambda: self._say(script, asked, phase, 0))

    def _say(self, script: Script, asked: float, phase: float, said: int) -> None:
        now = time.monotonic()
        if said == script.words:
            self._end(script)
            return
        self._send(PIECE % encode_word(now, asked if said == 0 else None))
        due = asked + script.delay + phase + (said + 1) * script.pace
        self._at(due, lambda: self._say(script, asked, phase, said + 1))

    def _end(self, script: Script) -> None:
        if script.holds:
            self._send(SIGN_OF_LIFE)
            self._at(time.monotonic() + SIGN_SECONDS, lambda: self._end(script))
        else:
            self._send(LAST)
            self._write(b"0\r\n\r\n")

    def _at(self, due: float, act: Callable[[], None]) -> None:
        if self._transport is not None:
            self._next = self._loop.call_later(max(0, due - time.monotonic()), act)

    def _send(self, data: bytes) -> None:
        self._write(b"%x\r\n%b\r\n" % (len(data), data))

    def _write(self, data: bytes) -> None:
        if self._transport is not None:
            self._transport.write(data)


async def serve() -> None:
    loop = asyncio.get_running_loop()
    server = await loop.create_server(Answering, "127.0.0.1", 0, backlog=2048)
    sys.stdout.write(f"{server.sockets[0].getsockname()[1]}\n")
    sys.stdout.flush()
    left = asyncio.Event()
    loop.add_reader(sys.stdin, left.set)
    await left.wait()


if __name__ == "__main__":
    uvloop.run(serve())
