"""Background work of this program: plugins' events, schedules and work, and Assent's own clean-up.

A plugin's handler runs in one transaction with the end of its work: its effect on the database
happens once, however often it is tried. What a plugin declares as work opens its transactions
itself, each of them fenced.
"""

from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import timedelta
from uuid import UUID

from assent.actions.means import Means
from assent.actions.outside import (
    APPLY_KIND,
    RECONCILE_KIND,
    build_apply_handler,
    build_reconcile_handler,
)
from assent.actions.record import DECIDED
from assent.actions.sweep import SWEEP, build_sweep_handler
from assent.db.database import Database, Db
from assent.identity.oauth.purge import purge as purge_oauth
from assent.identity.sessions import SessionLimits
from assent.identity.store.sessions import purge
from assent.identity.store.tenants import list_tenant_ids
from assent.models import sweep as spend
from assent.plugins.plugin import Event, Plugin, Tick
from assent.plugins.procedure import Context
from assent.plugins.run import Procedures
from assent.plugins.work import Work, WorkHandler
from assent.runs import sweep as runs_sweep
from assent.runs.decision import DECISION_KIND, build_decision_handler
from assent.runs.loop import build_run_handler
from assent.runs.studio import Studio
from assent.runs.title import TITLE_KIND, build_title_handler
from assent.runs.turn import RUN_KIND
from assent.runs.webhook import WEBHOOK_KIND, build_webhook_handler
from assent.settings import Settings
from assent.telemetry.trace_context import unload
from assent.work.lease import Handler, Job
from assent.work.queue import fence, finish
from assent.work.ticks import Schedule
from assent.work.watch import watch
from assent.work.worker import Worker

PURGE = Schedule("identity.purge", every=timedelta(minutes=10), kind="identity.purge")


def build_worker(studio: Studio, settings: Settings) -> Worker:
    means, database = studio.means, studio.means.database
    handlers: dict[str, Handler] = {
        PURGE.kind: _build_purge(database, settings),
        SWEEP.kind: build_sweep_handler(means),
        APPLY_KIND: build_apply_handler(means),
        RECONCILE_KIND: build_reconcile_handler(means),
        spend.KIND: spend.build_handler(database),
        DECISION_KIND: build_decision_handler(studio),
        TITLE_KIND: build_title_handler(studio),
        WEBHOOK_KIND: build_webhook_handler(studio),
        runs_sweep.SWEEP.kind: runs_sweep.build_sweep_handler(studio),
    }
    schedules = [PURGE, SWEEP, spend.SCHEDULE, runs_sweep.SWEEP]
    subscriptions: dict[str, list[str]] = {DECIDED: [DECISION_KIND]}
    for plugin in means.loaded.plugins:
        run = Runner(database, means.procedures, plugin)
        for subscription in plugin.subscriptions:
            kind = f"event:{plugin.name}:{subscription.handler.__name__}"
            handlers[kind] = run.event(subscription.handler)
            subscriptions.setdefault(subscription.topic, []).append(kind)
        for schedule in plugin.schedules:
            kind = f"schedule:{plugin.name}:{schedule.name}"
            handlers[kind] = run.tick(schedule.handler)
            schedules.append(Schedule(kind, every=schedule.every, kind=kind, per_tenant=True))
    return Worker(
        database,
        handlers={
            kind: _hiding(means, watch(means.telemetry, one)) for kind, one in handlers.items()
        },
        schedules=schedules,
        subscriptions=subscriptions,
        list_tenants=list_tenant_ids,
        concurrency=settings.work_concurrency,
        lease_seconds=settings.lease_seconds,
    )


def build_run_worker(studio: Studio, settings: Settings) -> Worker:
    """Turns have a worker of their own: many at once, and never behind other work."""
    return Worker(
        studio.means.database,
        handlers={
            RUN_KIND: _hiding(
                studio.means, watch(studio.means.telemetry, build_run_handler(studio))
            )
        },
        concurrency=settings.run_concurrency,
        lease_seconds=settings.lease_seconds,
    )


def build_plugin_worker(studio: Studio, settings: Settings) -> Worker:
    """What waits for others waits here, and keeps nothing else from being done."""
    means = studio.means
    handlers = {
        work.kind: Runner(means.database, means.procedures, plugin).work(work.handler)
        for plugin in means.loaded.plugins
        for work in plugin.works
    }
    return Worker(
        means.database,
        handlers={
            kind: _hiding(means, watch(means.telemetry, one)) for kind, one in handlers.items()
        },
        concurrency=settings.plugin_concurrency,
        lease_seconds=settings.lease_seconds,
    )


def _hiding(means: Means, handler: Handler) -> Handler:
    """A failure is stored with its words, which must hold no secret."""

    async def handle(job: Job) -> None:
        try:
            await handler(job)
        except Exception as error:
            hide = means.scrubbing.known.scrub_text
            error.args = tuple(hide(one) if isinstance(one, str) else one for one in error.args)
            raise

    return handle


class Runner:
    """Turns a plugin's functions into handlers of work."""

    def __init__(self, database: Database, procedures: Procedures, plugin: Plugin) -> None:
        self._database = database
        self._procedures = procedures
        self._plugin = plugin

    def event(self, function: Callable[[Context, Event], Awaitable[None]]) -> Handler:
        async def handle(job: Job) -> None:
            payload = job.work.payload
            event = Event(id=payload["eventId"], topic=payload["topic"], payload=payload["payload"])
            await self._run(job, lambda ctx: function(ctx, event))

        return handle

    def tick(self, function: Callable[[Context, Tick], Awaitable[None]]) -> Handler:
        async def handle(job: Job) -> None:
            due_at = job.work.payload["dueAt"]
            tick = Tick(id=f"{job.work.payload['schedule']}@{due_at}", due_at=due_at)
            await self._run(job, lambda ctx: function(ctx, tick))

        return handle

    def work(self, function: WorkHandler) -> Handler:
        async def handle(job: Job) -> None:
            tenant_id, (payload, _) = job.work.tenant_id, unload(job.work.payload)
            if tenant_id is None:
                raise ValueError("Plugins work for a tenant.")
            work = Work(
                id=job.work.id,
                tenant_id=tenant_id,
                attempt=job.work.attempt,
                payload=payload,
                now=self._procedures.now(),
                outside=self._procedures.outside.opened(),
                transaction=lambda: self._open(job, ends=False),
                finishing=lambda: self._open(job, ends=True),
            )
            await function(work)

        return handle

    @asynccontextmanager
    async def _open(self, job: Job, *, ends: bool) -> AsyncGenerator[Context]:
        async with self._database.transaction() as db:
            await fence(db, job.lease)
            yield await self._build_context(db, job.work.tenant_id)
            if ends:
                await finish(db, job.lease)

    async def _run(self, job: Job, function: Callable[[Context], Awaitable[None]]) -> None:
        async with self._database.transaction() as db:
            await function(await self._build_context(db, job.work.tenant_id))
            await finish(db, job.lease)

    async def _build_context(self, db: Db, tenant_id: UUID | None) -> Context:
        if tenant_id is None:
            raise ValueError("Plugins work for a tenant.")
        return await self._procedures.build_service_context(
            db, tenant_id=tenant_id, plugin=self._plugin
        )


def _build_purge(database: Database, settings: Settings) -> Handler:
    idle = SessionLimits.from_settings(settings).idle

    async def remove_expired(job: Job) -> None:
        async with database.transaction() as db:
            await purge(db, idle=idle)
            await purge_oauth(db, registration=settings.oauth_registration)
            await finish(db, job.lease)

    return remove_expired
