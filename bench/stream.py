"""CPU for each relayed chunk, from the provider to the browser: whole servers, side by side.

Ours does what it always does: session, run, lease, journal in Postgres, followers. The peers relay
and nothing else. All get the same chunks from the same provider at the same pace: long answers show
what a chunk costs, short ones what a turn does. Postgres is a program of its own, so what it takes
is shown by itself.
"""

import asyncio
import json
import multiprocessing
import os
import socket
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil
import uvloop

from assent.main import load_all_plugins
from assent.settings import Settings
from assent.testing import Databases, run_server

PEERS = Path(__file__).parent / "peers"
STREAMS = 50
LONG, SHORT = 1000, 10
PACE = 0.01
ROUNDS = 3
FORK = multiprocessing.get_context("fork")
CHUNKS = FORK.Value("i", LONG)
"""Of each answer; the provider's process sees it too."""
WORD = {"choices": [{"index": 0, "delta": {"content": "word "}, "finish_reason": None}]}
LAST = {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}


def encode(chunk: dict[str, Any]) -> bytes:
    whole = {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "fake", **chunk}
    return b"data: " + json.dumps(whole).encode() + b"\n\n"


async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """One provider's answer after the other on a connection."""
    try:
        while True:
            head = await reader.readuntil(b"\r\n\r\n")
            for line in head.lower().split(b"\r\n"):
                if line.startswith(b"content-length:"):
                    await reader.readexactly(int(line.split(b":")[1]))
            writer.write(
                b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n"
                b"transfer-encoding: chunked\r\n\r\n"
            )
            started = time.monotonic()
            for number in range(CHUNKS.value):
                _send(writer, encode(WORD))
                await asyncio.sleep(max(0, started + (number + 1) * PACE - time.monotonic()))
            _send(writer, encode(LAST) + b"data: [DONE]\n\n")
            writer.write(b"0\r\n\r\n")
    except (asyncio.IncompleteReadError, ConnectionError):
        writer.close()


def _send(writer: asyncio.StreamWriter, data: bytes) -> None:
    writer.write(b"%x\r\n%b\r\n" % (len(data), data))


def serve_provider(port: int) -> None:
    async def run() -> None:
        server = await asyncio.start_server(answer, "127.0.0.1", port, backlog=1000)
        await server.serve_forever()

    asyncio.run(run())


@dataclass(frozen=True, slots=True)
class Server:
    name: str
    pid: int
    port: int
    request: Callable[[int], bytes]


def post(path: str, body: dict[str, Any], headers: str = "") -> bytes:
    data = json.dumps(body).encode()
    head = (
        f"POST {path} HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\n"
        f"content-length: {len(data)}\r\nconnection: close\r\n{headers}\r\n"
    )
    return head.encode() + data


def ask_peer(_lane: int) -> bytes:
    message = {"id": "m", "role": "user", "parts": [{"type": "text", "text": "Hello"}]}
    body = {"id": "c", "trigger": "submit-message", "messages": [message]}
    return post("/chat", body)


def find_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return listener.getsockname()[1]


async def serve_ours(url: str, provider: str, send: Callable[[Any], None]) -> None:
    async with run_server(url, log_level="warning", ollama_url="") as server:
        admin = await server.open_admin()
        draft = {
            "name": "Fake",
            "baseUrl": provider,
            "defaultModel": "fake",
            "classifier": False,
        }
        (await admin.post("/api/admin/integrations", json=draft)).raise_for_status()
        conversations = []
        for _ in range(STREAMS):
            made = (await admin.post("/api/conversations", json={})).json()
            title = {"title": "Bench"}
            (await admin.patch(f"/api/conversations/{made['id']}", json=title)).raise_for_status()
            conversations.append(made["id"])
        cookie = "; ".join(f"{name}={value}" for name, value in admin.cookies.items())
        send((server.settings.port, cookie, conversations))
        await asyncio.Event().wait()


def start_ours(url: str, provider: str) -> tuple[multiprocessing.Process, Server]:
    ours, theirs = multiprocessing.Pipe()
    process = FORK.Process(
        target=lambda: uvloop.run(serve_ours(url, provider, theirs.send)), daemon=True
    )
    process.start()
    port, cookie, conversations = ours.recv()

    def ask(lane: int) -> bytes:
        body = {"conversationId": conversations[lane], "message": {"text": "Hello"}}
        return post("/api/chat", body, f"cookie: {cookie}\r\nx-assent-csrf: 1\r\n")

    return process, Server("Assent", process.pid or 0, port, ask)


