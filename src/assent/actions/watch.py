"""What is seen of tool calls and decisions: spans and measurements, by the names of tools we have.

A name that a model made up is "unknown" here: it could say anything.
"""

from collections.abc import Generator
from contextlib import contextmanager
from time import perf_counter
from typing import Literal, TypeAlias
from uuid import UUID

from opentelemetry.trace import Span

from assent.actions.proposal import Place, Proposal
from assent.audit.entry import Effect
from assent.errors import TooMany
from assent.telemetry import names
from assent.telemetry.telemetry import Telemetry, name_error
from assent.tools.tool import Tool

UNKNOWN = "unknown"

Decided: TypeAlias = Literal["apply", "apply_at_once", "apply_outside", "decline", "resolve"]


class SeenCall:
    """Its effect is the most that the tool could have, until the call's own is known."""

    def __init__(self, effect: Effect) -> None:
        self.effect = effect
        self.outcome = "failed"
        self.error: str | None = None

    def end(self, outcome: str, effect: Effect) -> None:
        self.outcome, self.effect = outcome, effect


@contextmanager
def watch_call(telemetry: Telemetry, tool: Tool | None, place: Place) -> Generator[SeenCall]:
    name = tool.name if tool else UNKNOWN
    seen = SeenCall(tool.behaviour.effect if tool else "read")
    began_at = perf_counter()
    with telemetry.span(f"execute_tool {name}", _describe_call(name, place)) as span:
        try:
            yield seen
        except BaseException as error:
            seen.error = name_error(error)
            if isinstance(error, TooMany):
                telemetry.metrics.budget_refusals.inc()
            raise
        finally:
            seconds = perf_counter() - began_at
            metrics = telemetry.metrics
            metrics.tool_calls.labels(name, place.edge, seen.effect, seen.outcome).inc()
            metrics.tool_seconds.labels(name).observe(seconds)
            _record_call(telemetry, span, name, seen, seconds)


@contextmanager
def watch_proposing(telemetry: Telemetry, tool: Tool) -> Generator[None]:
    """A dry run and the card that it becomes."""
    with telemetry.span(f"propose {tool.name}", {names.TOOL: tool.name}):
        yield
    telemetry.metrics.proposals.labels("proposed").inc()


class SeenDecision:
    def __init__(self) -> None:
        self.outcome = "refused"

    def end(self, proposal: Proposal) -> Proposal:
        self.outcome = proposal.state
        return proposal


@contextmanager
def watch_decision(
    telemetry: Telemetry, decision: Decided, proposal_id: UUID
) -> Generator[SeenDecision]:
    """A decision, a person's or one that nobody had to take, up to its outcome."""
    seen = SeenDecision()
    began_at = perf_counter()
    with telemetry.span(f"{decision} proposal", {names.PROPOSAL: str(proposal_id)}) as span:
        try:
            yield seen
        finally:
            span.set_attribute(names.OUTCOME, seen.outcome)
            seconds = perf_counter() - began_at
            telemetry.metrics.decision_seconds.labels(decision).observe(seconds)


def _record_call(
    telemetry: Telemetry, span: Span, name: str, seen: SeenCall, seconds: float
) -> None:
    failed = {names.ERROR: seen.error} if seen.error else {}
    telemetry.instruments.tools.record(seconds, {names.TOOL: name, **failed})
    span.set_attributes({names.OUTCOME: seen.outcome, names.EFFECT: seen.effect})


def _describe_call(name: str, place: Place) -> dict[str, str]:
    described = {
        names.OPERATION: "execute_tool",
        names.TOOL: name,
        names.TOOL_KIND: "function",
        names.EDGE: place.edge,
    }
    if place.conversation_id is not None:
        described[names.CONVERSATION] = str(place.conversation_id)
    if place.run_id is not None:
        described[names.RUN] = str(place.run_id)
        described[names.CALL] = f"{place.run_id}/{place.call_key}"
    return described
