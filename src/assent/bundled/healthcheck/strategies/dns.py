"""What a name server says about a name."""

from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from assent.bundled.healthcheck.declaration import STRATEGY, plugin
from assent.bundled.healthcheck.origin import Host, find_origin_fault, write_origin
from assent.bundled.healthcheck.reach import Reach
from assent.bundled.healthcheck.values import Assertion
from assent.plugins.api import Value


def _check_server(text: str) -> str:
    fault = find_origin_fault(f"dns://{text}")
    if fault is not None:
        raise ValueError(fault)
    return text


class DnsConfig(Value):
    name: Host = Field(description="The name to look up.")
    record_type: Literal["A", "AAAA", "CNAME", "MX", "NS", "SOA", "SRV", "TXT", "CAA", "PTR"] = "A"
    server: Annotated[str, AfterValidator(_check_server)] | None = Field(
        None, description="`host` or `host:port`; left out: the name servers of the system."
    )


class DnsResult(Value):
    code: str = Field(description="NOERROR, NXDOMAIN and so on, as name servers say it.")
    records: list[str]
    count: int
    ttl: int | None


@plugin.contribute(STRATEGY, "dns")
class DnsStrategy:
    """Look up a name.

    Without assertions it is up when the server answers without an error and with a record.
    """

    title = "DNS lookup"
    version = 1
    Config = DnsConfig
    Result = DnsResult
    expects = (
        Assertion(field="code", operator="equals", value="NOERROR"),
        Assertion(field="count", operator="atLeast", value=1),
    )

    def origins(self, config: DnsConfig) -> tuple[str, ...]:
        return (write_origin(f"dns://{config.server}"),) if config.server else ()

    async def probe(self, reach: Reach, config: DnsConfig) -> DnsResult:
        found = await reach.http.resolve(
            config.name, config.record_type, server=config.server, limits=reach.limits
        )
        return DnsResult(
            code=found.code,
            records=list(found.records),
            count=len(found.records),
            ttl=found.ttl,
        )
