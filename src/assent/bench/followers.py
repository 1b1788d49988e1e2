"""Followers: the memory of people who wait for the next word, and of those who get one."""

import asyncio

from assent.bench.client import Stream, open_stream
from assent.bench.figure import Figure, at_most
from assent.bench.meter import At, Meter, divide
from assent.bench.script import FOREVER, Script
from assent.bench.site import Site, check_open
from assent.bench.size import Size
from assent.bench.stage import Server
from assent.db.operating_system import find_open_files

OPENED_AT_ONCE = 16
WARM = 20
IDLE_SECONDS = 2
"""Heartbeats of work come about once a second."""
OPEN_SECONDS = 60
OTHER_FILES = 300
RATE = 10
SILENT = Script(words=1, holds=True)
SPEAKING = Script(words=FOREVER, pace=1 / RATE)


async def measure_idle_followers(site: Site, size: Size) -> list[Figure]:
    """Of one run that says nothing: where it is driven, and in another process."""
    run_id, stream = await site.start_run(SILENT)
    request = site.encode_follow(run_id)
    figures: list[Figure] = []
    for name, server in zip(("owner", "other"), site.stage.servers, strict=True):
        crowd = Crowd(server, request)
        await crowd.warm_up(size.settle)
        memory = Meter(site.stage, server)
        for count in size.idle_followers:
            if count > find_open_files() - OTHER_FILES:
                continue
            at: At = {"process": name, "followers": count}
            figures += await _measure_idle(site, crowd, memory, at=at, settle=size.settle)
        crowd.leave()
    stream.close()
    return figures


async def measure_active_followers(site: Site, size: Size) -> list[Figure]:
    """Of one run that says ten words a second, where it is driven."""
    run_id, stream = await site.start_run(SPEAKING)
    crowd, count = Crowd(site.owner, site.encode_follow(run_id)), size.active_followers
    await crowd.warm_up(size.settle)
    memory = Meter(site.stage, site.owner)
    whole = await crowd.grow(count)
    await asyncio.sleep(size.settle)
    meter, words = Meter(site.stage, site.owner), crowd.words
    await asyncio.sleep(size.seconds)
    spent, words = meter.read(), crowd.words - words
    check_open(crowd.streams)
    at = {"process": "owner", "followers": count, "eventsPerSecond": RATE}
    figures = [
        Figure(
            name="activeFollowers.memory",
            title=f"memory of each of {count:,}",
            value=memory.read_memory_each(count) if whole else None,
            unit="kB",
            at=at,
        ),
        Figure(
            name="activeFollowers.cpu",
            title="server CPU for a word to one of them",
            value=divide(spent.cpu, words / 1e6),
            unit="µs",
            at=at,
        ),
    ]
    crowd.leave()
    stream.close()
    return figures


async def _measure_idle(
    site: Site, crowd: "Crowd", memory: Meter, *, at: At, settle: float
) -> list[Figure]:
    count = int(at["followers"])
    whole = await crowd.grow(count)
    await asyncio.sleep(settle)
    meter = Meter(site.stage, crowd.server)
    await asyncio.sleep(IDLE_SECONDS)
    spent = meter.read()
    where = "in the owning process" if at["process"] == "owner" else "in another process"
    share = divide(spent.cpu, spent.seconds)
    return [
        Figure(
            name="idleFollowers.memory",
            title=f"memory of each of {count:,} {where}",
            value=memory.read_memory_each(count) if whole and crowd.is_whole else None,
            unit="kB",
            target=at_most(40),
            at=at,
        ),
        Figure(
            name="idleFollowers.cpu",
            title=f"of a core, for all {count:,} {where}",
            value=None if share is None else 100 * share,
            unit="%",
            at=at,
        ),
    ]


class Crowd:
    """Followers of one run at one server."""

    def __init__(self, server: Server, request: bytes) -> None:
        self.server = server
        self._request = request
        self.streams: list[Stream] = []

    @property
    def words(self) -> int:
        return sum(stream.words for stream in self.streams)

    @property
    def is_whole(self) -> bool:
        return all(stream.is_open for stream in self.streams)

    async def warm_up(self, settle: float) -> None:
        """What the first ones cost is not what one more costs."""
        await self.grow(WARM)
        self.leave()
        await asyncio.sleep(settle)

    async def grow(self, count: int) -> bool:
        """Until there are so many, and all hear the run; not if that takes too long."""
        missing = iter(range(count - len(self.streams)))

        async def join() -> None:
            for _ in missing:
                stream = await open_stream(self.server.port, self._request)
                self.streams.append(stream)
                await stream.wait_words(1)

        try:
            async with asyncio.timeout(OPEN_SECONDS), asyncio.TaskGroup() as tasks:
                for _ in range(OPENED_AT_ONCE):
                    tasks.create_task(join())
        except TimeoutError:
            return False
        return all(stream.words for stream in self.streams)

    def leave(self) -> None:
        for stream in self.streams:
            stream.close()
        self.streams.clear()
