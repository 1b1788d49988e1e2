"""Where a program may have its answers sent: to exactly what it has declared. Pure."""

import re
from collections.abc import Collection, Mapping
from urllib.parse import SplitResult, urlencode, urlsplit

from assent.errors import DestinationRefused
from assent.net.url import parse_host

LONGEST = 1000
LOOPBACK = frozenset({"127.0.0.1", "[::1]", "localhost"})
NEVER = frozenset(
    {
        "about",
        "blob",
        "chrome",
        "data",
        "file",
        "filesystem",
        "ftp",
        "http",
        "https",
        "intent",
        "javascript",
        "mailto",
        "ms-settings",
        "sms",
        "tel",
        "vbscript",
        "view-source",
        "ws",
        "wss",
    }
)
"""Schemes that no program has for itself: a browser or a system does something of its own there."""
SCHEME = re.compile(r"[a-z][a-z0-9+.-]{0,60}")
_UNSAFE = re.compile(r"[^\x21-\x7e]|[\\\"<>^`{|}#]")
_PLACE = re.compile(r"(?P<host>\[[0-9A-Fa-f:.]+\]|[^:@\[\]/]+)(?::(?P<port>[0-9]{1,5}))?")


def find_redirect_fault(uri: str, schemes: Collection[str]) -> str | None:
    """Why nothing is sent there. `schemes` are programs' own that the operator lets in."""
    if not uri or len(uri) > LONGEST or _UNSAFE.search(uri):
        return f"A redirect address has 1 to {LONGEST} plain characters and no fragment."
    parts = _split(uri)
    if parts is None or not SCHEME.fullmatch(parts.scheme):
        return "A redirect address is a whole one, with its scheme."
    if parts.scheme in ("http", "https"):
        return _find_web_fault(parts)
    if parts.scheme in NEVER or parts.scheme not in schemes:
        return f"Nothing is sent to addresses that begin with {parts.scheme}:."
    return None


def _find_web_fault(parts: SplitResult) -> str | None:
    place = _PLACE.fullmatch(parts.netloc)
    if place is None:
        return "A redirect address has a host, perhaps a port, and no user name."
    if parts.scheme == "http" and place["host"].lower() not in LOOPBACK:
        return "A redirect address begins with https://, unless it is on the same machine."
    try:
        parse_host(place["host"])
    except DestinationRefused as error:
        return error.message
    return None


def matches_redirect(declared: str, given: str) -> bool:
    """The same, letter by letter; on the same machine the port is the program's to choose."""
    if declared == given:
        return True
    if not is_loopback(declared) or not is_loopback(given):
        return False
    return _without_port(declared) == _without_port(given)


def is_loopback(uri: str) -> bool:
    """Whether it leads to a program on the person's own machine, whichever that is."""
    parts = _split(uri)
    place = _PLACE.fullmatch(parts.netloc) if parts else None
    if parts is None or place is None or _UNSAFE.search(uri):
        return False
    return parts.scheme == "http" and place["host"].lower() in LOOPBACK


def find_place(uri: str) -> str:
    """Where it leads, for people: a host, or a scheme that a program on their machine has."""
    parts = _split(uri)
    place = _PLACE.fullmatch(parts.netloc) if parts else None
    if parts is None:
        return ""
    if place is None or parts.scheme not in ("http", "https"):
        return f"{parts.scheme}:"
    return place["host"].lower()


def add_parameters(uri: str, parameters: Mapping[str, str]) -> str:
    """The address with these at the end of its query."""
    joint = "" if uri.endswith(("?", "&")) else "&" if "?" in uri else "?"
    return f"{uri}{joint}{urlencode(parameters)}"


def _without_port(uri: str) -> str:
    return re.sub(r"^(http://(?:\[[^\]]*\]|[^:/?]*))(?::[0-9]{1,5})?", r"\1", uri, count=1)


def _split(uri: str) -> SplitResult | None:
    try:
        return urlsplit(uri)
    except ValueError:
        return None
