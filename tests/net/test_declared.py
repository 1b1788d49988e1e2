"""A way out to the places that somebody declared: there, inside too, and nowhere else."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager
from ssl import SSLContext
from typing import cast

import dns.message
import dns.rcode
import dns.rrset
import pytest

from assent.errors import DestinationRefused, PluginError, Unreachable
from assent.net.client import Client
from assent.net.exchange import Request
from assent.net.policy import Limits, Policy, parse_opening
from assent.net.web import Web
from tests.net.certificates import Authority

METADATA = "169.254.169.254"
PATIENT = Limits(seconds=60, connecting=60)
ANSWER = b"HTTP/1.1 302 Found\r\nlocation: http://127.0.0.1:1/\r\ncontent-length: 2\r\n\r\nok"


def opened(
    leads: Sequence[str] = ("127.0.0.1",),
    trust: SSLContext | None = None,
    policy: Policy | None = None,
) -> Web:
    async def resolve(_name: str) -> Sequence[str]:
        return leads

    policy = policy or Policy(limits=PATIENT)
    return Web(client=Client(resolve, trust), policy=policy, is_open=True)


@asynccontextmanager
async def listening(trust: SSLContext | None = None) -> AsyncGenerator[int]:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(1000)
        writer.write(ANSWER)
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0, ssl=trust)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()


async def test_this_machine_is_reached_where_it_is_declared() -> None:
    async with listening() as port:
        web = opened().within([f"http://127.0.0.1:{port}"])
        got = await web.fetch(Request(url=f"http://127.0.0.1:{port}/status"))
        named = opened().within([f"http://localhost:{port}"])
        again = await named.fetch(Request(url=f"http://localhost:{port}/"))
    assert (got.status, got.body, again.body) == (302, b"ok", b"ok")


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1:{other}/",
        "http://localhost:{port}/",
        "https://127.0.0.1:{port}/",
        "http://[::1]:{port}/",
        "http://127.0.0.2:{port}/",
        "http://public.example/",
    ],
)
async def test_nothing_else_is(url: str) -> None:
    async with listening() as port, listening() as other:
        web = opened().within([f"http://127.0.0.1:{port}"])
        with pytest.raises(DestinationRefused, match="none of the places that were declared"):
            await web.fetch(Request(url=url.format(port=port, other=other)))


async def test_where_a_redirect_leads_is_asked_for_anew() -> None:
    async with listening() as port:
        web = opened().within([f"http://127.0.0.1:{port}"])
        got = await web.fetch(Request(url=f"http://127.0.0.1:{port}/"))
        assert got.find_header("location") == "http://127.0.0.1:1/"
        with pytest.raises(DestinationRefused):
            await web.fetch(Request(url=got.find_header("location") or ""))


@pytest.mark.parametrize(
    "address",
    [
        METADATA,
        "169.254.170.2",
        "169.254.1.1",
        "100.100.100.200",
        "168.63.129.16",
        "0.0.0.0",
        "224.0.0.1",
        "255.255.255.255",
        "::ffff:169.254.169.254",
        "fd00:ec2::254",
        "fe80::1",
    ],
)
async def test_metadata_is_never_reached_however_it_is_declared(address: str) -> None:
    host = f"[{address}]" if ":" in address else address
    web = opened().within([f"http://{host}:80"])
    with pytest.raises(DestinationRefused, match="may not be reached"):
        await web.fetch(Request(url=f"http://{host}:80/latest/meta-data"))
    named = opened([address]).within(["http://metadata.corp:80", "tcp://metadata.corp:80"])
    with pytest.raises(DestinationRefused, match="may not be reached"):
        await named.fetch(Request(url="http://metadata.corp:80/"))
    with pytest.raises(DestinationRefused, match="may not be reached"):
        await named.connect("metadata.corp", 80)
    mixed = opened(["10.0.0.1", address]).within(["tcp://metadata.corp:80"])
    with pytest.raises(DestinationRefused, match="may not be reached"):
        await mixed.connect("metadata.corp", 80)


async def test_a_strangers_name_does_not_lead_to_this_machine() -> None:
    async with listening() as port:
        web = opened().within([f"http://status.example.com:{port}"])
        with pytest.raises(DestinationRefused, match="a loopback address"):
            await web.fetch(Request(url=f"http://status.example.com:{port}/"))


@pytest.mark.parametrize(
    ("host", "leads"),
    [("10.0.0.1", "10.0.0.1"), ("db.corp.example.com", "10.0.0.1"), ("127.0.0.1", "127.0.0.1")],
)
async def test_without_inside_only_what_is_public_is_left(host: str, leads: str) -> None:
    web = opened([leads]).within([f"tcp://{host}:5432"], inside=False)
    with pytest.raises(DestinationRefused, match="may not be reached"):
        await web.connect(host, 5432)


async def test_what_the_operator_opened_stays_open_without_inside() -> None:
    async with listening() as port:
        policy = Policy(inside=(parse_opening(f"127.0.0.1:{port}"),), limits=PATIENT)
        web = opened(policy=policy).within([f"tcp://127.0.0.1:{port}"], inside=False)
        assert (await web.connect("127.0.0.1", port)).address == "127.0.0.1"


async def test_narrowing_twice_never_widens() -> None:
    web = opened().within(["tcp://127.0.0.1:1"]).within(["tcp://127.0.0.1:1", "tcp://127.0.0.1:2"])
    with pytest.raises(DestinationRefused, match="none of the places"):
        await web.connect("127.0.0.1", 2)
    closed = opened().within(["tcp://10.0.0.1:1"], inside=False).within(["tcp://10.0.0.1:1"])
    with pytest.raises(DestinationRefused, match="a private address"):
        await closed.connect("10.0.0.1", 1)


async def test_a_whole_address_is_that_address_alone() -> None:
    async with listening() as port:
        here = f"http://127.0.0.1:{port}"
        web = opened().within([f"{here}/status?full=1"])
        assert (await web.fetch(Request(url=f"{here}/status?full=1#top"))).body == b"ok"
        for other in ("/", "/status", "/status?full=2", "/status?full=1&more", "/other"):
            with pytest.raises(DestinationRefused, match="none of the places"):
                await web.fetch(Request(url=f"{here}{other}"))
        narrow = opened().within([here]).within([f"{here}/a", "http://10.0.0.1:1/b"])
        assert (await narrow.fetch(Request(url=f"{here}/a"))).body == b"ok"
        for other in (f"{here}/b", "http://10.0.0.1:1/b"):
            with pytest.raises(DestinationRefused, match="none of the places"):
                await narrow.fetch(Request(url=other))
        still = opened().within([f"{here}/a"]).within([here])
        assert (await still.fetch(Request(url=f"{here}/a"))).body == b"ok"
        with pytest.raises(DestinationRefused, match="none of the places"):
            await still.fetch(Request(url=f"{here}/b"))


async def test_nothing_declared_is_nothing_reached() -> None:
    with pytest.raises(DestinationRefused):
        await opened(["93.184.216.34"]).within([]).fetch(Request(url="http://public.example/"))


@pytest.mark.parametrize(
    "origin",
    [
        "127.0.0.1:80",
        "tcp://127.0.0.1:80/path",
        "http://user@127.0.0.1:80",
        "tcp://127.0.0.1",
        "udp://127.0.0.1:53",
        "tcp://127.0.0.1:0",
        "tcp://127.0.0.1:70000",
        "tcp://0x7f.1:80",
        "http://*:80",
        "",
    ],
)
def test_what_is_no_place_is_refused(origin: str) -> None:
    with pytest.raises(DestinationRefused):
        Web().within([origin])


CLOSED: list[Callable[[Web], object]] = [
    lambda web: web.connect("127.0.0.1", 1),
    lambda web: web.resolve("example.com"),
    lambda web: web.fetch(Request(url="http://127.0.0.1:1/")),
]


@pytest.mark.parametrize("use", CLOSED)
async def test_what_is_closed_stays_closed(use: Callable[[Web], object]) -> None:
    with pytest.raises(PluginError):
        await use(Web().within(["tcp://127.0.0.1:1", "http://127.0.0.1:1"]))  # type: ignore[misc]


async def test_without_a_declaration_the_usual_policy_holds() -> None:
    async with listening() as port:
        with pytest.raises(DestinationRefused):
            await opened().connect("127.0.0.1", port)
        with pytest.raises(DestinationRefused, match="Port 22"):
            await opened(["93.184.216.34"]).connect("public.example", 22)
        with pytest.raises(DestinationRefused):
            await opened().resolve("example.com", server=f"127.0.0.1:{port}")


async def test_nobody_listens() -> None:
    async with listening() as port:
        pass
    with pytest.raises(Unreachable):
        await opened().within([f"tcp://127.0.0.1:{port}"]).connect("127.0.0.1", port)


async def test_a_certificate_that_holds() -> None:
    authority = Authority()
    async with listening(authority.build_server("localhost", "127.0.0.1")) as port:
        web = opened(trust=authority.build_trust()).within([f"tls://localhost:{port}"])
        connected = await web.connect("localhost", port, tls=True)
    shown = connected.certificate
    assert shown is not None
    assert (shown.subject, shown.issuer, shown.fault) == ("localhost", "authority", None)
    assert shown.names == ("localhost", "127.0.0.1")
    assert shown.begins_at < shown.ends_at


@pytest.mark.parametrize(
    ("names", "expired", "fault"),
    [
        (("localhost",), True, "expired"),
        (("elsewhere.example",), False, "Hostname mismatch"),
    ],
)
async def test_one_that_does_not_hold_is_shown_with_its_fault(
    names: tuple[str, ...], expired: bool, fault: str
) -> None:
    authority = Authority()
    async with listening(authority.build_server(*names, expired=expired)) as port:
        web = opened(trust=authority.build_trust()).within([f"tls://localhost:{port}"])
        shown = (await web.connect("localhost", port, tls=True)).certificate
    assert shown is not None
    assert shown.fault is not None
    assert fault in shown.fault


async def test_the_certificate_may_be_for_another_name() -> None:
    authority = Authority()
    async with listening(authority.build_server("service.example")) as port:
        web = opened(trust=authority.build_trust()).within([f"tls://127.0.0.1:{port}"])
        connected = await web.connect("127.0.0.1", port, tls=True, server_name="service.example")
    assert connected.certificate is not None
    assert connected.certificate.fault is None


async def test_where_nobody_speaks_tls() -> None:
    async with listening() as port:
        web = opened().within([f"tls://127.0.0.1:{port}"])
        with pytest.raises(Unreachable):
            await web.connect("127.0.0.1", port, tls=True)


class NameServer(asyncio.DatagramProtocol):
    """Knows one name with two addresses; of others it says that there are none."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast("asyncio.DatagramTransport", transport)

    def datagram_received(self, data: bytes, addr: tuple[str, int]) -> None:
        asked = dns.message.from_wire(data)
        answer = dns.message.make_response(asked)
        if asked.question[0].name.to_text() == "shop.example.":
            answer.answer.append(
                dns.rrset.from_text("shop.example.", 60, "IN", "A", "10.1.0.2", "10.1.0.1")
            )
        else:
            answer.set_rcode(dns.rcode.NXDOMAIN)
        self.transport.sendto(answer.to_wire(), addr)


