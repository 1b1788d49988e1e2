"""Strategies against real servers here: ports, certificates of all ages, name servers."""

import asyncio
import socket
import ssl
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from datetime import UTC, datetime, timedelta
from typing import Any

import dns.message
import dns.rcode
import dns.rrset
import pytest

from assent.bundled.healthcheck.capability import find_expectations
from assent.bundled.healthcheck.outcome import Outcome, decide_answered
from assent.bundled.healthcheck.reach import Reach
from assent.bundled.healthcheck.run import show
from assent.net.client import Client
from assent.net.web import Web
from assent.plugins.api import DestinationRefused, Scripts, Unreachable, parse_value
from tests.net.certificates import Authority
from tests.unit.bundled.healthcheck.samples import KNOWN

NOW = datetime.now(UTC)


async def probe(
    kind: str, config: dict[str, Any], *, client: Client | None = None, origins: Any = None
) -> Outcome:
    """One probe with the reach that its own origins give, judged by the strategy's expectations."""
    strategy = KNOWN.strategies[kind]
    read = parse_value(strategy.Config, config)
    named = strategy.origins(read) if origins is None else origins
    web = Web(client=client or Client()).opened().within(named)
    reach = Reach(http=web, scripts=Scripts(), now=NOW, seconds=20, origins=tuple(named))
    result = await strategy.probe(reach, read)
    expects = find_expectations(strategy)
    return decide_answered(show(result), {}, expects, duration=1)


@asynccontextmanager
async def listen(context: ssl.SSLContext | None = None) -> AsyncGenerator[int]:
    async def meet(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(ConnectionError, ssl.SSLError):
            await reader.read(1)
        writer.close()

    server = await asyncio.start_server(meet, "127.0.0.1", 0, ssl=context)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()


def find_closed_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


async def test_a_port_that_is_open() -> None:
    async with listen() as port:
        outcome = await probe("tcp", {"host": "127.0.0.1", "port": port})
    assert outcome.status == "up"
    assert outcome.result is not None
    assert outcome.result["address"] == "127.0.0.1"
    assert outcome.result["connectMs"] > 0


async def test_a_port_that_is_closed() -> None:
    with pytest.raises(Unreachable):
        await probe("tcp", {"host": "127.0.0.1", "port": find_closed_port()})


async def test_a_port_that_nobody_assented_to() -> None:
    async with listen() as port, listen() as other:
        with pytest.raises(DestinationRefused):
            await probe(
                "tcp", {"host": "127.0.0.1", "port": port}, origins=[f"tcp://127.0.0.1:{other}"]
            )


@pytest.mark.parametrize(
    ("days", "status", "said"),
    [
        (100, "up", ""),
        (13, "degraded", "daysLeft"),
        (1, "degraded", "daysLeft"),
        (-1, "down", "trusted"),
    ],
)
async def test_certificates_of_all_ages(days: int, status: str, said: str) -> None:
    authority = Authority()
    context = authority.build_server("localhost", "127.0.0.1", ends=timedelta(days=days))
    client = Client(trust=authority.build_trust())
    async with listen(context) as port:
        outcome = await probe("tls", {"host": "127.0.0.1", "port": port}, client=client)
    assert outcome.status == status, outcome.reason
    assert said in outcome.reason
    assert outcome.result is not None
    assert outcome.result["daysLeft"] == pytest.approx(days, abs=0.1)
    assert outcome.result["subject"] == "localhost"
    assert outcome.result["trusted"] == (days > 0)


async def test_a_certificate_by_nobody_we_trust() -> None:
    context = Authority().build_server("127.0.0.1", ends=timedelta(days=90))
    client = Client(trust=Authority().build_trust())
    async with listen(context) as port:
        outcome = await probe("tls", {"host": "127.0.0.1", "port": port}, client=client)
    assert outcome.status == "down"
    assert outcome.result is not None
    assert outcome.result["daysLeft"] > 89
    assert outcome.result["fault"]


async def test_a_certificate_for_another_name() -> None:
    authority = Authority()
    context = authority.build_server("shop.example.com", ends=timedelta(days=90))
    client = Client(trust=authority.build_trust())
    config = {"host": "127.0.0.1", "serverName": "shop.example.com"}
    async with listen(context) as port:
        right = await probe("tls", {**config, "port": port}, client=client)
        wrong = await probe(
            "tls", {**config, "port": port, "serverName": "other.example.com"}, client=client
        )
    assert (right.status, wrong.status) == ("up", "down")
    assert right.result is not None
    assert right.result["names"] == ["shop.example.com"]


async def test_no_tls_there() -> None:
    async with listen() as port:
        with pytest.raises(Unreachable):
            await asyncio.wait_for(
                probe("tls", {"host": "127.0.0.1", "port": port}, client=Client()), 60
            )


class NameServer(asyncio.DatagramProtocol):
    """Knows one name, and says so."""

    def connection_made(self, transport: Any) -> None:
        self.transport = transport

    def datagram_received(self, data: bytes, addr: Any) -> None:
        query = dns.message.from_wire(data)
        answer = dns.message.make_response(query)
        asked = query.question[0]
        if str(asked.name) != "shop.example.com.":
            answer.set_rcode(dns.rcode.NXDOMAIN)
        elif asked.rdtype == dns.rdatatype.A:
            known = dns.rrset.from_text(asked.name, 60, "IN", "A", "192.0.2.7", "192.0.2.3")
            answer.answer.append(known)
        self.transport.sendto(answer.to_wire(), addr)


@asynccontextmanager
async def serve_names() -> AsyncGenerator[str]:
    loop = asyncio.get_running_loop()
    transport, _ = await loop.create_datagram_endpoint(NameServer, local_addr=("127.0.0.1", 0))
    try:
        yield f"127.0.0.1:{transport.get_extra_info('sockname')[1]}"
    finally:
        transport.close()


@pytest.mark.parametrize(
    ("name", "record_type", "status", "code", "records"),
    [
        ("shop.example.com", "A", "up", "NOERROR", ["192.0.2.3", "192.0.2.7"]),
        ("shop.example.com", "TXT", "down", "NOERROR", []),
        ("gone.example.com", "A", "down", "NXDOMAIN", []),
    ],
)
async def test_names(
    name: str, record_type: str, status: str, code: str, records: list[str]
) -> None:
    async with serve_names() as server:
        config = {"name": name, "recordType": record_type, "server": server}
        outcome = await probe("dns", config)
    assert outcome.status == status
    assert outcome.result is not None
    assert (outcome.result["code"], outcome.result["records"]) == (code, records)


async def test_a_name_server_that_is_not_there() -> None:
    config = {"name": "shop.example.com", "server": f"127.0.0.1:{find_closed_port()}"}
    with pytest.raises(Unreachable):
        await probe("dns", config)
