"""Which network addresses are on the public internet, and what the others are. Pure.

The table is our own: what a standard library calls global differs between its versions.
"""

import ipaddress
from dataclasses import dataclass
from typing import TypeAlias

Address: TypeAlias = ipaddress.IPv4Address | ipaddress.IPv6Address
Network: TypeAlias = ipaddress.IPv4Network | ipaddress.IPv6Network


@dataclass(frozen=True, slots=True)
class Kept:
    """An address that is not public. `inside`: an operator's own machines live in such places."""

    what: str
    inside: bool = False


METADATA = Kept("a cloud provider's metadata service")
CLOUD = Kept("an address inside a cloud provider's network")
LOOPBACK = Kept("a loopback address", inside=True)
PRIVATE = Kept("a private address", inside=True)
LINK_LOCAL = Kept("a link-local address")
DOCUMENTATION = Kept("an address reserved for documentation")
BENCHMARKING = Kept("an address reserved for benchmarking")
MULTICAST = Kept("a multicast address")
RESERVED = Kept("a reserved address")
UNSPECIFIED = Kept("an unspecified address")
EMBEDDED = Kept("an IPv6 address with an IPv4 address in it")
SCOPED = Kept("an address with a zone")

IPV4: tuple[tuple[str, Kept], ...] = (
    ("169.254.169.254/32", METADATA),
    ("169.254.170.2/32", METADATA),
    ("169.254.170.23/32", METADATA),
    ("100.100.100.200/32", METADATA),
    ("192.0.0.192/32", METADATA),
    ("168.63.129.16/32", CLOUD),
    ("161.26.0.0/16", CLOUD),
    ("166.8.0.0/14", CLOUD),
    ("0.0.0.0/8", UNSPECIFIED),
    ("10.0.0.0/8", PRIVATE),
    ("100.64.0.0/10", Kept("an address shared between a provider's customers", inside=True)),
    ("127.0.0.0/8", LOOPBACK),
    ("169.254.0.0/16", LINK_LOCAL),
    ("172.16.0.0/12", PRIVATE),
    ("192.0.0.0/24", RESERVED),
    ("192.0.2.0/24", DOCUMENTATION),
    ("192.31.196.0/24", RESERVED),
    ("192.52.193.0/24", RESERVED),
    ("192.88.99.0/24", Kept("a 6to4 relay")),
    ("192.168.0.0/16", PRIVATE),
    ("192.175.48.0/24", RESERVED),
    ("198.18.0.0/15", BENCHMARKING),
    ("198.51.100.0/24", DOCUMENTATION),
    ("203.0.113.0/24", DOCUMENTATION),
    ("224.0.0.0/4", MULTICAST),
    ("255.255.255.255/32", Kept("the broadcast address")),
    ("240.0.0.0/4", RESERVED),
)
"""The narrower range first; what is in none of them is public."""

IPV6: tuple[tuple[str, Kept], ...] = (
    ("fd00:ec2::/32", METADATA),
    ("fd20:ce::254/128", METADATA),
    ("::/128", UNSPECIFIED),
    ("::1/128", LOOPBACK),
    ("::ffff:0:0/96", EMBEDDED),
    ("::ffff:0:0:0/96", EMBEDDED),
    ("::/96", EMBEDDED),
    ("64:ff9b::/96", EMBEDDED),
    ("64:ff9b:1::/48", EMBEDDED),
    ("100::/16", Kept("a discard address")),
    ("2001::/32", EMBEDDED),
    ("2001:2::/48", BENCHMARKING),
    ("2001::/23", RESERVED),
    ("2001:db8::/32", DOCUMENTATION),
    ("2002::/16", EMBEDDED),
    ("2620:4f:8000::/48", RESERVED),
    ("3ffe::/16", RESERVED),
    ("3fff::/20", DOCUMENTATION),
    ("2000::/3", Kept("")),
    ("5f00::/16", Kept("a segment routing address")),
    ("fc00::/7", PRIVATE),
    ("fe80::/10", LINK_LOCAL),
    ("fec0::/10", Kept("a site-local address")),
    ("ff00::/8", MULTICAST),
    ("::/0", RESERVED),
)
"""As above, the other way round: only what is left of 2000::/3 is public."""

ISATAP = (0x00005EFE, 0x02005EFE)
"""The upper half of an interface's id that ends in an IPv4 address."""

_TABLE: dict[int, tuple[tuple[Network, Kept], ...]] = {
    4: tuple((ipaddress.IPv4Network(text), kept) for text, kept in IPV4),
    6: tuple((ipaddress.IPv6Network(text), kept) for text, kept in IPV6),
}


def find_kept(address: Address) -> Kept | None:
    """Why the address is not public, or nothing where it is."""
    if isinstance(address, ipaddress.IPv6Address):
        if address.scope_id is not None:
            return SCOPED
        if (int(address) >> 32) & 0xFFFFFFFF in ISATAP:
            return EMBEDDED
    for network, kept in _TABLE[address.version]:
        if address in network:
            return kept if kept.what else None
    return None


def parse_address(text: str) -> Address | None:
    """An address in its usual spelling: four plain decimal numbers, or IPv6."""
    try:
        return ipaddress.ip_address(text)
    except ValueError:
        return None
