"""Codes and tokens: good once, for one program and one resource, for no more than a person has."""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any
from uuid import UUID

import httpx2
import pytest
import pytest_asyncio

from assent.testing import Databases, RunningServer, run_server
from tests.turn.oauth import CONNECT, MANAGE, READ, Lathe, Site, make_pkce, open_lathe
from tests.turn.people import (
    Pair,
    Person,
    Tenant,
    add_person,
    execute,
    expect,
    fetch_value,
    find_tenant,
    number,
)

AT_ONCE = 64
COUNT_REFUSED = "SELECT count(*) FROM audit_entries WHERE action = $1 AND principal_id = $2"
COUNT_TOKENS = """
SELECT count(*) FROM oauth_tokens JOIN oauth_codes ON oauth_codes.id = code_id
JOIN oauth_connections ON oauth_connections.id = connection_id WHERE user_id = $1
"""


@pytest.fixture
async def person(workshop: RunningServer, guild: Tenant) -> Person:
    return await add_person(workshop, guild.id, rules=[READ, CONNECT])


@pytest_asyncio.fixture(scope="module")
async def twins(databases: Databases, documents: Site) -> AsyncGenerator[Pair]:
    """Two servers on one database under one name, as behind a proxy."""
    settings: dict[str, Any] = {
        "background_work": False,
        "master_key": "11" * 32,
        "inside_hosts": [documents.opening],
        "oauth_attempts": 1000,
    }
    async with (
        databases.copy() as url,
        run_server(url, **settings) as one,
        run_server(url, public_url=one.url, **settings) as other,
    ):
        yield Pair(one, other)


@asynccontextmanager
async def open_beside(lathe: Lathe, *servers: RunningServer) -> AsyncGenerator[Sequence[Lathe]]:
    """The same program at several servers."""
    async with AsyncExitStack() as stack:
        beside = [
            await stack.enter_async_context(open_lathe(one, lathe.client_id)) for one in servers
        ]
        for one in beside:
            one.verifier = lathe.verifier
        yield beside


async def check_error(response: httpx2.Response, error: str, status: int = 400) -> None:
    assert expect(response, status)["error"] == error
    assert response.json()["error_description"]
    assert response.headers["cache-control"] == "no-store"


def count_outcomes(responses: Sequence[httpx2.Response]) -> dict[int, int]:
    statuses = [one.status_code for one in responses]
    assert {one.json().get("error") for one in responses} == {None, "invalid_grant"}
    return {status: statuses.count(status) for status in set(statuses)}


async def test_64_at_once_with_one_code(twins: Pair, documents: Site) -> None:
    tenant = await find_tenant(twins.one)
    person = await add_person(twins.one, tenant.id, rules=[READ, CONNECT])
    async with open_lathe(twins.one, documents.publish()) as lathe:
        code = await lathe.get_code(person.client, [READ])
        async with open_beside(lathe, twins.one, twins.other) as (here, there):
            responses = await asyncio.gather(
                *((here, there)[turn % 2].redeem(code) for turn in range(AT_ONCE))
            )
            assert count_outcomes(responses) == {200: 1, 400: AT_ONCE - 1}
            [tokens] = [one.json() for one in responses if one.status_code == 200]
            assert not await here.is_let_in(tokens)
            await check_error(await there.refresh(tokens["refresh_token"]), "invalid_grant")
    assert await fetch_value(twins.one, COUNT_REFUSED, "identity.refuseUsedCode", person.id) == 1
    assert await fetch_value(twins.one, COUNT_TOKENS, person.id) == 0


async def test_64_at_once_with_one_refresh_token(twins: Pair, documents: Site) -> None:
    tenant = await find_tenant(twins.one)
    person = await add_person(twins.one, tenant.id, rules=[READ, CONNECT])
    async with open_lathe(twins.one, documents.publish()) as lathe:
        first = await lathe.connect(person.client, READ)
        async with open_beside(lathe, twins.one, twins.other) as (here, there):
            responses = await asyncio.gather(
                *(
                    (here, there)[turn % 2].refresh(first["refresh_token"])
                    for turn in range(AT_ONCE)
                )
            )
            assert count_outcomes(responses) == {200: 1, 400: AT_ONCE - 1}
            [tokens] = [one.json() for one in responses if one.status_code == 200]
            assert not await here.is_let_in(tokens)
            assert not await there.is_let_in(first)
            await check_error(await there.refresh(tokens["refresh_token"]), "invalid_grant")
    action = "identity.refuseUsedRefreshToken"
    assert await fetch_value(twins.one, COUNT_REFUSED, action, person.id) == 1
    assert await fetch_value(twins.one, COUNT_TOKENS, person.id) == 0


