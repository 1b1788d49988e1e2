"""Copies of runs that other processes drive, each read from the table once for all who follow it.

A copy is there while somebody here follows the run. It is read when the process hears that
something was said, and every second in case that cannot be heard.
"""

import asyncio
import logging
import time
from collections import Counter
from collections.abc import Generator
from contextlib import contextmanager
from uuid import UUID

from assent.db.database import Database
from assent.errors import AssentError
from assent.runs import store
from assent.runs.frames import Batch, Position
from assent.runs.journal import BEAT_SECONDS, CHANNELS
from assent.runs.recent import KEPT_BYTES, Recent
from assent.runs.run import Run
from assent.work.listen import Listener, wait_for

POLL_SECONDS = 1.0
BEGIN_SECONDS = 0.25
"""A run that was just queued begins within this time, most likely here: no need to look before."""
PAGE_BYTES = 256 * 1024

log = logging.getLogger("assent.runs")


class Copy(Recent):
    """`ready` when it has caught up for the first time."""

    __slots__ = ("changed", "reading", "ready", "run")

    def __init__(self, run: Run) -> None:
        super().__init__(attempt=0)
        self.run = run
        self.changed = asyncio.Event()
        self.ready = asyncio.Event()
        self.reading: asyncio.Task[None] | None = None

    def find_place(self, seen: Position) -> int:
        """Whoever comes from the owner may have heard what is not in the table yet."""
        return seen.seq if seen.attempt == self.attempt else 0

    def take(self, batch: Batch) -> None:
        """Followers of an attempt stay with it; whoever comes later gets the newest."""
        if batch.attempt != self.attempt:
            if self.attempt and self.ready.is_set():
                self.lose()
                return
            self.attempt, self.first_seq, self.size, self.frames = batch.attempt, 1, 0, []
        frames = batch.after(self.last)
        self.frames += frames
        self.size += sum(map(len, frames))
        self.forget_old(self.last.seq, keep=KEPT_BYTES)

    def lose(self) -> None:
        super().lose()
        self.ready.set()
        self.changed.set()


class Copies:
    """Made once by `main`. It also knows how many follow runs here, wherever those are driven."""

    def __init__(self, database: Database, listener: Listener) -> None:
        self._database = database
        self._followers: Counter[UUID] = Counter()
        self._copies: dict[UUID, Copy] = {}
        self.is_closed = False
        listener.attend(CHANNELS, hear=self._hear, on_open=self._look_at_all)

    @property
    def followers(self) -> int:
        return self._followers.total()

    @property
    def size(self) -> int:
        return len(self._copies)

    @contextmanager
    def following(self, run_id: UUID) -> Generator[None]:
        """The last one to leave takes the copy along, if there is one."""
        self._followers[run_id] += 1
        try:
            yield
        finally:
            self._followers[run_id] -= 1
            if not self._followers[run_id]:
                del self._followers[run_id]
                self.drop(run_id)

    async def open(self, run: Run) -> Copy:
        """The copy that all share, when it has caught up."""
        copy = self._copies.get(run.id)
        if copy is None or copy.lost:
            copy = self._copies[run.id] = Copy(run)
            copy.reading = asyncio.create_task(self._keep_reading(copy), name="copy of a run")
        await copy.ready.wait()
        return copy

    def drop(self, run_id: UUID) -> None:
        """Nobody follows it any more, or it begins here: then there is something better."""
        copy = self._copies.pop(run_id, None)
        if copy is not None:
            copy.lose()
            if copy.reading is not None:
                copy.reading.cancel()

    def close(self) -> None:
        """The process is about to end: runs of other processes are followed elsewhere."""
        self.is_closed = True
        for run_id in list(self._copies):
            self.drop(run_id)

    def _hear(self, payload: str) -> None:
        for text in payload.split() if self._copies else ():
            if copy := self._copies.get(UUID(text)):
                copy.changed.set()

    def _look_at_all(self) -> None:
        for copy in self._copies.values():
            copy.changed.set()

    async def _keep_reading(self, copy: Copy) -> None:
        if copy.run.status == "queued":
            await wait_for(copy.changed, BEGIN_SECONDS)
        beat_at = time.monotonic()
        while not copy.closed:
            copy.changed.clear()
            try:
                await self._read(copy)
            except AssentError as error:
                log.warning("A run cannot be followed at the moment: %s", error)
            except Exception:
                log.exception("A run cannot be followed at the moment.")
            if self.is_closed:
                copy.lose()
            await wait_for(copy.changed, POLL_SECONDS)
            if time.monotonic() - beat_at >= BEAT_SECONDS:
                beat_at = time.monotonic()
                await copy.beat()

    async def _read(self, copy: Copy) -> None:
        """What is new, page by page, until the copy has caught up."""
        while await self._read_page(copy):
            pass
        copy.ready.set()

    async def _read_page(self, copy: Copy) -> bool:
        """Whether there may be more. Whether it goes on is asked first: what it said before its
        end is then in the table."""
        run = copy.run
        async with self._database.transaction(read_only=True) as db:
            found = await store.find_run(db, run.tenant_id, run.id)
            batches = await store.read_batches(
                db, run.tenant_id, run.id, copy.last, at_most=PAGE_BYTES
            )
        for batch in batches:
            copy.take(batch)
        if sum(batch.size for batch in batches) >= PAGE_BYTES:
            return not copy.closed
        if found is None or not found.is_active:
            copy.close()
        elif batches:
            copy.wake()
        return False
