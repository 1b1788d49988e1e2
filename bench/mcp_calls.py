"""Tool calls over MCP in a second of one core: ours beside bare servers, in one run.

Ours is `assent serve` as it always is: an application's key is looked up, its budget counted, the
tool reads Postgres, the call is recorded. The peers return the same value from memory and do
nothing else. One client calls all of them, with the same arguments, in both kinds of the protocol;
what counts is the CPU that a server's process takes for a call. Postgres is a program of its own,
so what it takes is shown by itself.

`--memory` asks instead whether a server grows: its memory over 100,000 requests of all kinds, once
every connection to Postgres has prepared every statement.
"""

import asyncio
import json
import os
import socket
import statistics
import subprocess
import sys
import time
from collections.abc import AsyncGenerator, Generator
from contextlib import ExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import uvloop
from mcp_client import LEGACY, MODERN, Lane, Reply, Target, drive, open_lane

from assent.bench.processes import read_family_cpu, read_usage
from assent.bench.site import Site, open_site
from assent.bench.stage import Stage, open_ground, open_stage

PEERS = Path(__file__).parent / "peers"
TOOL = "catalog.listSystems"
ARGUMENTS = {"limit": 5}
CHANGE = "catalog.updateSystem"
LANES, AT_ONCE = 64, 8
"""Many programs, so that the budget of each stays short, as it is; and calls at a time."""
WALKS = 8
ROUNDS = 5
SECONDS = 3.0
REQUESTS, STEPS = 100_000, 20
WARM_TURNS = 600
OURS = "Assent"


@dataclass(frozen=True, slots=True)
class Cost:
    """CPU for one call in microseconds, and calls by the clock."""

    cpu: float
    postgres: float
    per_second: float


@contextmanager
def start_peer(name: str, program: str, value: Path, *, lean: bool = False) -> Generator[Target]:
    """`lean` is without sessions and event streams, which is not how it comes."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    environment = {
        **{key: one for key, one in os.environ.items() if key != "PYTHONPATH"},
        "VALUE": str(value),
        "TOOL": TOOL,
        "PORT": str(port),
        "FASTMCP_LOG_LEVEL": "ERROR",
        "LEAN": "1" if lean else "",
    }
    command = [str(PEERS / ".venv" / "bin" / "python"), program]
    process = subprocess.Popen(command, cwd=PEERS, env=environment)
    try:
        wait_for(port)
        yield Target(name, process.pid, port)
    finally:
        process.kill()
        process.wait()


def wait_for(port: int) -> None:
    for _ in range(600):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.1)
    raise RuntimeError(f"nobody answers on {port}")


async def open_ours(site: Site, count: int) -> list[Target]:
    """One target for each program: a key of its own is a budget of its own."""
    owner, rules = site.owner, ["catalog.system.read", "catalog.system.manage"]
    keys = await site.add_keys(count, rules)
    return [Target(OURS, owner.pid, owner.port, one.lines) for one in keys]


@asynccontextmanager
async def open_lanes(targets: list[Target], revision: str) -> AsyncGenerator[list[Lane]]:
    """Anew for each round: servers hang up on connections over which nothing comes."""
    some = targets if len(targets) == LANES else targets * LANES
    lanes = [await open_lane(target, revision) for target in some]
    try:
        yield lanes
    finally:
        for lane in lanes:
            lane.connection.close()


async def measure(lanes: list[Lane], stage: Stage) -> Cost:
    pid = lanes[0].target.pid
    before, others = read_usage(pid), read_family_cpu(stage.postgres_pid)
    begun = time.monotonic()
    calls = await drive(lanes, TOOL, ARGUMENTS, at_once=AT_ONCE, seconds=SECONDS)
    seconds = time.monotonic() - begun
    after, after_others = read_usage(pid), read_family_cpu(stage.postgres_pid)
    assert before is not None
    assert after is not None
    spent = ((after_others or 0) - (others or 0)) / calls
    return Cost((after.cpu - before.cpu) / calls * 1e6, spent * 1e6, calls / seconds)


async def compare(servers: list[list[Target]], stage: Stage, revision: str) -> dict[str, Cost]:
    """The median of all rounds; the servers take turns, so that what else runs here meets all."""
    taken: dict[str, list[Cost]] = {targets[0].name: [] for targets in servers}
    for targets in servers:
        async with open_lanes(targets, revision) as lanes:
            await drive(lanes, TOOL, ARGUMENTS, at_once=AT_ONCE, seconds=SECONDS / 3)
    for _ in range(ROUNDS):
        for targets in servers:
            async with open_lanes(targets, revision) as lanes:
                taken[targets[0].name].append(await measure(lanes, stage))
    return {name: find_middle(costs) for name, costs in taken.items()}


def find_middle(costs: list[Cost]) -> Cost:
    return Cost(
        statistics.median(one.cpu for one in costs),
        statistics.median(one.postgres for one in costs),
        statistics.median(one.per_second for one in costs),
    )


def show(revision: str, costs: dict[str, Cost]) -> None:
    ours = costs[OURS]
    print(f"Revision {revision}, {AT_ONCE} calls at once, CPU of the server's process:")
    for name, cost in costs.items():
        beside = f", Postgres {ours.postgres:.0f} µs more" if name == OURS else ""
        ratio = "" if name == OURS else f", ours answers {cost.cpu / ours.cpu:4.2f} times as many"
        print(
            f"{name:>26}: {cost.cpu:6.0f} µs a call, {1e6 / cost.cpu:5.0f} calls in a second of "
            f"one core ({cost.per_second:5.0f}/s by the clock){ratio}{beside}"
        )


def read_value(reply: Reply) -> dict[str, Any]:
    return reply.parse()["result"]["structuredContent"]


async def run_side_by_side(site: Site, folder: Path) -> None:
    await site.add_systems(WALKS)
    ours = await open_ours(site, LANES)
    reply = await (await open_lane(ours[0], MODERN)).call(TOOL, ARGUMENTS)
    value = folder / "value.json"
    value.write_text(json.dumps(read_value(reply)))
    print(f"{TOOL} {json.dumps(ARGUMENTS)}: {len(reply.body)} bytes")
    with ExitStack() as stack:
        peers = [
            stack.enter_context(start_peer("FastMCP", "fastmcp_server.py", value)),
            stack.enter_context(start_peer("FastMCP, lean", "fastmcp_server.py", value, lean=True)),
            stack.enter_context(start_peer("SDK", "sdk_server.py", value)),
            stack.enter_context(start_peer("SDK, lean", "sdk_server.py", value, lean=True)),
        ]
        for peer in peers:
            told = await (await open_lane(peer, MODERN)).call(TOOL, ARGUMENTS)
            if read_value(told) != read_value(reply):
                raise RuntimeError(f"{peer.name} answers something else: {told.body[:300]!r}")
        for revision in (MODERN, LEGACY):
            show(revision, await compare([ours, *([peer] for peer in peers)], site.stage, revision))


class Growth:
    """Counts requests, and looks at the server's memory after every so many."""

    def __init__(self, pid: int, total: int) -> None:
        self._pid = pid
        self._total = total
        self._next = 0
        self.asked = 0
        self.samples: list[tuple[int, int]] = []

    @property
    def is_over(self) -> bool:
        return self.asked >= self._total

    def count(self) -> None:
        self.asked += 1
        if self.asked >= self._next:
            usage = read_usage(self._pid)
            assert usage is not None
            self.samples.append((self.asked, usage.memory))
            print(f"{self.asked:>10,} {usage.memory / 1e6:8.1f} MB", flush=True)
            self._next += self._total // STEPS


