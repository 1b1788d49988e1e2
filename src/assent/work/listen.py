"""Listening: one connection of the process that hears NOTIFY, for all who want to hear.

A connection can look well and hear nothing: the other end is gone, or a pooler that lends out
connections by transaction sits in between. So the process sends itself an echo now and then;
while none comes back, `is_hearing` is false and whoever relies on hearing has to look instead.
"""

import asyncio
import logging
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager

import asyncpg

from assent.db.database import Database
from assent.errors import AssentError
from assent.ids import new_id
from assent.work import store
from assent.work.link import CONNECT_SECONDS, DATABASE_ERRORS, PAUSE_SECONDS

ECHO_SECONDS = 5.0
"""Between two echoes, and how long one may take."""

log = logging.getLogger("assent.work")


class Listener:
    """Made once by `main`; `running` keeps its connection open."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._ears: dict[str, list[Callable[[str], None]]] = {}
        self._on_open: list[Callable[[], None]] = []
        self._echo_channel = f"assent_echo_{new_id().hex}"
        self._echo = asyncio.Event()
        self._ears[self._echo_channel] = [lambda _: self._echo.set()]
        self.is_hearing = False

    def attend(
        self, channels: Sequence[str], *, hear: Callable[[str], None], on_open: Callable[[], None]
    ) -> None:
        """Before it runs. After `on_open` everything is heard; before it, something was missed."""
        for channel in channels:
            self._ears.setdefault(channel, []).append(hear)
        self._on_open.append(on_open)

    @asynccontextmanager
    async def running(self) -> AsyncGenerator[None]:
        """Nothing is ever heard where there is no place to listen at."""
        if self._database.listen_url is None:
            yield
            return
        task = asyncio.create_task(self._stay_open(self._database.listen_url), name="listener")
        try:
            yield
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    async def _stay_open(self, url: str) -> None:
        while True:
            try:
                await self._listen(url)
                log.warning("Nothing is heard from the database; it is tried again.")
            except DATABASE_ERRORS as error:
                log.warning("The database cannot be listened to: %s", error)
            finally:
                self.is_hearing = False
            await asyncio.sleep(PAUSE_SECONDS)

    async def _listen(self, url: str) -> None:
        lost = asyncio.Event()
        connection = await asyncpg.connect(url, timeout=CONNECT_SECONDS, statement_cache_size=0)
        try:
            connection.add_termination_listener(lambda _: lost.set())
            for channel in self._ears:
                await connection.add_listener(channel, self._hear)
            while not lost.is_set() and await self._hears_itself():
                if not self.is_hearing:
                    self._open()
                await wait_for(lost, ECHO_SECONDS)
        finally:
            connection.terminate()

    async def _hears_itself(self) -> bool:
        """Sent over another connection: one's own may answer where others are not heard."""
        self._echo.clear()
        try:
            async with self._database.connection() as db:
                await store.notify_all(db, [(self._echo_channel, "")])
        except AssentError:
            # No connection to send it with says nothing about the one to hear it on.
            return self.is_hearing
        return await wait_for(self._echo, ECHO_SECONDS)

    def _open(self) -> None:
        self.is_hearing = True
        for tell in self._on_open:
            tell()

    def _hear(self, _connection: object, _pid: int, channel: str, payload: object) -> None:
        for hear in self._ears[channel]:
            hear(str(payload))


async def wait_for(event: asyncio.Event, seconds: float) -> bool:
    """Whether it happened in that time."""
    try:
        async with asyncio.timeout(seconds):
            return await event.wait()
    except TimeoutError:
        return False
