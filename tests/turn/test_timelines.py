"""What incidents and maintenance windows have in common, through the real door: forms and cards,
who may do what, and what happens when two people do it at the same time."""

import asyncio
from collections.abc import AsyncGenerator
from typing import Any

import pytest
import pytest_asyncio

from assent.testing import Databases, RunningServer, run_server
from tests.turn.people import Tenant, add_person, add_workspace, expect, fetch
from tests.turn.shop import open_shop
from tests.turn.timelines import INCIDENT, WINDOW, Desk, Kind, open_desk

NOBODYS = "01a1e34a-22b2-72aa-bf1b-137bbf3db25f"
COUNT = "SELECT count(*) AS cards FROM proposals"
LEFT = """
SELECT (SELECT count(*) FROM timeline.updates WHERE subject_id = $1::uuid)
     + (SELECT count(*) FROM timeline.links WHERE subject_id = $1::uuid) AS left
"""


@pytest_asyncio.fixture(scope="module")
async def shared(databases: Databases) -> AsyncGenerator[RunningServer]:
    settings = {"background_work": False, "tool_calls": 10_000}
    async with databases.copy() as url, run_server(url, **settings) as running:
        yield running


@pytest.fixture(params=[INCIDENT, WINDOW], ids=lambda kind: kind.plugin)
async def desk(shared: RunningServer, tenant: Tenant, request: pytest.FixtureRequest) -> Desk:
    kind: Kind = request.param
    return await open_desk(shared, tenant, kind)


async def test_what_is_sent_is_what_is_shown(desk: Desk) -> None:
    draft = desk.draft(description="d", systemIds=sorted(desk.shop.systems))
    made = await desk.post("", draft)
    assert {key: made[key] for key in draft} == draft
    assert made["createdAt"] == made["updatedAt"]
    shown = await desk.get(made)
    assert shown == {**made, "updates": [], "links": [], "deliveries": []}
    changed = await desk.patch(made, {"title": "Renamed", "systemIds": [], "expectedVersion": 1})
    assert (changed["title"], changed["systemIds"], changed["version"]) == ("Renamed", [], 2)
    assert changed["description"] == "d"


async def test_an_expected_version_guards_against_overwriting(desk: Desk) -> None:
    made = await desk.open()
    answers = await asyncio.gather(
        *(
            desk.client.patch(
                f"{desk.kind.base}/{made['id']}",
                json={"description": f"by {number}", "expectedVersion": 1},
            )
            for number in range(8)
        )
    )
    assert sorted(answer.status_code for answer in answers) == [200] + [412] * 7
    assert (await desk.get(made))["version"] == 2


async def test_updates_at_the_same_time_are_all_kept(desk: Desk) -> None:
    made = await desk.open()
    said = [f"By {number}." for number in range(8)]
    await asyncio.gather(*(desk.say(made, text) for text in said))
    shown = await desk.get(made)
    assert sorted(one["text"] for one in shown["updates"]) == sorted(said)
    assert shown["version"] == 1 + len(said)


async def test_it_ends_once(desk: Desk) -> None:
    made = await desk.open()
    at = f"{desk.kind.base}/{made['id']}/{desk.kind.end}"
    answers = await asyncio.gather(*(desk.client.post(at, json={}) for _ in range(6)))
    assert sorted(answer.status_code for answer in answers) == [201] + [409] * 5
    shown = await desk.get(made)
    assert [one["status"] for one in shown["updates"]] == [desk.kind.ended]


async def test_two_cards_that_end_it_end_it_once(desk: Desk) -> None:
    made = await desk.open()
    cards = [await desk.propose(desk.kind.end, desk.name(made, text=f"{n}")) for n in range(2)]
    tokens = [
        expect(await desk.client.post(f"/api/proposals/{one['id']}/token"), 200)["token"]
        for one in cards
    ]
    answers = await asyncio.gather(
        *(
            desk.client.post(f"/api/proposals/{one['id']}/apply", json={"token": token})
            for one, token in zip(cards, tokens, strict=True)
        )
    )
    assert sorted(answer.status_code for answer in answers) == [200, 412]
    assert len((await desk.get(made))["updates"]) == 1


async def test_links_are_added_and_removed(desk: Desk) -> None:
    made = await desk.open()
    link = {"label": "Plan", "url": "https://example.com/plan?x=1#y"}
    added = await desk.post(f"/{made['id']}/links", link)
    assert added == {"id": added["id"], **link}
    problem = await desk.post(f"/{made['id']}/links", {**link, "label": "Again"}, 409)
    assert [one["path"] for one in problem["issues"]] == ["url"]
    assert (await desk.get(made))["links"] == [added]
    await desk.delete(f"{made['id']}/links/{added['id']}")
    await desk.delete(f"{made['id']}/links/{added['id']}", 404)
    assert (await desk.get(made))["links"] == []


