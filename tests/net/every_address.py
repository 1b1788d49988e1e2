"""A network namespace in which every address is this machine. To be called inside of a new one.

The kernel is told so by netlink; names are answered by a server of our own, because the files
that say whom to ask are covered by others.
"""

import asyncio
import ctypes
import ipaddress
import itertools
import os
import socket
import struct
import tempfile
from pathlib import Path
from typing import Any

from tests.net.attacks import Zone

NEW_LINK, NEW_ROUTE, ERROR = 16, 24, 2
REQUEST_ACK_CREATE = 0x1 | 0x4 | 0x400
LOCAL_TABLE, HOST_SCOPE, LOCAL_ROUTE = 255, 254, 2
OUT_INTERFACE = 4
UP = 1
BIND_MOUNT, PRIVATE_RECURSIVE = 4096, (1 << 18) | 16384
FILES = {
    "/etc/resolv.conf": "nameserver 127.0.0.1\noptions attempts:1 timeout:5\n",
    "/etc/nsswitch.conf": "hosts: dns\n",
    "/etc/hosts": "",
}


def take_all_addresses() -> None:
    loopback = socket.if_nametoindex("lo")
    with socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, socket.NETLINK_ROUTE) as kernel:
        kernel.bind((0, 0))
        link = struct.pack("=BxHiII", socket.AF_UNSPEC, 0, loopback, UP, UP)
        _tell(kernel, NEW_LINK, link)
        out = struct.pack("=HHI", 8, OUT_INTERFACE, loopback)
        for family in (socket.AF_INET, socket.AF_INET6):
            route = struct.pack(
                "=BBBBBBBBI", family, 0, 0, 0, LOCAL_TABLE, 3, HOST_SCOPE, LOCAL_ROUTE, 0
            )
            _tell(kernel, NEW_ROUTE, route + out)


def cover_files() -> None:
    """In this mount namespace only."""
    libc = ctypes.CDLL(None, use_errno=True)
    _check(libc.mount(b"none", b"/", None, PRIVATE_RECURSIVE, None))
    for path, text in FILES.items():
        if not Path(path).exists():
            continue
        with tempfile.NamedTemporaryFile("w", delete=False) as file:
            file.write(text)
        os.chmod(file.name, 0o644)  # noqa: PTH101
        _check(libc.mount(file.name.encode(), path.encode(), None, BIND_MOUNT, None))


def is_apart() -> bool:
    """Whether there is no way out of here: only a loopback interface."""
    return [name for _, name in socket.if_nameindex()] == ["lo"]


class NameServer(asyncio.DatagramProtocol):
    """Answers questions for A and AAAA from a zone."""

    def __init__(self) -> None:
        self.zone = Zone()
        self._transport: Any = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = transport

    def datagram_received(self, data: bytes, addr: tuple[str, int]) -> None:
        self._transport.sendto(self._answer(data), addr)

    def _answer(self, data: bytes) -> bytes:
        labels, at = [], 12
        while data[at]:
            labels.append(data[at + 1 : at + 1 + data[at]].decode("latin-1"))
            at += data[at] + 1
        question = data[12 : at + 5]
        kind = struct.unpack(">H", data[at + 1 : at + 3])[0]
        names, found = self.zone.find(".".join(labels).lower(), {1: 4, 28: 6}.get(kind, 0))
        records = [_record(one, 5, _encode_name(other)) for one, other in itertools.pairwise(names)]
        records += [_record(names[-1], kind, ipaddress.ip_address(one).packed) for one in found]
        head = data[:2] + struct.pack(">HHHHH", 0x8580, 1, len(records), 0, 0)
        return head + question + b"".join(records)


def _record(name: str, kind: int, value: bytes) -> bytes:
    return _encode_name(name) + struct.pack(">HHIH", kind, 1, 0, len(value)) + value


def _encode_name(name: str) -> bytes:
    labels = [label.encode() for label in name.split(".")]
    return b"".join(bytes([len(label)]) + label for label in labels) + b"\x00"


def _tell(kernel: socket.socket, kind: int, body: bytes) -> None:
    kernel.send(struct.pack("=IHHII", 16 + len(body), kind, REQUEST_ACK_CREATE, 1, 0) + body)
    answer = kernel.recv(4096)
    if struct.unpack_from("=H", answer, 4)[0] == ERROR:
        code = struct.unpack_from("=i", answer, 16)[0]
        if code:
            raise OSError(-code, os.strerror(-code))


def _check(result: int) -> None:
    if result:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))
