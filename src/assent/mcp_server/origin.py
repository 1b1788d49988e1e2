"""Whether a browser that sends a request here was on one of our own pages. Pure.

`api/protect.py` compares the origin with the host that was asked for. A page whose name leads to
this machine only while it attacks has both alike, so here the name itself has to be ours.
"""

from ipaddress import ip_address
from urllib.parse import urlsplit

LOOPBACK = "localhost"


def is_own_origin(origin: str | None, *, public_url: str, has_public_url: bool) -> bool:
    """Without a name that was set, it is an address: nobody can lead one elsewhere."""
    if origin is None:
        return True
    host, own = _find_host(origin), _find_host(public_url)
    if host is None:
        return False
    return host == own or (not has_public_url and _is_fixed(host))


def _find_host(url: str) -> str | None:
    try:
        return urlsplit(url).hostname
    except ValueError:
        return None


def _is_fixed(host: str) -> bool:
    if host == LOOPBACK:
        return True
    try:
        ip_address(host)
    except ValueError:
        return False
    return True