def start_peer(name: str, command: list[str], provider: str) -> tuple[subprocess.Popen, Server]:
    port = find_port()
    environment = {**os.environ, "PROVIDER_URL": provider, "PORT": str(port)}
    process = subprocess.Popen(command, cwd=PEERS, env=environment)
    wait_for(port)
    return process, Server(name, process.pid, port, ask_peer)


def wait_for(port: int) -> None:
    for _ in range(300):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.1)
    raise RuntimeError(f"nobody answers on {port}")


async def read_stream(server: Server, lane: int) -> int:
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port, limit=2**20)
    writer.write(server.request(lane))
    whole = await reader.read(-1)
    writer.close()
    words = whole.count(b"word ")
    if words != CHUNKS.value:
        raise RuntimeError(f"{server.name}: {words} of {CHUNKS.value} words: {whole[:500]!r}")
    return words


async def load(server: Server) -> int:
    return sum(await asyncio.gather(*(read_stream(server, lane) for lane in range(STREAMS))))


def read_cpu(process: psutil.Process) -> float:
    """Seconds of a process and of those that it started."""
    spent = 0.0
    for one in (process, *process.children(recursive=True)):
        with suppress(psutil.NoSuchProcess):
            times = one.cpu_times()
            spent += times.user + times.system
    return spent


def measure(server: Server, *others: psutil.Process) -> list[float]:
    """Microseconds of CPU for each chunk: the server's, and those of others beside it."""
    processes = [psutil.Process(server.pid), *others]
    before = [read_cpu(process) for process in processes]
    chunks = asyncio.run(load(server))
    after = [read_cpu(process) for process in processes]
    return [(now - then) / chunks * 1e6 for now, then in zip(after, before, strict=True)]


def find_postgres() -> psutil.Process:
    return next(one for one in psutil.Process().children() if one.name() == "postgres")


def compare(servers: list[Server], postgres: psutil.Process, chunks: int) -> dict[str, float]:
    """The median of each server's microseconds for each chunk, all taking turns."""
    CHUNKS.value = chunks
    results: dict[str, list[float]] = {server.name: [] for server in servers}
    beside: list[float] = []
    for server in servers:
        measure(server)
    for _ in range(ROUNDS):
        for server in servers:
            mine, others = measure(server, postgres)
            results[server.name].append(mine)
            beside += [others] if server.name == "Assent" else []
    results["Assent's Postgres"] = beside
    return {name: statistics.median(values) for name, values in results.items()}


def show(middle: dict[str, float], unit: str, factor: float) -> None:
    for name, microseconds in middle.items():
        ratio = middle["Assent"] / microseconds
        print(f"{name:>24}: {microseconds * factor:7.1f} {unit}, ours is {ratio:5.2f} of it")


def main() -> None:
    provider_port = find_port()
    provider = f"http://127.0.0.1:{provider_port}/v1"
    upstream = FORK.Process(target=serve_provider, args=(provider_port,), daemon=True)
    upstream.start()
    wait_for(provider_port)
    databases = Databases()
    databases.start()
    postgres = find_postgres()
    asyncio.run(databases.make_template(load_all_plugins(Settings())))
    node = Path(sys.prefix) / "node" / "bin" / "node"
    started: list[Any] = []
    try:
        ours = start_ours(databases.url("assent_template"), provider)
        started.append(ours[0])
        python = [str(PEERS / ".venv" / "bin" / "python"), "pydantic_server.py"]
        peers = [
            start_peer("FastAPI + pydantic-ai", python, provider),
            start_peer("Node AI SDK", [str(node), "node_server.mjs"], provider),
        ]
        started += [process for process, _ in peers]
        servers = [ours[1], *(server for _, server in peers)]
        print(f"{STREAMS} streams at {1 / PACE:.0f} chunks/s, CPU of the whole server:")
        show(compare(servers, postgres, LONG), "µs a chunk", 1)
        print(f"The same with answers of {SHORT} chunks:")
        show(compare(servers, postgres, SHORT), "ms a turn", SHORT / 1000)
    finally:
        for process in started:
            process.kill()
        upstream.kill()
        databases.stop()


if __name__ == "__main__":
    main()
