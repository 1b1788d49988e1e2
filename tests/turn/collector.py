"""A collector for tests: OTLP over real HTTP, decoded by OpenTelemetry's own messages."""

from collections.abc import AsyncGenerator, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web
from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import (
    ExportMetricsServiceRequest,
    ExportMetricsServiceResponse,
)
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import (
    ExportTraceServiceRequest,
    ExportTraceServiceResponse,
)

KINDS = {1: "internal", 2: "server", 3: "client", 5: "consumer"}


@dataclass(frozen=True, slots=True)
class Span:
    name: str
    kind: str
    trace_id: str
    span_id: str
    parent_id: str
    attributes: dict[str, Any]
    failed: bool
    status_message: str
    events: int


@dataclass(slots=True)
class Collector:
    """What arrived: spans, measured values by name, and all of it as it came."""

    url: str = ""
    spans: list[Span] = field(default_factory=list[Span])
    measured: dict[str, list[dict[str, Any]]] = field(default_factory=dict[str, Any])
    resource: dict[str, Any] = field(default_factory=dict[str, Any])
    raw: bytes = b""

    def find(self, name: str) -> list[Span]:
        return [one for one in self.spans if one.name == name]

    def find_one(self, name: str) -> Span:
        found = self.find(name)
        assert len(found) == 1, (name, sorted(one.name for one in self.spans))
        return found[0]

    def list_names(self) -> list[str]:
        return sorted(one.name for one in self.spans)

    async def take_traces(self, request: web.Request) -> web.Response:
        body = await request.read()
        self.raw += body
        for resource in ExportTraceServiceRequest.FromString(body).resource_spans:
            self.resource = read(resource.resource.attributes)
            for scope in resource.scope_spans:
                self.spans.extend(map(parse_span, scope.spans))
        return _answer(ExportTraceServiceResponse())

    async def take_metrics(self, request: web.Request) -> web.Response:
        body = await request.read()
        self.raw += body
        for resource in ExportMetricsServiceRequest.FromString(body).resource_metrics:
            for scope in resource.scope_metrics:
                for metric in scope.metrics:
                    points = metric.histogram.data_points
                    self.measured[metric.name] = [
                        {"count": one.count, "sum": one.sum, **read(one.attributes)}
                        for one in points
                    ]
        return _answer(ExportMetricsServiceResponse())


def parse_span(span: Any) -> Span:
    return Span(
        name=span.name,
        kind=KINDS[span.kind],
        trace_id=span.trace_id.hex(),
        span_id=span.span_id.hex(),
        parent_id=span.parent_span_id.hex(),
        attributes=read(span.attributes),
        failed=span.status.code == 2,
        status_message=span.status.message,
        events=len(span.events),
    )


def read(attributes: Iterable[Any]) -> dict[str, Any]:
    return {one.key: _read_value(one.value) for one in attributes}


def _read_value(value: Any) -> Any:
    kind = value.WhichOneof("value")
    if kind == "array_value":
        return [_read_value(one) for one in value.array_value.values]
    return getattr(value, kind)


def _answer(message: Any) -> web.Response:
    return web.Response(body=message.SerializeToString(), content_type="application/x-protobuf")


@asynccontextmanager
async def run_collector() -> AsyncGenerator[Collector]:
    """Serve on a free port until the body ends."""
    collector = Collector()
    app = web.Application()
    app.router.add_post("/v1/traces", collector.take_traces)
    app.router.add_post("/v1/metrics", collector.take_metrics)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
    await runner.setup()
    try:
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        host, port = runner.addresses[0][:2]
        collector.url = f"http://{host}:{port}"
        yield collector
    finally:
        await runner.cleanup()