async def warm_up(lane: Lane, system: str) -> None:
    """Until it holds what it will hold: each connection keeps each statement that it ran."""
    for _ in range(WARM_TURNS):
        await lane.call(TOOL, ARGUMENTS)
        await ask_the_rest(lane, system)


async def ask_the_rest(lane: Lane, system: str) -> None:
    """A change that waits, what is refused, and an open session."""
    change = {"systemId": system, "description": "as it might be"}
    (await lane.ask("tools/call", {"name": CHANGE, "arguments": change}, name=CHANGE)).check()
    await lane.ask("tools/call", {"name": "no.such"}, name="no.such")
    await lane.begin()


async def walk(lane: Lane, growth: Growth, system: str) -> None:
    """Mostly calls that read; lists, and now and then the rest."""
    turn = 0
    while not growth.is_over:
        turn += 1
        await lane.call(TOOL, ARGUMENTS)
        if turn % 20 == 0:
            (await lane.ask("tools/list", {})).check()
            growth.count()
        if turn % 50 == 0:
            await ask_the_rest(lane, system)
            growth.count()
        growth.count()


async def run_memory(site: Site, total: int) -> None:
    systems = await site.add_systems(WALKS)
    growth = Growth(site.owner.pid, total)
    targets = await open_ours(site, WALKS)
    lanes = [
        await open_lane(target, (MODERN, LEGACY)[number % 2])
        for number, target in enumerate(targets)
    ]
    async with asyncio.TaskGroup() as group:
        for lane, system in zip(lanes, systems, strict=True):
            group.create_task(warm_up(lane, system))
    begun = time.monotonic()
    async with asyncio.TaskGroup() as group:
        for lane, system in zip(lanes, systems, strict=True):
            group.create_task(walk(lane, growth, system))
    half = [one for one in growth.samples if one[0] >= total / 2]
    grown, asked = half[-1][1] - half[0][1], half[-1][0] - half[0][0]
    print(f"{growth.asked:,} requests in {time.monotonic() - begun:.0f} s")
    print(
        f"second half: {half[0][1] / 1e6:.1f} MB at its beginning, {grown / 1e6:+.1f} MB at its "
        f"end, {grown / asked:+.1f} bytes for each request"
    )


@asynccontextmanager
async def open_everything() -> AsyncGenerator[tuple[Site, Path]]:
    with open_ground(None, None) as ground:
        async with open_stage(ground, servers=1) as stage, open_site(stage) as site:
            yield site, ground.folder


async def main(arguments: list[str]) -> None:
    async with open_everything() as (site, folder):
        if "--memory" in arguments:
            await run_memory(site, REQUESTS)
        else:
            await run_side_by_side(site, folder)


if __name__ == "__main__":
    uvloop.run(main(sys.argv[1:]))
