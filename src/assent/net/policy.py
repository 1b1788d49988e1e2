"""What may be reached beyond the public internet, within which limits, and the verdict. Pure.

A name is judged by all that it stands for: one address that may not be reached refuses it whole.
"""

import ipaddress
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from assent.errors import DestinationRefused
from assent.net.addresses import LOOPBACK, Address, Kept, Network, find_kept
from assent.net.url import Target, parse_host, parse_url

WEB_PORTS = frozenset({80, 443, 8080, 8443})
OUR_OWN_NAMES = ("localhost", "local", "localdomain", "internal", "intranet", "lan", "home.arpa")
"""Endings that never lead to the public internet."""


@dataclass(frozen=True, slots=True)
class Opening:
    """One host and port inside, or all hosts of a network on one port."""

    place: str | Network
    port: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """`seconds` is for everything, from the name to the last byte; `connecting` for one address."""

    seconds: float = 10.0
    connecting: float = 3.0
    head_bytes: int = 32 * 1024
    body_bytes: int = 1024 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class Declared:
    """The only places that are reached: somebody assented to exactly these.

    `addresses` are whole web addresses, of which nothing else at their origin is reached.
    With `inside`, machines of the operator's own network and this machine are among them where
    they are named; addresses that no service of one's own has never are.
    """

    origins: frozenset[str]
    addresses: frozenset[str] = frozenset()
    inside: bool = True

    def covers(self, target: Target) -> bool:
        return target.origin in self.origins or target.url in self.addresses

    def narrowed(self, other: "Declared") -> "Declared":
        """What both have declared."""
        inner = frozenset(one for one in other.addresses if self.covers(parse_url(one)))
        outer = frozenset(one for one in self.addresses if other.covers(parse_url(one)))
        return Declared(
            origins=self.origins & other.origins,
            addresses=inner | outer,
            inside=self.inside and other.inside,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    inside: tuple[Opening, ...] = ()
    declared: Declared | None = None
    ports: frozenset[int] = WEB_PORTS
    limits: Limits = Limits()


@dataclass(frozen=True, slots=True)
class Refuse:
    """Send nothing. The reason is a sentence for people and models."""

    reason: str


@dataclass(frozen=True, slots=True)
class Connect:
    """Go to one of these addresses, and nowhere else."""

    addresses: tuple[Address, ...]


@dataclass(frozen=True, slots=True)
class Resolve:
    """Nothing speaks against the name itself: look up what it stands for."""


Verdict: TypeAlias = Connect | Resolve | Refuse


def decide_target(policy: Policy, target: Target) -> Verdict:
    """Before anything is looked up."""
    if policy.declared is not None and not policy.declared.covers(target):
        return Refuse(f"{target.url} is none of the places that were declared.")
    if target.address is not None:
        return decide_addresses(policy, target, [target.address])
    if policy.declared or _names(policy, target) or _opens_networks(policy, target):
        return Resolve()
    fault = _find_outer_fault(policy, target)
    return Refuse(fault) if fault else Resolve()


def decide_addresses(policy: Policy, target: Target, addresses: Sequence[Address]) -> Verdict:
    """After: every address counts, not only the one that would be used."""
    if not addresses:
        return Refuse(f"{target.host} has no address.")
    for address in addresses:
        fault = _find_fault(policy, target, address)
        if fault is not None:
            return Refuse(fault)
    return Connect(tuple(dict.fromkeys(addresses)))


def parse_opening(text: str) -> Opening:
    """`host:port`, `address:port` or `network/bits:port`, IPv6 in brackets; raise ValueError."""
    place, colon, port = text.rpartition(":")
    if not colon or not port.isascii() or not port.isdigit() or not 0 < int(port) < 65536:
        raise ValueError(f"{text!r} needs a port, such as grafana.example.com:3000")
    if "/" in place:
        return Opening(ipaddress.ip_network(place.strip("[]")), int(port))
    try:
        return Opening(parse_host(place), int(port))
    except DestinationRefused as error:
        raise ValueError(f"{text!r}: {error.message}") from None


def _find_fault(policy: Policy, target: Target, address: Address) -> str | None:
    if _covers(policy, target, address):
        return None
    kept = find_kept(address)
    if kept is None:
        return _find_outer_fault(policy, target)
    if policy.declared is not None and policy.declared.inside and _is_meant(target, kept):
        return None
    if _names(policy, target) and (kept.inside or target.address is not None):
        return None
    if target.address is None:
        return f"{target.host} leads to {address}, {kept.what}, which may not be reached."
    return f"{address} is {kept.what} and may not be reached."


def _find_outer_fault(policy: Policy, target: Target) -> str | None:
    """What speaks against a place on the public internet."""
    if policy.declared is not None or _names(policy, target):
        return None
    if target.port not in policy.ports:
        known = ", ".join(map(str, sorted(policy.ports)))
        return f"Port {target.port} may not be reached; these may: {known}."
    if target.address is None and _is_our_own(target.host):
        return f"{target.host} is not a name on the public internet."
    return None


def _is_meant(target: Target, kept: Kept) -> bool:
    """Whether whoever named it can have meant that: not this machine behind a stranger's name."""
    if kept is LOOPBACK and target.address is None:
        return _is_our_own(target.host)
    return kept.inside


def _is_our_own(host: str) -> bool:
    return "." not in host or any(host == end or host.endswith(f".{end}") for end in OUR_OWN_NAMES)


def _names(policy: Policy, target: Target) -> bool:
    return Opening(target.host, target.port) in policy.inside


def _opens_networks(policy: Policy, target: Target) -> bool:
    return any(not isinstance(one.place, str) and one.port == target.port for one in policy.inside)


def _covers(policy: Policy, target: Target, address: Address) -> bool:
    """Whether the operator opened a network with this address; a zone is never meant."""
    if isinstance(address, ipaddress.IPv6Address) and address.scope_id is not None:
        return False
    return any(
        not isinstance(one.place, str) and one.port == target.port and address in one.place
        for one in policy.inside
    )
