"""Following a run: from memory where it is driven, from the table everywhere else.

A follower gets every event once and in order, whatever process it is on. After a takeover the new
attempt starts over with `start`: the client replaces what it has.
"""

import asyncio
import time
from collections.abc import AsyncGenerator
from uuid import UUID

from assent.db.database import Database
from assent.runs import store
from assent.runs.events import HEARTBEAT
from assent.runs.frames import START, Batch, Position, join_frames
from assent.runs.journal import BEAT_SECONDS, CHANNELS, Journal
from assent.runs.live import LiveRun
from assent.runs.run import Run
from assent.work.listen import Listener

POLL_SECONDS = 1.0
GATHER_SECONDS = 0.02
"""The first event is sent at once; what follows within this time is sent together."""
BEGIN_SECONDS = 0.25
"""A run that was just queued begins within this time, most likely here: no need to look before."""


class Wakeups:
    """Tells followers which runs began here, and which said something elsewhere.

    Where that cannot be heard, followers look every second.
    """

    def __init__(self, listener: Listener) -> None:
        self._waiting: dict[UUID, set[asyncio.Event]] = {}
        self.is_closed = False
        listener.attend(CHANNELS, hear=self._hear, on_open=self._wake_all)

    @property
    def followers(self) -> int:
        return sum(map(len, self._waiting.values()))

    def expect(self, run_id: UUID) -> asyncio.Event:
        changed = asyncio.Event()
        self._waiting.setdefault(run_id, set()).add(changed)
        return changed

    def forget(self, run_id: UUID, changed: asyncio.Event) -> None:
        self._waiting[run_id].discard(changed)
        if not self._waiting[run_id]:
            del self._waiting[run_id]

    def close(self) -> None:
        """The process is about to end: runs of other processes are followed elsewhere."""
        self.is_closed = True
        self._wake_all()

    def wake(self, run_id: UUID) -> None:
        for changed in self._waiting.get(run_id, ()):
            changed.set()

    def _hear(self, payload: str) -> None:
        for text in payload.split():
            self.wake(UUID(text))

    def _wake_all(self) -> None:
        for waiting in self._waiting.values():
            for changed in waiting:
                changed.set()


async def follow(
    database: Database,
    journal: Journal,
    wakeups: Wakeups,
    run: Run,
    seen: Position = START,
) -> AsyncGenerator[bytes]:
    """Frames from after that position until the run is over, as many at once as there are.

    It also ends when another process has taken the run over: the answer begins anew there, and a
    client takes that only from a response of its own. While nothing is said a heartbeat comes now
    and then, so that nobody on the way hangs up.
    """
    changed = wakeups.expect(run.id)
    silent_since = time.monotonic()
    attempt: int | None = None
    try:
        if run.status == "queued":
            await _wait(changed, BEGIN_SECONDS)
        while True:
            live = journal.find_live(run.id)
            if live is not None and attempt in (None, live.attempt):
                attempt = live.attempt
                async for batch in _follow_here(live, seen):
                    yield join_frames(batch.frames) or HEARTBEAT
                    seen = batch.last if batch.frames else seen
                if live.closed and not live.lost and seen == live.last:
                    return
            changed.clear()
            active, batches = await _read(database, run, seen)
            for batch in _list_latest(batches) if attempt is None else batches:
                if attempt not in (None, batch.attempt):
                    return
                attempt = batch.attempt
                yield join_frames(batch.after(seen))
                seen, silent_since = batch.last, time.monotonic()
            if not active or wakeups.is_closed:
                return
            await _wait(changed, POLL_SECONDS)
            if time.monotonic() - silent_since > BEAT_SECONDS:
                yield HEARTBEAT
                silent_since = time.monotonic()
    finally:
        wakeups.forget(run.id, changed)


def _list_latest(batches: list[Batch]) -> list[Batch]:
    """Whoever comes now sees the run as its present owner tells it."""
    return [batch for batch in batches if batch.attempt == batches[-1].attempt]


async def _read(database: Database, run: Run, seen: Position) -> tuple[bool, list[Batch]]:
    """Whether the run goes on, asked first, and what the table has of it."""
    async with database.transaction(read_only=True) as db:
        found = await store.find_run(db, run.tenant_id, run.id)
        batches = await store.read_batches(db, run.tenant_id, run.id, seen)
    return found is not None and found.is_active, batches


async def _follow_here(live: LiveRun, seen: Position) -> AsyncGenerator[Batch]:
    """From memory, until the run is closed or the follower falls behind what memory holds.

    A batch without frames says that nothing was said for a while.
    """
    sent_at = time.monotonic() - GATHER_SECONDS
    while (batch := live.find_after(seen)) is not None:
        silence = time.monotonic() - sent_at
        if batch.frames and silence < GATHER_SECONDS and not live.closed:
            await asyncio.sleep(GATHER_SECONDS - silence)
        elif batch.frames:
            yield batch
            seen, sent_at = batch.last, time.monotonic()
        elif live.closed:
            return
        elif silence >= BEAT_SECONDS:
            yield batch
            sent_at = time.monotonic()
        else:
            await live.wait()


async def _wait(changed: asyncio.Event, seconds: float) -> bool:
    """Whether something happened in that time."""
    try:
        async with asyncio.timeout(seconds):
            return await changed.wait()
    except TimeoutError:
        return False
