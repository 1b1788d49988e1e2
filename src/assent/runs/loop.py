"""Driving a run: model steps and tool calls, in turns, until there is an answer (SPEC R6-R9).

What the model says is told as it comes. A step is stored before its calls are made, each result as
it arrives, and the end of the answer with the end of the run: whatever process is lost, another
goes on from there.
"""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, TypeAlias
from uuid import UUID

from assent.actions.waiting.cards import list_told
from assent.agents.notes import EMPTY_ANSWER
from assent.conversations.parts import close_open_parts, count_steps, parse_parts, text_of
from assent.conversations.store import messages as message_store
from assent.conversations.store.conversations import lock_conversation
from assent.db.database import Db
from assent.errors import (
    AssentError,
    LeaseLost,
    ModelContextTooLong,
    ModelRefused,
    NotFound,
    Unavailable,
)
from assent.models.model import ModelRequest, ReasoningDelta, TextDelta
from assent.runs import store
from assent.runs.answer import Answer
from assent.runs.calls import Progress, Round, list_last_calls, refuse_calls
from assent.runs.decision import forget_note, take_decisions, write_note
from assent.runs.events import (
    Abort,
    FinishStep,
    build_failure,
    build_finish,
    describe_failure,
    encode_usage,
)
from assent.runs.guard import guard
from assent.runs.headless.finish import is_waiting, take_output
from assent.runs.headless.output import count_answers
from assent.runs.left import NOTHING, Left
from assent.runs.live import LiveRun
from assent.runs.materials import list_outcomes, taint_of_history, taint_of_told
from assent.runs.memory import Memory
from assent.runs.phases import build_phase, find_step_cap
from assent.runs.request import Asking, build_repair, build_request, scrub_request
from assent.runs.resume import load_left
from assent.runs.run import Run, RunStatus
from assent.runs.said import Said
from assent.runs.step import Call, Step, StepEnd
from assent.runs.studio import Cast, Studio, load_cast, map_known
from assent.runs.title import queue_title
from assent.runs.transcript import Part
from assent.runs.watch import watching
from assent.runs.webhook import queue_webhook
from assent.tools.taint import Taint, parse_taint
from assent.tools.tool import Tool
from assent.vault.scrub.scrubber import Scrubber
from assent.vault.scrubbing import hide_in_error
from assent.work.announce import News, announce
from assent.work.lease import Handler, Job
from assent.work.queue import fence, finish

NUDGES = 2
CONTINUATIONS = 3
REFUSALS = 3
PAUSE_SECONDS = 0.5

Write: TypeAlias = Callable[[Db], Awaitable[None]]

log = logging.getLogger("assent.runs")


class RunOver(Exception):
    """The run was ended from outside while it was being driven."""


def build_run_handler(studio: Studio) -> Handler:
    async def drive(job: Job) -> None:
        await drive_run(studio, job)

    return drive


async def drive_run(studio: Studio, job: Job) -> None:
    """From where the last attempt stopped to the end, unless this process has to go before."""
    begun = await _begin(studio, job)
    if begun is None:
        return
    run, left = begun
    live = LiveRun(run.id, run.tenant_id, run.attempt, job.lease)
    async with studio.journal.writing(live), watching(studio.means.telemetry, run, job) as seen:
        known = studio.means.scrubbing.known
        attempt = Attempt(studio, job, run, left, live, Answer(live, left), known)
        status: RunStatus = "failed"
        error: dict[str, Any] | None = None
        try:
            status = await attempt.answer_person()
        except (LeaseLost, Unavailable):
            raise
        except (asyncio.CancelledError, RunOver):
            async with studio.means.database.connection() as db:
                is_stopped = await store.is_stopped(db, run)
            if not is_stopped:  # The server goes down, and another goes on.
                await studio.journal.flush()
                raise
            status = "cancelled"
            attempt.answer.say(Abort())
        except Exception as failure:
            log.exception("A run failed.", extra={"run_id": str(run.id)})
            if isinstance(failure, AssentError):
                hide_in_error(failure, attempt.scrubber)
            status, error = "failed", describe_failure(failure)
            attempt.answer.begin(run.message_id)
            attempt.answer.say(build_failure(failure))
        await attempt.end(status, error)
        seen.end(status, count_steps(attempt.answer.parts), error["code"] if error else None)
    await studio.journal.tell(run.id)


async def _begin(studio: Studio, job: Job) -> tuple[Run, Left] | None:
    """Take the run, with what earlier attempts left; nothing if it is over."""
    tenant_id, run_id = job.work.tenant_id, UUID(job.work.payload["runId"])
    if tenant_id is None:
        raise NotFound
    async with studio.means.database.transaction() as db:
        await fence(db, job.lease)
        run = await store.find_run(db, tenant_id, run_id)
        if run is None or not await store.start_run(db, run, job.lease.attempt):
            await finish(db, job.lease)
            return None
        if run.attempt == 0:
            await take_decisions(db, run)
        left = await load_left(db, run) if run.attempt else NOTHING
    return replace(run, status="running", attempt=job.lease.attempt), left


