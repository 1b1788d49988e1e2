"""The newest of what one attempt of a run has said, in memory, and who waits for more of it.

It is shared by all followers in the process. What it no longer holds is in the table.
"""

import asyncio
from collections.abc import Iterable

from assent.runs.frames import Batch, Position, find_end

KEPT_BYTES = 2 * 1024 * 1024
SENT_BYTES = 32 * 1024
"""What a follower is given at once, unless a single event is larger; so a slow one holds little."""
WOKEN_AT_ONCE = 100


class Recent:
    """`closed`: it says no more. `lost`: because the run goes on elsewhere, if it goes on."""

    __slots__ = (
        "_waiting",
        "attempt",
        "closed",
        "first_seq",
        "frames",
        "lost",
        "size",
    )

    def __init__(self, attempt: int) -> None:
        self.attempt = attempt
        self.first_seq = 1
        self.frames: list[bytes] = []
        self.size: int = 0
        self.closed = False
        self.lost = False
        self._waiting: list[asyncio.Future[None]] = []

    @property
    def last(self) -> Position:
        return Position(self.attempt, self.first_seq + len(self.frames) - 1)

    async def wait(self) -> None:
        """Until something is said, or it is closed, or it was silent for a while."""
        heard = asyncio.get_running_loop().create_future()
        self._waiting.append(heard)
        await heard

    def wake(self) -> None:
        waiting, self._waiting = self._waiting, []
        _set(waiting)

    async def beat(self) -> None:
        """Wake those who wait, some at a time: nobody else has to wait for thousands of them."""
        for _ in range(0, len(self._waiting), WOKEN_AT_ONCE):
            some, self._waiting = self._waiting[:WOKEN_AT_ONCE], self._waiting[WOKEN_AT_ONCE:]
            _set(some)
            await asyncio.sleep(0)

    def find_after(self, seen: Position) -> Batch | None:
        """The next that a follower lacks, or nothing if that is older than what memory holds."""
        seq = self.find_place(seen)
        if seq < self.first_seq - 1:
            return None
        start = seq + 1 - self.first_seq
        end = find_end(self.frames, start, SENT_BYTES)
        return Batch(self.attempt, seq + 1, tuple(self.frames[start:end]))

    def find_place(self, seen: Position) -> int:
        """A position of another attempt, or one that was never reached, counts as the beginning."""
        return seen.seq if seen.attempt == self.attempt and seen.seq <= self.last.seq else 0

    def close(self) -> None:
        self.closed = True
        self.wake()

    def lose(self) -> None:
        self.lost = True
        self.close()

    def forget_old(self, until: int, *, keep: int) -> None:
        """Drop the oldest frames up to that number, as long as more than `keep` bytes are left."""
        drop = 0
        while self.size > keep and self.first_seq + drop <= until:
            self.size -= len(self.frames[drop])
            drop += 1
        del self.frames[:drop]
        self.first_seq += drop


def _set(waiting: Iterable[asyncio.Future[None]]) -> None:
    for heard in waiting:
        if not heard.done():
            heard.set_result(None)
