"""A run that this process drives: what it said, as far back as somebody may need it.

Its followers here read from this memory, and so does the flusher (`journal.py`), which says how far
the table has it. Memory is bounded: what is old is dropped once it is certain that the table keeps
it, and whoever speaks faster than the table takes it waits.
"""

import asyncio
from uuid import UUID

from assent.errors import AssentError, Unavailable
from assent.runs.frames import Batch, encode_prefix
from assent.runs.recent import KEPT_BYTES, Recent
from assent.work.lease import Lease

LOST = "The database has lost what was said, further back than it is remembered here."


class LiveRun(Recent):
    """`stored` is how far the table has it, and `durable` how far it certainly will, whatever
    happens to the database.
    """

    __slots__ = (
        "_prefix",
        "_room",
        "durable",
        "failure",
        "lease",
        "run_id",
        "stored",
        "tenant_id",
        "unstored",
    )

    def __init__(self, run_id: UUID, tenant_id: UUID, attempt: int, lease: Lease) -> None:
        super().__init__(attempt)
        self.run_id = run_id
        self.tenant_id = tenant_id
        self.lease = lease
        self.unstored = 0
        self.stored = 0
        self.durable = 0
        self.failure: AssentError | None = None
        self._room = asyncio.Event()
        self._prefix = encode_prefix(run_id, attempt)

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

    async def wait_for_room(self) -> None:
        """Until it is not full any more."""
        while self.is_full and not self.closed:
            self._room.clear()
            await self._room.wait()
        self.check()

    def close(self) -> None:
        super().close()
        self._room.set()

    def give_up(self, failure: AssentError) -> None:
        """Nothing more is said or stored: somebody else goes on."""
        self.failure = failure
        self.lose()

    def take_unstored(self) -> Batch | None:
        """What the table lacks."""
        frames = tuple(self.frames[self.stored + 1 - self.first_seq :])
        return Batch(self.attempt, self.stored + 1, frames) if frames else None

    def confirm(self, stored: int, *, durable: bool = False) -> None:
        """The table has so much of it, which may be less than it had.

        What memory does not hold either is told anew by the next attempt.
        """
        if stored < self.first_seq - 1:
            self.give_up(Unavailable(LOST))
            return
        self.stored = stored
        self.unstored = sum(map(len, self.frames[stored + 1 - self.first_seq :]))
        self.durable = stored if durable else min(self.durable, stored)
        if durable:
            # Half stays: making something durable costs a write to the disk, and should not be
            # needed again at once.
            self.forget_old(self.durable, keep=KEPT_BYTES // 2)
        self._room.set()
