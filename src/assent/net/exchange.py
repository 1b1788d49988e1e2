"""One request and its answer over an open connection, HTTP/1.1, within limits.

Nothing is decompressed, nothing is kept for later: no cookies, no credentials, no second request.
"""

import asyncio
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias, get_args

import httptools

from assent.errors import BrokeOff
from assent.net.connect import Streams
from assent.net.policy import Limits
from assent.net.url import Target

Method: TypeAlias = Literal["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"]

READ_BYTES = 16 * 1024
FRAMING = 8
"""Bytes on the wire for one byte of the body at the most: chunks can be as small as that."""
OURS = frozenset(
    {
        "accept-encoding",
        "connection",
        "content-length",
        "expect",
        "host",
        "keep-alive",
        "proxy-authorization",
        "proxy-connection",
        "te",
        "trailer",
        "transfer-encoding",
        "upgrade",
    }
)
"""Headers that say how a message is sent: nobody but us sets them."""
_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_VALUE = re.compile(r"[\t\x20-\x7e]*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    url: str
    method: Method = "GET"
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    body: bytes = b""

    def __post_init__(self) -> None:
        if self.method not in get_args(Method):
            raise ValueError(f"{self.method!r} is not a method that is sent")
        for name, value in self.headers.items():
            if not _NAME.fullmatch(name) or name.lower() in OURS or not _VALUE.fullmatch(value):
                raise ValueError(f"the header {name!r} cannot be sent")


@dataclass(frozen=True, slots=True, kw_only=True)
class Response:
    """What came back. `truncated`: the body went on, for too long or for too many bytes."""

    status: int
    reason: str
    headers: tuple[tuple[str, str], ...]
    body: bytes
    truncated: bool

    def find_header(self, name: str) -> str | None:
        """The first header of this name, in small letters."""
        return next((value for key, value in self.headers if key == name), None)


def encode_request(request: Request, target: Target) -> bytes:
    headers = {"user-agent": "assent", "accept": "*/*"}
    headers |= {name.lower(): value for name, value in request.headers.items()}
    headers |= {"host": target.authority, "accept-encoding": "identity", "connection": "close"}
    if request.body or request.method in ("POST", "PUT", "PATCH"):
        headers["content-length"] = str(len(request.body))
    lines = [f"{request.method} {target.path} HTTP/1.1"]
    lines += [f"{name}: {value}" for name, value in headers.items()]
    return "\r\n".join((*lines, "", "")).encode("ascii") + request.body


class Reading:
    """An answer while it comes. What the parser calls only notes: an error is raised outside."""

    def __init__(self, limits: Limits, *, head_only: bool) -> None:
        self.is_over = False
        self.has_head = False
        self.truncated = False
        self.body = bytearray()
        self._limits = limits
        self._head_only = head_only
        self._parser = httptools.HttpResponseParser(self)
        self._status = 0
        self._reason = b""
        self._headers: list[tuple[str, str]] = []
        self._taken = 0

    def take(self, data: bytes) -> None:
        """Read on; raise when it is no answer or too much of one before its body."""
        try:
            self._parser.feed_data(data)
        except httptools.HttpParserUpgrade:
            self.is_over = True
        except httptools.HttpParserError:
            if not self.is_over:
                raise BrokeOff("What answers there does not speak HTTP as it should.") from None
        self._taken += len(data)
        limits = self._limits
        if not self.has_head and self._taken > limits.head_bytes:
            raise BrokeOff(f"The answer's headers are longer than {limits.head_bytes} bytes.")
        if self._taken > limits.head_bytes + FRAMING * limits.body_bytes:
            self.cut()

    def cut(self) -> None:
        self.truncated = self.is_over = True

    def build(self) -> Response:
        return Response(
            status=self._status,
            reason=self._reason.decode("latin-1"),
            headers=tuple(self._headers),
            body=bytes(self.body),
            truncated=self.truncated,
        )

    def on_message_begin(self) -> None:
        if not self.has_head:
            self._headers.clear()
            self._reason = b""

    def on_status(self, reason: bytes) -> None:
        if not self.has_head:
            self._reason += reason

    def on_header(self, name: bytes, value: bytes) -> None:
        if not self.has_head:
            self._headers.append((name.decode("latin-1").lower(), value.decode("latin-1")))

    def on_headers_complete(self) -> None:
        if self.has_head:
            return
        self._status = self._parser.get_status_code()
        self.has_head = not 100 <= self._status < 200 or self._status == 101
        self.is_over = self.has_head and self._head_only

    def on_body(self, data: bytes) -> None:
        if self.is_over:
            return
        room = self._limits.body_bytes - len(self.body)
        self.body += data[:room]
        if len(data) > room:
            self.cut()

    def on_message_complete(self) -> None:
        self.is_over = self.is_over or self.has_head

    def end(self) -> None:
        """The connection was closed: the end of a body that did not say how long it is."""
        if not self.has_head:
            raise BrokeOff("The connection was closed before an answer came.")
        names = {name for name, _ in self._headers}
        self.truncated = bool(names & {"content-length", "transfer-encoding"})
        self.is_over = True


async def exchange(
    streams: Streams, request: Request, target: Target, *, limits: Limits, deadline: float
) -> Response:
    """Send and read. Once the headers are there, there is an answer, however the body ends."""
    reader, writer = streams
    reading = Reading(limits, head_only=request.method == "HEAD")
    try:
        async with asyncio.timeout_at(deadline):
            writer.write(encode_request(request, target))
            await writer.drain()
            while not reading.is_over:
                data = await reader.read(READ_BYTES)
                if data:
                    reading.take(data)
                else:
                    reading.end()
    except (OSError, BrokeOff) as error:
        if not reading.has_head:
            raise _explain(error, limits) from None
        reading.cut()
    return reading.build()


def _explain(error: OSError | BrokeOff, limits: Limits) -> BrokeOff:
    if isinstance(error, BrokeOff):
        return error
    if isinstance(error, TimeoutError):
        return BrokeOff(f"No answer came within {limits.seconds:g} seconds.")
    return BrokeOff("The connection broke off before an answer came.")
