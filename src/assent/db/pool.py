"""The pool: connections that are lent and taken back, at most so many, the one used last first.

The driver's own makes a task for each that comes back and a proxy that looks up every call: on a
short statement that is more than the statement itself. What comes back here is trusted to be as it
was (`database.py` says why), and is dropped where it is not: closed, or in a transaction.

Some connections only read. Where no more may be opened, an idle one of the other kind is turned.
"""

import asyncio
from collections.abc import Callable, Coroutine
from time import monotonic
from typing import Any, TypeAlias

import asyncpg

from assent.db.lent import READ_ONLY, is_read_only
from assent.db.turns import Turns
from assent.errors import Unavailable

LONGEST_WAIT = 10.0
LONGEST_IDLE = 300.0
CLOSE_SECONDS = 5.0
SETTLE_SECONDS = 1.0
BECOME = {True: f"SET {READ_ONLY} = on", False: f"SET {READ_ONLY} = off"}

Connect: TypeAlias = Callable[[bool], Coroutine[Any, Any, asyncpg.Connection]]
"""Opens one that only reads, or one for everything."""
Idle: TypeAlias = list[tuple[asyncpg.Connection, float]]
"""Each with the time since when."""


class Pool:
    def __init__(self, connect: Connect, *, size: int) -> None:
        self._connect = connect
        self._size = size
        self._turns = Turns(size)
        self._idle: dict[bool, Idle] = {True: [], False: []}
        self._lent: set[asyncpg.Connection] = set()
        self._opening = 0
        self._is_closed = False
        self.waiting = 0
        """How many wait for a connection."""

    @property
    def counts(self) -> tuple[int, int]:
        """How many connections are open, and how many of them are idle."""
        idle = sum(map(len, self._idle.values()))
        return len(self._lent) + idle, idle

    async def take(self, *, read_only: bool = False) -> asyncpg.Connection:
        """An idle one, a new one, or the next that comes back; `TimeoutError` if none does."""
        if self._idle[read_only] and self._turns.is_free:
            await self._turns.take(read_only)
            return await self._open(read_only)
        self.waiting += 1
        try:
            async with asyncio.timeout(LONGEST_WAIT):
                await self._turns.take(read_only)
                return await self._open(read_only)
        finally:
            self.waiting -= 1

    def give(self, connection: asyncpg.Connection) -> None:
        """Take it back."""
        self._lent.discard(connection)
        now, is_gone = monotonic(), connection.is_closed()
        read_only = not is_gone and is_read_only(connection)
        if self._is_closed or is_gone or connection.is_in_transaction():
            connection.terminate()
        else:
            self._idle[read_only].append((connection, now))
        for idle in self._idle.values():
            while idle and idle[0][1] < now - LONGEST_IDLE:
                idle.pop(0)[0].terminate()
        self._turns.give(read_only)

    async def close(self) -> None:
        """Wait for what is lent, but not for long; whoever waits for one is told at once."""
        self._is_closed = True
        taken = 0
        try:
            async with asyncio.timeout(CLOSE_SECONDS):
                while taken < self._size:
                    await self._turns.take(read_only=False)
                    taken += 1
                for idle in self._idle.values():
                    while idle:
                        await idle.pop()[0].close()
        except TimeoutError:
            idle = (one for kind in self._idle.values() for one, _ in kind)
            for connection in (*self._lent, *idle):
                connection.terminate()
        finally:
            for _ in range(taken):
                self._turns.give(read_only=False)

    async def _open(self, read_only: bool) -> asyncpg.Connection:
        """In one's turn, which is given back where there is no connection for it."""
        try:
            connection = await self._find(read_only)
        except BaseException:
            self._turns.give(read_only)
            raise
        self._lent.add(connection)
        return connection

    async def _find(self, read_only: bool) -> asyncpg.Connection:
        if self._is_closed:
            raise Unavailable("The database is being closed.")
        found = _pop_good(self._idle[read_only])
        if found is not None:
            return found
        is_full = self._opening + self.counts[0] >= self._size
        other = _pop_good(self._idle[not read_only]) if is_full else None
        self._opening += 1
        try:
            return await (_turn(other, read_only) if other else self._connect(read_only))
        finally:
            self._opening -= 1


def _pop_good(idle: Idle) -> asyncpg.Connection | None:
    while idle:
        connection, _ = idle.pop()
        if not connection.is_closed():
            return connection
    return None


async def settle(connection: asyncpg.Connection) -> None:
    """Wait until a statement has ended that is being cancelled, or give the connection up.

    Postgres may be told to cancel a statement before it has heard of it, and then runs it.
    """
    try:
        async with asyncio.timeout(SETTLE_SECONDS):
            await connection.execute("SELECT")
    except BaseException:  # noqa: BLE001 - whoever calls goes on with an error of their own
        connection.terminate()


async def _turn(connection: asyncpg.Connection, read_only: bool) -> asyncpg.Connection:
    try:
        await connection.execute(BECOME[read_only])
    except BaseException:
        connection.terminate()
        raise
    return connection
