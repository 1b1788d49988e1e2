"""Spans say what kind of error there was, and never what it said."""

import asyncio

import pytest
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import get_current_span

from assent.errors import Forbidden, TooMany
from assent.telemetry.telemetry import Telemetry, name_error


@pytest.fixture
def exported() -> InMemorySpanExporter:
    return InMemorySpanExporter()


@pytest.fixture
def telemetry(exported: InMemorySpanExporter) -> Telemetry:
    provider = TracerProvider(shutdown_on_exit=False)
    provider.add_span_processor(SimpleSpanProcessor(exported))
    return Telemetry(tracer=provider.get_tracer("test"))


@pytest.mark.parametrize(
    ("error", "name"),
    [
        (Forbidden("secret"), "forbidden"),
        (TooMany(3), "too_many"),
        (ValueError("secret"), "ValueError"),
        (asyncio.CancelledError("secret"), "cancelled"),
        (GeneratorExit(), "cancelled"),
    ],
)
def test_name_error(error: BaseException, name: str) -> None:
    assert name_error(error) == name


@pytest.mark.parametrize(
    ("error", "failed"), [(ValueError("secret"), True), (asyncio.CancelledError(), False)]
)
def test_a_message_is_not_kept(
    telemetry: Telemetry, exported: InMemorySpanExporter, error: BaseException, failed: bool
) -> None:
    with pytest.raises(type(error)), telemetry.span("deed", {"a": 1}):
        raise error
    [span] = exported.get_finished_spans()
    assert span.status.is_ok is not failed
    assert span.status.description is None
    assert span.events == ()
    assert dict(span.attributes or {}) == {"a": 1, "error.type": name_error(error)}


def test_a_span_is_current_in_its_body_only(
    telemetry: Telemetry, exported: InMemorySpanExporter
) -> None:
    with telemetry.span("outer", {}) as outer:
        with telemetry.span("inner", {}) as inner:
            assert get_current_span() is inner
        assert get_current_span() is outer
    assert not get_current_span().get_span_context().is_valid
    first, second = exported.get_finished_spans()
    assert (first.name, first.parent and first.parent.span_id) == (
        "inner",
        outer.get_span_context().span_id,
    )
    assert second.parent is None


def test_without_an_exporter_spans_are_empty() -> None:
    with Telemetry().span("deed", {}) as span:
        assert not span.is_recording()
        assert not span.get_span_context().is_valid
