"""CPU for each relayed chunk, from the provider to the browser: whole servers, side by side.

Ours does what it always does: session, run, lease, journal in Postgres, followers. The peers relay
and nothing else. All get the same chunks from the same provider at the same pace.
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
CHUNKS = 1000
PACE = 0.01
ROUNDS = 2
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
            for number in range(CHUNKS):
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
        draft = {"name": "Fake", "baseUrl": provider, "defaultModel": "fake"}
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
    process = multiprocessing.get_context("fork").Process(
        target=lambda: uvloop.run(serve_ours(url, provider, theirs.send)), daemon=True
    )
    process.start()
    port, cookie, conversations = ours.recv()

    def ask(lane: int) -> bytes:
        body = {"conversationId": conversations[lane], "message": {"text": "Hello"}}
        return post("/api/chat", body, f"cookie: {cookie}\r\nx-assent-csrf: 1\r\n")

    return process, Server("assent", process.pid or 0, port, ask)


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
    deltas = whole.count(b'"text-delta"')
    if deltas != CHUNKS:
        raise RuntimeError(f"{server.name}: {deltas} of {CHUNKS} chunks: {whole[:500]!r}")
    return deltas


async def load(server: Server) -> int:
    return sum(await asyncio.gather(*(read_stream(server, lane) for lane in range(STREAMS))))


def measure(server: Server) -> float:
    """Microseconds of the server's CPU for each chunk."""
    process = psutil.Process(server.pid)
    before = process.cpu_times()
    chunks = asyncio.run(load(server))
    after = process.cpu_times()
    spent = after.user + after.system - before.user - before.system
    return spent / chunks * 1e6


def main() -> None:
    provider_port = find_port()
    provider = f"http://127.0.0.1:{provider_port}/v1"
    fork = multiprocessing.get_context("fork")
    upstream = fork.Process(target=serve_provider, args=(provider_port,), daemon=True)
    upstream.start()
    wait_for(provider_port)
    databases = Databases()
    databases.start()
    asyncio.run(databases.make_template(load_all_plugins(Settings())))
    node = Path(sys.prefix) / "node" / "bin" / "node"
    started: list[Any] = []
    try:
        ours = start_ours(databases.url("assent_template"), provider)
        python = [str(PEERS / ".venv" / "bin" / "python"), "pydantic_server.py"]
        peers = [
            start_peer("FastAPI + pydantic-ai", python, provider),
            start_peer("Node AI SDK", [str(node), "node_server.mjs"], provider),
        ]
        started = [ours[0], *(process for process, _ in peers)]
        servers = [ours[1], *(server for _, server in peers)]
        results: dict[str, list[float]] = {server.name: [] for server in servers}
        for server in servers:
            measure(server)
        for _ in range(ROUNDS):
            for server in servers:
                results[server.name].append(measure(server))
        middle = {name: statistics.median(values) for name, values in results.items()}
        print(f"{STREAMS} streams at {1 / PACE:.0f} chunks/s, CPU of the whole server:")
        for name, microseconds in middle.items():
            ratio = middle["assent"] / microseconds
            print(f"{name:>24}: {microseconds:7.1f} µs a chunk, ours is {ratio:5.2f} of it")
    finally:
        for process in started:
            process.kill()
        upstream.kill()
        databases.stop()


if __name__ == "__main__":
    main()
