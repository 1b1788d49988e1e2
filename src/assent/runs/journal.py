"""The journal: what runs say, numbered, in memory for followers here and in the table for all.

One flusher for the process writes what all its runs said since the last time in one statement, so
that a chunk costs no transaction of its own. A run whose lease is lost is told so and says no more:
nothing of it is stored, and nothing of it is shown.

The flusher does not wait for the disk, so a database that crashes, or fails over to a replica that
lags, may lose the end of what it has. Nothing is stored that does not follow on what is there:
the next flush finds out how far that is, and stores the rest again from memory.
"""

import asyncio
import logging
import time
from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import asynccontextmanager, suppress
from typing import TypeAlias
from uuid import UUID

from assent.db.database import Database
from assent.errors import AssentError, Conflict, LeaseLost, Unavailable
from assent.runs import store
from assent.runs.frames import Batch
from assent.runs.live import LiveRun
from assent.telemetry.telemetry import Telemetry

FLUSH_SECONDS = 0.05
BEAT_SECONDS = 7.5
WRITTEN_BYTES = 8 * 1024 * 1024
"""Of one statement; what a longer absence of the database has heaped up takes several."""
SHARDS = 16
CHANNELS = tuple(f"assent_run_{shard}" for shard in range(SHARDS))

Spoken: TypeAlias = tuple[LiveRun, Batch]

log = logging.getLogger("assent.runs")


class Journal:
    """Made once by `main`; `running` keeps its flusher going.

    `began` is told of every run that this process begins to drive.
    """

    def __init__(
        self,
        database: Database,
        began: Callable[[UUID], None],
        telemetry: Telemetry | None = None,
    ) -> None:
        self._database = database
        self._began = began
        self._metrics = (telemetry or Telemetry()).metrics
        self._live: dict[UUID, LiveRun] = {}
        self._flushing = asyncio.Lock()

    @property
    def live_runs(self) -> int:
        return len(self._live)

    def find_live(self, run_id: UUID) -> LiveRun | None:
        """Nothing for one that was lost: it is somebody else's now."""
        live = self._live.get(run_id)
        return None if live is None or live.lost else live

    @asynccontextmanager
    async def writing(self, live: LiveRun) -> AsyncGenerator[LiveRun]:
        """The run is live until the body ends; what it said is stored by then."""
        self._live[live.run_id] = live
        self._began(live.run_id)
        try:
            yield live
            await self.flush()
        finally:
            live.close()
            if self._live.get(live.run_id) is live:
                del self._live[live.run_id]

    @asynccontextmanager
    async def running(self) -> AsyncGenerator[None]:
        tasks = [
            asyncio.create_task(self._flush_forever(), name="journal"),
            asyncio.create_task(self._beat_forever(), name="heartbeats"),
        ]
        try:
            yield
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def flush(self) -> None:
        """Store what all runs of this process have said, and tell the followers elsewhere."""
        async with self._flushing:
            for said in _split(self._list_unstored()):
                began_at = time.perf_counter()
                await self._store(said)
                self._measure([batch for _, batch in said], time.perf_counter() - began_at)

    async def tell(self, run_id: UUID) -> None:
        """Have followers elsewhere look at the run: it is over."""
        with suppress(AssentError):
            async with self._database.connection() as db:
                await store.notify(db, find_channel(run_id), run_id)

    def _list_unstored(self) -> list[Spoken]:
        return [
            (live, batch)
            for live in self._live.values()
            if not live.lost and (batch := live.take_unstored())
        ]

    async def _store(self, said: list[Spoken]) -> None:
        """What turns out not to follow on what is there is stored from where that ends."""
        while said:
            durable = any(live.is_large for live, _ in said)
            stored = await self._append(said, durable=durable)
            again: list[Spoken] = []
            for live, batch in said:
                _settle(live, batch, stored.get(live.run_id), durable=durable)
                if live.stored < batch.last.seq and not live.lost:
                    again += [(live, left)] if (left := live.take_unstored()) else []
            said = again

    async def _append(self, said: list[Spoken], *, durable: bool) -> dict[UUID, int]:
        given = [
            store.Said(live.tenant_id, live.run_id, batch, live.lease, find_channel(live.run_id))
            for live, batch in said
        ]
        try:
            async with self._database.connection() as db:
                return await store.append_batches(db, given, durable=durable)
        except Conflict as error:
            # The same was sent before, on a connection that broke, and is being stored just now.
            raise Unavailable from error

    def _measure(self, batches: list[Batch], seconds: float) -> None:
        self._metrics.flush_seconds.observe(seconds)
        self._metrics.journal_events.inc(sum(len(batch.frames) for batch in batches))
        self._metrics.journal_bytes.inc(sum(sum(map(len, batch.frames)) for batch in batches))

    async def _flush_forever(self) -> None:
        while True:
            await asyncio.sleep(FLUSH_SECONDS)
            try:
                await self.flush()
            except AssentError as error:
                log.warning("The journal is not written yet: %s", error)
            except Exception:
                log.exception("The journal cannot be written.")

    async def _beat_forever(self) -> None:
        """Wake all followers now and then: those who have sent nothing for a while say so."""
        while True:
            await asyncio.sleep(BEAT_SECONDS)
            for live in list(self._live.values()):
                await live.beat()


def find_channel(run_id: UUID) -> str:
    return CHANNELS[run_id.int % SHARDS]


def _settle(live: LiveRun, batch: Batch, stored: int | None, *, durable: bool) -> None:
    """Take note of what the table says about a run, after one of its batches was sent."""
    known = {"run_id": str(live.run_id)}
    if stored is None:
        log.warning("A run was taken over.", extra=known)
        live.give_up(LeaseLost())
        return
    if stored < batch.first_seq - 1:
        log.warning("The database has lost what a run said; it is stored again.", extra=known)
    live.confirm(stored, durable=durable)
    if live.lost:
        log.error("What the database has lost of a run is not remembered.", extra=known)


def _split(said: list[Spoken]) -> Iterator[list[Spoken]]:
    """Runs that are written together."""
    together: list[Spoken] = []
    size = 0
    for live, batch in said:
        together.append((live, batch))
        size += live.unstored
        if size > WRITTEN_BYTES:
            yield together
            together, size = [], 0
    if together:
        yield together
