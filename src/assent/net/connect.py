"""A connection to an address that was judged, looked at once more before anything is sent."""

import asyncio
import socket
import ssl
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TypeAlias

from assent.errors import DestinationRefused, Unreachable
from assent.net.addresses import Address, parse_address
from assent.net.policy import Policy, Refuse, decide_addresses
from assent.net.url import Target

Streams: TypeAlias = tuple[asyncio.StreamReader, asyncio.StreamWriter]

ADDRESSES_TRIED = 4


def build_trust() -> ssl.SSLContext:
    """The system's certificate authorities; names are checked."""
    trust = ssl.create_default_context()
    trust.set_alpn_protocols(["http/1.1"])
    return trust


@dataclass(frozen=True, slots=True, kw_only=True)
class Way:
    """How to get there: to addresses that were judged by this policy, with or without TLS.

    With `trust`, the other end's certificate must be for `server_name`, or else for the host.
    """

    addresses: Sequence[Address]
    policy: Policy
    trust: ssl.SSLContext | None = None
    server_name: str | None = None

    def trusting(self, trust: ssl.SSLContext) -> "Way":
        return replace(self, trust=trust)


async def connect(target: Target, way: Way) -> Streams:
    """To the first address that answers.

    One after the other: what answers first must not depend on who races whom.
    """
    for address in way.addresses[:ADDRESSES_TRIED]:
        with suppress(OSError):
            opened = await _open_socket(address, target.port, way.policy.limits.connecting)
            return await _speak(opened, target, address, way)
    raise Unreachable(f"{target.authority} does not answer.")


async def _open_socket(address: Address, port: int, seconds: float) -> socket.socket:
    family = socket.AF_INET if address.version == 4 else socket.AF_INET6
    opened = socket.socket(family, socket.SOCK_STREAM)
    opened.setblocking(False)
    try:
        async with asyncio.timeout(seconds):
            await asyncio.get_running_loop().sock_connect(opened, (str(address), port))
    except BaseException:
        opened.close()
        raise
    return opened


async def _speak(opened: socket.socket, target: Target, address: Address, way: Way) -> Streams:
    server_name = (way.server_name or target.host) if way.trust else None
    try:
        check_peer(opened.getpeername(), target, address, way.policy)
        return await asyncio.open_connection(
            sock=opened, ssl=way.trust, server_hostname=server_name
        )
    except ssl.SSLCertVerificationError as error:
        opened.close()
        raise Unreachable(
            f"The certificate of {target.authority} does not hold: {error.verify_message}."
        ) from None
    except ssl.SSLError:
        opened.close()
        raise Unreachable(f"{target.authority} does not speak TLS as it should.") from None
    except BaseException:
        opened.close()
        raise


def check_peer(
    peer: tuple[str | int, ...], target: Target, address: Address, policy: Policy
) -> None:
    """Raise unless the other end is the address that was judged, at the port that was asked for."""
    reached = parse_address(str(peer[0]))
    if reached is None or peer[1] != target.port or reached != address:
        raise DestinationRefused(f"{target.authority} led somewhere else.")
    verdict = decide_addresses(policy, target, [reached])
    if isinstance(verdict, Refuse):
        raise DestinationRefused(verdict.reason)
