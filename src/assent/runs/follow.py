"""Following a run: from memory, whoever drives it, and from the table what memory has forgotten.

A follower gets every event once and in order, whatever process it is on. After a takeover the new
attempt starts over with `start`: the client replaces what it has. However slowly it reads, it holds
no more than one piece, and no connection to the database.
"""

import asyncio
import time
from collections.abc import AsyncGenerator
from contextlib import aclosing

from assent.db.database import Database
from assent.runs import store
from assent.runs.copies import Copies
from assent.runs.events import HEARTBEAT
from assent.runs.frames import START, Batch, Position, find_end, join_frames
from assent.runs.journal import BEAT_SECONDS, Journal
from assent.runs.recent import SENT_BYTES, Recent
from assent.runs.run import Run

GATHER_SECONDS = 0.02
"""The first event is sent at once; what follows within this time is sent together."""


async def follow(
    database: Database, journal: Journal, copies: Copies, run: Run, seen: Position = START
) -> AsyncGenerator[bytes]:
    """Frames from after that position until the run is over, some of them at a time.

    It also ends when another process has taken the run over: the answer begins anew there, and a
    client takes that only from a response of its own. While nothing is said a heartbeat comes now
    and then, so that nobody on the way hangs up.
    """
    attempt: int | None = None
    with copies.following(run.id):
        while True:
            recent = journal.find_live(run.id) or await copies.open(run)
            if attempt not in (None, recent.attempt):
                return
            async with aclosing(_listen(database, run, recent, seen)) as batches:
                async for batch in batches:
                    yield join_frames(batch.frames) or HEARTBEAT
                    if batch.frames:
                        attempt, seen = batch.attempt, batch.last
            if not recent.lost or copies.is_closed:
                return


async def _listen(
    database: Database, run: Run, recent: Recent, seen: Position
) -> AsyncGenerator[Batch]:
    """Until it is closed. A batch without frames says that nothing was said for a while."""
    sent_at = time.monotonic() - GATHER_SECONDS
    while True:
        batch = recent.find_after(seen) or await _read_forgotten(database, run, recent, seen)
        silence, is_newest = time.monotonic() - sent_at, batch.last == recent.last
        if not batch.frames and recent.closed:
            return
        if _is_due(recent, batch, silence):
            yield batch
            seen = batch.last
            sent_at = time.monotonic() - (0 if is_newest else GATHER_SECONDS)
        elif batch.frames:
            await asyncio.sleep(GATHER_SECONDS - silence)
        else:
            await recent.wait()


def _is_due(recent: Recent, batch: Batch, silence: float) -> bool:
    """Only the newest is gathered: whoever catches up gets piece after piece."""
    if not batch.frames:
        return silence >= BEAT_SECONDS
    return silence >= GATHER_SECONDS or recent.closed or batch.last != recent.last


async def _read_forgotten(database: Database, run: Run, recent: Recent, seen: Position) -> Batch:
    """The next that a follower lacks, of which only the table knows."""
    place = Position(recent.attempt, recent.find_place(seen))
    async with database.transaction(read_only=True) as db:
        batches = await store.read_batches(db, run.tenant_id, run.id, place, at_most=SENT_BYTES)
    frames = [
        frame
        for batch in batches
        if batch.attempt == recent.attempt
        for frame in batch.after(place)
    ]
    return Batch(place.attempt, place.seq + 1, tuple(frames[: find_end(frames, 0, SENT_BYTES)]))
