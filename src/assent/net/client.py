"""The outgoing HTTP of everything but model providers: judged, connected and answered, once.

The name is looked up once, all that it stands for is judged, and the connection goes to one of
those addresses. No proxy is taken from the environment and no redirect is followed: where one
leads is for the caller to ask about, and to be judged anew.
"""

import asyncio
import ssl

from assent.errors import DestinationRefused, Unreachable
from assent.net.connect import Streams, build_trust, connect
from assent.net.exchange import Request, Response, exchange
from assent.net.policy import Connect, Policy, Refuse, Resolve, decide_addresses, decide_target
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
        streams = await self._connect(target, policy, deadline)
        try:
            return await exchange(streams, request, target, limits=policy.limits, deadline=deadline)
        finally:
            streams[1].transport.abort()

    async def _connect(self, target: Target, policy: Policy, deadline: float) -> Streams:
        try:
            async with asyncio.timeout_at(deadline):
                verdict = decide_target(policy, target)
                if isinstance(verdict, Resolve):
                    found = await find_addresses(self._resolve, target.host)
                    verdict = decide_addresses(policy, target, found)
                if isinstance(verdict, Connect):
                    return await connect(
                        target, verdict.addresses, policy, self._find_trust(target)
                    )
        except TimeoutError:
            raise Unreachable(f"{target.authority} does not answer.") from None
        raise DestinationRefused(verdict.reason if isinstance(verdict, Refuse) else None)

    def _find_trust(self, target: Target) -> ssl.SSLContext | None:
        """Reading all authorities takes a moment: once, and only where it is needed."""
        if target.scheme == "http":
            return None
        if self._trust is None:
            self._trust = build_trust()
        return self._trust


def check_url(text: str, policy: Policy) -> Target:
    """What the address names; raise when that may not be reached, as far as can be told by it."""
    target = parse_url(text)
    verdict = decide_target(policy, target)
    if isinstance(verdict, Refuse):
        raise DestinationRefused(verdict.reason)
    return target
