"""What is seen of a turn: its span, above those of its model and tool calls, and measurements."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from time import perf_counter

from opentelemetry.trace import Span, StatusCode

from assent.logs import bind_ids
from assent.runs.run import Run
from assent.telemetry import names
from assent.telemetry.telemetry import Telemetry
from assent.telemetry.turn import Turn, present_turn
from assent.work.lease import Job
from assent.work.watch import find_outcome, find_wait


@asynccontextmanager
async def watching(telemetry: Telemetry, run: Run, job: Job) -> AsyncGenerator[Turn]:
    """The body drives the run, and says how it ended unless it is cut off."""
    turn = Turn(waited=find_wait(job.work))
    if run.attempt > 1:
        telemetry.metrics.run_takeovers.inc()
    else:
        telemetry.metrics.run_wait_seconds.observe(turn.waited)
    token = present_turn.set(turn)
    with (
        bind_ids(run_id=run.id, conversation_id=run.conversation_id),
        telemetry.span(f"invoke_agent {run.agent}", _describe(run, turn)) as span,
    ):
        try:
            yield turn
        except BaseException as error:
            turn.end(find_outcome(error), turn.steps, None)
            raise
        finally:
            present_turn.reset(token)
            _record(telemetry, run, turn, span)


def _record(telemetry: Telemetry, run: Run, turn: Turn, span: Span) -> None:
    metrics, outcome = telemetry.metrics, turn.outcome or "other"
    seconds = perf_counter() - turn.began_at
    metrics.runs.labels(run.kind, outcome).inc()
    metrics.run_seconds.labels(run.kind).observe(seconds)
    if turn.first_token_seconds is not None and run.attempt == 1:
        metrics.first_token_seconds.observe(turn.first_token_seconds)
    failed = {names.ERROR: turn.error} if turn.error else {}
    telemetry.instruments.agents.record(seconds, {names.AGENT: run.agent, **failed})
    span.set_attributes(
        {
            names.OUTCOME: outcome,
            names.STEPS: turn.steps,
            names.INPUT_TOKENS: turn.input_tokens,
            names.OUTPUT_TOKENS: turn.output_tokens,
            **failed,
        }
    )
    if turn.provider is not None and turn.model is not None:
        span.set_attributes({names.PROVIDER: turn.provider, names.MODEL: turn.model})
    if turn.first_token_seconds is not None:
        span.set_attribute(names.FIRST_CHUNK, turn.first_token_seconds)
    if outcome == "failed":
        span.set_status(StatusCode.ERROR)


def _describe(run: Run, turn: Turn) -> dict[str, str | int | float]:
    return {
        names.OPERATION: "invoke_agent",
        names.AGENT: run.agent,
        names.CONVERSATION: str(run.conversation_id),
        names.RUN: str(run.id),
        names.RUN_KIND: run.kind,
        names.TENANT: str(run.tenant_id),
        names.ATTEMPT: run.attempt,
        names.WAIT: turn.waited,
    }
