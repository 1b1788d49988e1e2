"""Whole servers under the signals that life sends: Ctrl-C, kill -9, a second start."""

import asyncio
import os
import re
import resource
import signal
import socket
import urllib.request
from collections import Counter
from collections.abc import Callable, Generator
from pathlib import Path

import psutil
import pytest

from assent.db.embedded import EmbeddedPostgres
from assent.db.operating_system import IS_LINUX
from assent.testing import Client
from tests.fault.server_process import ServerProcess, wait_gone
from tests.patience import PATIENCE
from tests.turn.following import follow

Start = Callable[..., ServerProcess]
KEY = "00" * 32
MEASURED = r"Measurements are on port (\d+)"


@pytest.fixture
def start(tmp_path: Path) -> Generator[Start]:
    started: list[ServerProcess] = []

    def start(*arguments: str, **environment: str) -> ServerProcess:
        started.append(ServerProcess(*arguments, folder=tmp_path, **environment))
        return started[-1]

    yield start
    for server in started:
        server.end(signal.SIGTERM)


@pytest.fixture
def postgres_url(tmp_path: Path) -> Generator[str]:
    """A durable Postgres of somebody else."""
    postgres = EmbeddedPostgres(tmp_path / "elsewhere")
    yield postgres.start().url
    postgres.stop()


async def add_system(client: Client, name: str) -> str:
    me = (await client.get("/api/me")).json()
    draft = {"workspaceId": me["workspaces"][0]["id"], "name": name}
    response = await client.post("/api/p/catalog/systems", json=draft)
    assert response.status_code == 201, response.text
    return response.json()["id"]


async def list_names(client: Client) -> set[str]:
    items = (await client.get("/api/p/catalog/systems")).json()["items"]
    return {item["name"] for item in items}


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
async def test_a_signal_stops_everything_cleanly(start: Start, how: signal.Signals) -> None:
    server = start("serve", "--port", "0")
    url, token = server.wait_ready()
    assert token
    async with Client(url) as client:
        assert (await client.get(f"/login?token={token}")).status_code == 303
        assert "checkout" in await list_names(client)
    processes = server.list_processes()
    assert any(process.name() == "postgres" for process in processes)
    assert server.end(how) == 0
    wait_gone(processes)


@pytest.mark.parametrize("workers", ["1", "2"])
async def test_pages_that_follow_do_not_hold_it_up(start: Start, workers: str) -> None:
    server = start("serve", "--port", "0", "--workers", workers)
    url, token = server.wait_ready()
    async with Client(url) as client:
        await client.get(f"/login?token={token}")
        async with follow(client) as following:
            ended = await asyncio.to_thread(server.end, signal.SIGTERM)
            await following.until_end()
    assert ended == 0
    assert "graceful shutdown exceeded" not in server.output()


async def test_a_server_that_leaves_answers_whoever_comes(start: Start) -> None:
    """It says that it is leaving, and until its door is closed nobody is turned away."""
    server = start("serve", "--port", "0", ASSENT_DRAIN_SECONDS="2")
    url, _ = server.wait_ready()
    port = int(url.rpartition(":")[2])
    callers = [asyncio.create_task(asyncio.to_thread(call_until_refused, port)) for _ in range(4)]
    await tell_to_leave(server, url)
    ended = sum(await asyncio.gather(*callers), Counter[str]())
    assert set(ended) == {"answered"}, ended
    assert server.process.wait(PATIENCE) == 0


def call_until_refused(port: int) -> Counter[str]:
    """Change something, each time on a new connection, until there is nobody to connect to."""
    ended = Counter[str]()
    while True:
        with socket.socket() as caller:
            try:
                caller.connect(("127.0.0.1", port))
            except ConnectionRefusedError:
                return ended
            try:
                caller.sendall(b"POST /api/auth/logout HTTP/1.1\r\nhost: x\r\n\r\n")
                ended["answered" if caller.recv(12) == b"HTTP/1.1 401" else "cut off"] += 1
            except OSError as error:
                ended[str(error)] += 1


async def test_a_second_signal_does_not_wait(start: Start) -> None:
    server = start("serve", "--port", "0", ASSENT_DRAIN_SECONDS="300")
    url, _ = server.wait_ready()
    await tell_to_leave(server, url)
    assert server.end(signal.SIGTERM) == 0


async def tell_to_leave(server: ServerProcess, url: str) -> None:
    os.kill(server.pid, signal.SIGTERM)
    async with Client(url) as client:
        while (answer := await client.get("/readyz")).status_code == 200:
            pass
        assert answer.json()["status"] == "leaving"
        assert answer.headers["connection"] == "close"
        assert (await client.get("/healthz")).status_code == 200


async def test_nothing_committed_is_lost_to_kill_9(start: Start) -> None:
    server = start("serve", "--port", "0")
    url, token = server.wait_ready()
    async with Client(url) as client:
        await client.get(f"/login?token={token}")
        await add_system(client, "billing")
        cookies = client.cookies
        processes = server.list_processes()
        server.end(signal.SIGKILL)
    wait_gone(processes)

    again = start("serve", "--port", "0")
    url, _ = again.wait_ready()
    async with Client(url, cookies=cookies) as client:
        assert "billing" in await list_names(client)


