"""Live streams: how many a core carries when each person reads an answer of their own."""

import asyncio
import time

from assent.bench.client import Stream, open_stream
from assent.bench.figure import Figure, at_least
from assent.bench.meter import Meter, divide, list_costs, list_percentiles
from assent.bench.script import FOREVER, Script, list_sent
from assent.bench.site import Site, check_open, wait_for_words
from assent.bench.size import Size

RATE = 10
"""Words of one answer in a second."""
STARTED_AT_ONCE = 8
WATCHED = 50
RAMP_SECONDS = 60
ANSWER = Script(words=FOREVER, pace=1 / RATE)


async def measure_streams(site: Site, size: Size) -> list[Figure]:
    """Every stream has a run of its own and one follower, all in one server process."""
    _, first = await site.start_run(ANSWER)
    memory = Meter(site.stage, site.owner)
    delays = Delays()
    streams = [first, *await _start(site, size.streams - 1, delays)]
    await asyncio.sleep(size.settle)
    meter, words_before = Meter(site.stage, site.owner), _count_words(streams)
    delays.seconds.clear()
    await asyncio.sleep(size.seconds)
    spent, words = meter.read(), _count_words(streams) - words_before
    check_open(streams)
    count = len(streams)
    at = {"streams": count, "eventsPerSecond": RATE}
    figures = [
        Figure(
            name="streams.perCore",
            title="streams that one core carries",
            value=divide(words / RATE, spent.cpu),
            target=at_least(1000),
            at=at,
        ),
        Figure(
            name="streams.keptPace",
            title=f"of the words in {count:,} streams, delivered",
            value=100 * words / (count * RATE * spent.seconds),
            unit="%",
            at=at,
        ),
        *list_percentiles("streams.delay", "a word on its way", delays.seconds, at),
        *list_costs("streams.event", "a word", spent, words, at),
        Figure(
            name="streams.memory",
            title="server memory for a stream and its run",
            value=memory.read_memory_each(count - 1),
            unit="kB",
            at=at,
        ),
    ]
    for stream in streams:
        stream.close()
    return figures


class Delays:
    """How long words were on their way, from the provider's socket to ours."""

    def __init__(self) -> None:
        self.seconds: list[float] = []

    def hear(self, data: bytes, now: float) -> None:
        self.seconds += [now - sent for sent in list_sent(data)]


async def _start(site: Site, count: int, delays: Delays) -> list[Stream]:
    """As fast as the server takes them, for a minute; some of them are listened to closely."""
    slots = asyncio.Semaphore(STARTED_AT_ONCE)
    every = max(1, count // WATCHED)
    streams: list[Stream] = []

    async def start(number: int, request: bytes) -> None:
        try:
            hear = delays.hear if number % every == 0 else None
            stream = await open_stream(site.owner.port, request, hear)
            streams.append(stream)
            await wait_for_words([stream], 1)
        finally:
            slots.release()

    end = time.monotonic() + RAMP_SECONDS
    async with asyncio.TaskGroup() as tasks:
        for number in range(count):
            if time.monotonic() > end:
                break
            request = site.encode_turn(await site.open_conversation(), ANSWER)
            await slots.acquire()
            tasks.create_task(start(number, request))
    return streams


def _count_words(streams: list[Stream]) -> int:
    return sum(stream.words for stream in streams)
