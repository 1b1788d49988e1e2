"""The transaction: the only place where connections are taken and commits happen."""

import asyncio
import json
import logging
from collections.abc import AsyncGenerator, Coroutine, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from functools import partial
from types import TracebackType
from typing import Any, Literal, Protocol, TypeAlias

import asyncpg

from assent.db.lent import READ_ONLY, Lent, Reading
from assent.db.pool import LONGEST_WAIT, SETTLE_SECONDS, Pool, settle
from assent.errors import Busy, ConfigurationError, Conflict, Unavailable

MINIMUM_POSTGRES = 15
STATEMENT_CACHE = 100
COMMAND_SECONDS = 60
IDLE_LIMIT = {"idle_in_transaction_session_timeout": "30s"}
"""A process that freezes inside a transaction keeps nobody else waiting for longer."""
SETTINGS = {False: IDLE_LIMIT, True: {**IDLE_LIMIT, READ_ONLY: "on"}}
"""Of connections for everything, and of those that only read."""

UNREACHABLE = (asyncpg.PostgresConnectionError, asyncpg.OperatorInterventionError)
EXHAUSTED = (asyncpg.InsufficientResourcesError,)
"""Out of disk, of memory, of connections."""
BUSY = (asyncpg.DeadlockDetectedError, asyncpg.SerializationError, asyncpg.LockNotAvailableError)

log = logging.getLogger("assent.db")

Row: TypeAlias = Mapping[str, Any]
Isolation: TypeAlias = Literal["read_committed", "repeatable_read", "serializable"]
Pooler: TypeAlias = Literal["auto", "transaction", "none"]
"""What stands between us and Postgres: `auto` finds out."""

BEGIN: Mapping[Isolation, str] = {
    "read_committed": "BEGIN ISOLATION LEVEL READ COMMITTED",
    "repeatable_read": "BEGIN ISOLATION LEVEL REPEATABLE READ",
    "serializable": "BEGIN ISOLATION LEVEL SERIALIZABLE",
}
FIRST = "SELECT 1"
"""Until the first query a body could still make the transaction READ WRITE."""


class Db(Protocol):
    """What SQL runs on: one connection, inside a transaction that somebody else ends."""

    def fetch(self, query: str, *args: object) -> Coroutine[Any, Any, Sequence[Row]]: ...
    def fetchrow(self, query: str, *args: object) -> Coroutine[Any, Any, Row | None]: ...
    def fetchval(self, query: str, *args: object) -> Coroutine[Any, Any, Any]: ...
    def execute(self, query: str, *args: object) -> Coroutine[Any, Any, str]: ...


class Database:
    """Hands out transactions. Made once by `main`, passed to whoever needs one.

    Behind a transaction pooler (`is_pooled`) a connection is another server's with every
    transaction: nothing that belongs to a session works there. `listen_url` is where LISTEN does,
    or nothing if there is no such place.
    """

    def __init__(
        self, pool: Pool, url: str, *, is_pooled: bool = False, listen_url: str | None
    ) -> None:
        self._pool = pool
        self.url = url
        self.is_pooled = is_pooled
        self.listen_url = listen_url or (None if is_pooled else url)

    @asynccontextmanager
    async def transaction(
        self,
        *,
        read_only: bool = False,
        isolation: Isolation = "read_committed",
        opening: str = "",
    ) -> AsyncGenerator[Db]:
        """Commit when the body ends, roll back when it raises.

        `opening` goes along with BEGIN, without a way to Postgres of its own.
        """
        begin = f"{BEGIN[isolation]} READ ONLY; {FIRST}" if read_only else BEGIN[isolation]
        async with self.connection() as db:
            await db.execute(f"{begin}; {opening}" if opening else begin)
            try:
                yield db
            except BaseException:
                await _try_soon(db, "ROLLBACK")
                raise
            await db.execute("COMMIT")

    def reading(self) -> AbstractAsyncContextManager[Db]:
        """For what must not write: every statement is a read-only transaction of its own.

        Behind a pooler there are no connections that only read, and it is one transaction.
        """
        return (
            self.transaction(read_only=True)
            if self.is_pooled
            else _Lending(self._pool, read_only=True)
        )

    def connection(self) -> AbstractAsyncContextManager[Db]:
        """A connection without a transaction: every statement commits by itself."""
        return _Lending(self._pool, read_only=False)

    @property
    def waiting(self) -> int:
        """How many wait for a connection."""
        return self._pool.waiting

    @property
    def connections(self) -> tuple[int, int]:
        """How many connections are open, and how many of them are idle."""
        return self._pool.counts

    async def close(self) -> None:
        await self._pool.close()


class _Lending:
    """One connection for the body, taken back however it ends. A class: a generator is slower."""

    __slots__ = ("_lent", "_pool", "_read_only", "_taken")

    def __init__(self, pool: Pool, *, read_only: bool) -> None:
        self._pool = pool
        self._read_only = read_only

    async def __aenter__(self) -> Db:
        read_only = self._read_only
        try:
            taken = await self._pool.take(read_only=read_only)
        except (OSError, TimeoutError, *UNREACHABLE, *EXHAUSTED) as error:
            raise Unavailable("The database does not answer.") from error
        self._taken = taken
        self._lent = Lent(Reading(taken) if read_only else taken, only_reads=read_only)
        return self._lent

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            if isinstance(error, TimeoutError | asyncio.CancelledError):
                await settle(self._taken)
            meant = error and _find_meaning(error, self._taken)
        finally:
            self._lent.end()
            self._pool.give(self._taken)
        if meant is not None:
            raise meant from error


