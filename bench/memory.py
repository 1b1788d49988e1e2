"""Does a server grow with what it is asked? Its memory over a million requests of all kinds.

One server, one Postgres, eight people and eight programs who ask without a pause: lists and single
things, tool calls, what is refused, files of the pages, changes with their token, and turns of a
chat. What counts is the growth over the second half, when everything has been warm for long.
"""

import asyncio
import itertools
import sys
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from uuid import uuid4

import uvloop

from assent.bench.client import Caller, open_stream
from assent.bench.machine import raise_open_files
from assent.bench.processes import read_usage
from assent.bench.script import Script
from assent.bench.site import Site, open_site
from assent.bench.stage import open_ground, open_stage

REQUESTS = 1_000_000
SAMPLES = 40
LANES = 8
WORDS = 20
ANSWER = Script(words=WORDS)


@dataclass(frozen=True, slots=True)
class Sample:
    requests: int
    memory: int


class Load:
    """Counts requests, and looks at the server's memory after every so many."""

    def __init__(self, site: Site, total: int, systems: Sequence[str]) -> None:
        self._site = site
        self._total = total
        self._systems = systems
        self._next = 0
        self._admin = asyncio.Lock()
        self.asked = 0
        self.samples: list[Sample] = []

    async def walk_person(self, caller: Caller, lane: int) -> None:
        for turn in itertools.count(lane):
            if self._is_over():
                return
            await self._look(caller, 60)
            if turn % 5 == 0:
                await self._change(caller, self._systems[lane])
            if turn % 20 == 0:
                await self._talk()

    async def walk_program(self, caller: Caller, _lane: int) -> None:
        while not self._is_over():
            body = {"input": {}}
            await self._ask(caller, "POST", "/api/tools/catalog.listSystems/call", 200, body)
            await self._ask(caller, "POST", "/api/tools/catalog.nothing/call", 404, body)
            wrong = {"input": {"limit": "many"}}
            await self._ask(caller, "POST", "/api/tools/catalog.listSystems/call", 422, wrong)
            await self._look(caller, 8)

    async def _look(self, caller: Caller, count: int) -> None:
        """Mostly cheap requests, so that a million of them take minutes and not hours."""
        paths = ["/api/p/catalog/systems", "/healthz", "/", "/api/nothing"]
        statuses = [200, 200, 200, 404]
        for number in range(count):
            at = number % len(paths)
            await self._ask(caller, "GET", paths[at], statuses[at])

    async def _change(self, caller: Caller, system: str) -> None:
        given = {"systemId": system, "description": str(uuid4())}
        draft = {"tool": "catalog.updateSystem", "input": given}
        card = await self._ask(caller, "POST", "/api/proposals", 201, draft)
        path = f"/api/proposals/{card['id']}"
        token = (await self._ask(caller, "POST", f"{path}/token", 200))["token"]
        await self._ask(caller, "POST", f"{path}/apply", 200, {"token": token})

    async def _talk(self) -> None:
        async with self._admin:
            conversation = await self._site.open_conversation()
        stream = await open_stream(
            self._site.owner.port, self._site.encode_turn(conversation, ANSWER)
        )
        await stream.closed
        self._count(3)

    async def _ask(
        self, caller: Caller, method: str, path: str, status: int, body: object = None
    ) -> dict[str, str]:
        answer = await caller.ask(method, path, body)
        self._count(1)
        if path.startswith("/api"):
            return answer.parse(status)
        assert answer.status == status, (path, answer.status)
        return {}

    def _count(self, requests: int) -> None:
        self.asked += requests
        if self.asked >= self._next:
            usage = read_usage(self._site.owner.pid)
            assert usage is not None
            self.samples.append(Sample(self.asked, usage.memory))
            print(f"{self.asked:>10,} {usage.memory / 1e6:8.1f} MB", flush=True)
            self._next += self._total // SAMPLES

    def _is_over(self) -> bool:
        return self.asked >= self._total


async def drive(site: Site, total: int) -> Load:
    load = Load(site, total, await site.add_systems(LANES))
    people = await site.add_people(LANES)
    programs = await site.add_keys(LANES, ["catalog.system.read"])
    walks: list[tuple[Callable[[Caller, int], Awaitable[None]], Sequence[object]]] = [
        (load.walk_person, people),
        (load.walk_program, programs),
    ]

    async def walk(way: Callable[[Caller, int], Awaitable[None]], who: object, lane: int) -> None:
        async with Caller.open(site.owner.port, who) as caller:
            await way(caller, lane)

    async with asyncio.TaskGroup() as group:
        for way, callers in walks:
            for lane, who in enumerate(callers):
                group.create_task(walk(way, who, lane))
    return load


async def main(total: int) -> None:
    raise_open_files()
    begun = time.monotonic()
    with open_ground(None, None) as ground:
        async with open_stage(ground, servers=1) as stage, open_site(stage) as site:
            load = await drive(site, total)
    seconds = time.monotonic() - begun
    half = [one for one in load.samples if one.requests >= total / 2]
    grown = half[-1].memory - half[0].memory
    asked = half[-1].requests - half[0].requests
    print(f"{load.asked:,} requests in {seconds:.0f} s")
    print(
        f"second half: {half[0].memory / 1e6:.1f} MB at its beginning, {grown / 1e6:+.1f} MB at "
        f"its end, {grown / asked:+.1f} bytes for each request"
    )


if __name__ == "__main__":
    uvloop.run(main(int(sys.argv[1]) if len(sys.argv) > 1 else REQUESTS))
