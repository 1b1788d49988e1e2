"""A run that this process drives: what it said, as far back as somebody may need it.

Its followers here read from this memory, and so does the flusher (`journal.py`), which says how far
the table has it. Memory is bounded: what is old is dropped once it is certain that the table keeps
it, and whoever speaks faster than the table takes it waits.
"""

import asyncio
from dataclasses import dataclass, field
from uuid import UUID

from assent.errors import AssentError, Unavailable
from assent.runs.frames import Batch, Position, encode_prefix
from assent.work.lease import Lease

KEPT_BYTES = 2 * 1024 * 1024
LOST = "The database has lost what was said, further back than it is remembered here."


@dataclass(eq=False, slots=True)
class LiveRun:
    """Followers wait until it is heard again. `stored` is how far the table has it, and `durable`
    how far it certainly will, whatever happens to the database.
    """

    run_id: UUID
    tenant_id: UUID
    attempt: int
    lease: Lease
    first_seq: int = 1
    frames: list[bytes] = field(default_factory=list[bytes])
    size: int = 0
    unstored: int = 0
    stored: int = 0
    durable: int = 0
    closed: bool = False
    failure: AssentError | None = None
    _waiting: list[asyncio.Future[None]] = field(default_factory=list[asyncio.Future[None]])
    _room: asyncio.Event = field(default_factory=asyncio.Event)
    _prefix: bytes = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self._prefix = encode_prefix(self.run_id, self.attempt)

    @property
    def last(self) -> Position:
        return Position(self.attempt, self.first_seq + len(self.frames) - 1)

    @property
    def lost(self) -> bool:
        """Whether somebody else goes on with the run, or will."""
        return self.failure is not None

    @property
    def is_large(self) -> bool:
        """Whether memory holds more than it should: the oldest is to be made durable."""
        return self.size > KEPT_BYTES

    @property
    def is_full(self) -> bool:
        """Whether nothing more should be said until some of it is stored."""
        return self.unstored > KEPT_BYTES

    def say(self, *events: bytes) -> None:
        """Add events, encoded, without their ids: they get the next numbers."""
        self.check()
        for event in events:
            frame = b"%b%d\n%b" % (self._prefix, self.first_seq + len(self.frames), event)
            self.frames.append(frame)
            self.size += len(frame)
            self.unstored += len(frame)
        self.wake()

    def check(self) -> None:
        """Whoever drives a run that is lost learns it here."""
        if self.failure is not None:
            raise self.failure

    async def wait(self) -> None:
        """Until something is said, or the run is closed, or it was silent for a while."""
        heard = asyncio.get_running_loop().create_future()
        self._waiting.append(heard)
        await heard

    async def wait_for_room(self) -> None:
        """Until it is not full any more."""
        while self.is_full and not self.closed:
            self._room.clear()
            await self._room.wait()
        self.check()

    def wake(self) -> None:
        waiting, self._waiting = self._waiting, []
        for heard in waiting:
            if not heard.done():
                heard.set_result(None)

    def find_after(self, seen: Position) -> Batch | None:
        """What a follower lacks, or nothing if that reaches back further than memory does.

        A position of another attempt, or one that was never reached, counts as the beginning.
        """
        known = seen.attempt == self.attempt and seen.seq <= self.last.seq
        seq = seen.seq if known else 0
        if seq < self.first_seq - 1:
            return None
        return Batch(self.attempt, seq + 1, tuple(self.frames[seq + 1 - self.first_seq :]))

    def close(self) -> None:
        self.closed = True
        self._room.set()
        self.wake()

    def lose(self, failure: AssentError) -> None:
        """Nothing more is said or stored: somebody else goes on."""
        self.failure = failure
        self.close()

    def take_unstored(self) -> Batch | None:
        """What the table lacks."""
        frames = tuple(self.frames[self.stored + 1 - self.first_seq :])
        return Batch(self.attempt, self.stored + 1, frames) if frames else None

    def confirm(self, stored: int, *, durable: bool = False) -> None:
        """The table has so much of it, which may be less than it had.

        What memory does not hold either is told anew by the next attempt.
        """
        if stored < self.first_seq - 1:
            self.lose(Unavailable(LOST))
            return
        self.stored = stored
        self.unstored = sum(map(len, self.frames[stored + 1 - self.first_seq :]))
        self.durable = stored if durable else min(self.durable, stored)
        if durable:
            self._forget_old()
        self._room.set()

    def _forget_old(self) -> None:
        """Drop the oldest of what is durable. Half of what may be kept stays: making something
        durable costs a write to the disk, and should not be needed again at once.
        """
        drop = 0
        may_drop = self.durable - self.first_seq + 1
        while self.size > KEPT_BYTES // 2 and drop < may_drop:
            self.size -= len(self.frames[drop])
            drop += 1
        del self.frames[:drop]
        self.first_seq += drop
