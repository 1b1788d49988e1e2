"""A connection in the hands of whoever it was lent to: statements, and nothing once it is back."""

from collections.abc import Coroutine
from typing import Any, Protocol

import asyncpg

READ_ONLY = "default_transaction_read_only"
"""A setting of which Postgres tells the driver whenever it changes."""


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
    __slots__ = ("_runs", "only_reads")

    def __init__(self, runs: _Runs, *, only_reads: bool = False) -> None:
        self._runs = runs
        self.only_reads = only_reads

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


class Reading:
    """The driver's connection, for statements that are each a read-only transaction of their own.

    A statement may say that what follows is another kind of transaction: then nothing follows.
    """

    __slots__ = ("_connection",)

    def __init__(self, connection: asyncpg.Connection) -> None:
        self._connection = connection

    async def fetch(self, query: str, *args: object) -> list[Any]:
        self._check()
        return await self._connection.fetch(query, *args)

    async def fetchrow(self, query: str, *args: object) -> Any:
        self._check()
        return await self._connection.fetchrow(query, *args)

    async def fetchval(self, query: str, *args: object) -> Any:
        self._check()
        return await self._connection.fetchval(query, *args)

    async def execute(self, query: str, *args: object) -> str:
        """One statement only: several at once could begin with one that allows the others."""
        self._check()
        prepared = await self._connection.prepare(query)
        await prepared.fetch(*args)
        return prepared.get_statusmsg() or ""

    def _check(self) -> None:
        if self._connection.is_in_transaction() or not is_read_only(self._connection):
            raise asyncpg.InterfaceError("Here one can only read.")


def is_read_only(connection: asyncpg.Connection) -> bool:
    """Whether transactions that do not say otherwise can only read."""
    return getattr(connection.get_settings(), READ_ONLY, None) == "on"
