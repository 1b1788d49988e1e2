"""OpenTelemetry's SDK with exporters over HTTP; needs the packages of the extra `otel`.

The SDK reads its standard variables itself: headers, certificates, sampling, batches, resource.
Nothing global is set: what else runs in the process sends nothing through this.
"""

import threading
import time
from collections.abc import Callable, Mapping, Sequence

from opentelemetry.exporter.otlp.proto.http.metric_exporter import OTLPMetricExporter
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.metrics import Meter
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import PeriodicExportingMetricReader
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.trace import Tracer

from assent import __version__
from assent.telemetry.endpoints import Signal
from assent.telemetry.telemetry import Telemetry

SCOPE = "assent"
CLOSE_SECONDS = 3.0
UNNAMED = "unknown_service"


def open_exporters(endpoints: Mapping[Signal, str]) -> Telemetry:
    resource = build_resource()
    tracer: Tracer | None = None
    meter: Meter | None = None
    closing: list[Callable[[], object]] = []
    if "traces" in endpoints:
        traces = TracerProvider(resource=resource, shutdown_on_exit=False)
        traces.add_span_processor(BatchSpanProcessor(OTLPSpanExporter(endpoints["traces"])))
        tracer = traces.get_tracer(SCOPE, __version__)
        closing.append(traces.shutdown)
    if "metrics" in endpoints:
        reader = PeriodicExportingMetricReader(OTLPMetricExporter(endpoints["metrics"]))
        metrics = MeterProvider([reader], resource=resource, shutdown_on_exit=False)
        meter = metrics.get_meter(SCOPE, __version__)
        closing.append(metrics.shutdown)

    return Telemetry(tracer=tracer, meter=meter, close=lambda: close_in_time(closing))


def close_in_time(closing: Sequence[Callable[[], object]]) -> None:
    """Send what is left; a collector that is away does not keep the program from ending."""
    threads = [threading.Thread(target=one, daemon=True) for one in closing]
    for thread in threads:
        thread.start()
    deadline = time.monotonic() + CLOSE_SECONDS
    for thread in threads:
        thread.join(max(0.0, deadline - time.monotonic()))


def build_resource() -> Resource:
    """What the operator says about this process comes first."""
    given = Resource.create()
    if str(given.attributes["service.name"]).startswith(UNNAMED):
        given = given.merge(Resource({"service.name": SCOPE}))
    return Resource({"service.version": __version__}).merge(given)
