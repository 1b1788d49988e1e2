"""Where traces and metrics go, by the variables that operators know."""

import pytest

from assent.errors import ConfigurationError
from assent.telemetry.endpoints import find_endpoints

TRACES = "http://c:4318/v1/traces"
METRICS = "http://c:4318/v1/metrics"


@pytest.mark.parametrize(
    ("endpoint", "environ", "expected"),
    [
        (None, {}, {}),
        ("http://c:4318", {}, {"traces": TRACES, "metrics": METRICS}),
        ("http://c:4318/", {}, {"traces": TRACES, "metrics": METRICS}),
        ("http://c:4318", {"OTEL_SDK_DISABLED": "TRUE"}, {}),
        ("http://c:4318", {"OTEL_METRICS_EXPORTER": "none"}, {"traces": TRACES}),
        ("http://c:4318", {"OTEL_TRACES_EXPORTER": "none"}, {"metrics": METRICS}),
        ("http://c:4318", {"OTEL_TRACES_EXPORTER": "otlp"}, {"traces": TRACES, "metrics": METRICS}),
        (None, {"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "http://t/x"}, {"traces": "http://t/x"}),
        (
            "http://c:4318",
            {"OTEL_EXPORTER_OTLP_METRICS_ENDPOINT": "http://m/y"},
            {"traces": TRACES, "metrics": "http://m/y"},
        ),
    ],
)
def test_find_endpoints(
    endpoint: str | None, environ: dict[str, str], expected: dict[str, str]
) -> None:
    assert find_endpoints(endpoint, environ) == expected


@pytest.mark.parametrize(
    ("environ", "named"),
    [
        ({"OTEL_TRACES_EXPORTER": "zipkin"}, "zipkin"),
        ({"OTEL_EXPORTER_OTLP_PROTOCOL": "grpc"}, "grpc"),
        ({"OTEL_EXPORTER_OTLP_METRICS_PROTOCOL": "http/json"}, "http/json"),
    ],
)
def test_what_cannot_be_done_stops_the_start(environ: dict[str, str], named: str) -> None:
    with pytest.raises(ConfigurationError, match=named):
        find_endpoints("http://c:4318", environ)


def test_what_is_not_sent_is_not_checked() -> None:
    assert find_endpoints(None, {"OTEL_EXPORTER_OTLP_PROTOCOL": "grpc"}) == {}
