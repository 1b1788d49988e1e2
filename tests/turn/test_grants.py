"""Teams and grants: what they add to roles, what ownership takes away, and who may hand it out."""

from typing import Any
from uuid import UUID

import pytest

from assent.ids import new_id
from assent.testing import Client, RunningServer
from tests.turn.people import Person, Tenant, add_person, add_tenant, expect, fetch_value, number

SYSTEMS = "/api/p/catalog/systems"
TEAMS = ["identity.team.read", "identity.team.manage"]


@pytest.fixture
async def system(tenant: Tenant) -> str:
    draft = {"workspaceId": str(tenant.workspace_id), "name": f"system-{number()}"}
    return expect(await tenant.admin.client.post(SYSTEMS, json=draft), 201)["id"]


async def give(
    client: Client, system: str, subject: dict[str, str], level: str, *, status: int = 200
) -> Any:
    grant = {
        "resourceKind": "catalog.system",
        "resourceId": system,
        "subject": subject,
        "level": level,
    }
    return expect(await client.put("/api/grants", json=grant), status)


def user(person: Person) -> dict[str, str]:
    return {"kind": "user", "id": str(person.id)}


async def add_team(tenant: Tenant, *members: Person) -> dict[str, str]:
    draft = {
        "slug": f"team-{number()}",
        "name": "Team",
        "memberIds": [str(one.id) for one in members],
    }
    made = expect(await tenant.admin.client.post("/api/teams", json=draft), 201)
    return {"kind": "team", "id": made["id"]}


async def try_all(client: Client, system: str) -> tuple[int, int, int]:
    """The statuses of reading, changing and, at last, of seeing it in the list."""
    got = await client.get(f"{SYSTEMS}/{system}")
    changed = await client.patch(f"{SYSTEMS}/{system}", json={"description": "x"})
    listed = await client.get(SYSTEMS, params={"limit": 200})
    seen = listed.status_code == 200 and system in [one["id"] for one in listed.json()["items"]]
    return got.status_code, changed.status_code, int(seen)


@pytest.mark.parametrize("through", ["user", "team"])
@pytest.mark.parametrize(
    ("level", "expected"),
    [("read", (200, 403, 1)), ("manage", (200, 200, 1)), ("own", (200, 200, 1))],
)
async def test_a_grant_adds_to_what_roles_give(
    shared: RunningServer,
    tenant: Tenant,
    system: str,
    through: str,
    level: str,
    expected: tuple[int, int, int],
) -> None:
    person, other = await add_person(shared, tenant.id), await add_person(shared, tenant.id)
    assert await try_all(person.client, system) == (403, 403, 0)
    subject = user(person) if through == "user" else await add_team(tenant, person)
    grant = await give(tenant.admin.client, system, subject, level)
    assert await try_all(person.client, system) == expected
    assert await try_all(other.client, system) == (403, 403, 0)
    unrelated = {"workspaceId": str(tenant.workspace_id), "name": f"other-{number()}"}
    made = expect(await tenant.admin.client.post(SYSTEMS, json=unrelated), 201)
    expect(await person.client.get(f"{SYSTEMS}/{made['id']}"), 404)
    expect(
        await person.client.patch(f"{SYSTEMS}/{made['id']}", json={}),
        404 if level != "read" else 403,
    )
    expect(await person.client.post(SYSTEMS, json=unrelated), 409 if level != "read" else 403)

    expect(await tenant.admin.client.delete(f"/api/grants/{grant['id']}"), 204)
    assert await try_all(person.client, system) == (403, 403, 0)


