"""Crowds of followers over raw sockets: some read everything, some read nothing, all can vanish."""

import asyncio
import re
import resource
import socket
import struct
from collections.abc import AsyncGenerator, Generator
from contextlib import contextmanager

import psutil
import pytest

from assent.testing import Client
from tests.patience import PATIENCE, wait_until

HOST = "127.0.0.1"
AT_ONCE = 100
SMALL = 4096
OTHER_FILES = 500
NOW = struct.pack("ii", 1, 0)


@contextmanager
def many_files(count: int) -> Generator[None]:
    """So many connections may be open, here and in processes that are started from here."""
    wanted = count + OTHER_FILES
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, wanted), max(hard, wanted)))
    except (ValueError, PermissionError):
        pytest.fail(f"This needs {wanted:,} open files, and the hard limit is {hard:,}.")
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, max(hard, wanted)))


def encode_get(client: Client, path: str) -> bytes:
    """As that person would ask for it, at whatever server."""
    cookies = "; ".join(f"{name}={value}" for name, value in client.cookies.items())
    return f"GET {path} HTTP/1.1\r\nhost: {HOST}\r\ncookie: {cookies}\r\n\r\n".encode()


class Idlers:
    """Followers that read the first line of the answer and nothing after it."""

    def __init__(self) -> None:
        self._sockets: list[socket.socket] = []

    async def join(self, port: int, request: bytes, count: int) -> None:
        for begin in range(0, count, AT_ONCE):
            await asyncio.to_thread(self._join, port, request, min(AT_ONCE, count - begin))

    def vanish(self) -> None:
        """All at once, without a word: their connections are reset."""
        for one in self._sockets:
            one.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, NOW)
        self.close()

    def leave(self) -> None:
        """All at once, as pages do that are closed; what is left of them is for `close`."""
        for one in self._sockets:
            one.shutdown(socket.SHUT_WR)

    def close(self) -> None:
        for one in self._sockets:
            one.close()
        self._sockets.clear()

    def _join(self, port: int, request: bytes, count: int) -> None:
        opened = [_open(port, request) for _ in range(count)]
        self._sockets += opened
        for one in opened:
            line = one.recv(15)
            assert line == b"HTTP/1.1 200 OK", line


def _open(port: int, request: bytes) -> socket.socket:
    opened = socket.socket()
    opened.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, SMALL)
    opened.settimeout(PATIENCE)
    opened.connect((HOST, port))
    opened.sendall(request)
    return opened


async def read_all(port: int, request: bytes) -> AsyncGenerator[bytes]:
    """What a follower gets that reads to the end."""
    reader, writer = await asyncio.open_connection(HOST, port)
    try:
        writer.write(request)
        head = await reader.readuntil(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 200 "), head
        while size := int(await reader.readline(), 16):
            yield (await reader.readexactly(size + 2))[:-2]
    finally:
        writer.close()


class Watched:
    """A server process, and what it says about itself."""

    def __init__(self, client: Client, pid: int) -> None:
        self.client = client
        self._process = psutil.Process(pid)

    @property
    def memory(self) -> int:
        return self._process.memory_info().rss

    @property
    def files(self) -> int:
        return self._process.num_fds()

    async def read(self, gauge: str) -> int:
        said = (await self.client.get("/metrics")).text
        found = re.search(rf"^{re.escape(gauge)} ([\d.]+)$", said, re.MULTILINE)
        assert found, said
        return int(float(found[1]))

    async def wait_for(self, gauge: str, value: int) -> None:
        seen: list[int] = []

        async def look() -> bool:
            seen[:] = [await self.read(gauge)]
            return seen == [value]

        try:
            await wait_until(look)
        except TimeoutError:
            raise AssertionError(f"{gauge} is {seen}, not {value}") from None
