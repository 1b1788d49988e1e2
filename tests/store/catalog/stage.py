"""A catalog on real Postgres, and tools run on it the way a proposal and its apply run them."""

import json
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import pytest

from assent.bundled.catalog.dependencies import create_dependency
from assent.bundled.catalog.environments import create_environment
from assent.bundled.catalog.groups import create_group
from assent.bundled.catalog.systems import create_system
from assent.bundled.catalog.values import DependencyDraft, Draft, GroupDraft, SystemDraft
from assent.db.database import Database, Db, Isolation
from assent.identity.principal import Level, Principal
from assent.identity.store import teams, users
from assent.identity.store.tenants import insert_tenant, insert_workspace
from assent.identity.user import Subject, Tenant
from assent.ids import new_id
from assent.plugins.load import Loaded
from assent.plugins.procedure import Context, In, Out, Procedure
from assent.plugins.run import Procedures
from assent.settings import Settings
from assent.testing import FixedClock
from assent.tools.schema import parse_input
from assent.tools.tool import Preview, Tool, ToolValidationError, check_preview
from assent.vault.keys import KeyRing
from assent.vault.master_key import KeySource, new_master_key
from assent.vault.scrubbing import open_scrubbing
from assent.vault.vault import Vault

Arguments = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Stage:
    """Two workspaces, an admin, and ids by name: `ids["web"]`."""

    database: Database
    procedures: Procedures
    loaded: Loaded
    admin: Principal
    ids: dict[str, UUID]

    def fill(self, value: Any) -> Any:
        """Put ids where arguments have `<name>`."""
        if isinstance(value, str) and value.startswith("<"):
            return str(self.ids[value[1:-1]])
        if isinstance(value, list):
            return [self.fill(one) for one in value]  # pyright: ignore[reportUnknownVariableType]
        if isinstance(value, dict):
            return {key: self.fill(one) for key, one in value.items()}  # pyright: ignore[reportUnknownVariableType]
        return value

    async def change(self, procedure: Procedure[In, Out], given: Mapping[str, Any]) -> Out:
        """What somebody else does by a form."""
        value = procedure.input.model_validate(self.fill(given))
        return await self.procedures.invoke(procedure, self.admin, value, edge="form")

    async def preview(self, name: str, given: Arguments, *, by: Principal | None = None) -> Preview:
        """A dry run, in a transaction in which nothing can be written."""
        tool = self._load(name)
        async with self.open(tool, by, read_only=True) as ctx:
            return await run_dry(tool, ctx, self.fill(given))

    async def refuse(self, name: str, given: Arguments, *, by: Principal | None = None) -> Any:
        """The issues of a dry run that must be refused as feedback, by path."""
        with pytest.raises(ToolValidationError) as raised:
            await self.preview(name, given, by=by)
        return {issue.path: issue.message for issue in raised.value.issues}

    async def apply(self, name: str, given: Arguments, *, by: Principal | None = None) -> Any:
        """The dry run again, then the change, in one transaction; the value as it is stored."""
        tool = self._load(name)
        async with self.open(tool, by, isolation="repeatable_read") as ctx:
            await run_dry(tool, ctx, self.fill(given))
            return await run(tool, ctx, self.fill(given))

    async def undo(self, name: str, given: Arguments, value: Any) -> Any:
        """Apply the inverse of a change that was applied."""
        tool = self._load(name)
        assert tool.functions.inverse is not None
        inverse = tool.functions.inverse(parse_input(tool, self.fill(given)), value)
        assert inverse is not None
        return await self.apply(inverse.tool, inverse.arguments)

    @asynccontextmanager
    async def open(
        self,
        tool: Tool,
        by: Principal | None = None,
        *,
        read_only: bool = False,
        isolation: Isolation = "read_committed",
    ) -> AsyncGenerator[Context]:
        async with self.database.transaction(read_only=read_only, isolation=isolation) as db:
            yield await self.procedures.build_context(
                db, by or self.admin, plugin="catalog", rule=tool.rules[0]
            )

    async def add_person(
        self, rules: Sequence[str] = (), *, there: Sequence[str] = (), here: Sequence[str] = ()
    ) -> Principal:
        """Somebody with rules everywhere, in the one workspace, in the other."""
        places = {self.ids["Here"]: frozenset(here), self.ids["There"]: frozenset(there)}
        person = Principal(
            kind="user",
            id=new_id(),
            tenant_id=self.admin.tenant_id,
            name="Ann",
            rules=frozenset(rules),
            workspace_rules={place: held for place, held in places.items() if held},
            session_id=new_id(),
        )
        async with self.database.transaction() as db:
            await add_user(db, person)
        return person

    async def grant(self, person: Principal, kind: str, name: str, level: Level) -> None:
        async with self.database.transaction() as db:
            await teams.upsert_grant(
                db,
                person.tenant_id,
                grant_id=new_id(),
                resource=(kind, self.ids[name]),
                subject=Subject(kind="user", id=person.id),
                level=level,
            )

    async def execute(self, statement: str, *arguments: object) -> None:
        async with self.database.transaction() as db:
            await db.execute(statement, *arguments)

    def _load(self, name: str) -> Tool:
        tool = self.loaded.tools.find(name)
        assert tool is not None, name
        return tool


