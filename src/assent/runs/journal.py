"""The journal: what runs say, numbered, in memory for followers here and in the table for all.

One flusher for the process writes what all its runs said since the last time in one statement, so
that a chunk costs no transaction of its own. A run whose lease is lost is told so and says no more:
nothing of it is stored, and nothing of it is shown.
"""

import asyncio
import logging
import time
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager, suppress
from uuid import UUID

from assent.db.database import Database
from assent.errors import AssentError
from assent.runs import store
from assent.runs.frames import Batch, encode_prefix
from assent.runs.recent import Recent
from assent.telemetry.telemetry import Telemetry
from assent.work.lease import Lease

FLUSH_SECONDS = 0.05
BEAT_SECONDS = 7.5
SHARDS = 16
CHANNELS = tuple(f"assent_run_{shard}" for shard in range(SHARDS))

log = logging.getLogger("assent.runs")


class LiveRun(Recent):
    """A run that this process drives."""

    __slots__ = ("_prefix", "lease", "run_id", "tenant_id")

    def __init__(self, run_id: UUID, tenant_id: UUID, attempt: int, lease: Lease) -> None:
        super().__init__(attempt)
        self.run_id = run_id
        self.tenant_id = tenant_id
        self.lease = lease
        self._prefix = encode_prefix(run_id, attempt)

    def say(self, *events: bytes) -> None:
        """Add events, encoded, without their ids: they get the next numbers."""
        for event in events:
            frame = b"%b%d\n%b" % (self._prefix, self.first_seq + len(self.frames), event)
            self.frames.append(frame)
            self.size += len(frame)
        self.wake()

    def take_unstored(self) -> Batch | None:
        """What was said since the last flush."""
        start = self.stored + 1 - self.first_seq
        frames = tuple(self.frames[start:])
        return Batch(self.attempt, self.stored + 1, frames) if frames else None


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
            said = [
                (live, batch)
                for live in self._live.values()
                if not live.lost and (batch := live.take_unstored())
            ]
            if said:
                began_at = time.perf_counter()
                await self._store(said)
                self._measure([batch for _, batch in said], time.perf_counter() - began_at)

    async def tell(self, run_id: UUID) -> None:
        """Have followers elsewhere look at the run: it is over."""
        with suppress(AssentError):
            async with self._database.connection() as db:
                await store.notify(db, find_channel(run_id), run_id)

    async def _store(self, said: list[tuple[LiveRun, Batch]]) -> None:
        stored = [
            store.Said(live.tenant_id, live.run_id, batch, live.lease, find_channel(live.run_id))
            for live, batch in said
        ]
        async with self._database.connection() as db:
            owned = await store.append_batches(db, stored)
        for live, batch in said:
            if live.run_id in owned:
                live.stored = batch.last.seq
                live.forget_old()
            else:
                log.warning("A run was taken over.", extra={"run_id": str(live.run_id)})
                live.lose()

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

    async def _beat_forever(self) -> None:
        """Wake all followers now and then: those who have sent nothing for a while say so."""
        while True:
            await asyncio.sleep(BEAT_SECONDS)
            for live in list(self._live.values()):
                await live.beat()


def find_channel(run_id: UUID) -> str:
    return CHANNELS[run_id.int % SHARDS]
