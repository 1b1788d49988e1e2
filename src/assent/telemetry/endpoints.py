"""Where traces and metrics go, by OpenTelemetry's own variables. Pure."""

from collections.abc import Mapping
from typing import Literal, TypeAlias

from assent.errors import ConfigurationError

Signal: TypeAlias = Literal["traces", "metrics"]
SIGNALS: tuple[Signal, ...] = ("traces", "metrics")
PROTOCOL = "http/protobuf"


def find_endpoints(endpoint: str | None, environ: Mapping[str, str]) -> dict[Signal, str]:
    """The address for each signal that is to be sent; nothing to send is nothing to load.

    `endpoint` is the collector's; a signal's own variable names the whole address instead.
    """
    if environ.get("OTEL_SDK_DISABLED", "").strip().lower() == "true":
        return {}
    found: dict[Signal, str] = {}
    for signal in SIGNALS:
        address = _find(signal, endpoint, environ)
        if address is not None:
            _check(signal, environ)
            found[signal] = address
    return found


def _find(signal: Signal, endpoint: str | None, environ: Mapping[str, str]) -> str | None:
    if environ.get(f"OTEL_{signal.upper()}_EXPORTER", "").strip().lower() == "none":
        return None
    own = environ.get(f"OTEL_EXPORTER_OTLP_{signal.upper()}_ENDPOINT")
    if own:
        return own
    return f"{endpoint.rstrip('/')}/v1/{signal}" if endpoint else None


def _check(signal: Signal, environ: Mapping[str, str]) -> None:
    exporter = environ.get(f"OTEL_{signal.upper()}_EXPORTER", "").strip().lower() or "otlp"
    if exporter != "otlp":
        raise ConfigurationError(
            f"OTEL_{signal.upper()}_EXPORTER is {exporter}; Assent knows otlp and none."
        )
    protocol = (
        environ.get(f"OTEL_EXPORTER_OTLP_{signal.upper()}_PROTOCOL")
        or environ.get("OTEL_EXPORTER_OTLP_PROTOCOL")
        or PROTOCOL
    )
    if protocol != PROTOCOL:
        raise ConfigurationError(
            f"The OTLP protocol is {protocol}; Assent speaks {PROTOCOL} (port 4318 as a rule)."
        )
