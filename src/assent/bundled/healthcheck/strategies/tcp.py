"""A connection to a port."""

from pydantic import Field

from assent.bundled.healthcheck.declaration import STRATEGY, plugin
from assent.bundled.healthcheck.origin import Host, Port, build_origin
from assent.bundled.healthcheck.reach import Reach
from assent.plugins.api import Value


class TcpConfig(Value):
    host: Host = Field(description="A name or an address.")
    port: Port


class TcpResult(Value):
    address: str = Field(description="The address that was connected to.")
    connect_ms: float


@plugin.contribute(STRATEGY, "tcp")
class TcpStrategy:
    """Connect to a port and close the connection; nothing is sent."""

    title = "TCP connection"
    version = 1
    Config = TcpConfig
    Result = TcpResult

    def origins(self, config: TcpConfig) -> tuple[str, ...]:
        return (build_origin("tcp", config.host, config.port),)

    async def probe(self, reach: Reach, config: TcpConfig) -> TcpResult:
        connected = await reach.http.connect(config.host, config.port, limits=reach.limits)
        return TcpResult(
            address=str(connected.address), connect_ms=round(connected.seconds * 1000, 3)
        )
