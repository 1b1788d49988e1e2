"""The present trace as text, to go along with work and events, and back again."""

from collections.abc import Mapping
from typing import Any

from opentelemetry.context import Context
from opentelemetry.trace import get_current_span
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

KEY = "_traceparent"
"""Under this name it lies in a payload."""

_propagator = TraceContextTextMapPropagator()


def parse_traceparent(text: object) -> Context | None:
    """What a W3C `traceparent` says; nothing where it is none."""
    if not isinstance(text, str):
        return None
    context = _propagator.extract({"traceparent": text}, Context())
    return context if get_current_span(context).get_span_context().is_valid else None


def find_traceparent() -> str | None:
    """The span that is current, as a `traceparent`."""
    carrier: dict[str, str] = {}
    _propagator.inject(carrier)
    return carrier.get("traceparent")


def carry(payload: Mapping[str, Any]) -> Mapping[str, Any]:
    """The payload with the present trace, if there is one."""
    traceparent = find_traceparent()
    return payload if traceparent is None else {**payload, KEY: traceparent}


def unload(payload: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """What was carried, and what carried it along."""
    own = {name: value for name, value in payload.items() if name != KEY}
    return own, {KEY: payload[KEY]} if KEY in payload else {}
