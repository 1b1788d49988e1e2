"""What is seen of background work: a span in the trace that it follows from, and measurements."""

import asyncio
from datetime import UTC, datetime
from time import perf_counter

from opentelemetry.trace import SpanKind

from assent.errors import LeaseLost
from assent.logs import bind_ids
from assent.telemetry import names
from assent.telemetry.telemetry import Telemetry
from assent.telemetry.trace_context import KEY, parse_traceparent
from assent.work.ending import Stop
from assent.work.lease import Handler, Job, Work

STOPPED = {
    Stop.CANCEL.value: "cancelled",
    Stop.LOST.value: "lost",
    Stop.SHUTDOWN.value: "handed_over",
}


def watch(telemetry: Telemetry, handler: Handler) -> Handler:
    """The same handler, seen."""

    async def watched(job: Job) -> None:
        work, metrics = job.work, telemetry.metrics
        waited = find_wait(work)
        if work.attempt == 1:
            metrics.work_wait_seconds.labels(work.kind).observe(waited)
        else:
            metrics.work_repeats.labels(work.kind).inc()
        with (
            bind_ids(work_id=work.id, work_kind=work.kind),
            telemetry.span(
                f"work {work.kind}",
                _describe(work, waited),
                kind=SpanKind.CONSUMER,
                parent=parse_traceparent(work.payload.get(KEY)),
            ) as span,
        ):
            began_at, outcome = perf_counter(), "done"
            try:
                await handler(job)
            except BaseException as error:
                outcome = find_outcome(error)
                raise
            finally:
                span.set_attribute(names.OUTCOME, outcome)
                metrics.work_ended.labels(work.kind, outcome).inc()
                metrics.work_seconds.labels(work.kind).observe(perf_counter() - began_at)

    return watched


def find_wait(work: Work) -> float:
    """Seconds since it could have begun. Two machines' clocks may differ a little."""
    due_at = max(work.created_at, work.run_after or work.created_at)
    return max(0.0, (datetime.now(UTC) - due_at).total_seconds())


def find_outcome(error: BaseException) -> str:
    if isinstance(error, asyncio.CancelledError):
        return STOPPED.get(str(error), "cancelled")
    return "lost" if isinstance(error, LeaseLost) else "failed"


def _describe(work: Work, waited: float) -> dict[str, str | int | float]:
    described: dict[str, str | int | float] = {
        names.WORK: str(work.id),
        names.WORK_KIND: work.kind,
        names.ATTEMPT: work.attempt,
        names.WAIT: waited,
    }
    if work.tenant_id is not None:
        described[names.TENANT] = str(work.tenant_id)
    return described
