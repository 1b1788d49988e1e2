"""The worker's own connection: it hears NOTIFY and carries the heartbeat.

Not from the pool, so that handlers which take every pooled connection cannot cost the leases.
"""

import asyncio
import logging
from collections.abc import Callable
from typing import cast

import asyncpg

from assent.db.database import Db
from assent.errors import Unavailable
from assent.work.store import CHANNEL

CONNECT_SECONDS = 5
PAUSE_SECONDS = 0.5

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
        url: str,
        *,
        on_open: Callable[[], None],
        on_notify: Callable[[str], None],
        answer_within: float,
    ) -> None:
        self._url = url
        self._on_open = on_open
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
                log.warning("The worker's connection was lost; it is opened again.")
            except DATABASE_ERRORS as error:
                log.warning("The database does not answer the worker: %s", error)
            await asyncio.sleep(PAUSE_SECONDS)

    async def _stay_until_lost(self) -> None:
        lost = asyncio.Event()
        connection = await asyncpg.connect(
            self._url, timeout=CONNECT_SECONDS, command_timeout=self._answer_within
        )
        try:
            connection.add_termination_listener(lambda _: lost.set())
            await connection.add_listener(CHANNEL, self._hear)
            self._connection = connection
            self._on_open()
            await lost.wait()
        finally:
            self._connection = None
            connection.terminate()

    def _hear(self, _connection: object, _pid: int, _channel: str, payload: object) -> None:
        self._on_notify(str(payload))
