"""Running procedures: one transaction, authorization first, and an audit entry for every change."""

from collections.abc import Callable, Mapping
from contextlib import AbstractAsyncContextManager, nullcontext
from dataclasses import replace
from datetime import datetime
from typing import Any, cast
from uuid import UUID

from assent.audit.entry import Edge, Entry, Status, hash_arguments
from assent.audit.store import append_entry
from assent.db.database import Database, Db, Row, savepoint
from assent.errors import Conflict, Forbidden, MissingRule, NeedsProposal, PluginError
from assent.identity.access import check_owner, load_scope
from assent.identity.principal import Principal, Scope, check_covers
from assent.identity.rules import resource_kind
from assent.identity.store.teams import delete_grants_of, list_grants
from assent.identity.store.tenants import find_workspace
from assent.ids import new_id
from assent.plugins.extension import Contribution
from assent.plugins.load import Loaded
from assent.plugins.outside import Outside, Shown
from assent.plugins.plugin import DemoWorkspace, Plugin
from assent.plugins.procedure import (
    Asked,
    Context,
    Deed,
    HeldGrant,
    In,
    Look,
    Occasion,
    Out,
    Procedure,
)
from assent.value import Named
from assent.vault.scrubbing import Scrubbing
from assent.vault.secrets import forget_secret, keep_secret, replace_secret, reveal_secret
from assent.vault.vault import Vault
from assent.work.lease import NewWork
from assent.work.outbox import publish
from assent.work.queue import hand_in

SERVICE_ID = UUID(int=0)
NO_OCCASION = Occasion()
NOWHERE = Scope("", everywhere=False, workspace_ids=frozenset(), resource_ids=frozenset())


class Statements:
    """A connection with which one can run statements and nothing else."""

    def __init__(self, db: Db) -> None:
        self._db = db

    async def fetch(self, query: str, *args: object) -> list[Row]:
        return list(await self._db.fetch(query, *args))

    async def fetchrow(self, query: str, *args: object) -> Row | None:
        return await self._db.fetchrow(query, *args)

    async def fetchval(self, query: str, *args: object) -> Any:
        return await self._db.fetchval(query, *args)

    async def execute(self, query: str, *args: object) -> str:
        return await self._db.execute(query, *args)

    def savepoint(self) -> AbstractAsyncContextManager[None]:
        return savepoint(self._db)


class Quiet(Statements):
    """Events published here wake nobody: commits with a NOTIFY wait for each other."""


