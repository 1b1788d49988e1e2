"""Time to the first token: what is added to the provider's own, at a steady rate of turns."""

import asyncio
import time
from collections import deque
from dataclasses import dataclass, field

from assent.bench.client import open_stream
from assent.bench.figure import Figure, at_most
from assent.bench.meter import Meter, list_costs, list_percentiles
from assent.bench.script import Script, find_thinking
from assent.bench.site import Site
from assent.bench.size import Size

ANSWER = Script(words=20, delay=0.05, pace=0.02)
TARGET_RATE = 100
TARGET = at_most(25)
CONVERSATIONS_PER_RATE = 3
STRAGGLER_SECONDS = 10


async def measure_first_token(site: Site, size: Size) -> list[Figure]:
    """Turns begin by the clock, whether or not earlier ones have been answered."""
    count = CONVERSATIONS_PER_RATE * max(size.turn_rates)
    conversations = [await site.open_conversation() for _ in range(count)]
    await _drive(site, Turns(rate=10, free=deque(conversations)), seconds=1)
    figures: list[Figure] = []
    for rate in size.turn_rates:
        turns = Turns(rate=rate, free=deque(conversations))
        meter = Meter(site.stage, site.owner)
        await _drive(site, turns, seconds=size.seconds)
        spent, at = meter.read(), {"turnsPerSecond": rate}
        title = f"added at {rate} turns/s"
        target = TARGET if rate == TARGET_RATE else None
        figures += list_percentiles("firstToken", title, turns.list_added(), at, target)
        figures.append(
            Figure(
                name="firstToken.answered",
                title=f"of {turns.begun:,} turns, answered",
                value=100 * turns.ended / turns.begun,
                unit="%",
                at=at,
            )
        )
        figures += list_costs("firstToken.turn", f"a turn at {rate}/s", spent, turns.ended, at)
    return figures


@dataclass(eq=False, slots=True)
class Turn:
    """One that is under way. `due` is when it should have begun, not when it did."""

    due: float
    added: float | None = None

    def hear(self, data: bytes, now: float) -> None:
        if self.added is None:
            thinking = find_thinking(data)
            if thinking is not None:
                self.added = now - self.due - thinking


@dataclass(slots=True, kw_only=True)
class Turns:
    """A conversation is free again when its turn has ended."""

    rate: int
    free: deque[str]
    begun: int = 0
    ended: int = 0
    stopped_at: float = 0
    all: list[Turn] = field(default_factory=list[Turn])

    def list_added(self) -> list[float]:
        """A turn without any word counts with the time that it was waited for."""
        return [
            self.stopped_at - turn.due if turn.added is None else turn.added for turn in self.all
        ]


async def _drive(site: Site, turns: Turns, *, seconds: float) -> None:
    tasks: set[asyncio.Task[None]] = set()
    start = time.monotonic()
    for number in range(round(turns.rate * seconds)):
        due = start + number / turns.rate
        await asyncio.sleep(max(0, due - time.monotonic()))
        turn = Turn(due)
        turns.all.append(turn)
        turns.begun += 1
        # With none free, those that began long ago were not answered: nor would this one be.
        if turns.free:
            tasks.add(asyncio.create_task(_take_turn(site, turns, turn, turns.free.popleft())))
    _, late = await asyncio.wait(tasks, timeout=STRAGGLER_SECONDS)
    for task in late:
        task.cancel()
    await asyncio.gather(*late, return_exceptions=True)
    turns.stopped_at = time.monotonic()


async def _take_turn(site: Site, turns: Turns, turn: Turn, conversation_id: str) -> None:
    request = site.encode_turn(conversation_id, ANSWER)
    stream = await open_stream(site.owner.port, request, turn.hear)
    try:
        await stream.closed
        turns.ended += stream.words == ANSWER.words
        turns.free.append(conversation_id)
    finally:
        stream.close()
