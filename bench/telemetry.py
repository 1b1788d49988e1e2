"""What being seen costs: alone, for each chunk, and as part of whole turns.

Alone: all that is done to see a turn with two model calls and one tool call, next to the same turn
unseen. For each chunk: an answer relayed through the layer that sees it, and through one that does
not. Whole turns go over HTTP, with and without an exporter that sends to a collector in a process
of its own; CPU is that of the server and its client, without Postgres.
"""

import asyncio
import multiprocessing
import socket
import statistics
import time
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing
from datetime import UTC, datetime
from typing import cast
from uuid import UUID

from aiohttp import web

from assent.actions.proposal import Place
from assent.actions.watch import watch_call
from assent.ids import new_id
from assent.main import build_telemetry, load_all_plugins
from assent.models.model import Finished, Model, ModelEvent, ModelRequest, TextDelta, Usage
from assent.models.retry import with_retries
from assent.models.watch import Watch
from assent.runs.run import Run
from assent.runs.watch import watching
from assent.settings import Settings
from assent.telemetry.telemetry import Telemetry
from assent.testing import Client, Databases, run_server
from assent.work.lease import Job, Lease, Work
from assent.work.watch import watch

ROUNDS = 5
TURNS = 300
CHUNKS = 50_000
WHOLE_TURNS = 40
ID = UUID(int=1)
REQUEST = ModelRequest(purpose="turn", model="m", instructions=(), messages=(), max_tokens=1)
RUN = Run(
    id=ID,
    tenant_id=ID,
    conversation_id=ID,
    work_id=ID,
    kind="turn",
    agent="assistant",
    principal_id=ID,
    message_id=ID,
    status="running",
    attempt=1,
    steps=0,
    taint=[],
    error=None,
)


class Words:
    def __init__(self, count: int) -> None:
        self._events = [TextDelta("word ")] * count

    async def stream(self, request: ModelRequest) -> AsyncGenerator[ModelEvent]:
        for event in self._events:
            yield event
        yield Usage(input=1, output=1)
        yield Finished("stop")


class Unseen:
    """The layer around a model as it would be if nobody looked."""

    def __init__(self, model: Model) -> None:
        self._model = model

    async def stream(self, request: ModelRequest) -> AsyncGenerator[ModelEvent]:
        has_begun = False
        answer = cast(AsyncGenerator[ModelEvent], self._model.stream(request))
        async with aclosing(answer):
            async for event in answer:
                has_begun = True
                yield event
        assert has_begun


async def relay(model: Model) -> None:
    events = cast(AsyncGenerator[ModelEvent], model.stream(REQUEST))
    async with aclosing(events):
        async for _ in events:
            pass


async def take_turn(model: Model) -> None:
    await relay(model)
    await relay(model)


async def take_seen_turn(telemetry: Telemetry) -> None:
    model = with_retries(Words(3), watch=Watch(telemetry, "p"))

    async def drive(job: Job) -> None:
        async with watching(telemetry, RUN, job) as turn:
            await relay(model)
            with watch_call(telemetry, None, Place(edge="chat", run_id=ID)) as seen:
                seen.end("ran", "read")
            await relay(model)
            turn.end("completed", 2, None)

    work = Work(new_id(), ID, "runs.drive", None, {}, "running", 1, datetime.now(UTC))
    with telemetry.span("POST /api/chat", {}):
        await watch(telemetry, drive)(Job(work, Lease(work.id, ID, 1)))


async def cost(deed: Callable[[], Awaitable[None]], times: int) -> float:
    """CPU microseconds for each, the median of some rounds."""
    found: list[float] = []
    for _ in range(ROUNDS):
        started = time.process_time()
        for _ in range(times):
            await deed()
        found.append((time.process_time() - started) / times * 1e6)
    return statistics.median(found)


def collect(port: int) -> None:
    async def take(request: web.Request) -> web.Response:
        await request.read()
        return web.Response(content_type="application/x-protobuf")

    app = web.Application(client_max_size=2**26)
    app.router.add_post("/v1/{signal}", take)
    web.run_app(app, host="127.0.0.1", port=port, print=None, access_log=None)


def find_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_for(port: int) -> None:
    while True:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)


async def run_whole_turns(databases: Databases, endpoint: str | None) -> float:
    """CPU milliseconds of one turn with the demo model."""
    async with (
        databases.copy() as url,
        run_server(
            url,
            demo=True,
            demo_pace=0,
            ollama_url="",
            tool_calls=100_000,
            otel_endpoint=endpoint,
        ) as server,
    ):
        client = await server.open_admin()
        await say(client)
        started = time.process_time()
        for _ in range(WHOLE_TURNS):
            await say(client)
        return (time.process_time() - started) / WHOLE_TURNS * 1000


async def say(client: Client) -> None:
    made = (await client.post("/api/conversations", json={})).json()
    body = {"conversationId": made["id"], "message": {"text": "Which systems are there?"}}
    answer = await client.post("/api/chat", json=body)
    assert "tool-output-available" in answer.text


async def compare(databases: Databases, endpoint: str) -> None:
    exporting = build_telemetry(Settings(otel_endpoint=endpoint))
    silent = Telemetry()
    words = Unseen(Words(3))
    unseen = await cost(lambda: take_turn(words), TURNS)
    seen = await cost(lambda: take_seen_turn(silent), TURNS)
    exported = await cost(lambda: take_seen_turn(exporting), TURNS)
    print(f"to see a turn: {seen - unseen:.0f} µs; with an exporter {exported - unseen:.0f} µs")
    long = Words(CHUNKS)
    bare = await cost(lambda: relay(Unseen(long)), 1) / CHUNKS
    watched = await cost(lambda: relay(with_retries(long, watch=Watch(silent, "p"))), 1) / CHUNKS
    print(f"for each chunk: {bare:.3f} µs unseen, {watched:.3f} µs seen")
    await databases.make_template(load_all_plugins(Settings()))
    without, with_exporter = [], []
    for _ in range(ROUNDS):
        without.append(await run_whole_turns(databases, None))
        with_exporter.append(await run_whole_turns(databases, endpoint))
    first, second = statistics.median(without), statistics.median(with_exporter)
    print(f"a whole turn: {first:.1f} ms, exported {second:.1f} ms ({second / first:.2f} times)")
    print(
        f"of a whole turn, being seen without an exporter is {(seen - unseen) / first / 10:.1f} %"
    )
    exporting.close()


def main() -> None:
    port = find_port()
    collector = multiprocessing.get_context("spawn").Process(
        target=collect, args=(port,), daemon=True
    )
    collector.start()
    wait_for(port)
    databases = Databases()
    databases.start()
    try:
        asyncio.run(compare(databases, f"http://127.0.0.1:{port}"))
    finally:
        databases.stop()
        collector.terminate()


if __name__ == "__main__":
    main()
