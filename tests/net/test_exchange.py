"""Servers that misbehave: whatever they send, it ends in time and within bounds."""

import asyncio
import gzip
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from ssl import SSLContext
from typing import TypeAlias

import pytest

from assent.errors import AssentError, BrokeOff, DestinationRefused, Unreachable
from assent.net.client import Client
from assent.net.connect import check_peer
from assent.net.exchange import Request, Response
from assent.net.policy import Limits, Opening, Policy
from assent.net.url import parse_url
from tests.net.certificates import Authority

Answer: TypeAlias = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]

HOST = "service.internal"
OK = b"HTTP/1.1 200 OK\r\n"
PATIENT = Limits(seconds=60, connecting=60, head_bytes=4096, body_bytes=1000)
HASTY = Limits(seconds=0.5, head_bytes=4096, body_bytes=1000)


async def find_loopback(_name: str) -> list[str]:
    return ["127.0.0.1"]


class Place:
    """A server on this machine, and what it was asked."""

    def __init__(self, port: int, asked: list[bytes]) -> None:
        self.port = port
        self.asked = asked

    async def fetch(
        self,
        *,
        limits: Limits = PATIENT,
        scheme: str = "http",
        host: str = HOST,
        trust: SSLContext | None = None,
        **request: object,
    ) -> Response:
        policy = Policy(inside=(Opening(host, self.port),), limits=limits)
        url = f"{scheme}://{host}:{self.port}/x?y"
        given = Request(url=url, **request)  # pyright: ignore[reportArgumentType]
        return await Client(find_loopback, trust).fetch(given, policy)


@asynccontextmanager
async def serving(answer: Answer | bytes, trust: SSLContext | None = None) -> AsyncGenerator[Place]:
    asked: list[bytes] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError, asyncio.IncompleteReadError):
            asked.append(await reader.readuntil(b"\r\n\r\n"))
            if isinstance(answer, bytes):
                writer.write(answer)
            else:
                await answer(reader, writer)
            await writer.drain()
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0, ssl=trust)
    try:
        yield Place(server.sockets[0].getsockname()[1], asked)
    finally:
        server.close()


async def repeat(writer: asyncio.StreamWriter, data: bytes) -> None:
    while True:
        writer.write(data)
        await writer.drain()


async def test_an_answer() -> None:
    async with serving(OK + b"Content-Length: 5\r\nX-One: 1\r\nx-one: 2\r\n\r\nhello") as place:
        got = await place.fetch(headers={"X-Mine": "yes"})
    assert (got.status, got.reason, got.body, got.truncated) == (200, "OK", b"hello", False)
    assert got.headers == (("content-length", "5"), ("x-one", "1"), ("x-one", "2"))
    assert place.asked == [
        b"GET /x?y HTTP/1.1\r\nuser-agent: assent\r\naccept: */*\r\nx-mine: yes\r\n"
        b"host: service.internal:%d\r\naccept-encoding: identity\r\nconnection: close\r\n\r\n"
        % place.port
    ]


async def test_a_body_is_sent() -> None:
    got: list[bytes] = []

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        got.append(await reader.readexactly(4))
        writer.write(OK + b"content-length: 0\r\n\r\n")

    async with serving(answer) as place:
        assert (await place.fetch(method="POST", body=b"data")).status == 200
    assert (got, b"content-length: 4\r\n" in place.asked[0]) == ([b"data"], True)


async def test_redirects_are_told_and_not_followed() -> None:
    answer = b"HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1/\r\ncontent-length: 0\r\n\r\n"
    async with serving(answer) as place:
        got = await place.fetch()
    assert (got.status, got.find_header("location")) == (302, "http://127.0.0.1/")
    assert len(place.asked) == 1


async def test_head_has_no_body() -> None:
    async with serving(OK + b"content-length: 100000\r\n\r\nnot asked for") as place:
        got = await place.fetch(method="HEAD")
    assert (got.body, got.truncated) == (b"", False)


@pytest.mark.parametrize(
    ("answer", "body", "truncated"),
    [
        (b"\r\nto the end", b"to the end", False),
        (b"content-length: 9\r\n\r\ncut", b"cut", True),
        (b"transfer-encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n", b"abc", False),
        (b"transfer-encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\nx: y\r\n\r\n", b"abc", False),
        (b"transfer-encoding: chunked\r\n\r\n3\r\nabc\r\n", b"abc", True),
        (b"transfer-encoding: chunked\r\n\r\n3\r\nabc\r\nzz\r\n", b"abc", True),
        (b"content-length: 2000\r\n\r\n" + b"a" * 2000, b"a" * 1000, True),
        (b"content-length: 1000\r\n\r\n" + b"a" * 1000, b"a" * 1000, False),
        (b"\r\n" + b"a" * 2000, b"a" * 1000, True),
    ],
)
async def test_bodies(answer: bytes, body: bytes, truncated: bool) -> None:
    async with serving(OK + answer) as place:
        got = await place.fetch()
    assert (got.body, got.truncated) == (body, truncated)


async def test_nothing_is_unpacked() -> None:
    bomb = gzip.compress(bytes(10_000_000))[:1500]
    async with serving(OK + b"content-encoding: gzip\r\n\r\n" + bomb) as place:
        got = await place.fetch()
    assert (got.body, got.truncated) == (bomb[:1000], True)


async def test_early_hints_are_passed_over() -> None:
    hints = b"HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\n" * 3
    async with serving(hints + OK + b"content-length: 2\r\n\r\nhi") as place:
        got = await place.fetch()
    assert (got.status, got.headers, got.body) == (200, (("content-length", "2"),), b"hi")


