"""The worker's own connection: it hears NOTIFY and carries the heartbeat.

Not from the pool, so that handlers which take every pooled connection cannot cost the leases.
Where NOTIFY cannot be heard, the worker is woken every second instead.
"""

import asyncio
import logging
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from time import monotonic
from typing import cast

import asyncpg

from assent.db.database import Database, Db
from assent.errors import Unavailable
from assent.ids import new_id
from assent.work.store import CHANNEL, notify

CONNECT_SECONDS = 5
PAUSE_SECONDS = 0.5
POLL_SECONDS = 1.0
DEAF_SECONDS = 30.0
"""After this time without hearing anything, the place where one could is tried again."""
ECHO_SECONDS = 3.0

DATABASE_ERRORS = (
    OSError,
    TimeoutError,
    asyncpg.PostgresError,
    asyncpg.InterfaceError,
    Unavailable,
)

log = logging.getLogger("assent.work")


class Link:
    def __init__(
        self,
        database: Database,
        *,
        ring: Callable[[], None],
        on_notify: Callable[[str], None],
        answer_within: float,
    ) -> None:
        self._database = database
        self._ring = ring
        self._on_notify = on_notify
        self._answer_within = answer_within
        self._connection: asyncpg.Connection | None = None

    @property
    def is_open(self) -> bool:
        return self._connection is not None

    @property
    def db(self) -> Db:
        if self._connection is None:
            raise Unavailable("The worker's own connection is not open.")
        return cast(Db, self._connection)

    def drop(self) -> None:
        """Give up a connection that does not answer; a new one is opened at once."""
        if self._connection is not None:
            self._connection.terminate()

    async def stay_open(self) -> None:
        while True:
            try:
                await self._stay_until_lost()
            except DATABASE_ERRORS as error:
                log.warning("The database does not answer the worker: %s", error)
            await asyncio.sleep(PAUSE_SECONDS)

    async def _stay_until_lost(self) -> None:
        """Where NOTIFY is heard. If nobody answers there, wherever the database answers."""
        url, listen_url = self._database.url, self._database.listen_url
        if listen_url is not None:
            try:
                async with self._open(listen_url) as (connection, lost):
                    await connection.add_listener(CHANNEL, self._hear)
                    await self._use(connection, lost.wait())
                return
            except DATABASE_ERRORS as error:
                if listen_url == url:
                    raise
                log.warning("The database is not heard, and is asked every second: %s", error)
        async with self._open(url) as (connection, lost):
            await self._use(connection, self._poll(lost, since=monotonic()))

    @asynccontextmanager
    async def _open(self, url: str) -> AsyncGenerator[tuple[asyncpg.Connection, asyncio.Event]]:
        """Without a statement cache: whatever `url` is, it may lead to a pooler."""
        lost = asyncio.Event()
        connection = await asyncpg.connect(
            url,
            timeout=CONNECT_SECONDS,
            command_timeout=self._answer_within,
            statement_cache_size=0,
        )
        try:
            connection.add_termination_listener(lambda _: lost.set())
            yield connection, lost
            if lost.is_set():
                log.warning("The worker's connection was lost; it is opened again.")
        finally:
            self._connection = None
            connection.terminate()

    async def _use(self, connection: asyncpg.Connection, until: Awaitable[object]) -> None:
        self._connection = connection
        self._ring()
        await until

    async def _poll(self, lost: asyncio.Event, *, since: float) -> None:
        can_listen = self._database.listen_url is not None
        while not (lost.is_set() or (can_listen and monotonic() - since > DEAF_SECONDS)):
            with suppress(TimeoutError):
                async with asyncio.timeout(POLL_SECONDS):
                    await lost.wait()
            self._ring()

    def _hear(self, _connection: object, _pid: int, _channel: str, payload: object) -> None:
        self._on_notify(str(payload))


async def hears(database: Database) -> bool:
    """Whether what is notified through the pool arrives where workers listen."""
    if database.listen_url is None:
        return False
    word, heard = str(new_id()), asyncio.Event()

    def hear(_connection: object, _pid: int, _channel: str, payload: object) -> None:
        if payload == word:
            heard.set()

    try:
        async with asyncio.timeout(ECHO_SECONDS):
            connection = await asyncpg.connect(database.listen_url, statement_cache_size=0)
            try:
                await connection.add_listener(CHANNEL, hear)
                async with database.connection() as db:
                    await notify(db, word)
                return await heard.wait()
            finally:
                connection.terminate()
    except DATABASE_ERRORS:
        return False
