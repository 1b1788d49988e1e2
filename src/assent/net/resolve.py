"""What a name stands for, asked once. Whoever connects goes to an address, never to a name."""

import asyncio
import socket
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeAlias

from assent.errors import Unreachable
from assent.net.addresses import Address, parse_address

Resolver: TypeAlias = Callable[[str], Awaitable[Sequence[str]]]
"""From a name to addresses as text."""

WAITING_AT_ONCE = 16


class SystemNames:
    """Asks the system, which knows its own files and servers.

    In threads of its own: names that nobody answers for hold up other names, and nothing else.
    """

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(WAITING_AT_ONCE, thread_name_prefix="names")

    async def __call__(self, name: str) -> Sequence[str]:
        return await asyncio.get_running_loop().run_in_executor(self._threads, _look_up, name)


async def find_addresses(resolve: Resolver, name: str) -> list[Address]:
    """Every address; one that makes no sense spoils them all."""
    try:
        texts = await resolve(name)
    except (OSError, UnicodeError):
        raise Unreachable(f"{name} is not known.") from None
    addresses = [parse_address(text) for text in texts]
    known = [one for one in addresses if one is not None]
    if not known or len(known) < len(addresses):
        raise Unreachable(f"{name} has no address.")
    return known


def _look_up(name: str) -> list[str]:
    return [str(one[4][0]) for one in socket.getaddrinfo(name, None, type=socket.SOCK_STREAM)]