async def test_ownership_keeps_others_with_the_rule_out(
    shared: RunningServer, tenant: Tenant, system: str
) -> None:
    rules = ["catalog.system.manage"]
    holder = await add_person(shared, tenant.id, rules=rules)
    local = await add_person(shared, tenant.id, rules=rules, workspace_id=tenant.workspace_id)
    owner, friend = await add_person(shared, tenant.id), await add_person(shared, tenant.id)
    for person in (holder, local):
        assert await try_all(person.client, system) == (200, 200, 1)
    await give(tenant.admin.client, system, user(owner), "own")
    for person in (holder, local):
        assert await try_all(person.client, system) == (200, 403, 1)
        expect(await person.client.delete(f"{SYSTEMS}/{system}"), 403)
    assert await try_all(owner.client, system) == (200, 200, 1)
    assert await try_all(tenant.admin.client, system) == (200, 200, 1)

    await give(tenant.admin.client, system, user(friend), "manage")
    assert await try_all(friend.client, system) == (200, 200, 1)
    team = await add_team(tenant, holder)
    await give(tenant.admin.client, system, team, "own")
    assert await try_all(holder.client, system) == (200, 200, 1)
    assert await try_all(local.client, system) == (200, 403, 1)


async def test_a_grant_replaces_the_one_before(
    shared: RunningServer, tenant: Tenant, system: str
) -> None:
    person = await add_person(shared, tenant.id)
    first = await give(tenant.admin.client, system, user(person), "manage")
    second = await give(tenant.admin.client, system, user(person), "read")
    assert first["id"] == second["id"]
    assert await try_all(person.client, system) == (200, 403, 1)
    query = {"resourceKind": "catalog.system", "resourceId": system}
    listed = expect(await tenant.admin.client.get("/api/grants", params=query), 200)["items"]
    assert listed == [second]
    assert second["subject"]["name"] == person.email


async def test_only_who_may_change_a_resource_hands_it_out(
    shared: RunningServer, tenant: Tenant, system: str
) -> None:
    someone = user(await add_person(shared, tenant.id))
    teams_only = await add_person(shared, tenant.id, rules=TEAMS)
    reader = await add_person(shared, tenant.id, rules=[*TEAMS, "catalog.system.read"])
    holder = await add_person(shared, tenant.id, rules=[*TEAMS, "catalog.system.manage"])
    for person in (teams_only, reader):
        await give(person.client, system, someone, "read", status=403)
        await give(person.client, system, user(person), "own", status=403)
    grant = await give(holder.client, system, someone, "read")
    expect(await teams_only.client.delete(f"/api/grants/{grant['id']}"), 403)

    await give(tenant.admin.client, system, someone, "own")
    await give(holder.client, system, user(holder), "own", status=403)
    expect(await holder.client.delete(f"/api/grants/{grant['id']}"), 403)
    without = await add_person(shared, tenant.id, rules=["catalog.system.manage"])
    assert (await give(without.client, system, someone, "read", status=403))["rule"] == (
        "identity.team.manage"
    )


async def test_nobody_joins_a_team_to_get_what_it_was_granted(
    shared: RunningServer, tenant: Tenant, system: str
) -> None:
    member = await add_person(shared, tenant.id)
    schemer = await add_person(shared, tenant.id, rules=TEAMS)
    team = await add_team(tenant, member)
    url, joined = f"/api/teams/{team['id']}", {"memberIds": [str(member.id), str(schemer.id)]}
    expect(await schemer.client.patch(url, json={"memberIds": []}), 200)
    expect(await schemer.client.patch(url, json=joined), 200)
    expect(await schemer.client.patch(url, json={"memberIds": [str(member.id)]}), 200)

    await give(tenant.admin.client, system, team, "own")
    expect(await schemer.client.patch(url, json=joined), 403)
    expect(await schemer.client.delete(url), 403)
    expect(await schemer.client.patch(url, json={"name": "Renamed"}), 200)
    assert await try_all(schemer.client, system) == (403, 403, 0)
    expect(await tenant.admin.client.patch(url, json=joined), 200)
    assert await try_all(schemer.client, system) == (200, 200, 1)
    expect(await schemer.client.patch(url, json={"memberIds": [str(schemer.id)]}), 200)


