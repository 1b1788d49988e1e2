"""The worker: takes work, runs it, keeps its leases, and produces work from ticks and the outbox.

Four loops share nothing but the jobs under way: the link (wake-ups), the heartbeat, the claim and
the producer. All of them outlive a database that goes away and comes back. Handlers share the event
loop: what computes for seconds belongs in another process, or its lease is lost.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import timedelta
from time import monotonic
from uuid import UUID

import asyncpg

from assent.db.database import Database, Db
from assent.errors import ConfigurationError
from assent.ids import new_id
from assent.work import retention, store
from assent.work.ending import Stop
from assent.work.execution import Execution
from assent.work.lease import Handler, Job, Lease
from assent.work.link import DATABASE_ERRORS, Link
from assent.work.outbox import BATCH, Subscriptions, dispatch
from assent.work.ticks import ListTenants, Schedule, create_due_ticks

POLL = 1.0
SWEEP_EVERY = 0.5
TICK_EVERY = 0.5
PAUSE = 0.5
CANCEL_GRACE = 5.0

log = logging.getLogger("assent.work")


async def no_tenants(_db: Db) -> Sequence[UUID]:
    return ()


class Worker:
    def __init__(
        self,
        database: Database,
        *,
        handlers: Mapping[str, Handler],
        schedules: Sequence[Schedule] = (),
        subscriptions: Subscriptions | None = None,
        list_tenants: ListTenants = no_tenants,
        concurrency: int = 4,
        lease_seconds: float = 10,
    ) -> None:
        self._database = database
        self._handlers = {**handlers, retention.KIND: retention.build_handler(database)}
        self._kinds = sorted(self._handlers)
        self._schedules = (*schedules, retention.SCHEDULE)
        self._subscriptions = subscriptions or {}
        self._list_tenants = list_tenants
        self._concurrency = concurrency
        self._lease = timedelta(seconds=lease_seconds)
        self._beat_every = lease_seconds / 3
        self._owner = new_id()
        self._sweep_at = 0.0
        self._tick_at = 0.0
        self._is_full = False
        self._executions: dict[asyncio.Task[None], Execution] = {}
        self._bells = {what: asyncio.Event() for what in ("work", "outbox", "cancel")}
        self._link = Link(
            database,
            ring=self._ring,
            on_notify=self._hear,
            answer_within=self._beat_every,
        )
        _check_names(self._schedules)

    async def run(self, stop: asyncio.Event, *, grace: float = 10) -> None:
        """Work until `stop`; then take nothing new, and give what runs `grace` seconds to end."""
        never = asyncio.Event()
        try:
            async with asyncio.TaskGroup() as group:
                upkeep = [
                    group.create_task(self._link.stay_open()),
                    group.create_task(
                        _repeat(
                            self._beat, self._bells["cancel"], every=self._beat_every, until=never
                        )
                    ),
                ]
                await self._take_work(stop)
                await self._drain(grace)
                for task in upkeep:
                    task.cancel()
        finally:
            await self._drain(0)
            await self._release()

    async def _take_work(self, stop: asyncio.Event) -> None:
        async with asyncio.TaskGroup() as group:
            group.create_task(_repeat(self._claim, self._bells["work"], every=POLL, until=stop))
            group.create_task(_repeat(self._produce, self._bells["outbox"], every=POLL, until=stop))
            await stop.wait()
            self._ring()

    async def _claim(self) -> None:
        free = self._concurrency - len(self._executions)
        self._is_full = free <= 0
        if self._is_full or not self._link.is_open:
            return
        asked_at = monotonic()
        async with self._database.connection() as db:
            if asked_at >= self._sweep_at:
                self._sweep_at = asked_at + SWEEP_EVERY
                for work in await store.sweep(db):
                    log.warning("A lease ran out; now %s.", work.state, extra=work.log_fields())
            try:
                works = await store.claim(
                    db, owner=self._owner, kinds=self._kinds, limit=free, lease=self._lease
                )
            except asyncpg.UniqueViolationError:
                # Another claim saw an earlier row of a lane that ours could not see yet.
                self._bells["work"].set()
                return
        self._is_full = len(works) == free
        for work in works:
            job = Job(work, Lease(work.id, self._owner, work.attempt))
            self._start(Execution(job, self._handlers[work.kind], renewed_at=asked_at))

    def _start(self, execution: Execution) -> None:
        supervisor = asyncio.create_task(execution.supervise(self._database, patience=self._lease))
        self._executions[supervisor] = execution
        supervisor.add_done_callback(self._end)

    def _end(self, supervisor: asyncio.Task[None]) -> None:
        """Look for what had no place before, and for what waited behind this."""
        execution = self._executions.pop(supervisor)
        if self._is_full or execution.job.work.ordering_key is not None:
            self._bells["work"].set()
        if not supervisor.cancelled() and (error := supervisor.exception()):
            log.error("The end of work was not written.", exc_info=error)

    async def _beat(self) -> None:
        """Renew all leases with one statement; stop what is lost or asked to stop."""
        if not self._link.is_open:
            self._stop_overdue()
            return
        executions = list(self._executions.values())
        work_ids = [execution.lease.work_id for execution in executions]
        asked_at = monotonic()
        try:
            held = await store.renew(
                self._link.db, owner=self._owner, work_ids=work_ids, lease=self._lease
            )
        except DATABASE_ERRORS:
            self._link.drop()
            self._stop_overdue()
            raise
        for execution in executions:
            if execution.lease not in held:
                execution.stop(Stop.LOST)
                continue
            execution.renewed_at = asked_at
            if held[execution.lease]:
                execution.stop(Stop.CANCEL)

    def _stop_overdue(self) -> None:
        """Stop what was not confirmed for so long that the next beat may come too late."""
        for execution in self._executions.values():
            if monotonic() - execution.renewed_at > 2 * self._beat_every:
                execution.stop(Stop.LOST)

    async def _produce(self) -> None:
        """A process that freezes in here would hold back the other producers."""
        if monotonic() >= self._tick_at:
            self._tick_at = monotonic() + TICK_EVERY
            async with self._database.transaction(opening=store.LIMIT_IDLING) as db:
                await create_due_ticks(db, self._schedules, self._list_tenants)
        dispatched = BATCH if self._subscriptions else 0
        while dispatched == BATCH:
            async with self._database.transaction(opening=store.LIMIT_IDLING) as db:
                dispatched = await dispatch(db, self._subscriptions)

    async def _drain(self, grace: float) -> None:
        await _wait(self._executions, grace)
        for execution in self._executions.values():
            execution.stop(Stop.SHUTDOWN)
        await _wait(self._executions, CANCEL_GRACE)

    async def _release(self) -> None:
        """Give back what is still ours. A handler that goes on regardless is fenced out."""
        for supervisor in self._executions:
            supervisor.cancel()
        try:
            async with self._database.connection() as db:
                released = await store.release(db, self._owner)
        except DATABASE_ERRORS as error:
            log.warning("The leases could not be released and will run out: %s", error)
        else:
            log.debug("The worker stopped and released %d.", released)

    def _hear(self, payload: str) -> None:
        """What rings, and of which kind the work is where only some can do it."""
        what, _, kind = payload.partition(" ")
        if what in self._bells and (not kind or kind in self._handlers):
            self._bells[what].set()

    def _ring(self) -> None:
        for bell in self._bells.values():
            bell.set()


async def _repeat(
    step: Callable[[], Awaitable[None]], bell: asyncio.Event, *, every: float, until: asyncio.Event
) -> None:
    """Take the step each time the bell rings, and each `every` seconds in any case."""
    while not until.is_set():
        bell.clear()
        try:
            await step()
        except DATABASE_ERRORS as error:
            log.warning("The database does not answer the worker: %s", error)
            await asyncio.sleep(PAUSE)
        except Exception:
            log.exception("A step of the worker failed.")
            await asyncio.sleep(PAUSE)
        with suppress(TimeoutError):
            async with asyncio.timeout(every):
                await bell.wait()


async def _wait(tasks: Iterable[asyncio.Task[None]], seconds: float) -> None:
    waiting = set(tasks)
    if waiting:
        await asyncio.wait(waiting, timeout=seconds)


def _check_names(schedules: Sequence[Schedule]) -> None:
    names = [schedule.name for schedule in schedules]
    if len(set(names)) < len(names):
        raise ConfigurationError(f"Two schedules have one name: {', '.join(sorted(names))}.")