async def test_an_old_refresh_token_beside_the_newest(twins: Pair, documents: Site) -> None:
    """Whoever comes first, the family is over: nothing is born while it ends."""
    tenant = await find_tenant(twins.one)
    person = await add_person(twins.one, tenant.id, rules=[READ, CONNECT])
    async with open_lathe(twins.one, documents.publish()) as lathe:
        for _ in range(16):
            first = await lathe.connect(person.client, READ)
            second = expect(await lathe.refresh(first["refresh_token"]), 200)
            async with open_beside(lathe, twins.other) as [there]:
                await asyncio.gather(
                    lathe.refresh(second["refresh_token"]), there.refresh(first["refresh_token"])
                )
            assert await fetch_value(twins.one, COUNT_TOKENS, person.id) == 0


async def test_disconnecting_while_a_code_is_redeemed(twins: Pair, documents: Site) -> None:
    tenant = await find_tenant(twins.one)
    person = await add_person(twins.one, tenant.id, rules=[READ, CONNECT])
    async with open_lathe(twins.other, documents.publish()) as lathe:
        for _ in range(16):
            code = await lathe.get_code(person.client, [READ])
            [own] = expect(await person.client.get("/api/oauth/clients"), 200)["items"]
            response, gone = await asyncio.gather(
                lathe.redeem(code), person.client.delete(f"/api/oauth/clients/{own['id']}")
            )
            expect(gone, 204)
            assert response.status_code in (200, 400)
            assert await fetch_value(twins.one, COUNT_TOKENS, person.id) == 0


async def test_one_process_gives_and_another_takes(twins: Pair, documents: Site) -> None:
    tenant = await find_tenant(twins.one)
    person = await add_person(twins.one, tenant.id, rules=[READ, CONNECT])
    async with open_lathe(twins.one, documents.publish()) as lathe:
        code = await lathe.get_code(person.client, [READ])
        async with open_beside(lathe, twins.other) as [there]:
            tokens = expect(await there.redeem(code), 200)
            assert await lathe.is_let_in(tokens)
            renewed = expect(await lathe.refresh(tokens["refresh_token"]), 200)
            assert await there.is_let_in(renewed)


async def test_a_token_for_another_resource(
    workshop: RunningServer, lathe: Lathe, person: Person, databases: Databases
) -> None:
    """The same database under another name is another resource."""
    tokens = await lathe.connect(person.client, READ)
    code = await lathe.get_code(person.client, [READ])
    url = workshop.settings.database_url
    assert url is not None
    settings: dict[str, Any] = {
        "background_work": False,
        "master_key": workshop.settings.master_key,
    }
    async with run_server(url.get_secret_value(), **settings) as other:
        async with open_beside(lathe, other) as [there]:
            assert not await there.is_let_in(tokens)
            await check_error(await there.refresh(tokens["refresh_token"]), "invalid_target")
            await check_error(await there.redeem(code), "invalid_target")
    assert await lathe.is_let_in(tokens)


async def test_a_code_is_for_one_program_one_redirect_one_verifier(
    lathe: Lathe, person: Person, documents: Site
) -> None:
    code = await lathe.get_code(person.client, [READ])
    other = documents.publish()
    for changed, error in (
        ({"client_id": other}, "invalid_grant"),
        ({"redirect_uri": "https://lathe.example.com/done"}, "invalid_grant"),
        ({"code_verifier": make_pkce()[0]}, "invalid_grant"),
        ({"code_verifier": "short"}, "invalid_grant"),
        ({"code_verifier": "ü" * 43}, "invalid_grant"),
        ({"code_verifier": None}, "invalid_request"),
        ({"resource": "https://other.example.com/mcp"}, "invalid_target"),
        ({"client_id": None}, "invalid_request"),
        ({"code": None}, "invalid_request"),
        ({"code": "made-up"}, "invalid_grant"),
        ({"grant_type": None}, "invalid_request"),
        ({"grant_type": "password"}, "unsupported_grant_type"),
        ({"grant_type": "client_credentials"}, "unsupported_grant_type"),
    ):
        await check_error(await lathe.redeem(code, **changed), error)
    tokens = expect(await lathe.redeem(code, resource=None, redirect_uri=None), 200)
    assert await lathe.is_let_in(tokens)


async def test_a_code_used_again_later_ends_what_it_gave(
    workshop: RunningServer, lathe: Lathe, person: Person
) -> None:
    code = await lathe.get_code(person.client, [READ])
    tokens = expect(await lathe.redeem(code), 200)
    renewed = expect(await lathe.refresh(tokens["refresh_token"]), 200)
    await execute(workshop, "UPDATE oauth_codes SET expires_at = now() - interval '1 hour'")
    assert await lathe.is_let_in(renewed)
    await check_error(await lathe.redeem(code, code_verifier="x" * 43), "invalid_grant")
    for dead in (tokens, renewed):
        assert not await lathe.is_let_in(dead)
    assert await fetch_value(workshop, COUNT_REFUSED, "identity.refuseUsedCode", person.id) == 1