@asynccontextmanager
async def answering() -> AsyncGenerator[int]:
    loop = asyncio.get_running_loop()
    transport, _ = await loop.create_datagram_endpoint(NameServer, local_addr=("127.0.0.1", 0))
    try:
        yield transport.get_extra_info("sockname")[1]
    finally:
        transport.close()


async def test_names_are_asked_of_a_server_that_was_declared() -> None:
    async with answering() as port:
        web = opened().within([f"dns://127.0.0.1:{port}"])
        known = await web.resolve("shop.example", "a", server=f"127.0.0.1:{port}")
        unknown = await web.resolve("other.example.", server=f"127.0.0.1:{port}")
    assert (known.code, known.records, known.ttl) == ("NOERROR", ("10.1.0.1", "10.1.0.2"), 60)
    assert (unknown.code, unknown.records, unknown.ttl) == ("NXDOMAIN", (), None)


async def test_names_are_asked_of_no_other_server() -> None:
    async with answering() as port:
        for server in (f"127.0.0.1:{port}", METADATA, "127.0.0.1"):
            web = opened().within([f"dns://127.0.0.2:{port}", f"dns://{METADATA}:53"])
            with pytest.raises(DestinationRefused):
                await web.resolve("shop.example", server=server)


async def test_what_cannot_be_asked() -> None:
    web = opened().within([])
    for name, kind in (("shop.example", "AXFR"), ("shop.example", "ANY"), ("a b", "A"), ("", "A")):
        with pytest.raises(DestinationRefused):
            await web.resolve(name, kind)


async def test_a_server_that_does_not_answer() -> None:
    async with answering() as port:
        pass
    web = opened().within([f"dns://127.0.0.1:{port}"])
    with pytest.raises(Unreachable, match="No name server answers"):
        await web.resolve(
            "shop.example",
            server=f"127.0.0.1:{port}",
            limits=Limits(seconds=1, connecting=0.2),
        )
