"""Driving a run: model steps and tool calls, in turns, until there is an answer (SPEC R7-R9).

What the model says is told as it comes. A step is stored before its calls are made, and the end of
the answer with the end of the run.
"""

import asyncio
import logging
import time
from collections.abc import Sequence
from contextlib import aclosing
from dataclasses import replace
from typing import Any
from uuid import UUID

from assent.agents.notes import CUT_ANSWER, EMPTY_ANSWER, force_answer
from assent.conversations.parts import close_open_parts, parse_parts, text_of
from assent.conversations.store import messages as message_store
from assent.db.database import Db
from assent.errors import AssentError, LeaseLost, NotFound
from assent.models.model import (
    AssistantMessage,
    CallStart,
    Finished,
    FinishReason,
    Model,
    ModelEvent,
    ModelRequest,
    TextDelta,
    TextPart,
    UserMessage,
)
from assent.runs import store
from assent.runs.answer import Answer
from assent.runs.calls import Progress, make_calls, refuse_calls
from assent.runs.decision import take_note
from assent.runs.events import (
    Abort,
    build_failure,
    build_finish,
    build_start,
    encode_usage,
)
from assent.runs.journal import LiveRun
from assent.runs.request import build_request
from assent.runs.run import Run, RunStatus
from assent.runs.step import Step, StepEnd
from assent.runs.studio import Studio, load_cast
from assent.runs.title import queue_title
from assent.tools.taint import parse_taint
from assent.work.lease import Handler, Job
from assent.work.queue import fence, finish

NUDGES = 2
CONTINUATIONS = 3
INTERRUPTED = {"code": "interrupted", "message": "The server was interrupted."}

log = logging.getLogger("assent.runs")


def build_run_handler(studio: Studio) -> Handler:
    async def drive(job: Job) -> None:
        await drive_run(studio, job)

    return drive


async def drive_run(studio: Studio, job: Job) -> None:
    run = await _begin(studio, job)
    if run is None:
        return
    live = LiveRun(run.id, run.tenant_id, run.attempt, job.lease)
    async with studio.journal.writing(live):
        answer = Answer(live)
        answer.say(build_start(str(run.message_id), str(run.id)))
        status: RunStatus = "completed"
        error: dict[str, Any] | None = None
        try:
            await _answer(studio, job, run, answer)
        except LeaseLost:
            raise
        except asyncio.CancelledError:
            if not await _is_stopped(studio, run):
                raise
            status = "cancelled"
            answer.say(Abort())
        except Exception as failure:
            log.exception("A run failed.", extra={"run_id": str(run.id)})
            status, error = "failed", _describe(failure)
            answer.say(build_failure(failure))
        await studio.journal.flush()
        await _end(studio, job, run, answer, status=status, error=error)
    await studio.journal.tell(run.id)


async def _begin(studio: Studio, job: Job) -> Run | None:
    """Mark the run as begun by this attempt; nothing if there is nothing to do any more."""
    tenant_id, run_id = job.work.tenant_id, UUID(job.work.payload["runId"])
    if tenant_id is None:
        raise NotFound
    async with studio.means.database.transaction() as db:
        await fence(db, job.lease)
        run = await store.find_run(db, tenant_id, run_id)
        if run is not None and run.is_active and job.lease.attempt > 1:
            await store.end_run(db, run, "failed", INTERRUPTED)
            parts = await message_store.find_parts(db, tenant_id, run.message_id)
            await message_store.set_parts(db, tenant_id, run.message_id, close_open_parts(parts))
        elif run is not None and run.is_active:
            await store.start_run(db, run, job.lease.attempt)
            return replace(run, status="running", attempt=job.lease.attempt)
        await finish(db, job.lease)
    return None


