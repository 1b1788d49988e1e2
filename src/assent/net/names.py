"""Questions to name servers: any kind of record, from a given server or those of the system."""

import time
from collections.abc import Sequence
from typing import cast

import dns.asyncquery
import dns.exception
import dns.message
import dns.rcode
import dns.rdatatype
import dns.resolver
from dns.rdata import Rdata

from assent.errors import Unreachable
from assent.net.policy import Limits
from assent.net.record import RecordType, Resolved

PORT = 53
SERVERS_TRIED = 3


def list_system_servers() -> Sequence[str]:
    try:
        found = cast("Sequence[object]", dns.resolver.Resolver().nameservers)
    except dns.resolver.NoResolverConfiguration:
        return []
    return [one for one in found if isinstance(one, str)]


async def ask(
    question: tuple[str, RecordType], servers: Sequence[str], *, port: int, limits: Limits
) -> Resolved:
    """The first server that answers; raise Unreachable if none does."""
    message = dns.message.make_query(question[0], question[1])
    for server in servers[:SERVERS_TRIED]:
        began = time.monotonic()
        try:
            answer, _ = await dns.asyncquery.udp_with_fallback(
                message, server, port=port, timeout=limits.connecting
            )
        except (dns.exception.DNSException, OSError):
            continue
        return _read(answer, question[1], server, time.monotonic() - began)
    raise Unreachable(f"No name server answers for {question[0]}.")


def _read(answer: dns.message.Message, kind: RecordType, server: str, seconds: float) -> Resolved:
    wanted = dns.rdatatype.from_text(kind)
    found = [one for one in answer.answer if one.rdtype == wanted]
    records = (cast("Rdata", record) for one in found for record in cast("Sequence[object]", one))
    return Resolved(
        code=dns.rcode.to_text(answer.rcode()),
        records=tuple(sorted(one.to_text() for one in records)),
        ttl=min((one.ttl for one in found), default=None),
        server=server,
        seconds=seconds,
    )
