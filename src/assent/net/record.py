"""What can be asked of a name server, and what it answers. Pure."""

from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

from assent.errors import DestinationRefused
from assent.net.url import parse_host

RecordType: TypeAlias = Literal["A", "AAAA", "CAA", "CNAME", "MX", "NS", "PTR", "SOA", "SRV", "TXT"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Resolved:
    """What a server answered. `code` is `NOERROR`, `NXDOMAIN` and so on, as servers say it."""

    code: str
    records: tuple[str, ...]
    ttl: int | None
    server: str
    seconds: float


def parse_question(name: str, record_type: str) -> tuple[str, RecordType]:
    """Raise DestinationRefused for what cannot be asked."""
    kind = next((one for one in get_args(RecordType) if one == record_type.upper()), None)
    if kind is None:
        known = ", ".join(get_args(RecordType))
        raise DestinationRefused(f"{record_type} is not asked for; these are: {known}.")
    return parse_host(name.removesuffix(".")), kind
