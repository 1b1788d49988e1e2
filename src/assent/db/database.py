"""The pool and the transaction: the only place where connections are taken and commits happen."""

import asyncio
import json
import logging
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from typing import Any, Literal, Protocol, TypeAlias, cast

import asyncpg

from assent.errors import Busy, ConfigurationError, Conflict, Unavailable

MINIMUM_POSTGRES = 15
STATEMENT_CACHE = 100
IDLE_LIMIT = {"idle_in_transaction_session_timeout": "30s"}
"""A process that freezes inside a transaction keeps nobody else waiting for longer."""

UNREACHABLE = (asyncpg.PostgresConnectionError, asyncpg.OperatorInterventionError)
EXHAUSTED = (asyncpg.InsufficientResourcesError,)
"""Out of disk, of memory, of connections."""
BUSY = (asyncpg.DeadlockDetectedError, asyncpg.SerializationError, asyncpg.LockNotAvailableError)

log = logging.getLogger("assent.db")

Row: TypeAlias = Mapping[str, Any]
Isolation: TypeAlias = Literal["read_committed", "repeatable_read", "serializable"]
Pooler: TypeAlias = Literal["auto", "transaction", "none"]
"""What stands between us and Postgres: `auto` finds out."""


class Db(Protocol):
    """What SQL runs on: one connection, inside a transaction that somebody else ends."""

    async def fetch(self, query: str, *args: object) -> Sequence[Row]: ...
    async def fetchrow(self, query: str, *args: object) -> Row | None: ...
    async def fetchval(self, query: str, *args: object) -> Any: ...
    async def execute(self, query: str, *args: object) -> str: ...


class Connection(Db, Protocol):
    """A connection as asyncpg gives it: only this folder and `work/` hold one."""

    def is_closed(self) -> bool: ...
    def transaction(
        self, *, isolation: str | None = None, readonly: bool = False
    ) -> AbstractAsyncContextManager[object]: ...


class Database:
    """Hands out transactions. Made once by `main`, passed to whoever needs one.

    Behind a transaction pooler (`is_pooled`) a connection is another server's with every
    transaction: nothing that belongs to a session works there. `listen_url` is where LISTEN does,
    or nothing if there is no such place.
    """

    def __init__(
        self, pool: asyncpg.Pool, url: str, *, is_pooled: bool = False, listen_url: str | None
    ) -> None:
        self._pool = pool
        self.url = url
        self.waiting = 0
        """How many wait for a connection."""
        self.is_pooled = is_pooled
        self.listen_url = listen_url or (None if is_pooled else url)

    @asynccontextmanager
    async def transaction(
        self, *, read_only: bool = False, isolation: Isolation = "read_committed"
    ) -> AsyncGenerator[Db]:
        """Commit when the body ends, roll back when it raises."""
        async with self.connection() as connection:
            async with connection.transaction(isolation=isolation, readonly=read_only):
                if read_only:
                    # Until the first query the body could still make it READ WRITE.
                    await connection.execute("SELECT 1")
                yield connection

    @asynccontextmanager
    async def connection(self) -> AsyncGenerator[Connection]:
        """A connection without a transaction: every statement commits by itself."""
        self.waiting += 1
        try:
            taken = await self._pool.acquire(timeout=10)
        except (OSError, TimeoutError, *UNREACHABLE, *EXHAUSTED) as error:
            raise Unavailable("The database does not answer.") from error
        finally:
            self.waiting -= 1
        try:
            yield cast(Connection, taken)
        except asyncpg.PostgresError as error:
            raise explain(error) from error
        except TimeoutError as error:
            raise Unavailable("The database takes too long.") from error
        except asyncpg.InternalClientError as error:
            # The driver's word for a connection that was cut off in the middle of an answer.
            raise Unavailable("The database does not answer.") from error
        except (asyncpg.InterfaceError, OSError) as error:
            if _is_gone(taken):
                raise Unavailable("The database does not answer.") from error
            raise
        finally:
            # What breaks while it is given back is dropped by the pool; the body has ended before.
            with suppress(asyncpg.PostgresError, asyncpg.InterfaceError, OSError):
                await self._pool.release(taken)

    @property
    def connections(self) -> tuple[int, int]:
        """How many connections are open, and how many of them are idle."""
        return self._pool.get_size(), self._pool.get_idle_size()

    async def close(self) -> None:
        try:
            async with asyncio.timeout(5):
                await self._pool.close()
        except TimeoutError:
            self._pool.terminate()


def _is_gone(taken: Any) -> bool:
    """A connection that broke inside a transaction has left the pool, and cannot even be asked."""
    try:
        return taken.is_closed()
    except asyncpg.InterfaceError:
        return True


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
        return Busy()
    return error


@asynccontextmanager
async def savepoint(db: Db) -> AsyncGenerator[None]:
    """Roll back to here, and no further, when the body raises."""
    async with cast(Connection, db).transaction():
        yield


async def open_database(
    url: str, *, pool_size: int, pooler: Pooler = "auto", listen_url: str | None = None
) -> Database:
    try:
        is_pooled = await _find_pooler(url) if pooler == "auto" else pooler == "transaction"
        pool = await asyncpg.create_pool(
            url,
            min_size=1,
            max_size=pool_size,
            init=_prepare,
            reset=_keep_session,
            statement_cache_size=0 if is_pooled else STATEMENT_CACHE,
            server_settings=None if is_pooled else IDLE_LIMIT,
            command_timeout=60,
        )
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


async def _keep_session(_connection: asyncpg.Connection) -> None:
    """Do without the four statements that the driver runs whenever a connection is given back.

    Whatever is set here is set for one transaction, and one that is still open is rolled back
    before this. A test reads all statements for anything that would stay. Behind a pooler they
    would reach another session than ours anyway.
    """


async def _prepare(connection: asyncpg.Connection) -> None:
    for kind in ("json", "jsonb"):
        await connection.set_type_codec(
            kind, schema="pg_catalog", encoder=json.dumps, decoder=json.loads
        )