async def run_dry(tool: Tool, ctx: Context, given: Arguments) -> Preview:
    assert tool.functions.dry_run is not None
    preview = await tool.functions.dry_run(ctx, parse_input(tool, given))
    check_preview(tool, preview)
    json.dumps(preview.encode())
    return preview


async def run(tool: Tool, ctx: Context, given: Arguments) -> Any:
    result = await tool.functions.execute(ctx, parse_input(tool, given))
    return json.loads(json.dumps(result.value))


async def add_user(db: Db, person: Principal) -> None:
    address = f"{person.id}@example.com"
    await users.insert_user(
        db, person.tenant_id, user_id=person.id, email=address, name=person.name
    )


async def open_stage(database: Database, loaded: Loaded) -> Stage:
    vault = Vault(KeySource(KeyRing(new_master_key(), ()), None))
    procedures = Procedures(
        database,
        vault,
        loaded=loaded,
        public_url="http://localhost",
        clock=FixedClock(),
        scrubbing=open_scrubbing(Settings(), vault),
    )
    tenant = Tenant(id=new_id(), slug="shop", name="Shop")
    admin = Principal(
        kind="user",
        id=new_id(),
        tenant_id=tenant.id,
        name="Admin",
        rules=frozenset(["*"]),
        session_id=new_id(),
    )
    stage = Stage(database, procedures, loaded, admin, {})
    async with database.transaction() as db:
        assert await insert_tenant(db, tenant)
        await add_user(db, admin)
        for name in ("Here", "There"):
            stage.ids[name] = new_id()
            await insert_workspace(
                db, tenant.id, workspace_id=stage.ids[name], slug=name.lower(), name=name
            )
    await fill_catalog(stage)
    return stage


async def fill_catalog(stage: Stage) -> None:
    """Billing is in a group and an environment, between web and the ledger; far is elsewhere."""
    here, there, ids = stage.ids["Here"], stage.ids["There"], stage.ids

    async def add(procedure: Procedure[Any, Any], draft: Draft) -> None:
        made = await stage.procedures.invoke(procedure, stage.admin, draft, edge="form")
        ids[draft.name] = made.id

    for name in ("Production", "Staging"):
        await add(create_environment, Draft(workspace_id=here, name=name))
    for name in ("Payments", "Storefront"):
        await add(create_group, GroupDraft(workspace_id=here, name=name))
    for name in ("web", "ledger"):
        await add(create_system, SystemDraft(workspace_id=here, name=name))
    billing = SystemDraft(
        workspace_id=here,
        name="billing",
        description="Sends bills.",
        group_ids=[ids["Payments"]],
        environment_ids=[ids["Production"]],
    )
    await add(create_system, billing)
    await add(create_system, SystemDraft(workspace_id=there, name="far"))
    await add(create_group, GroupDraft(workspace_id=there, name="Distant"))
    await add(create_environment, Draft(workspace_id=there, name="Remote"))
    for key, system, target in (("in", "web", "billing"), ("out", "billing", "ledger")):
        link = DependencyDraft(system_id=ids[system], depends_on_id=ids[target])
        ids[key] = (await stage.change(create_dependency, link.model_dump(mode="json"))).id
