"""The way out as tools get it: with the installation's policy, open only where it may be used."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from assent.errors import PluginError
from assent.net.client import Client, check_url
from assent.net.exchange import Request, Response
from assent.net.handshake import Connected
from assent.net.policy import Declared, Limits, Policy
from assent.net.record import Resolved, parse_question
from assent.net.url import build_target, is_origin, parse_origin, parse_url

CLOSED = (
    "ctx.http is for work, and for the execute of tools that are declared external or as reads "
    "with egress, outside of any transaction."
)

ANYWHERE_PUBLIC = Policy()


@dataclass(frozen=True, slots=True, kw_only=True)
class Web:
    """`check` asks nobody and works everywhere; the others only where this is open."""

    client: Client = field(default_factory=Client)
    policy: Policy = ANYWHERE_PUBLIC
    is_open: bool = False

    def opened(self) -> "Web":
        return replace(self, is_open=True)

    def within(self, origins: Sequence[str], *, inside: bool = True) -> "Web":
        """A way out to exactly these origins: `https://host:443`, `tcp://host:5432`, `dns://host`.

        A web address with a path is that address alone. Private addresses and this machine may be
        among them, unless `inside` is off; metadata services and link-local addresses never are.
        Raises DestinationRefused for what is none.
        """
        declared = Declared(
            origins=frozenset(parse_origin(one).origin for one in origins if is_origin(one)),
            addresses=frozenset(parse_url(one).url for one in origins if not is_origin(one)),
            inside=inside,
        )
        if self.policy.declared is not None:
            declared = self.policy.declared.narrowed(declared)
        return replace(self, policy=replace(self.policy, declared=declared))

    def check(self, url: str) -> None:
        """Raise DestinationRefused if the address itself says that it may not be reached."""
        check_url(url, self.policy)

    async def fetch(self, request: Request, limits: Limits | None = None) -> Response:
        """One request and its answer; redirects are not followed.

        Raises DestinationRefused for what may not be reached, Unreachable when nothing was sent,
        BrokeOff when nobody knows what became of it.
        """
        return await self.client.fetch(request, self._open(limits))

    async def connect(
        self,
        host: str,
        port: int,
        *,
        tls: bool = False,
        server_name: str | None = None,
        limits: Limits | None = None,
    ) -> Connected:
        """Whether something listens there; with `tls` also which certificate it shows.

        Judged as `tcp://host:port` or `tls://host:port`, and raises as `fetch` does. A certificate
        that does not hold is given back all the same, with its `fault`.
        """
        policy = self._open(limits)
        target = build_target("tls" if tls else "tcp", host, port)
        return await self.client.connect(target, policy, server_name)

    async def resolve(
        self,
        name: str,
        record_type: str = "A",
        *,
        server: str | None = None,
        limits: Limits | None = None,
    ) -> Resolved:
        """What a name server has about a name. `server` is `host` or `host:port`, judged as
        `dns://host:port`; without one the system's own servers are asked."""
        policy = self._open(limits)
        asked = parse_origin(f"dns://{server}") if server else None
        return await self.client.resolve(parse_question(name, record_type), asked, policy)

    def _open(self, limits: Limits | None) -> Policy:
        if not self.is_open:
            raise PluginError(CLOSED)
        return replace(self.policy, limits=limits) if limits else self.policy