def _find_meaning(error: BaseException, taken: asyncpg.Connection) -> Exception | None:
    """What an error on a connection means for whoever it was lent to, unless it says so itself."""
    if isinstance(error, asyncpg.PostgresError):
        meant = explain(error)
        return None if meant is error else meant
    if isinstance(error, TimeoutError):
        return Unavailable("The database takes too long.")
    # The first is the driver's word for a connection that was cut off in the middle of an answer.
    is_cut = isinstance(error, asyncpg.InternalClientError) or (
        isinstance(error, asyncpg.InterfaceError | OSError) and taken.is_closed()
    )
    return Unavailable("The database does not answer.") if is_cut else None


def explain(error: asyncpg.PostgresError) -> Exception:
    """Say in our words what a caller can do something about; anything else is a defect."""
    if isinstance(error, asyncpg.UniqueViolationError):
        return Conflict("This exists already.")
    if isinstance(error, asyncpg.ForeignKeyViolationError):
        return Conflict("Something else depends on this, or what it refers to is gone.")
    if isinstance(error, UNREACHABLE):
        return Unavailable("The database does not answer.")
    if isinstance(error, EXHAUSTED):
        log.error("Postgres has run out of something: %s", error)
        return Unavailable("The database cannot take more at the moment.")
    if isinstance(error, BUSY):
        if isinstance(error, asyncpg.DeadlockDetectedError):
            log.error("Two transactions waited for each other: %s", error.detail)
        return Busy()
    return error


@asynccontextmanager
async def savepoint(db: Db, *, opening: str = "", closing: str = "") -> AsyncGenerator[None]:
    """Roll back to here, and no further, when the body raises, or what goes along with the end.

    Where every statement is a transaction that only reads, there is nothing to roll back.
    """
    if isinstance(db, Lent) and db.only_reads:
        yield
        return
    await db.execute(f"SAVEPOINT here; {opening}")
    try:
        yield
        await db.execute(f"{closing}; RELEASE here")
    except asyncio.CancelledError:
        await _try_soon(db, "ROLLBACK TO here; RELEASE here")
        raise
    except BaseException:
        await db.execute("ROLLBACK TO here; RELEASE here")
        raise


async def _try_soon(db: Db, rollback: str) -> None:
    """Or give up: a connection that comes back in a transaction is dropped.

    Postgres may be told to cancel a statement before it has heard of it, and then runs it.
    """
    with suppress(Exception):
        async with asyncio.timeout(SETTLE_SECONDS):
            await db.execute(rollback)


async def open_database(
    url: str, *, pool_size: int, pooler: Pooler = "auto", listen_url: str | None = None
) -> Database:
    try:
        is_pooled = await _find_pooler(url) if pooler == "auto" else pooler == "transaction"
        pool = Pool(partial(_connect, url, is_pooled), size=pool_size)
        pool.give(await pool.take())
    except (OSError, ValueError, asyncpg.PostgresError, asyncpg.InterfaceError) as error:
        raise ConfigurationError(f"The database cannot be opened: {error}") from error
    database = Database(pool, url, is_pooled=is_pooled, listen_url=listen_url)
    try:
        await check_version(database)
    except BaseException:
        await database.close()
        raise
    return database


async def check_version(database: Database) -> int:
    """Return the server's major version; refuse one that is too old."""
    async with database.connection() as connection:
        number = int(await connection.fetchval("SHOW server_version_num"))
    if number // 10_000 < MINIMUM_POSTGRES:
        raise ConfigurationError(
            f"This is Postgres {number // 10_000}; Assent needs {MINIMUM_POSTGRES} or newer."
        )
    return number // 10_000


async def _find_pooler(url: str) -> bool:
    """A pooler gives its clients process ids of its own making: they are not the server's."""
    connection = await asyncpg.connect(url, statement_cache_size=0)
    try:
        return await connection.fetchval("SELECT pg_backend_pid()") != connection.get_server_pid()
    finally:
        await connection.close(timeout=5)


async def _connect(url: str, is_pooled: bool, read_only: bool) -> asyncpg.Connection:
    """It is lent again and again, and never reset in between.

    Whatever is set here is set for one transaction. A test reads all statements for anything that
    would stay. Behind a pooler a reset would reach another session than ours anyway.
    """
    connection = await asyncpg.connect(
        url,
        timeout=LONGEST_WAIT,
        statement_cache_size=0 if is_pooled else STATEMENT_CACHE,
        command_timeout=COMMAND_SECONDS,
        server_settings=None if is_pooled else SETTINGS[read_only],
    )
    for kind in ("json", "jsonb"):
        await connection.set_type_codec(
            kind, schema="pg_catalog", encoder=json.dumps, decoder=json.loads
        )
    return connection
