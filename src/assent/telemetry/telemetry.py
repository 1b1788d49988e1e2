"""Spans and measurements of one process, in one object that `main` makes.

Without an exporter its spans are empty and cost nearly nothing; a trace that came in with a request
still goes along with the work that follows from it, and stands in the log. What is seen in a folder
is in its `watch.py`.
"""

from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from typing import TypeAlias

from opentelemetry.context import Context, attach, detach
from opentelemetry.metrics import Meter, NoOpMeter
from opentelemetry.trace import (
    NoOpTracer,
    Span,
    SpanKind,
    StatusCode,
    Tracer,
    set_span_in_context,
)

from assent.errors import AssentError
from assent.telemetry.instruments import Instruments
from assent.telemetry.metrics import Metrics
from assent.telemetry.names import ERROR

Attributes: TypeAlias = Mapping[str, str | bool | int | float]


def do_nothing() -> None:
    pass


class Telemetry:
    def __init__(
        self,
        *,
        tracer: Tracer | None = None,
        meter: Meter | None = None,
        close: Callable[[], None] = do_nothing,
    ) -> None:
        self.metrics = Metrics()
        self.tracer = tracer or NoOpTracer()
        self.instruments = Instruments(meter or NoOpMeter("assent"))
        self.close = close
        """Sends what is left, and waits for that: call it in a thread."""

    def start(
        self,
        name: str,
        attributes: Attributes,
        *,
        kind: SpanKind = SpanKind.INTERNAL,
        parent: Context | None = None,
    ) -> Span:
        """A span that is not current; `parent` instead of the one that is."""
        return self.tracer.start_span(
            name,
            parent,
            kind,
            attributes,
            record_exception=False,
            set_status_on_exception=False,
        )

    @contextmanager
    def span(
        self,
        name: str,
        attributes: Attributes,
        *,
        kind: SpanKind = SpanKind.INTERNAL,
        parent: Context | None = None,
    ) -> Generator[Span]:
        """A span that is current in the body."""
        span = self.start(name, attributes, kind=kind, parent=parent)
        token = attach(set_span_in_context(span, parent))
        try:
            yield span
        except BaseException as error:
            fail(span, error)
            raise
        finally:
            detach(token)
            span.end()


def fail(span: Span, error: BaseException) -> None:
    """Say of which kind the error is and nothing else: its message may hold anything."""
    span.set_attribute(ERROR, name_error(error))
    if isinstance(error, Exception):
        span.set_status(StatusCode.ERROR)


def name_error(error: BaseException) -> str:
    if isinstance(error, AssentError):
        return error.code
    return "cancelled" if not isinstance(error, Exception) else type(error).__name__