async def test_two_servers_share_one_database(start: Start, postgres_url: str) -> None:
    environment = {"DATABASE_URL": postgres_url, "ASSENT_MASTER_KEY": KEY}
    servers = [start("serve", "--port", "0", **environment) for _ in range(2)]
    (first_url, token), (second_url, _) = (server.wait_ready() for server in servers)
    async with Client(first_url) as first, Client(second_url) as second:
        assert (await first.get(f"/login?token={token}")).status_code == 303
        second.cookies = first.cookies
        await add_system(first, "billing")
        assert await list_names(second) == {"billing"}
        await second.post("/api/auth/logout")
        assert (await first.get("/api/me")).status_code == 401
    assert not [p for s in servers for p in s.list_processes() if p.name() == "postgres"]


async def test_several_processes_of_one_server(start: Start) -> None:
    server = start("serve", "--port", "0", "--workers", "2")
    url, token = server.wait_ready()
    async with Client(url) as client:
        assert (await client.get(f"/login?token={token}")).status_code == 303
        for number in range(10):
            await add_system(client, f"system-{number}")
    processes = server.list_processes()
    server.end(signal.SIGKILL)
    wait_gone(processes)


def test_a_second_server_on_the_same_folder_is_refused(start: Start) -> None:
    first = start("serve", "--port", "0")
    first.wait_ready()
    second = start("serve", "--port", "0")
    assert second.process.wait(PATIENCE) == 2
    assert f"process {first.pid}" in second.output()
    assert "--data-dir" in second.output()


def test_commands_work_beside_a_running_server(start: Start) -> None:
    server = start("serve", "--port", "0")
    server.wait_ready()
    command = start("users", "list")
    assert command.process.wait(PATIENCE) == 0
    assert "admin@localhost" in command.output()
    assert psutil.pid_exists(server.pid)


@pytest.mark.skipif(not IS_LINUX, reason="Only Linux tells the limits of another process.")
def test_a_low_limit_of_open_files_is_raised(start: Start) -> None:
    """As shells and service managers set it: room to grow, but none yet."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(256, hard), hard))
    try:
        server = start("serve", "--port", "0")
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    server.wait_ready()
    assert psutil.Process(server.pid).rlimit(psutil.RLIMIT_NOFILE) == (hard, hard)


def test_a_taken_port_is_named(start: Start) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        server = start("serve", "--port", port)
        assert server.process.wait(PATIENCE) == 2
    assert f"port {port}" in server.output()
    assert "--port" in server.output()


def test_a_database_needs_a_master_key(start: Start, postgres_url: str) -> None:
    server = start("serve", "--port", "0", DATABASE_URL=postgres_url)
    assert server.process.wait(PATIENCE) == 2
    assert "ASSENT_MASTER_KEY" in server.output()


def test_a_worker_works_and_stops(start: Start, postgres_url: str) -> None:
    environment = {"DATABASE_URL": postgres_url, "ASSENT_MASTER_KEY": KEY}
    worker = start("worker", **environment)
    worker.wait_for("Working")
    assert worker.end(signal.SIGTERM) == 0


def find_free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def scrape(port: str, path: str = "/metrics") -> str:
    with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=30) as answer:
        return answer.read().decode()


def test_workers_answer_monitors_on_ports_of_their_own(start: Start, postgres_url: str) -> None:
    environment = {
        "DATABASE_URL": postgres_url,
        "ASSENT_MASTER_KEY": KEY,
        "ASSENT_METRICS_PORT": str(find_free_port()),
    }
    workers = [start("worker", **environment) for _ in range(2)]
    ports = [worker.wait_for(MEASURED)[1] for worker in workers]
    assert len(set(ports)) == 2
    for worker, port in zip(workers, ports, strict=True):
        worker.wait_for("Working")
        assert "assent_database_up 1.0" in scrape(port)
        assert '"ok"' in scrape(port, "/readyz")
        assert worker.end(signal.SIGTERM) == 0


def test_each_of_several_servers_answers_monitors_for_itself(start: Start) -> None:
    first = str(find_free_port())
    server = start("serve", "--port", "0", "--workers", "2", ASSENT_METRICS_PORT=first)
    server.wait_ready()
    server.wait_for(rf"(?s){MEASURED}.*{MEASURED}")
    ports = set(re.findall(MEASURED, server.output()))
    assert len(ports) == 2
    assert all("assent_database_up 1.0" in scrape(port) for port in ports)
    assert server.end(signal.SIGTERM) == 0


def test_a_collector_that_is_away_holds_up_nothing(start: Start) -> None:
    endpoint = f"http://127.0.0.1:{find_free_port()}"
    server = start("serve", "--port", "0", OTEL_EXPORTER_OTLP_ENDPOINT=endpoint)
    address, token = server.wait_ready()
    with urllib.request.urlopen(f"{address}/readyz", timeout=30) as answer:
        assert answer.status == 200
    assert token
    assert server.end(signal.SIGTERM) == 0
    assert "Stopped." in server.output()
