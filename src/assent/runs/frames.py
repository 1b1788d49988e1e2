"""Events of a run as they are sent and stored: frames with a position. Pure.

A frame is one server-sent event with its `id` line, ending in an empty line. JSON holds no raw line
break, so frames that were stored one after the other come apart again.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple
from uuid import UUID

END = b"\n\n"


class Position(NamedTuple):
    """The last event that a follower has: of which attempt, and which of it."""

    attempt: int
    seq: int


START = Position(0, 0)


class Batch(NamedTuple):
    """Frames of one attempt, numbered from `first_seq` on."""

    attempt: int
    first_seq: int
    frames: tuple[bytes, ...]

    @property
    def last(self) -> Position:
        return Position(self.attempt, self.first_seq + len(self.frames) - 1)

    @property
    def size(self) -> int:
        return sum(map(len, self.frames))

    def after(self, seen: Position) -> tuple[bytes, ...]:
        """What a follower who has seen so much still lacks."""
        if seen.attempt > self.attempt:
            return ()
        skipped = seen.seq - self.first_seq + 1 if seen.attempt == self.attempt else 0
        return self.frames[max(skipped, 0) :]


def encode_prefix(run_id: UUID, attempt: int) -> bytes:
    """What the `id` lines of an attempt have in common; the number and a line break follow."""
    return f"id: {run_id}:{attempt}:".encode()


def parse_position(text: str | None, run_id: UUID) -> Position | None:
    """Where `Last-Event-ID` stands in this run, or nothing if it is not one of its ids."""
    run, _, rest = (text or "").partition(":")
    attempt, _, seq = rest.partition(":")
    if run != str(run_id) or not (_is_number(attempt) and _is_number(seq)):
        return None
    return Position(int(attempt), int(seq))


def split_frames(stored: bytes) -> tuple[bytes, ...]:
    return tuple(frame + END for frame in stored.split(END) if frame)


def join_frames(frames: Iterable[bytes]) -> bytes:
    return b"".join(frames)


def find_end(frames: Sequence[bytes], start: int, at_most: int) -> int:
    """Where to stop so that no more than so many bytes are taken, but at least one frame."""
    end, size = start, 0
    while end < len(frames) and (end == start or size + len(frames[end]) <= at_most):
        size += len(frames[end])
        end += 1
    return end


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 10