@dataclass(slots=True)
class Attempt:
    """One attempt at a run, and what it writes; whoever was replaced writes nothing."""

    studio: Studio
    job: Job
    run: Run
    left: Left
    live: LiveRun
    answer: Answer
    scrubber: Scrubber
    memory: Memory | None = None
    output: Any = None

    async def answer_person(self) -> RunStatus:
        """Drive it to its end, and say how it ended."""
        studio, run, answer = self.studio, self.run, self.answer
        async with studio.means.database.transaction() as db:
            cast = await load_cast(db, studio, run)
            note = await write_note(db, studio, run)
            progress = await self._load_progress(db, cast, note)
            self.scrubber = await studio.means.scrubbing.load(db, run.tenant_id)
        opened = await studio.models.open(cast.chosen, cast.person, cast.occasion)
        model = opened if note else guard(studio, cast, opened, self.scrubber)
        write = partial(self._write, conversation=True)
        self.memory = memory = Memory(cast, model, self.scrubber, write)
        answer.begin(run.message_id)
        if self.left.open_calls:
            await self._make_calls(cast, progress, list_last_calls(answer.parts), run.steps)
            answer.say(FinishStep())
        if progress.phase != "discovery":
            answer.say(build_phase(progress.phase))
        if self.left.finished:
            self._tell_last_step()
        elif not count_answers(answer.parts):
            await self._take_steps(cast, memory, progress, note)
        status = await self._finish(cast, memory, progress, note)
        answer.say(build_finish("stop", answer.usage))
        return status

    async def _finish(
        self, cast: Cast, memory: Memory, progress: Progress, note: str | None
    ) -> RunStatus:
        """What nobody follows may wait for decisions, or has to end with a value."""

        async def repair(nudge: str) -> None:
            number, left = count_steps(self.answer.parts), self.left
            self.left = NOTHING
            await self._keep(progress, number, self.answer.parts)
            make = partial(build_repair, self.studio, cast, self.answer.parts)
            asking = Asking(make=make, note=note, nudge=nudge)
            try:
                end = await self._take_step(memory, asking, progress.taint, number, left, {})
            except ModelRefused:
                bare = replace(asking, make=partial(make, is_bare=True))
                end = await self._take_step(memory, bare, progress.taint, number, NOTHING, {})
            refuse_calls(self.answer, end.calls)
            self.answer.end_step(end)

        if cast.task is None:
            return "completed"
        if await is_waiting(self.studio.means.database, cast.task, progress.cards):
            return "waiting"
        self.output = await take_output(cast.task, self.answer, repair)
        return "completed"

    async def end(self, status: RunStatus, error: dict[str, Any] | None) -> None:
        """The message, the run and the work, at once; all that was said is stored by then."""

        async def write(db: Db) -> None:
            await self._check_told(db)
            await self._store_parts(db, close_open_parts(self.answer.parts))
            await store.end_run(db, self.run, status, error, self.output)
            if status not in ("completed", "waiting"):
                await forget_note(db, self.run)
            if has_learned and self.memory is not None:
                await self.memory.keep(db)
            await announce(db, News(self.run.tenant_id, "conversation", self.run.conversation_id))
            await queue_title(db, self.run)
            await queue_webhook(db, self.run)
            await finish(db, self.job.lease)

        has_learned = self.memory is not None and self.memory.has_learned
        await self._write(write, after=self.studio.journal.flush, conversation=has_learned)

    async def _load_progress(self, db: Db, cast: Cast, note: str | None) -> Progress:
        """As earlier attempts left it; what earlier turns have read is in the context too."""
        means, run = self.studio.means, self.run
        stored = await store.list_taint(db, run.tenant_id, run.conversation_id)
        told = (
            await list_told(db, means, run.tenant_id, run.conversation_id) if stored or note else []
        )
        taint = parse_taint(stored) | taint_of_history(cast.history, cast.person.id)
        taint |= taint_of_told(means.find_tool, told) | cast.grounding.taint
        if taint.encode() != run.taint:
            await fence(db, self.job.lease)
            await store.set_progress(
                db, run, steps=run.steps, taint=taint.encode(), phase=run.phase
            )
        outcomes = list_outcomes(means.find_tool, told)
        return Progress.from_parts(self.answer.parts, taint, outcomes, run.phase)

    async def _take_steps(
        self, cast: Cast, memory: Memory, progress: Progress, note: str | None
    ) -> None:
        """Steps of the model and their calls, in turns; the last step is for words alone."""
        answer, number, nudges, left = self.answer, self.run.steps, 0, self.left
        while not progress.over:
            cap = find_step_cap(cast.agent, progress.phase, is_headless=cast.task is not None)
            is_last = number >= cap - 1 or progress.cards > 0
            asking = Asking(
                make=partial(build_request, self.studio, cast, answer.parts, phase=progress.phase),
                note=note,
                nudge=EMPTY_ANSWER if nudges else None,
                is_last=is_last,
                said=(left.text,) if left.text else (),
            )
            known = {} if is_last else map_known(self.studio.means.loaded.tools, cast.tools)
            end = await self._take_step(memory, asking, progress.taint, number, left, known)
            number, left = number + 1, NOTHING
            if is_last:
                refuse_calls(answer, end.calls)
            elif end.calls:
                await self._keep(progress, number, answer.parts)
                await self._make_calls(cast, progress, end.calls, number)
            answer.end_step(end)
            nudges += not end.calls
            if is_last or nudges > NUDGES or (not end.calls and text_of(end.parts)):
                return

    async def _take_step(
        self,
        memory: Memory,
        asking: Asking,
        taint: Taint,
        number: int,
        left: Left,
        known: Mapping[str, Tool],
    ) -> StepEnd:
        """One step of the model; an answer that was cut, by its length or otherwise, goes on.

        `known` are the tools that it can call, those that are hidden in this phase included.
        """
        request = await memory.fit(asking.build, self.answer.parts, taint)
        step = Step(number, known, self.scrubber)
        self._say_again(step, left)
        for _ in range(CONTINUATIONS + REFUSALS + 1):
            try:
                said = await _stream(memory, request, self, step)
            except ModelContextTooLong:
                if not step.is_empty or not memory.take_refusal():
                    raise
            else:
                if said.reason != "length" or said.has_calls or not said.text:
                    break
                if len(asking.said) >= CONTINUATIONS + bool(left.text):
                    break
                asking = replace(asking, said=(*asking.said, said.text))
            request = await memory.fit(asking.build, self.answer.parts, taint)
        end = step.end(time.monotonic())
        self.answer.take_step(end)
        return end

    def _tell_last_step(self) -> None:
        """All was said, and only the end was not stored."""
        step = Step(self.run.steps, {}, self.scrubber)
        self._say_again(step, self.left)
        end = step.end(time.monotonic())
        self.answer.take_step(end)
        self.answer.end_step(end)

    def _say_again(self, step: Step, left: Left) -> None:
        for one in left.prose:
            kind = TextDelta if one.kind == "text" else ReasoningDelta
            for event in step.take(kind(one.text), time.monotonic()):
                self.answer.say(event)

    async def _make_calls(
        self, cast: Cast, progress: Progress, calls: Sequence[Call], steps: int
    ) -> None:
        """The calls of the last of so many steps."""

        async def keep(parts: list[Part]) -> None:
            await self._keep(progress, steps, parts)

        await Round(self.studio, cast, self.answer, progress, steps - 1, keep).make(calls)

    async def _keep(self, progress: Progress, steps: int, parts: list[Part]) -> None:
        async def write(db: Db) -> None:
            taint, phase = progress.taint.encode(), progress.phase
            if not await store.set_progress(db, self.run, steps=steps, taint=taint, phase=phase):
                raise RunOver
            await self._store_parts(db, parts)

        await self._write(write)

    async def _check_told(self, db: Db) -> None:
        """The last moment to see that the journal is whole: nobody adds to it after the end."""
        self.live.confirm(await store.find_stored(db, self.run))
        self.live.check()
        if self.live.take_unstored():
            raise Unavailable

    async def _store_parts(self, db: Db, parts: list[Part]) -> None:
        usage = self.answer.usage
        await message_store.update_message(
            db,
            self.run.tenant_id,
            self.run.message_id,
            content=text_of(parts),
            parts=parse_parts(parts),
            usage=encode_usage(usage) if usage else None,
        )

    async def _write(
        self,
        write: Write,
        *,
        after: Callable[[], Awaitable[None]] | None = None,
        conversation: bool = False,
    ) -> None:
        """As the owner, in one transaction; a database that is away is waited for until the lease
        ends. Who writes the conversation locks it first, then the work, as who speaks there does.
        """
        while True:
            try:
                if after is not None:
                    await after()
                async with self.studio.means.database.transaction() as db:
                    if conversation:
                        await lock_conversation(db, self.run.tenant_id, self.run.conversation_id)
                    await fence(db, self.job.lease)
                    await write(db)
                return
            except Unavailable:
                self.live.check()
                await asyncio.sleep(PAUSE_SECONDS)


async def _stream(memory: Memory, request: ModelRequest, attempt: Attempt, step: Step) -> Said:
    said, answer, live = Said(), attempt.answer, attempt.live
    try:
        asked = scrub_request(request, attempt.scrubber)
        async with aclosing(memory.model.stream(asked)) as batches:
            async for events in batches:
                said.take(events)
                answer.say(*step.take_all(events, time.monotonic()))
                if live.is_full:
                    await live.wait_for_room()
    except BaseException:
        end = step.end(time.monotonic())
        answer.take_step(end)
        answer.end_step(end)
        raise
    memory.take_report(asked, said.usage)
    return said