@pytest.mark.parametrize("through", ["user", "team"])
async def test_nobody_takes_over_a_person_to_get_what_they_were_granted(
    shared: RunningServer, tenant: Tenant, system: str, through: str
) -> None:
    owner = await add_person(shared, tenant.id)
    schemer = await add_person(shared, tenant.id, rules=["identity.user.manage"])
    holder = await add_person(
        shared, tenant.id, rules=["identity.user.manage", "catalog.system.manage"]
    )
    url = f"/api/users/{owner.id}/reset-link"
    expect(await schemer.client.post(url), 201)
    subject = user(owner) if through == "user" else await add_team(tenant, owner)
    await give(tenant.admin.client, system, subject, "manage")
    expect(await schemer.client.post(url), 403)
    expect(await schemer.client.patch(f"/api/users/{owner.id}", json={"name": "x"}), 403)
    expect(await holder.client.post(url), 201)
    await give(tenant.admin.client, system, subject, "own")
    expect(await holder.client.post(url), 403)
    expect(await tenant.admin.client.post(url), 201)


async def test_grants_go_with_what_they_are_about(
    shared: RunningServer, tenant: Tenant, system: str
) -> None:
    admin = tenant.admin.client
    person = await add_person(shared, tenant.id)
    team = await add_team(tenant, person)
    by_team = await give(admin, system, team, "read")
    expect(await admin.delete(f"/api/teams/{team['id']}"), 204)
    expect(await admin.delete(f"/api/grants/{by_team['id']}"), 404)
    expect(await admin.patch(f"/api/teams/{team['id']}", json={}), 404)

    other = {"workspaceId": str(tenant.workspace_id), "name": f"other-{number()}"}
    target = expect(await admin.post(SYSTEMS, json=other), 201)["id"]
    link = {"systemId": system, "dependsOnId": target}
    made = {
        "system": system,
        "dependency": expect(await admin.post("/api/p/catalog/dependencies", json=link), 201)["id"],
        "group": expect(await admin.post("/api/p/catalog/groups", json=other), 201)["id"],
        "environment": expect(await admin.post("/api/p/catalog/environments", json=other), 201)[
            "id"
        ],
    }
    for kind, resource_id in made.items():
        grant = {
            "resourceKind": f"catalog.{kind}",
            "resourceId": resource_id,
            "subject": user(person),
            "level": "manage",
        }
        expect(await admin.put("/api/grants", json=grant), 200)
    for kind in ("dependency", "group", "environment", "system"):
        plural = {"dependency": "dependencies"}.get(kind, f"{kind}s")
        expect(await person.client.delete(f"/api/p/catalog/{plural}/{made[kind]}"), 204)
    left = "SELECT count(*) FROM grants WHERE resource_id = ANY ($1)"
    assert await fetch_value(shared, left, [UUID(one) for one in made.values()]) == 0


async def test_members_and_subjects_must_exist_here(
    shared: RunningServer, tenant: Tenant, system: str
) -> None:
    other = await add_tenant(shared)
    admin = tenant.admin.client
    for stranger in (str(other.admin.id), str(new_id())):
        draft = {"slug": f"t-{number()}", "name": "T", "memberIds": [stranger]}
        problem = expect(await admin.post("/api/teams", json=draft), 409)
        assert problem["issues"][0]["path"] == "memberIds"
        for kind in ("user", "team"):
            subject = {"kind": kind, "id": stranger}
            problem = await give(admin, system, subject, "read", status=409)
            assert problem["issues"][0]["path"] == "subject.id"
    foreign_team = await add_team(other)
    await give(admin, system, foreign_team, "read", status=409)
    taken = {"slug": f"t-{number()}", "name": "T"}
    expect(await admin.post("/api/teams", json=taken), 201)
    assert expect(await admin.post("/api/teams", json=taken), 409)["issues"][0]["path"] == "slug"


async def test_me_names_my_teams(shared: RunningServer, tenant: Tenant) -> None:
    person = await add_person(shared, tenant.id)
    team = await add_team(tenant, person)
    assert [one["id"] for one in expect(await person.client.get("/api/me"), 200)["teams"]] == [
        team["id"]
    ]
    url = f"/api/teams/{team['id']}"
    expect(await tenant.admin.client.patch(url, json={"memberIds": []}), 200)
    assert expect(await person.client.get("/api/me"), 200)["teams"] == []