async def test_another_familys_tokens_stay(lathe: Lathe, person: Person) -> None:
    """The same program on two machines: what ends on one goes on on the other."""
    first, second = [await lathe.connect(person.client, READ) for _ in range(2)]
    await lathe.refresh(first["refresh_token"])
    await lathe.refresh(first["refresh_token"])
    assert not await lathe.is_let_in(first)
    assert await lathe.is_let_in(second)


async def test_what_has_expired(workshop: RunningServer, lathe: Lathe, person: Person) -> None:
    code = await lathe.get_code(person.client, [READ])
    await execute(workshop, "UPDATE oauth_codes SET expires_at = now()")
    await check_error(await lathe.redeem(code), "invalid_grant")
    tokens = await lathe.connect(person.client, READ)
    expire = "UPDATE oauth_tokens SET expires_at = now() WHERE kind = $1"
    await execute(workshop, expire, "access")
    assert not await lathe.is_let_in(tokens)
    renewed = expect(await lathe.refresh(tokens["refresh_token"]), 200)
    assert await lathe.is_let_in(renewed)
    await execute(workshop, expire, "refresh")
    await check_error(await lathe.refresh(renewed["refresh_token"]), "invalid_grant")


async def test_kinds_of_tokens_are_not_mixed_up(lathe: Lathe, person: Person) -> None:
    tokens = await lathe.connect(person.client, READ)
    assert await lathe.knock(tokens["refresh_token"]) == 401
    await check_error(await lathe.refresh(tokens["access_token"]), "invalid_grant")
    assert await lathe.is_let_in(tokens)


async def test_a_refresh_is_for_its_program_and_gives_no_more(
    lathe: Lathe, person: Person, documents: Site
) -> None:
    tokens = await lathe.connect(person.client, READ, "identity.program.read")
    token = tokens["refresh_token"]
    await check_error(await lathe.refresh(token, client_id=documents.publish()), "invalid_grant")
    await check_error(await lathe.refresh(token, scope=MANAGE), "invalid_scope")
    await check_error(await lathe.refresh(token, scope="*"), "invalid_scope")
    await check_error(await lathe.refresh(token, scope="nothing"), "invalid_scope")
    await check_error(await lathe.refresh(token, resource="https://x.example"), "invalid_target")
    less = expect(await lathe.refresh(token, scope=READ), 200)
    assert less["scope"] == READ
    more = expect(await lathe.refresh(less["refresh_token"]), 200)
    assert set(more["scope"].split()) == {READ, "identity.program.read"}


async def test_tokens_count_nowhere_else(lathe: Lathe, person: Person) -> None:
    tokens = await lathe.connect(person.client, READ)
    for token in (tokens["access_token"], tokens["refresh_token"]):
        robot = await lathe.server.open_client(key=token)
        for path in (
            "/api/me",
            "/api/p/catalog/systems",
            "/api/tools",
            "/api/oauth/clients",
            "/api/proposals",
        ):
            assert (await robot.get(path)).status_code == 401, path
        call = "/api/tools/catalog.listSystems/call"
        assert (await robot.post(call, json={"input": {}})).status_code == 401
        assert (
            await robot.get("/api/me", headers={"cookie": f"assent_session={token}"})
        ).status_code == 401


async def test_an_applications_key_still_works(lathe: Lathe, guild: Tenant) -> None:
    draft = {"name": "robot", "rules": [READ]}
    made = expect(await guild.admin.client.post("/api/applications", json=draft), 201)
    keys = f"/api/applications/{made['id']}/keys"
    key = expect(await guild.admin.client.post(keys, json={}), 201)["key"]
    assert "catalog.listSystems" in await lathe.list_tools({"access_token": key})


async def test_who_is_not_let_in_any_more(
    workshop: RunningServer, guild: Tenant, lathe: Lathe, person: Person
) -> None:
    tokens = await lathe.connect(person.client, READ)
    code = await lathe.get_code(person.client, [READ])
    user = f"/api/users/{person.id}"
    expect(await guild.admin.client.patch(user, json={"active": False}), 200)
    assert not await lathe.is_let_in(tokens)
    await check_error(await lathe.redeem(code), "invalid_grant")
    await check_error(await lathe.refresh(tokens["refresh_token"]), "invalid_grant")
    expect(await guild.admin.client.patch(user, json={"active": True}), 200)
    assert await lathe.is_let_in(tokens)


async def test_never_more_than_the_scopes(
    workshop: RunningServer, guild: Tenant, lathe: Lathe
) -> None:
    boss = await add_person(workshop, guild.id, role="admin")
    tokens = await lathe.connect(boss.client, READ)
    tools = await lathe.list_tools(tokens)
    assert "catalog.listSystems" in tools
    assert not {one for one in tools if one.startswith(("incident.", "catalog.delete"))}


