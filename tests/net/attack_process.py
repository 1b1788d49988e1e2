"""Tries every attack, and all that must work, and prints what happened as JSON.

`unshare -n -m python -m tests.net.attack_process` does it with real connections where every
address is this machine; `… recorded` does it anywhere, and only notes where a connection would go.
"""

import asyncio
import contextlib
import json
import socket
import ssl
import sys
import urllib.request
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from assent.errors import AssentError
from assent.net.client import Client
from assent.net.exchange import Request
from assent.net.policy import Limits, Policy, parse_opening
from assent.net.resolve import Resolver, SystemNames
from tests.net.attacks import ATTACKS, INSIDE, REACHED, Zone
from tests.net.certificates import Authority
from tests.net.every_address import NameServer, cover_files, is_apart, take_all_addresses

PORTS = (22, 25, 80, 443, 3000, 6379, 8080, 8443, 9000)
SECURE = (443, 8443)
ANSWER = b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nhi"
POLICY = Policy(inside=tuple(map(parse_opening, INSIDE)), limits=Limits(seconds=60, connecting=60))
NAIVE_SECONDS = 2


@dataclass
class Stage:
    """Listeners on every address, and what arrived at them."""

    trust: ssl.SSLContext
    hits: list[tuple[str, int]] = field(default_factory=list[tuple[str, int]])
    _listeners: list[socket.socket] = field(default_factory=list[socket.socket])
    _answering: set[asyncio.Task[None]] = field(default_factory=set[asyncio.Task[None]])

    def open(self) -> None:
        for port in PORTS:
            for family, host in ((socket.AF_INET, "0.0.0.0"), (socket.AF_INET6, "::")):
                listener = socket.socket(family)
                if family == socket.AF_INET6:
                    listener.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
                listener.bind((host, port))
                listener.listen(1000)
                listener.setblocking(False)
                self._listeners.append(listener)
                asyncio.get_running_loop().add_reader(listener, self._accept, listener)

    def take(self) -> list[tuple[str, int]]:
        """What has arrived since, up to this moment: nothing waits to be accepted any more."""
        for listener in self._listeners:
            self._accept(listener)
        taken, self.hits = self.hits, []
        return taken

    def _accept(self, listener: socket.socket) -> None:
        """A hit counts as soon as there is a connection, whatever is said on it."""
        with contextlib.suppress(BlockingIOError):
            while True:
                connection, _ = listener.accept()
                reached = connection.getsockname()
                self.hits.append((reached[0], reached[1]))
                task = asyncio.create_task(self._answer(connection, reached[1]))
                self._answering.add(task)
                task.add_done_callback(self._answering.discard)

    async def _answer(self, connection: socket.socket, port: int) -> None:
        loop = asyncio.get_running_loop()
        reader = asyncio.StreamReader()
        with contextlib.suppress(OSError, asyncio.IncompleteReadError):
            transport, _ = await loop.connect_accepted_socket(
                lambda: asyncio.StreamReaderProtocol(reader),
                connection,
                ssl=self.trust if port in SECURE else None,
            )
            await reader.readuntil(b"\r\n\r\n")
            transport.write(ANSWER)
            transport.close()


class Recorder:
    """Notes where a connection would go, and makes none."""

    def __init__(self) -> None:
        self.hits: list[tuple[str, int]] = []

    def take(self) -> list[tuple[str, int]]:
        taken, self.hits = self.hits, []
        return taken

    async def connect(self, _socket: socket.socket, address: tuple[str, int]) -> None:
        self.hits.append(address)
        raise ConnectionRefusedError


async def try_one(client: Client, url: str, stage: Stage | Recorder) -> dict[str, Any]:
    try:
        response = await client.fetch(Request(url=url), POLICY)
        ended = f"{response.status} {response.body.decode()}"
    except AssentError as error:
        ended = f"{error.code}: {error.message}"
    return {"url": url, "ended": ended, "hits": stage.take()}


async def try_naively(url: str, stage: Stage) -> dict[str, Any]:
    """As a program does that thinks nothing of it."""

    def fetch() -> None:
        untrusting = ssl.create_default_context()
        untrusting.check_hostname = False
        untrusting.verify_mode = ssl.CERT_NONE
        with contextlib.suppress(Exception):
            urllib.request.urlopen(url, timeout=NAIVE_SECONDS, context=untrusting).read()

    await asyncio.to_thread(fetch)
    return {"url": url, "ended": "", "hits": stage.take()}


async def try_all(client: Client, stage: Stage | Recorder) -> dict[str, Any]:
    return {
        "attacks": [await try_one(client, url, stage) for url in ATTACKS],
        "reached": [await try_one(client, one.url, stage) for one in REACHED],
    }


async def run_really() -> dict[str, Any]:
    if not is_apart():
        raise SystemExit("This is not a network namespace of its own.")
    take_all_addresses()
    cover_files()
    authority = Authority()
    stage = Stage(authority.build_server("public.example"))
    stage.open()
    loop = asyncio.get_running_loop()
    _, names = await loop.create_datagram_endpoint(NameServer, local_addr=("127.0.0.1", 53))
    trust = authority.build_trust()
    asked = await try_all(Client(SystemNames(), trust), stage)
    names.zone = Zone()
    given = await try_all(Client(answer_from(Zone()), trust), stage)
    names.zone = Zone()
    naive = [await try_naively(url, stage) for url in ATTACKS]
    return {"asked": asked, "given": given, "naive": naive}


async def run_recorded() -> dict[str, Any]:
    recorder = Recorder()
    loop: Any = asyncio.get_running_loop()
    loop.sock_connect = recorder.connect
    return {"given": await try_all(Client(answer_from(Zone())), recorder)}


def answer_from(zone: Zone) -> Resolver:
    async def resolve(name: str) -> Sequence[str]:
        found = [*zone.find(name, 4)[1], *zone.find(name, 6)[1]]
        if not found:
            raise socket.gaierror(name)
        return found

    return resolve


if __name__ == "__main__":
    run = run_recorded if sys.argv[1:] == ["recorded"] else run_really
    print(json.dumps(asyncio.run(run())))
