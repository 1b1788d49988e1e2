"""People, tenants and workspaces for tests: made in the database, signed in over real HTTP."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any
from uuid import UUID

import httpx2

from assent.identity import first_start
from assent.identity.passwords import hash_password
from assent.identity.sign_in import make_link
from assent.identity.store import roles, tenants, users
from assent.identity.user import Membership, Role
from assent.ids import new_id
from assent.testing import Client, RunningServer

PASSWORD = "correct horse battery"
_numbers = count(1)


@dataclass(frozen=True, slots=True)
class Person:
    id: UUID
    tenant_id: UUID
    email: str
    client: Client


@dataclass(frozen=True, slots=True)
class Tenant:
    id: UUID
    workspace_id: UUID
    admin: Person


@dataclass(frozen=True, slots=True)
class Pair:
    """Two servers on one database, each with its own pool."""

    one: RunningServer
    other: RunningServer


def number() -> int:
    """Never the same twice: tests that share a server must not share names."""
    return next(_numbers)


def expect(response: httpx2.Response, status: int) -> Any:
    """The body of an answer that must have this status."""
    assert response.status_code == status, f"{response.status_code}: {response.text}"
    return response.json() if response.content else None


async def find_tenant(server: RunningServer) -> Tenant:
    """The tenant of the first start, with another admin."""
    async with server.database.transaction() as db:
        tenant = await tenants.find_tenant(db, first_start.DEFAULT_TENANT)
        assert tenant is not None
        found = await tenants.list_workspaces(db, tenant.id, among=None, after=None, limit=1)
    return Tenant(tenant.id, found[0].id, await add_person(server, tenant.id, role="admin"))


async def add_tenant(server: RunningServer) -> Tenant:
    slug = f"tenant-{number()}"
    async with server.database.transaction() as db:
        tenant = await first_start.add_tenant(
            db, slug=slug, name=slug, known_rules=server.app.state.parts.loaded.rules
        )
    workspace_id = await add_workspace(server, tenant.id)
    return Tenant(tenant.id, workspace_id, await add_person(server, tenant.id, role="admin"))


async def add_workspace(server: RunningServer, tenant_id: UUID) -> UUID:
    slug = f"workspace-{number()}"
    async with server.database.transaction() as db:
        made = await tenants.insert_workspace(
            db, tenant_id, workspace_id=new_id(), slug=slug, name=slug
        )
    assert made is not None
    return made.id


async def add_role(server: RunningServer, tenant_id: UUID, rules: Sequence[str]) -> UUID:
    slug = f"role-{number()}"
    role = Role(id=new_id(), slug=slug, name=slug, rules=list(rules), built_in=False, members=0)
    async with server.database.transaction() as db:
        assert await roles.insert_role(db, tenant_id, role)
    return role.id


async def find_role(server: RunningServer, tenant_id: UUID, slug: str) -> UUID:
    async with server.database.transaction() as db:
        role = await roles.find_by_slug(db, tenant_id, slug)
    assert role is not None
    return role.id


async def add_person(
    server: RunningServer,
    tenant_id: UUID,
    *,
    rules: Sequence[str] | None = None,
    role: str | None = None,
    workspace_id: UUID | None = None,
    password: str | None = None,
) -> Person:
    """Somebody with these rules, or this role, everywhere or in one workspace; signed in."""
    memberships: list[Membership] = []
    if rules is not None:
        role_id = await add_role(server, tenant_id, rules)
        memberships.append(Membership(role_id=role_id, workspace_id=workspace_id))
    if role is not None:
        role_id = await find_role(server, tenant_id, role)
        memberships.append(Membership(role_id=role_id, workspace_id=workspace_id))
    user_id, email = new_id(), f"person-{number()}@example.com"
    password_hash = await hash_password(password) if password else None
    async with server.database.transaction() as db:
        await users.insert_user(db, tenant_id, user_id=user_id, email=email, name=email)
        await users.replace_memberships(db, tenant_id, user_id, memberships)
        if password_hash:
            await users.set_password(db, tenant_id, user_id, password_hash)
    return Person(user_id, tenant_id, email, await sign_in(server, tenant_id, user_id))


async def make_token(server: RunningServer, tenant_id: UUID, user_id: UUID) -> str:
    """The token of a fresh sign-in link."""
    async with server.database.transaction() as db:
        return (await make_link(db, tenant_id, user_id, "sign_in")).token


async def sign_in(server: RunningServer, tenant_id: UUID, user_id: UUID) -> Client:
    client = await server.open_client()
    token = await make_token(server, tenant_id, user_id)
    response = await client.get(f"/login?token={token}")
    assert response.status_code == 303, response.text
    assert response.headers["location"] == "/"
    return client


async def execute(server: RunningServer, query: str, *arguments: object) -> str:
    async with server.database.transaction() as db:
        return await db.execute(query, *arguments)


async def fetch_value(server: RunningServer, query: str, *arguments: object) -> Any:
    async with server.database.transaction(read_only=True) as db:
        return await db.fetchval(query, *arguments)


async def fetch(server: RunningServer, query: str, *arguments: object) -> list[dict[str, Any]]:
    async with server.database.transaction(read_only=True) as db:
        return [dict(row) for row in await db.fetch(query, *arguments)]