async def test_never_more_than_the_person_holds_now(
    workshop: RunningServer, lathe: Lathe, person: Person
) -> None:
    tokens = await lathe.connect(person.client, READ)
    assert "catalog.listSystems" in await lathe.list_tools(tokens)
    change = """
    UPDATE roles SET rules = $2 FROM memberships
    WHERE memberships.role_id = roles.id AND memberships.user_id = $1
    """
    await execute(workshop, change, person.id, [CONNECT])
    assert "catalog.listSystems" not in await lathe.list_tools(tokens)
    assert (await lathe.call_tool(tokens, "catalog.listSystems"))["isError"]
    await execute(workshop, change, person.id, [CONNECT, MANAGE])
    tools = await lathe.list_tools(tokens)
    assert "catalog.listSystems" in tools
    assert "catalog.deleteSystem" not in tools


async def test_everything_is_what_the_person_holds(lathe: Lathe, person: Person) -> None:
    tokens = await lathe.connect(person.client, "*")
    assert tokens["scope"] == "*"
    tools = await lathe.list_tools(tokens)
    assert "catalog.listSystems" in tools
    assert "catalog.deleteSystem" not in tools


async def test_grants_count_within_the_scopes(
    workshop: RunningServer, guild: Tenant, lathe: Lathe
) -> None:
    system = await add_system(guild)
    hidden = await add_system(guild)
    person = await add_person(workshop, guild.id, rules=[CONNECT])
    await grant(guild, person, system)
    tokens = await lathe.connect(person.client, READ)
    assert tokens["scope"] == READ
    seen = (await lathe.call_tool(tokens, "catalog.listSystems"))["structuredContent"]["items"]
    assert [one["id"] for one in seen] == [system]
    assert hidden not in str(seen)
    narrow = await lathe.connect(person.client, "identity.program.read")
    assert "catalog.listSystems" not in await lathe.list_tools(narrow)
    call: dict[str, Any] = {"name": "catalog.listSystems", "arguments": {}}
    refused = await lathe.call(narrow["access_token"], "tools/call", call)
    assert expect(refused, 403)["error"] == "insufficient_scope"


async def add_system(guild: Tenant) -> str:
    draft = {"workspaceId": str(guild.workspace_id), "name": f"system-{number()}"}
    made = await guild.admin.client.post("/api/p/catalog/systems", json=draft)
    return expect(made, 201)["id"]


async def grant(guild: Tenant, person: Person, system: str) -> UUID:
    body = {
        "resourceKind": "catalog.system",
        "resourceId": system,
        "subject": {"kind": "user", "id": str(person.id)},
        "level": "read",
    }
    return expect(await guild.admin.client.put("/api/grants", json=body), 200)["id"]


async def test_giving_tokens_up(lathe: Lathe, person: Person, documents: Site) -> None:
    first, second = [await lathe.connect(person.client, READ) for _ in range(2)]

    async def revoke(token: str, **more: str) -> int:
        form = {"token": token, **more}
        return (await lathe.http.post("/oauth/revoke", data=form)).status_code

    assert await revoke(first["access_token"], client_id=documents.publish()) == 200
    assert await lathe.is_let_in(first)
    assert await revoke(first["access_token"], client_id=lathe.client_id) == 200
    assert not await lathe.is_let_in(first)
    renewed = expect(await lathe.refresh(first["refresh_token"]), 200)
    assert await revoke(renewed["refresh_token"], token_type_hint="access_token") == 200
    assert not await lathe.is_let_in(renewed)
    await check_error(await lathe.refresh(renewed["refresh_token"]), "invalid_grant")
    assert await lathe.is_let_in(second)
    assert await revoke("made-up") == 200
    await check_error(await lathe.http.post("/oauth/revoke", data={}), "invalid_request")


async def test_forms_that_are_none(lathe: Lathe) -> None:
    url = "/oauth/token"
    await check_error(await lathe.http.post(url, json={"grant_type": "x"}), "invalid_request")
    form = {"content-type": "application/x-www-form-urlencoded"}
    for body in (b"", b"\xff\xfe", b"grant_type=refresh_token&grant_type=refresh_token"):
        await check_error(await lathe.http.post(url, content=body, headers=form), "invalid_request")
    large = b"refresh_token=" + b"x" * 70_000
    await check_error(await lathe.http.post(url, content=large, headers=form), "invalid_request")
    many = "&".join(f"a{one}=1" for one in range(100)).encode()
    await check_error(await lathe.http.post(url, content=many, headers=form), "invalid_request")
    nul = {"grant_type": "refresh_token", "client_id": "\0", "refresh_token": "\0x"}
    assert (await lathe.http.post(url, data=nul)).status_code == 400
    assert (await lathe.http.get(url)).status_code == 405
