"""Whether a browser that sends a request to `/mcp` is on a page that may. Pure.

A page whose name leads to this machine only while it attacks asks for the host that it comes from,
so the name itself has to be ours, or one that the operator has listed. Nobody needs a name on the
same machine, where developers' tools are.
"""

from collections.abc import Collection
from ipaddress import ip_address
from urllib.parse import SplitResult, urlsplit

LOCALHOST = "localhost"
PORTS = {"http": 80, "https": 443}


def is_let_in(
    origin: str | None, *, host: str, public_url: str | None, listed: Collection[str]
) -> bool:
    """`host` is what was asked for. Programs outside of a browser send no origin."""
    if origin is None:
        return True
    given = _split(origin)
    if given is None:
        return False
    if any(_find_place(one) == _find_place(origin) for one in listed):
        return True
    if public_url is not None:
        return _find_place(public_url) == _find_place(origin)
    name = given.hostname or ""
    return _is_loopback(name) or (_is_address(name) and given.netloc.lower() == host.lower())


def _find_place(url: str) -> tuple[str, str | None, int | None] | None:
    parts = _split(url)
    if parts is None:
        return None
    return parts.scheme, parts.hostname, parts.port or PORTS.get(parts.scheme)


def _split(url: str) -> SplitResult | None:
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError:
        return None
    return parts if parts.scheme and parts.hostname else None


def _is_loopback(host: str) -> bool:
    return host == LOCALHOST or (_is_address(host) and ip_address(host).is_loopback)


def _is_address(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return True
