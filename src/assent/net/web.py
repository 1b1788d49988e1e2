"""The way out as tools get it: with the installation's policy, open only where it may be used."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from assent.errors import PluginError
from assent.net.client import Client, check_url
from assent.net.exchange import Request, Response
from assent.net.policy import Declared, Limits, Policy
from assent.net.url import parse_origin

CLOSED = (
    "ctx.http is for the execute of tools that are declared external or as reads with egress, "
    "outside of any transaction."
)

ANYWHERE_PUBLIC = Policy()


@dataclass(frozen=True, slots=True, kw_only=True)
class Web:
    """`check` asks nobody and works everywhere; `fetch` only where this is open."""

    client: Client = field(default_factory=Client)
    policy: Policy = ANYWHERE_PUBLIC
    is_open: bool = False

    def opened(self) -> "Web":
        return replace(self, is_open=True)

    def within(self, origins: Sequence[str], *, inside: bool = True) -> "Web":
        """A way out to exactly these origins: `https://host:443`, `tcp://host:5432`, `dns://host`.

        Private addresses and this machine may be among them, unless `inside` is off; metadata
        services and link-local addresses never are. Raises DestinationRefused for what is none.
        """
        places = frozenset(parse_origin(one).origin for one in origins)
        held = self.policy.declared
        if held is not None:
            places, inside = places & held.origins, inside and held.inside
        declared = Declared(origins=places, inside=inside)
        return replace(self, policy=replace(self.policy, declared=declared))

    def check(self, url: str) -> None:
        """Raise DestinationRefused if the address itself says that it may not be reached."""
        check_url(url, self.policy)

    async def fetch(self, request: Request, limits: Limits | None = None) -> Response:
        """One request and its answer; redirects are not followed.

        Raises DestinationRefused for what may not be reached, Unreachable when nothing was sent,
        BrokeOff when nobody knows what became of it.
        """
        if not self.is_open:
            raise PluginError(CLOSED)
        policy = replace(self.policy, limits=limits) if limits else self.policy
        return await self.client.fetch(request, policy)
