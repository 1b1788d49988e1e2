"""The certificate of a server."""

from datetime import datetime

from pydantic import Field

from assent.bundled.healthcheck.capability import ProbeFailed
from assent.bundled.healthcheck.declaration import STRATEGY, plugin
from assent.bundled.healthcheck.origin import Host, Port, build_origin
from assent.bundled.healthcheck.reach import Reach
from assent.bundled.healthcheck.values import Assertion
from assent.plugins.api import Value

DAY = 86_400


class TlsConfig(Value):
    host: Host = Field(description="A name or an address.")
    port: Port = 443
    server_name: Host | None = Field(
        None, description="The name that the certificate is asked for; left out: the host."
    )


class TlsResult(Value):
    days_left: float = Field(description="Until the certificate expires; negative after that.")
    expires_at: datetime
    subject: str
    issuer: str
    names: list[str]
    trusted: bool = Field(description="Whether a browser would accept it for this name.")
    fault: str | None = Field(description="Why not.")
    connect_ms: float


@plugin.contribute(STRATEGY, "tls")
class TlsStrategy:
    """Connect with TLS and look at the certificate, whether it is trusted or not.

    Without assertions it is down when the certificate is not trusted or has expired, and degraded
    in its last fourteen days.
    """

    title = "TLS certificate"
    version = 1
    Config = TlsConfig
    Result = TlsResult
    expects = (
        Assertion(field="trusted", operator="equals", value=True),
        Assertion(field="daysLeft", operator="greaterThan", value=0),
        Assertion(field="daysLeft", operator="greaterThan", value=14, severity="degraded"),
    )

    def origins(self, config: TlsConfig) -> tuple[str, ...]:
        return (build_origin("tls", config.host, config.port),)

    async def probe(self, reach: Reach, config: TlsConfig) -> TlsResult:
        connected = await reach.http.connect(
            config.host,
            config.port,
            tls=True,
            server_name=config.server_name,
            limits=reach.limits,
        )
        shown = connected.certificate
        if shown is None:
            raise ProbeFailed("The server shows no certificate.")
        return TlsResult(
            days_left=round((shown.ends_at - reach.now).total_seconds() / DAY, 3),
            expires_at=shown.ends_at,
            subject=shown.subject,
            issuer=shown.issuer,
            names=list(shown.names),
            trusted=shown.fault is None,
            fault=shown.fault,
            connect_ms=round(connected.seconds * 1000, 3),
        )
