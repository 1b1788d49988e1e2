"""What a proposal rests on: exactly these bytes, tried by the same principal, not long ago."""

from collections.abc import AsyncGenerator
from typing import Any

import pytest_asyncio

from assent.actions.evidence.keep import KEPT, LARGEST, MOST
from assent.actions.sweep import sweep_tenant
from assent.plugins import administration, assistant
from assent.plugins.load import load_plugins
from assent.testing import Client, Databases, RunningServer, run_server
from tests.bank.desk import add_key, apply
from tests.turn.lab import MANAGE
from tests.turn.lab import plugin as lab
from tests.turn.people import (
    Tenant,
    add_person,
    add_tenant,
    execute,
    expect,
    fetch_value,
    find_tenant,
    number,
)

COUNT = "SELECT count(*) FROM evidence WHERE principal_id = $1"
AGE = "UPDATE evidence SET kept_at = clock_timestamp() - $2::interval WHERE principal_id = $1"


@pytest_asyncio.fixture(scope="module")
async def server(databases: Databases) -> AsyncGenerator[RunningServer]:
    loaded = load_plugins([administration.plugin, assistant.plugin], [lab], {})
    async with (
        databases.copy() as url,
        run_server(url, loaded=loaded, tool_calls=10_000, background_work=True) as running,
    ):
        yield running


@pytest_asyncio.fixture(scope="module")
async def tenant(server: RunningServer) -> Tenant:
    return await find_tenant(server)


async def try_out(client: Client, source: str) -> Any:
    return expect(
        await client.post("/api/tools/lab.try/call", json={"input": {"source": source}}), 200
    )


async def build(client: Client, source: str, status: int) -> Any:
    body = {"tool": "lab.build", "input": {"source": source}}
    return expect(await client.post("/api/proposals", json=body), status)


async def test_a_card_shows_what_was_seen_and_applies(
    server: RunningServer, tenant: Tenant
) -> None:
    client, source = tenant.admin.client, f"x = {number()}"
    problem = await build(client, source, 422)
    assert problem["issues"] == [{"path": "source", "message": "Try exactly this first."}]
    await try_out(client, source)
    card = await build(client, source, 201)
    assert card["creates"] == {"tried": f"seen: {source}"}
    assert (await apply(client, card["id"]))["result"] == {"built": True}


async def test_one_changed_byte_is_another_thing(tenant: Tenant) -> None:
    client, source = tenant.admin.client, f"x = {number()}"
    await try_out(client, source)
    for other in (f"{source} ", source.upper(), source[:-1], f"{source}\n"):
        await build(client, other, 422)
    await build(client, source, 201)


async def test_it_is_nobody_elses(server: RunningServer, tenant: Tenant) -> None:
    source, client = f"x = {number()}", tenant.admin.client
    await try_out(client, source)
    other = await add_person(server, tenant.id, rules=[MANAGE])
    await build(other.client, source, 422)
    stranger = await add_tenant(server)
    await build(stranger.admin.client, source, 422)
    robot = await server.open_client(key=await add_key(tenant.admin, MANAGE))
    await build(robot, source, 422)
    await try_out(robot, source)
    await build(robot, source, 201)


async def test_it_does_not_last(server: RunningServer, tenant: Tenant) -> None:
    person = await add_person(server, tenant.id, rules=[MANAGE])
    source = f"x = {number()}"
    await try_out(person.client, source)
    await execute(server, AGE, person.id, KEPT)
    await build(person.client, source, 422)
    assert await fetch_value(server, COUNT, person.id) == 1
    await sweep_tenant(server.app.state.parts.means, tenant.id)
    assert await fetch_value(server, COUNT, person.id) == 0
    await try_out(person.client, source)
    await build(person.client, source, 201)


async def test_a_card_that_rests_on_nothing_any_more_is_voided(
    server: RunningServer, tenant: Tenant
) -> None:
    person = await add_person(server, tenant.id, rules=[MANAGE])
    source = f"x = {number()}"
    await try_out(person.client, source)
    card = await build(person.client, source, 201)
    await execute(server, AGE, person.id, KEPT)
    await apply(person.client, card["id"], 412)
    shown = expect(await person.client.get(f"/api/proposals/{card['id']}"), 200)
    assert shown["state"] == "voided"


async def test_there_are_not_too_many(server: RunningServer, tenant: Tenant) -> None:
    person = await add_person(server, tenant.id, rules=[MANAGE])
    sources = [f"x = {number()}" for _ in range(MOST + 3)]
    for source in sources:
        await try_out(person.client, source)
    assert await fetch_value(server, COUNT, person.id) == MOST
    await build(person.client, sources[2], 422)
    await build(person.client, sources[3], 201)


async def test_what_is_too_large_is_the_authors_fault(tenant: Tenant) -> None:
    body = {"input": {"source": "x" * LARGEST}}
    problem = expect(await tenant.admin.client.post("/api/tools/lab.try/call", json=body), 500)
    assert problem["code"] == "tool_failed"


async def test_no_secret_is_kept(server: RunningServer, tenant: Tenant) -> None:
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    source = f"token = '{secret}' # {number()}"
    await try_out(tenant.admin.client, source)
    held = "SELECT count(*) FROM evidence WHERE shown::text LIKE '%' || $1 || '%'"
    assert await fetch_value(server, held, secret) == 0
    card = await build(tenant.admin.client, source, 201)
    assert secret not in str(card["creates"])