@pytest.mark.parametrize(
    "url",
    [
        "http://example.com/",
        "javascript:alert(1)",
        "https://",
        "https://a@b.example/",
        "https://example.com/a b",
        "https:/example.com",
        "//example.com",
        "https://example.com\\@evil.example",
    ],
)
async def test_only_plain_https_links(desk: Desk, url: str) -> None:
    made = await desk.open()
    problem = await desk.post(f"/{made['id']}/links", {"label": "x", "url": url}, 422)
    assert [one["path"] for one in problem["issues"]] == ["url"]


async def test_updates_of_another_are_not_found(desk: Desk) -> None:
    one, other = await desk.open(), await desk.open()
    said = await desk.say(one, "Here.")
    await desk.delete(f"{other['id']}/updates/{said['id']}", 404)
    problem = await desk.propose("deleteUpdate", desk.name(other, updateId=said["id"]), 422)
    assert [issue["path"] for issue in problem["issues"]] == ["updateId"]
    await desk.delete(f"{one['id']}/updates/{said['id']}")
    assert (await desk.get(one))["updates"] == []


async def test_systems_of_elsewhere_are_refused(desk: Desk) -> None:
    elsewhere = await add_workspace(desk.server, desk.tenant.id)
    other = await open_shop(desk.client, elsewhere)
    wrong = [desk.shop.systems[0], other.systems[0], NOBODYS]
    problem = await desk.post("", desk.draft(systemIds=wrong), 409)
    assert [one["path"] for one in problem["issues"]] == ["systemIds.1", "systemIds.2"]
    problem = await desk.propose("create", desk.draft(systemIds=wrong), 422)
    assert [one["path"] for one in problem["issues"]] == ["systemIds.1", "systemIds.2"]
    made = await desk.open()
    problem = await desk.patch(made, {"systemIds": [NOBODYS]}, 409)
    assert [one["path"] for one in problem["issues"]] == ["systemIds.0"]


async def test_a_deleted_system_was_affected_all_the_same(desk: Desk) -> None:
    gone, other = desk.shop.systems
    made = await desk.open(systemIds=[gone])
    expect(await desk.client.delete(f"/api/p/catalog/systems/{gone}"), 204)
    assert (await desk.get(made))["systemIds"] == [gone]
    changed = await desk.patch(made, {"systemIds": [gone, other]})
    assert set(changed["systemIds"]) == {gone, other}
    card = await desk.propose("update", desk.name(made, systemIds=[other]))
    assert [one["before"] for one in card["diff"]] == [gone]


async def test_cards_change_and_take_back(desk: Desk) -> None:
    made = (await desk.change("create", desk.draft(title="Old")))["result"]
    applied = await desk.change(
        "update", desk.name(made, title="New", systemIds=[desk.shop.systems[0]])
    )
    assert applied["summary"] == f"Change the title and systems of {noun(desk)} Old"
    shown = await desk.get(made)
    assert (shown["title"], shown["systemIds"]) == ("New", [desk.shop.systems[0]])
    await desk.undo(applied)
    shown = await desk.get(made)
    assert (shown["title"], shown["systemIds"]) == ("Old", [])

    added = await desk.change("addLink", desk.name(made, label="Plan", url="https://example.com/"))
    assert len((await desk.get(made))["links"]) == 1
    await desk.undo(added)
    assert (await desk.get(made))["links"] == []
    link = await desk.change("addLink", desk.name(made, label="A", url="https://example.com/a"))
    removed = await desk.change("removeLink", desk.name(made, linkId=link["result"]["id"]))
    assert removed["removes"] == ["link A: https://example.com/a"]
    await desk.undo(removed)
    assert [one["label"] for one in (await desk.get(made))["links"]] == ["A"]

    said = await desk.change("addUpdate", desk.name(made, text="Too early."))
    await desk.undo(said)
    assert (await desk.get(made))["updates"] == []


async def test_opening_is_taken_back(desk: Desk) -> None:
    applied = await desk.change("create", desk.draft())
    await desk.undo(applied)
    await desk.get(applied["result"], 404)