async def _answer(studio: Studio, job: Job, run: Run, answer: Answer) -> None:
    async with studio.means.database.transaction() as db:
        cast = await load_cast(db, studio, run)
        note = await take_note(db, studio, run) if run.kind == "decision" else None
    model = await studio.models.open(cast.chosen, cast.person)
    progress = Progress(parse_taint(run.taint))
    nudges = 0
    nudge = None
    for number in range(cast.agent.step_cap):
        is_last = number == cast.agent.step_cap - 1 or progress.cards > 0
        request = build_request(studio, cast, answer.parts, note=note, nudge=nudge)
        if is_last:
            request = replace(request, tools=(), instructions=force_answer(request.instructions))
        end = await _take_step(studio, model, request, answer, number)
        if is_last:
            refuse_calls(answer, end.calls)
        elif end.calls:
            await _store_step(studio, job, run, answer, progress, number + 1)
            await make_calls(studio, cast, answer, progress, end.calls, number)
        answer.end_step(end)
        if progress.asked or is_last or (not end.calls and text_of(end.parts)):
            break
        if not end.calls:
            nudges += 1
            nudge = EMPTY_ANSWER
            if nudges > NUDGES:
                break
    answer.say(build_finish("stop", answer.usage))


async def _take_step(
    studio: Studio, model: Model, request: ModelRequest, answer: Answer, number: int
) -> StepEnd:
    """One step of the model; an answer that was cut by its length goes on."""
    registry = studio.means.loaded.tools
    step = Step(number, {one.name: registry.by_wire_name[one.name] for one in request.tools})
    for _ in range(CONTINUATIONS + 1):
        said = await _stream(model, request, answer, step)
        if said.reason != "length" or said.has_calls or not said.text:
            break
        request = _continue(request, said.text)
    end = step.end(time.monotonic())
    answer.take_step(end)
    return end


class _Said:
    """What one answer of the model came to."""

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self.has_calls = False
        self.reason: FinishReason | None = None

    @property
    def text(self) -> str:
        return "".join(self._pieces)

    def take(self, events: Sequence[ModelEvent]) -> None:
        for event in events:
            if isinstance(event, TextDelta):
                self._pieces.append(event.text)
            elif isinstance(event, CallStart):
                self.has_calls = True
            elif isinstance(event, Finished):
                self.reason = event.reason


async def _stream(model: Model, request: ModelRequest, answer: Answer, step: Step) -> _Said:
    said = _Said()
    try:
        async with aclosing(model.stream(request)) as batches:
            async for events in batches:
                said.take(events)
                answer.say(*step.take_all(events, time.monotonic()))
    except BaseException:
        end = step.end(time.monotonic())
        answer.take_step(end)
        answer.end_step(end)
        raise
    return said


def _continue(request: ModelRequest, said: str) -> ModelRequest:
    more = (AssistantMessage((TextPart(said),)), UserMessage((TextPart(CUT_ANSWER),)))
    return replace(request, messages=(*request.messages, *more))


async def _store_step(
    studio: Studio, job: Job, run: Run, answer: Answer, progress: Progress, steps: int
) -> None:
    async with studio.means.database.transaction() as db:
        await fence(db, job.lease)
        await store.set_progress(db, run, steps=steps, taint=progress.taint.encode())
        await _store_answer(db, run, answer, is_over=False)


async def _end(
    studio: Studio,
    job: Job,
    run: Run,
    answer: Answer,
    *,
    status: RunStatus,
    error: dict[str, Any] | None,
) -> None:
    """The message, the run and the work, at once; whoever was replaced writes none of it."""
    async with studio.means.database.transaction() as db:
        await fence(db, job.lease)
        await _store_answer(db, run, answer, is_over=True)
        await store.end_run(db, run, status, error)
        if status == "completed":
            await queue_title(db, run)
        await finish(db, job.lease)


async def _store_answer(db: Db, run: Run, answer: Answer, *, is_over: bool) -> None:
    await message_store.update_message(
        db,
        run.tenant_id,
        run.message_id,
        content=answer.text,
        parts=parse_parts(close_open_parts(answer.parts) if is_over else answer.parts),
        usage=encode_usage(answer.usage) if answer.usage else None,
    )


async def _is_stopped(studio: Studio, run: Run) -> bool:
    """Whether somebody asked for the end; otherwise the server goes down, and another goes on."""
    async with studio.means.database.connection() as db:
        return await store.is_stopped(db, run)


def _describe(error: Exception) -> dict[str, Any]:
    if isinstance(error, AssentError):
        return {"code": error.code, "message": error.message}
    return {"code": "internal", "message": "Something went wrong. The log has the details."}