class Detached(Statements):
    """For code that waits for others: each statement reads in a transaction of its own."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def fetch(self, query: str, *args: object) -> list[Row]:
        async with self._database.reading() as db:
            return list(await db.fetch(query, *args))

    async def fetchrow(self, query: str, *args: object) -> Row | None:
        async with self._database.reading() as db:
            return await db.fetchrow(query, *args)

    async def fetchval(self, query: str, *args: object) -> Any:
        async with self._database.reading() as db:
            return await db.fetchval(query, *args)

    async def execute(self, query: str, *args: object) -> str:
        async with self._database.reading() as db:
            return await db.execute(query, *args)

    def savepoint(self) -> AbstractAsyncContextManager[None]:
        return nullcontext()


class Procedures:
    """Runs procedures for every edge. Made once by `main`."""

    def __init__(
        self,
        database: Database,
        vault: Vault,
        *,
        loaded: Loaded,
        public_url: str,
        clock: Callable[[], datetime],
        scrubbing: Scrubbing,
        outside: Outside | None = None,
    ) -> None:
        self._database = database
        self._vault = vault
        self._loaded = loaded
        self.scrubbing = scrubbing
        self.now = clock
        self.outside = outside or Outside()
        self._works = {work.handler: work for plugin in loaded.plugins for work in plugin.works}
        self._by_action = {
            one.action: one for plugin in loaded.plugins for one in plugin.procedures
        }
        self.public_url = public_url
        self.known_rules = loaded.rules
        self.program_rules = loaded.program_rules

    async def invoke(
        self, procedure: Procedure[In, Out], principal: Principal, given: In, *, edge: Edge
    ) -> Out:
        """Run one procedure from the outside. Only a person in a browser changes anything."""
        if procedure.access.effect == "read":
            async with self._database.reading() as db:
                return await self._run(db, procedure, principal, given)
        entry = _build_entry(procedure, principal, given, edge)
        try:
            if not principal.is_person:
                raise NeedsProposal
            if procedure.access.calls_out:
                return await self._call_out(procedure, principal, given, entry)
            async with self._database.transaction() as db:
                result = await self._run(db, procedure, principal, given)
                await append_entry(db, entry)
                return result
        except Forbidden:
            async with self._database.transaction() as db:
                await append_entry(db, replace(entry, status="refused"))
            raise

    async def _call_out(
        self, procedure: Procedure[In, Out], principal: Principal, given: In, entry: Entry
    ) -> Out:
        """Nothing is held while it waits. It is recorded however it ends."""
        status: Status = "failed"
        try:
            result = await self._run(Detached(self._database), procedure, principal, given)
            status = "executed"
            return result
        except Forbidden:
            status = "refused"
            raise
        finally:
            if status != "refused":
                async with self._database.transaction() as db:
                    await append_entry(db, replace(entry, status=status))

    async def call(self, ctx: Context, procedure: Procedure[In, Out], given: In) -> Out:
        statements = cast(Statements, ctx.db)
        async with statements.savepoint():
            return await self._run(statements, procedure, ctx.principal, given, ctx.occasion)

    async def answer(self, ctx: Context, procedure: Procedure[In, Out], given: In) -> Out:
        """As `call`, where nothing else follows: nobody could go on after an error."""
        return await self._run(ctx.db, procedure, ctx.principal, given, ctx.occasion)

    async def consult(self, ctx: Context, plugin: str, rule: str, look: Look[Out]) -> Out:
        statements = cast(Statements, ctx.db)
        async with statements.savepoint():
            consulted = await self.build_context(
                statements, ctx.principal, plugin=plugin, rule=rule
            )
            if consulted.scope.is_empty:
                raise MissingRule(rule)
            return await look(consulted)

    async def check(self, ctx: Context, *, workspace_id: UUID, resource_id: UUID) -> None:
        rule = ctx.scope.rule
        kind = resource_kind(rule)
        if rule.endswith(".read"):
            check_covers(ctx.scope, None, workspace_id=workspace_id, resource_id=resource_id)
            return
        reading = await load_scope(ctx.db, ctx.principal, f"{kind}.read")
        check_covers(reading, ctx.scope, workspace_id=workspace_id, resource_id=resource_id)
        await check_owner(ctx.db, ctx.principal, kind, resource_id)

    async def check_workspace(self, ctx: Context, workspace_id: UUID, path: str) -> Named:
        known = await find_workspace(ctx.db, ctx.tenant_id, workspace_id)
        if known is None or not ctx.principal.enters(workspace_id):
            raise Conflict.at(path, "There is no such workspace.")
        if not ctx.scope.covers(workspace_id=workspace_id):
            raise MissingRule(ctx.scope.rule)
        return Named(id=known.id, name=known.name)

    async def list_grants(self, ctx: Context, resource_id: UUID) -> list[HeldGrant]:
        kind = resource_kind(ctx.scope.rule)
        grants = await list_grants(
            ctx.db, ctx.tenant_id, resource_kind=kind, resource_id=resource_id
        )
        return [HeldGrant(grant.id, grant.level) for grant in grants]

    async def forget_grants(self, ctx: Context, resource_id: UUID) -> None:
        await delete_grants_of(ctx.db, ctx.tenant_id, resource_kind(ctx.scope.rule), resource_id)

    async def publish(self, ctx: Context, topic: str, payload: Mapping[str, Any]) -> None:
        await publish(
            ctx.db,
            tenant_id=ctx.tenant_id,
            topic=topic,
            payload=dict(payload),
            wake=not isinstance(ctx.db, Quiet),
        )

    async def scrub(self, ctx: Context, value: Any) -> Any:
        return (await self.scrubbing.load(ctx.db, ctx.tenant_id)).scrub(value)

    async def enqueue(self, ctx: Context, work: Deed, asked: Asked) -> UUID:
        declared = self._works.get(work)
        if declared is None:
            raise PluginError("Only a function with @plugin.work can be enqueued.")
        new = NewWork(
            id=new_id(),
            kind=declared.kind,
            payload=asked.payload,
            tenant_id=ctx.tenant_id,
            ordering_key=f"{declared.plugin}:{asked.key}" if asked.key is not None else None,
            run_after=asked.after,
        )
        return await hand_in(ctx.db, new, wake=not isinstance(ctx.db, Quiet))

    async def find_evidence(self, ctx: Context, kind: str, digest: str) -> Shown | None:
        return await self.outside.evidence(ctx.db, ctx.principal, kind, digest)

    def contributions(self, point: str) -> Mapping[str, Contribution]:
        try:
            return self._loaded.contributions[point]
        except KeyError:
            raise PluginError(f"There is no extension point {point}.") from None

    def find_procedure(self, action: str) -> Procedure[Any, Any] | None:
        return self._by_action.get(action)

    async def keep_secret(self, ctx: Context, name: str, value: str) -> UUID:
        return await keep_secret(
            ctx.db, self._vault, tenant_id=ctx.tenant_id, name=name, value=value
        )

    async def reveal_secret(self, ctx: Context, secret_id: UUID) -> str:
        return await reveal_secret(
            ctx.db, self._vault, tenant_id=ctx.tenant_id, secret_id=secret_id
        )

    async def replace_secret(self, ctx: Context, secret_id: UUID, value: str) -> None:
        await replace_secret(
            ctx.db, self._vault, tenant_id=ctx.tenant_id, secret_id=secret_id, value=value
        )

    async def forget_secret(self, ctx: Context, secret_id: UUID) -> None:
        await forget_secret(ctx.db, tenant_id=ctx.tenant_id, secret_id=secret_id)

    async def fill_demo(self, db: Db, admin: Principal, demo: DemoWorkspace) -> None:
        """Let every plugin put its demo data into the workspace."""
        for plugin in self._loaded.plugins:
            for handler in plugin.demo_handlers:
                ctx = await self.build_context(db, admin, plugin=plugin.name, rule=plugin.rules[0])
                await handler(ctx, demo)

    async def build_service_context(self, db: Db, *, tenant_id: UUID, plugin: Plugin) -> Context:
        """For a plugin's own background work: a service with no more than it needs."""
        service = Principal(
            kind="service",
            id=SERVICE_ID,
            tenant_id=tenant_id,
            name=plugin.name,
            rules=self._loaded.list_service_rules(plugin),
        )
        return await self.build_context(db, service, plugin=plugin.name, rule=plugin.rules[0])

    async def build_context(
        self, db: Db, principal: Principal, *, plugin: str, rule: str | None
    ) -> Context:
        """Without a rule the scope is empty: whatever is looked at needs a check of its own."""
        return Context(
            principal=principal,
            scope=await load_scope(db, principal, rule) if rule else NOWHERE,
            db=db if isinstance(db, Statements) else Statements(db),
            settings=self._loaded.settings.get(plugin),
            now=self.now(),
            runtime=self,
            outside=self.outside,
        )

    async def _run(
        self,
        db: Db,
        procedure: Procedure[In, Out],
        principal: Principal,
        given: In,
        occasion: Occasion = NO_OCCASION,
    ) -> Out:
        access = procedure.access
        ctx = await self.build_context(db, principal, plugin=procedure.plugin, rule=access.rule)
        if ctx.scope.is_empty or (access.tenant_wide and not ctx.scope.everywhere):
            raise MissingRule(access.rule)
        if access.calls_out and isinstance(db, Detached):
            ctx = replace(ctx, outside=ctx.outside.opened())
        return await procedure.handler(replace(ctx, occasion=occasion), given)


def _build_entry(
    procedure: Procedure[In, Out], principal: Principal, given: In, edge: Edge
) -> Entry:
    return Entry(
        tenant_id=principal.tenant_id,
        edge=edge,
        action=procedure.action,
        effect=procedure.access.effect,
        status="executed",
        actor=principal.actor,
        arguments_hash=hash_arguments(given.model_dump(mode="json", by_alias=True)),
    )