async def test_what_goes_with_it_is_on_the_card(desk: Desk) -> None:
    made = await desk.open(title="Gone")
    await desk.say(made, "One.")
    await desk.say(made, "Two.")
    await desk.post(f"/{made['id']}/links", {"label": "x", "url": "https://example.com/"})
    card = await desk.propose("delete", desk.name(made))
    assert card["effect"] == "destructive"
    assert card["removes"] == [f"{noun(desk)} Gone", "2 updates", "1 link"]
    await desk.say(made, "Three.")
    problem = await desk.apply(card, 412)
    fresh = expect(await desk.client.get(f"/api/proposals/{problem['successorId']}"), 200)
    assert fresh["removes"][1] == "3 updates"
    await desk.apply(fresh)
    await desk.get(made, 404)
    assert await fetch(desk.server, LEFT, made["id"]) == [{"left": 0}]


@pytest.mark.parametrize("verb", ["update", "delete", "end"])
async def test_an_overtaken_card_is_refused(desk: Desk, verb: str) -> None:
    made = await desk.open()
    given = {"update": {"title": "New"}}.get(verb, {})
    card = await desk.propose(desk.kind.end if verb == "end" else verb, desk.name(made, **given))
    await desk.patch(made, {"title": "Overtaken"})
    problem = await desk.apply(card, 412)
    assert problem["code"] == "changed"
    assert (await desk.get(made))["title"] == "Overtaken"


async def test_cards_that_only_add_do_not_overtake_each_other(desk: Desk) -> None:
    made = await desk.open()
    cards = [
        await desk.propose("addUpdate", desk.name(made, text="One.")),
        await desk.propose("addUpdate", desk.name(made, text="Two.")),
        await desk.propose("addLink", desk.name(made, label="x", url="https://example.com/")),
    ]
    for card in cards:
        await desk.apply(card)
    shown = await desk.get(made)
    assert [one["text"] for one in shown["updates"]] == ["Two.", "One."]
    assert len(shown["links"]) == 1


@pytest.mark.parametrize(
    ("verb", "given", "path"),
    [
        ("update", {}, ""),
        ("update", {"title": "{title}"}, "title"),
        ("update", {"id": NOBODYS, "title": "x"}, "{id_field}"),
        ("addUpdate", {"id": NOBODYS, "text": "x"}, "{id_field}"),
        ("addUpdate", {"text": " "}, "text"),
        ("addUpdate", {}, "text"),
        ("addLink", {"label": "x", "url": "http://example.com"}, "url"),
        ("removeLink", {"linkId": NOBODYS}, "linkId"),
        ("deleteUpdate", {"updateId": NOBODYS}, "updateId"),
        ("delete", {"id": NOBODYS}, "{id_field}"),
        ("addUpdate", {"text": "x", "notify": True}, "notify"),
        ("addUpdate", {"text": "x", "colour": "red"}, "colour"),
    ],
)
async def test_nonsense_makes_no_card(
    desk: Desk, verb: str, given: dict[str, Any], path: str
) -> None:
    made = await desk.open()
    named = {"title": made["title"]} if given.get("title") == "{title}" else {}
    arguments = {**desk.name(made), **given, **named}
    arguments[desk.kind.id_field] = arguments.pop("id", made["id"])
    before = await fetch(desk.server, COUNT)
    problem = await desk.propose(verb, arguments, 422)
    assert problem["code"] == "tool_validation"
    expected = path.format(id_field=desk.kind.id_field)
    assert [issue["path"] for issue in problem["issues"]] == [expected]
    assert await fetch(desk.server, COUNT) == before


async def test_readers_read(desk: Desk) -> None:
    made = await desk.open()
    said = await desk.say(made, "Here.")
    reader = desk.of(
        (await add_person(desk.server, desk.tenant.id, rules=[f"{desk.kind.resource}.read"])).client
    )
    assert await reader.list() == [made["id"]]
    assert (await reader.get(made))["updates"] == [said]
    manage = f"{desk.kind.resource}.manage"
    for refused in (
        await reader.post("", desk.draft(), 403),
        await reader.say(made, "x", 403),
        await reader.end(made, 403),
        await reader.patch(made, {"title": "x"}, 403),
        await reader.delete(made["id"], 403),
        await reader.delete(f"{made['id']}/updates/{said['id']}", 403),
        await reader.set_address("https://example.com/", 403),
        await reader.propose("addUpdate", desk.name(made, text="x"), 403),
        await reader.propose("delete", desk.name(made), 403),
    ):
        assert (refused["code"], refused["rule"]) == ("missing_rule", manage)


