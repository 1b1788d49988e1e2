"""What an attempt left behind, for the one that goes on, or for whoever closes its message. Pure.

A step is stored before its calls are made, and each result as it arrives: that is in the message.
What was said of a step after that is in the journal alone. Its words are kept; a call in it was
never made, and is left out.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from assent.conversations.parts import close_open_parts
from assent.models.model import Usage
from assent.runs.events import Event, Finish, Numbered, merge, parse_event
from assent.runs.frames import Batch
from assent.runs.transcript import Part, Transcript


@dataclass(frozen=True, slots=True)
class Prose:
    kind: Literal["text", "reasoning"]
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Left:
    """`parts` are stored, `prose` was said after them. When it is `finished`, that was all."""

    parts: list[Part]
    prose: tuple[Prose, ...] = ()
    finished: bool = False
    usage: Usage | None = None

    @property
    def text(self) -> str:
        """What the model goes on from."""
        return "".join(one.text for one in self.prose if one.kind == "text")

    @property
    def open_calls(self) -> bool:
        return any(part.get("state") == "input-available" for part in self.parts)

    def close(self) -> list[Part]:
        """The parts of a message that nobody goes on with."""
        said: list[Part] = [{"type": one.kind, "text": one.text} for one in self.prose]
        start: list[Part] = [{"type": "step-start"}] if said else []
        return close_open_parts([*self.parts, *start, *said])


NOTHING = Left(parts=[])


def read_left(parts: Sequence[Part], journal: Sequence[Batch], usage: Usage | None = None) -> Left:
    """`journal` may hold several attempts: the latest has told again what the others said."""
    latest = [batch for batch in journal if batch.attempt == journal[-1].attempt]
    frames = [frame for batch in latest for frame in batch.frames]
    told = merge(Numbered(seq, _parse(frame)) for seq, frame in enumerate(frames))
    events = [one.event for one in told]
    seen = Transcript()
    seen.apply_all(events)
    stored = sum(part["type"] == "step-start" for part in parts)
    prose = tuple(_list_prose(seen.parts, after=stored))
    return Left(
        parts=list(parts),
        prose=prose if any(one.kind == "text" for one in prose) else (),
        finished=any(isinstance(event, Finish) for event in events),
        usage=usage,
    )


def _list_prose(parts: Iterable[Part], *, after: int) -> Iterable[Prose]:
    """The words of all steps but so many."""
    steps = 0
    for part in parts:
        if part["type"] == "step-start":
            steps += 1
        elif steps > after and part["type"] in ("text", "reasoning") and part["text"]:
            yield Prose(part["type"], part["text"])


def _parse(frame: bytes) -> Event:
    """Without the line that holds the id."""
    return parse_event(frame.partition(b"\n")[2])
