"""The pool: connections that are lent and taken back, at most so many, the one used last first.

The driver's own makes a task for each that comes back and a proxy that looks up every call: on a
short statement that is more than the statement itself. What comes back here is trusted to be as it
was (`database.py` says why), and is dropped where it is not: closed, or in a transaction.
"""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from time import monotonic
from typing import Any, Protocol

import asyncpg

from assent.errors import Unavailable

LONGEST_WAIT = 10.0
LONGEST_IDLE = 300.0
CLOSE_SECONDS = 5.0

Connect = Callable[[], Awaitable[asyncpg.Connection]]


class _Runs(Protocol):
    """What runs statements: the driver's connection, or nothing any more."""

    def fetch(self, query: str, *args: object) -> Coroutine[Any, Any, list[Any]]: ...
    def fetchrow(self, query: str, *args: object) -> Coroutine[Any, Any, Any]: ...
    def fetchval(self, query: str, *args: object) -> Coroutine[Any, Any, Any]: ...
    def execute(self, query: str, *args: object) -> Coroutine[Any, Any, str]: ...


class _Nothing:
    """Stands for a connection that was given back: by now it is somebody else's."""

    def fetch(self, query: str, *args: object) -> Coroutine[Any, Any, Any]:
        raise asyncpg.InterfaceError("This connection was given back.")

    fetchrow = fetchval = execute = fetch


class Lent:
    """A connection for as long as it is lent."""

    __slots__ = ("_runs",)

    def __init__(self, runs: _Runs) -> None:
        self._runs = runs

    def fetch(self, query: str, *args: object) -> Coroutine[Any, Any, list[Any]]:
        return self._runs.fetch(query, *args)

    def fetchrow(self, query: str, *args: object) -> Coroutine[Any, Any, Any]:
        return self._runs.fetchrow(query, *args)

    def fetchval(self, query: str, *args: object) -> Coroutine[Any, Any, Any]:
        return self._runs.fetchval(query, *args)

    def execute(self, query: str, *args: object) -> Coroutine[Any, Any, str]:
        return self._runs.execute(query, *args)

    def end(self) -> None:
        self._runs = _Nothing()


class Pool:
    def __init__(self, connect: Connect, *, size: int) -> None:
        self._connect = connect
        self._size = size
        self._permits = asyncio.Semaphore(size)
        self._idle: list[tuple[asyncpg.Connection, float]] = []
        self._lent: set[asyncpg.Connection] = set()
        self._is_closed = False
        self.waiting = 0
        """How many wait for a connection."""

    @property
    def counts(self) -> tuple[int, int]:
        """How many connections are open, and how many of them are idle."""
        return len(self._lent) + len(self._idle), len(self._idle)

    async def take(self) -> asyncpg.Connection:
        """An idle one, a new one, or the next that comes back; `TimeoutError` if none does."""
        if self._idle and not self._permits.locked():
            await self._permits.acquire()
            return await self._open()
        self.waiting += 1
        try:
            async with asyncio.timeout(LONGEST_WAIT):
                await self._permits.acquire()
                return await self._open()
        finally:
            self.waiting -= 1

    def give(self, connection: asyncpg.Connection) -> None:
        """Take it back. One whose last statement is being cancelled has its next user wait."""
        self._lent.discard(connection)
        now = monotonic()
        if self._is_closed or connection.is_closed() or connection.is_in_transaction():
            connection.terminate()
        else:
            self._idle.append((connection, now))
        while self._idle and self._idle[0][1] < now - LONGEST_IDLE:
            self._idle.pop(0)[0].terminate()
        self._permits.release()

    async def close(self) -> None:
        """Wait for what is lent, but not for long."""
        self._is_closed = True
        try:
            async with asyncio.timeout(CLOSE_SECONDS):
                for _ in range(self._size):
                    await self._permits.acquire()
                while self._idle:
                    await self._idle.pop()[0].close()
        except TimeoutError:
            for connection in (*self._lent, *(one for one, _ in self._idle)):
                connection.terminate()

    async def _open(self) -> asyncpg.Connection:
        """With a permit, which is given back where there is no connection for it."""
        try:
            connection = await self._find()
        except BaseException:
            self._permits.release()
            raise
        self._lent.add(connection)
        return connection

    async def _find(self) -> asyncpg.Connection:
        if self._is_closed:
            raise Unavailable("The database is being closed.")
        while self._idle:
            connection, _ = self._idle.pop()
            if not connection.is_closed():
                return connection
        return await self._connect()