async def test_another_workspace_is_out_of_sight(desk: Desk) -> None:
    made = await desk.open()
    elsewhere = await add_workspace(desk.server, desk.tenant.id)
    rules = [f"{desk.kind.resource}.manage", "catalog.system.read"]
    person = await add_person(desk.server, desk.tenant.id, rules=rules, workspace_id=elsewhere)
    stranger = desk.of(person.client)
    assert await stranger.list() == []
    await stranger.get(made, 404)
    await stranger.say(made, "x", 404)
    await stranger.patch(made, {"title": "x"}, 404)
    await stranger.delete(made["id"], 404)
    await stranger.set_address("https://example.com/", 404)
    problem = await stranger.propose("delete", desk.name(made), 422)
    assert [one["path"] for one in problem["issues"]] == [desk.kind.id_field]
    await stranger.post("", {**desk.draft(), "workspaceId": str(elsewhere)})
    system = desk.shop.systems[0]
    own = {**desk.draft(systemIds=[system]), "workspaceId": str(elsewhere)}
    await stranger.post("", own, 409)


@pytest.mark.parametrize("level", ["read", "manage"])
async def test_a_grant_opens_one(desk: Desk, level: str) -> None:
    made, other = await desk.open(), await desk.open()
    person = await add_person(desk.server, desk.tenant.id, rules=[])
    grant = {
        "resourceKind": desk.kind.resource,
        "resourceId": made["id"],
        "subject": {"kind": "user", "id": str(person.id)},
        "level": level,
    }
    expect(await desk.client.put("/api/grants", json=grant), 200)
    granted = desk.of(person.client)
    assert await granted.list() == [made["id"]]
    await granted.get(other, 404)
    await granted.say(made, "Mine.", 201 if level == "manage" else 403)
    await granted.post("", desk.draft(), 409 if level == "manage" else 403)
    card = await desk.propose("delete", desk.name(made))
    assert "1 grant of access to it" in card["removes"]
    await desk.apply(card)
    expect(await granted.client.get(desk.kind.base), 403)


async def test_a_workspace_with_something_in_it_stays(desk: Desk) -> None:
    made = await desk.open()
    await desk.set_address("https://example.com/hook")
    at = f"/api/workspaces/{desk.shop.workspace_id}"
    for kind, ids in (("dependencies", [desk.shop.dependency]), ("systems", desk.shop.systems)):
        for one in ids:
            expect(await desk.client.delete(f"/api/p/catalog/{kind}/{one}"), 204)
    expect(await desk.client.delete(f"/api/p/catalog/groups/{desk.shop.group}"), 204)
    expect(await desk.client.delete(f"/api/p/catalog/environments/{desk.shop.environment}"), 204)
    expect(await desk.client.delete(at), 409)
    await desk.delete(made["id"])
    expect(await desk.client.delete(at), 204)


async def test_a_long_list_is_paged(desk: Desk) -> None:
    made = [(await desk.open())["id"] for _ in range(5)]
    found: list[str] = []
    cursor = None
    while True:
        query = {"workspaceId": desk.shop.workspace_id, "limit": 2}
        asked = query | ({"cursor": cursor} if cursor else {})
        page = expect(await desk.client.get(desk.kind.base, params=asked), 200)
        found += [one["id"] for one in page["items"]]
        cursor = page["nextCursor"]
        if cursor is None:
            break
    assert found == made[::-1]


async def test_it_is_part_of_what_is_wrong(desk: Desk) -> None:
    system = desk.shop.systems[0]
    span = {"startsAt": "2020-01-01T00:00:00Z", "endsAt": "2126-01-01T00:00:00Z"}
    made = await desk.open(systemIds=[system], **(span if desk.kind is WINDOW else {}))
    at, asked = "/api/tools/system.issues/call", {"input": {"systemId": system}}
    report = expect(await desk.client.post(at, json=asked), 200)["result"]
    (found,) = report["systems"][0]["issues"]
    assert found["source"] == desk.kind.plugin
    assert found["link"] == f"/p/{desk.kind.plugin}/{desk.kind.path}/{made['id']}"
    began = {"incident": "Incident, investigating", "maintenance": "Maintenance"}
    assert found["title"] == f"{began[desk.kind.plugin]}: {made['title']}"
    assert found["until"] == (span["endsAt"] if desk.kind is WINDOW else None)
    await desk.end(made)
    report = expect(await desk.client.post(at, json=asked), 200)["result"]
    assert report["systems"] == []


def noun(desk: Desk) -> str:
    return {"incident": "incident", "maintenance": "maintenance window"}[desk.kind.plugin]
