"""Reading a web address strictly: one spelling, one meaning, or a refusal that says why. Pure.

Whatever two programs could read differently is refused: what is judged here is what is asked for.
"""

import re
from dataclasses import dataclass
from typing import Literal, TypeAlias, cast, get_args
from urllib.parse import quote

import idna

from assent.errors import DestinationRefused
from assent.net.addresses import Address, parse_address

Scheme: TypeAlias = Literal["http", "https", "tcp", "tls", "dns"]

LONGEST_URL = 4096
LONGEST_NAME = 253
DEFAULT_PORTS: dict[Scheme, int] = {"http": 80, "https": 443, "dns": 53}
SCHEMES: tuple[Scheme, ...] = get_args(Scheme)
WEB: tuple[Scheme, ...] = ("http", "https")

_PARTS = re.compile(r"(?P<scheme>[A-Za-z][A-Za-z0-9+.-]*)://(?P<place>[^/?#]*)(?P<rest>.*)", re.S)
_PLACE = re.compile(r"(?P<host>\[[^\[\]]*\]|[^:\[\]]*)(?::(?P<port>[0-9]{1,5}))?")
_UNSAFE = re.compile(r"[\x00-\x20\x7f-\x9f\\\u00a0\u1680\u2000-\u200f\u2028-\u202f\u205f\u3000]")
_NAME = re.compile(
    r"(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)*[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9])?"
)
_NUMBER = re.compile(r"[0-9]+|0x[0-9a-f]*")
_DOTTED = re.compile(r"(?:0|[1-9][0-9]{0,2})(?:\.(?:0|[1-9][0-9]{0,2})){3}")
_IPV6 = re.compile(r"[0-9A-Fa-f:.]+")
_BROKEN_ESCAPE = re.compile(r"%(?![0-9A-Fa-f]{2})")
_IN_PATH = "/?%!$&'()*+,;=:@-._~[]|"


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """What an address names. `path` has the query with it; a fragment is never sent."""

    scheme: Scheme
    host: str
    address: Address | None
    port: int
    path: str

    @property
    def authority(self) -> str:
        """As the `Host` header has it."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == DEFAULT_PORTS.get(self.scheme) else f"{host}:{self.port}"

    @property
    def origin(self) -> str:
        """Scheme, host and port, the port always written out."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{self.scheme}://{host}:{self.port}"

    @property
    def url(self) -> str:
        """All of it, in one spelling."""
        return f"{self.origin}{self.path}"


def parse_url(text: str) -> Target:
    """Raise DestinationRefused with the reason."""
    if len(text) > LONGEST_URL:
        raise DestinationRefused(f"A web address has at most {LONGEST_URL} characters.")
    if _UNSAFE.search(text):
        raise DestinationRefused("A web address has no spaces, backslashes or control characters.")
    parts = _PARTS.fullmatch(text)
    if parts is None or parts["scheme"].lower() not in WEB:
        raise DestinationRefused("A web address begins with http:// or https://.")
    if "@" in parts["place"]:
        raise DestinationRefused("A web address with a user name or password in it is not used.")
    scheme = cast(Scheme, parts["scheme"].lower())
    return _build_target(scheme, parts["place"], _parse_path(parts["rest"]))


def find_origin(url: str) -> str:
    """Where a web address leads, as a place; raise DestinationRefused."""
    return parse_url(url).origin


def parse_origin(text: str) -> Target:
    """A scheme, a host and a port, and nothing behind; raise DestinationRefused."""
    parts = _PARTS.fullmatch(text)
    if parts is None or parts["scheme"].lower() not in SCHEMES or _UNSAFE.search(text):
        known = ", ".join(f"{one}://" for one in SCHEMES)
        raise DestinationRefused(f"A place begins with one of {known}, then a host and a port.")
    if parts["rest"] or "@" in parts["place"] or len(text) > LONGEST_URL:
        raise DestinationRefused("A place is a host and a port, with nothing behind.")
    return _build_target(cast(Scheme, parts["scheme"].lower()), parts["place"], "/")


def is_origin(text: str) -> bool:
    """Whether nothing stands behind the host and the port."""
    parts = _PARTS.fullmatch(text)
    return parts is None or not parts["rest"]


def build_target(scheme: Scheme, host: str, port: int) -> Target:
    """What the host and the port name; raise DestinationRefused."""
    bracketed = f"[{host}]" if ":" in host and not host.startswith("[") else host
    return _build_target(scheme, f"{bracketed}:{port}", "/")


def _build_target(scheme: Scheme, text: str, path: str) -> Target:
    place = _PLACE.fullmatch(text)
    if place is None:
        raise DestinationRefused("What stands between // and the next / is not a host and a port.")
    port = int(place["port"]) if place["port"] else DEFAULT_PORTS.get(scheme)
    if port is None or not 0 < port < 65536:
        raise DestinationRefused("There is no such port." if port else "The port is missing.")
    host = parse_host(place["host"])
    return Target(scheme=scheme, host=host, address=parse_address(host), port=port, path=path)


def parse_host(text: str) -> str:
    """A name in ASCII and small letters, or an address in its one usual spelling."""
    if text.startswith("["):
        return _parse_ipv6(text[1:-1])
    if "%" in text:
        raise DestinationRefused("A host has no percent signs.")
    name = _to_ascii(text)
    if name is None or not name or len(name) > LONGEST_NAME or not _NAME.fullmatch(name):
        raise DestinationRefused("The host is not a valid name.")
    if not _NUMBER.fullmatch(name.rpartition(".")[2]):
        return name
    if _DOTTED.fullmatch(name) and parse_address(name) is not None:
        return name
    raise DestinationRefused("An IPv4 address is four decimal numbers without leading zeros.")


def _parse_ipv6(text: str) -> str:
    address = parse_address(text) if _IPV6.fullmatch(text) else None
    if address is None or address.version != 6:
        raise DestinationRefused("What stands in the brackets is not an IPv6 address.")
    return str(address)


def _to_ascii(text: str) -> str | None:
    """By the strict rules of IDNA 2008; what looks like something else in ASCII is not mapped."""
    if text.isascii():
        return text.lower()
    try:
        return idna.encode(text.lower(), uts46=False, std3_rules=True).decode("ascii")
    except (idna.IDNAError, UnicodeError):
        return None


def _parse_path(rest: str) -> str:
    path = rest.partition("#")[0]
    if _BROKEN_ESCAPE.search(path):
        raise DestinationRefused("A percent sign in a web address is followed by two digits.")
    if not path.startswith("/"):
        path = f"/{path}"
    try:
        return quote(path, safe=_IN_PATH)
    except UnicodeEncodeError:
        raise DestinationRefused("The web address is not valid text.") from None