async def test_switching_protocols_is_an_end() -> None:
    async with serving(
        b"HTTP/1.1 101 Switching\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n???"
    ) as p:
        assert (await p.fetch()).status == 101


FLOODS = {
    "headers": (OK, b"x-more: and more\r\n"),
    "one header": (OK + b"x-long: ", b"a" * 1000),
    "early hints": (b"", b"HTTP/1.1 103 Early Hints\r\n\r\n"),
    "status line": (b"HTTP/1.1 200 ", b"a" * 1000),
    "empty lines": (b"", b"\r\n"),
}


@pytest.mark.parametrize("name", FLOODS)
async def test_endless_heads_are_cut(name: str) -> None:
    begin, again = FLOODS[name]

    async def answer(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(begin)
        await repeat(writer, again)

    async with serving(answer) as place:
        with pytest.raises(BrokeOff):
            await place.fetch()


ENDLESS_BODIES = {
    "plain": (b"\r\n", b"a" * 1000),
    "chunks": (b"transfer-encoding: chunked\r\n\r\n", b"1\r\na\r\n"),
    "a chunk's extension": (b"transfer-encoding: chunked\r\n\r\n1;", b"a" * 1000),
    "trailers": (b"transfer-encoding: chunked\r\n\r\n0\r\n", b"x: y\r\n"),
}


@pytest.mark.parametrize("name", ENDLESS_BODIES)
async def test_endless_bodies_are_cut(name: str) -> None:
    begin, again = ENDLESS_BODIES[name]

    async def answer(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(OK + begin)
        await repeat(writer, again)

    async with serving(answer) as place:
        got = await place.fetch()
    assert (got.truncated, len(got.body) <= 1000) == (True, True)


async def test_a_slow_body_ends_in_time() -> None:
    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(OK + b"\r\nsome")
        await reader.read()

    async with serving(answer) as place:
        got = await place.fetch(limits=HASTY)
    assert (got.body, got.truncated) == (b"some", True)


async def test_silence_ends_in_time() -> None:
    async def answer(reader: asyncio.StreamReader, _writer: asyncio.StreamWriter) -> None:
        await reader.read()

    async with serving(answer) as place:
        with pytest.raises(BrokeOff, match=r"within 0.5 seconds"):
            await place.fetch(limits=HASTY)


@pytest.mark.parametrize(
    "answer", [b"", b"SSH-2.0-OpenSSH\r\n", b"HTTP/1.1 2", b"HTTP/9 200\r\n\r\n"]
)
async def test_what_is_no_answer(answer: bytes) -> None:
    async with serving(answer) as place:
        with pytest.raises(BrokeOff):
            await place.fetch()


async def test_a_name_that_nobody_answers_for_ends_in_time() -> None:
    async def wait(_name: str) -> list[str]:
        await asyncio.Event().wait()
        raise AssertionError

    with pytest.raises(Unreachable):
        await Client(wait).fetch(Request(url="http://slow.example/"), Policy(limits=HASTY))


async def test_tls_by_name() -> None:
    authority = Authority()
    answer = OK + b"content-length: 2\r\n\r\nhi"
    async with serving(answer, authority.build_server(HOST)) as place:
        got = await place.fetch(scheme="https", trust=authority.build_trust())
    assert got.body == b"hi"


@pytest.mark.parametrize(
    ("names", "expired", "known"),
    [
        (("other.internal",), False, True),
        (("127.0.0.1",), False, True),
        (("internal", "*.service.internal"), False, True),
        ((HOST,), True, True),
        ((HOST,), False, False),
    ],
)
async def test_tls_that_does_not_hold(names: tuple[str, ...], expired: bool, known: bool) -> None:
    authority = Authority()
    trust = (authority if known else Authority()).build_trust()
    async with serving(OK + b"\r\n", authority.build_server(*names, expired=expired)) as place:
        with pytest.raises(Unreachable, match="certificate"):
            await place.fetch(scheme="https", trust=trust)
    assert place.asked == []


async def test_plain_text_where_tls_was_asked_for() -> None:
    async def answer(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(OK)

    async with serving(answer) as place:
        with pytest.raises(Unreachable):
            await place.fetch(scheme="https", limits=HASTY, trust=Authority().build_trust())


async def test_the_environment_says_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    async with serving(OK + b"content-length: 0\r\n\r\n") as place:
        assert (await place.fetch()).status == 200


@pytest.mark.parametrize("peer", [("10.0.0.1", 80), ("93.184.216.34", 81), ("::1", 80, 0, 0)])
def test_another_peer_is_refused(peer: tuple[str | int, ...]) -> None:
    target = parse_url("http://93.184.216.34/")
    assert target.address is not None
    check_peer(("93.184.216.34", 80), target, target.address, Policy())
    with pytest.raises(DestinationRefused):
        check_peer(peer, target, target.address, Policy())


@pytest.mark.parametrize(
    "headers",
    [{"Host": "x"}, {"x\r\ny": "z"}, {"x": "a\r\nb: c"}, {"transfer-encoding": "x"}, {"": "x"}],
)
def test_headers_that_cannot_be_sent(headers: dict[str, str]) -> None:
    with pytest.raises(ValueError, match="cannot be sent"):
        Request(url="http://public.example/", headers=headers)


def test_what_was_not_sent_is_told_apart() -> None:
    """After `Unreachable` nothing has happened anywhere; after `BrokeOff` nobody knows."""
    assert not issubclass(Unreachable, BrokeOff)
    assert issubclass(BrokeOff, AssentError)
