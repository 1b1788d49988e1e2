"""A plugin with work that waits when it is told to, and a worker for it."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from assent import main
from assent.background import Runner
from assent.db.database import Database
from assent.ids import new_id
from assent.plugins import administration
from assent.plugins.api import Plugin, Work
from assent.plugins.load import load_plugins
from assent.plugins.run import Procedures
from assent.settings import Settings
from assent.vault.keys import KeyRing
from assent.vault.master_key import KeySource, new_master_key
from assent.vault.vault import Vault
from assent.work.worker import Worker

MADE = "CREATE TABLE made (tenant_id uuid, work_id uuid, attempt integer, what text)"
MAKE = "INSERT INTO made VALUES ($1, $2, $3, $4)"


@dataclass(slots=True)
class Workshop:
    """`began` and `may_end` are the two ends of what the work waits for in between."""

    began: asyncio.Queue[Work] = field(default_factory=asyncio.Queue["Work"])
    may_end: asyncio.Event = field(default_factory=asyncio.Event)
    ended: list[str] = field(default_factory=list[str])
    fails: int = 0

    def build_plugin(self) -> Plugin:
        plugin = Plugin("shed", title="Shed", rules=["shed.thing.manage"])
        plugin.work(self.make)
        plugin.work(self.make_without_end)
        return plugin

    async def make(self, work: Work) -> None:
        async with work.transaction() as ctx:
            await ctx.db.execute(MAKE, ctx.tenant_id, work.id, work.attempt, "began")
        await self.began.put(work)
        await self.may_end.wait()
        if work.attempt <= self.fails:
            raise OSError("the tool broke")
        async with work.finishing() as ctx:
            await ctx.db.execute(MAKE, ctx.tenant_id, work.id, work.attempt, "made")
        self.ended.append("made")

    async def make_without_end(self, work: Work) -> None:
        await self.began.put(work)


@dataclass(slots=True)
class Shed:
    database: Database
    procedures: Procedures
    plugin: Plugin
    workshop: Workshop
    tenant_id: UUID = field(default_factory=new_id)

    async def ask(self, work: Any, key: str | None = None, **payload: Any) -> UUID:
        async with self.database.transaction() as db:
            ctx = await self.procedures.build_service_context(
                db, tenant_id=self.tenant_id, plugin=self.plugin
            )
            return await ctx.enqueue(work, payload, key=key)

    async def list_made(self) -> list[tuple[int, str]]:
        async with self.database.reading() as db:
            rows = await db.fetch("SELECT attempt, what FROM made ORDER BY attempt, what")
        return [(row["attempt"], row["what"]) for row in rows]

    @asynccontextmanager
    async def working(self, *, lease_seconds: float = 10) -> AsyncGenerator[None]:
        runner = Runner(self.database, self.procedures, self.plugin)
        worker = Worker(
            self.database,
            handlers={work.kind: runner.work(work.handler) for work in self.plugin.works},
            lease_seconds=lease_seconds,
        )
        stop = asyncio.Event()
        task = asyncio.create_task(worker.run(stop, grace=0))
        try:
            yield
        finally:
            stop.set()
            await task


async def open_shed(database: Database) -> Shed:
    workshop = Workshop()
    plugin = workshop.build_plugin()
    procedures = main.build_procedures(
        database,
        settings=Settings(),
        loaded=load_plugins([administration.plugin], [plugin], {}),
        vault=Vault(KeySource(KeyRing(new_master_key(), ()), None)),
    )
    async with database.transaction() as db:
        await db.execute(MADE)
    return Shed(database, procedures, plugin, workshop)
