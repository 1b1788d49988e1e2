"""The outgoing HTTP of everything but model providers: judged, connected and answered, once.

The name is looked up once, all that it stands for is judged, and the connection goes to one of
those addresses. No proxy is taken from the environment and no redirect is followed: where one
leads is for the caller to ask about, and to be judged anew.
"""

import asyncio
import ssl
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager

from assent.errors import DestinationRefused, Unreachable
from assent.net.addresses import Address
from assent.net.connect import Way, build_trust, connect
from assent.net.exchange import Request, Response, exchange
from assent.net.handshake import Connected, shake_hands
from assent.net.policy import Connect, Policy, Refuse, Resolve, decide_addresses, decide_target
from assent.net.record import RecordType, Resolved
from assent.net.resolve import Resolver, SystemNames, find_addresses
from assent.net.url import Target, parse_url


class Client:
    """Made once by `main`. Names and certificates are the system's, unless tests say otherwise."""

    def __init__(
        self, resolve: Resolver | None = None, trust: ssl.SSLContext | None = None
    ) -> None:
        self._resolve = resolve or SystemNames()
        self._trust = trust

    async def fetch(self, request: Request, policy: Policy) -> Response:
        """Raise DestinationRefused for what may not be reached, Unreachable before anything was
        sent, BrokeOff after that."""
        target = check_url(request.url, policy)
        deadline = asyncio.get_running_loop().time() + policy.limits.seconds
        async with _in_time(target, deadline):
            addresses = await self._find_addresses(target, policy)
            trust = self._find_trust() if target.scheme == "https" else None
            way = Way(addresses=addresses, policy=policy, trust=trust)
            streams = await connect(target, way)
        try:
            return await exchange(streams, request, target, limits=policy.limits, deadline=deadline)
        finally:
            streams[1].transport.abort()

    async def connect(self, target: Target, policy: Policy, server_name: str | None) -> Connected:
        """Whether somebody is there; with TLS where the target's scheme says so."""
        async with _in_time(target, asyncio.get_running_loop().time() + policy.limits.seconds):
            addresses = await self._find_addresses(target, policy)
            trust = self._find_trust() if target.scheme == "tls" else None
            way = Way(addresses=addresses, policy=policy, trust=trust, server_name=server_name)
            return await shake_hands(target, way)

    async def resolve(
        self, question: tuple[str, RecordType], server: Target | None, policy: Policy
    ) -> Resolved:
        """What a name server says; without one, what the first of the system's says."""
        from assent.net.names import PORT, ask, list_system_servers  # noqa: PLC0415 - slow to load

        limits = policy.limits
        try:
            async with asyncio.timeout(limits.seconds):
                if server is None:
                    return await ask(question, list_system_servers(), port=PORT, limits=limits)
                addresses = [str(one) for one in await self._find_addresses(server, policy)]
                return await ask(question, addresses, port=server.port, limits=limits)
        except TimeoutError:
            raise Unreachable(f"No name server answers for {question[0]}.") from None

    async def _find_addresses(self, target: Target, policy: Policy) -> Sequence[Address]:
        """All that the target stands for, judged; raise if one of them may not be reached."""
        verdict = decide_target(policy, target)
        if isinstance(verdict, Resolve):
            found = await find_addresses(self._resolve, target.host)
            verdict = decide_addresses(policy, target, found)
        if isinstance(verdict, Connect):
            return verdict.addresses
        raise DestinationRefused(verdict.reason if isinstance(verdict, Refuse) else None)

    def _find_trust(self) -> ssl.SSLContext:
        """Reading all authorities takes a moment: once, and only where it is needed."""
        if self._trust is None:
            self._trust = build_trust()
        return self._trust


@asynccontextmanager
async def _in_time(target: Target, deadline: float) -> AsyncGenerator[None]:
    try:
        async with asyncio.timeout_at(deadline):
            yield
    except TimeoutError:
        raise Unreachable(f"{target.authority} does not answer.") from None


def check_url(text: str, policy: Policy) -> Target:
    """What the address names; raise when that may not be reached, as far as can be told by it."""
    target = parse_url(text)
    verdict = decide_target(policy, target)
    if isinstance(verdict, Refuse):
        raise DestinationRefused(verdict.reason)
    return target
