"""Incidents over HTTP: what only they have, from the form and from cards."""

from typing import Any

import pytest

from assent.testing import RunningServer
from tests.turn.people import Tenant, expect, fetch
from tests.turn.timelines import INCIDENT, Desk, open_desk

LIST_EVENTS = "SELECT topic FROM outbox WHERE payload->>'incidentId' = $1 ORDER BY id"


@pytest.fixture
async def desk(shared: RunningServer, tenant: Tenant) -> Desk:
    return await open_desk(shared, tenant, INCIDENT)


async def test_from_beginning_to_end(desk: Desk) -> None:
    made = await desk.open(description="Nothing is paid.", systemIds=[desk.shop.systems[0]])
    assert (made["severity"], made["status"], made["version"]) == ("major", "investigating", 1)
    assert made["resolvedAt"] is None
    await desk.say(made, "The queue is full.", status="identified")
    await desk.end(made, text="More workers.")
    shown = await desk.get(made)
    assert (shown["status"], shown["version"]) == ("resolved", 3)
    assert shown["resolvedAt"] >= shown["startedAt"]
    assert [(one["status"], one["text"]) for one in shown["updates"]] == [
        ("resolved", "More workers."),
        ("identified", "The queue is full."),
    ]
    assert {one["author"] for one in shown["updates"]} == {desk.tenant.admin.email}
    await desk.delete(made["id"])
    await desk.get(made, 404)
    topics = [row["topic"] for row in await fetch(desk.server, LIST_EVENTS, made["id"])]
    assert topics == [
        f"incident.incident.{verb}" for verb in ("created", "updated", "resolved", "deleted")
    ]


async def test_another_status_opens_it_again(desk: Desk) -> None:
    made = await desk.open()
    await desk.end(made)
    first = (await desk.get(made))["resolvedAt"]
    await desk.say(made, "Still resolved.")
    assert (await desk.get(made))["resolvedAt"] == first
    await desk.say(made, "It is back.", status="investigating")
    shown = await desk.get(made)
    assert (shown["status"], shown["resolvedAt"]) == ("investigating", None)
    assert [one["status"] for one in shown["updates"]] == ["investigating", "resolved", "resolved"]
    topics = [row["topic"] for row in await fetch(desk.server, LIST_EVENTS, made["id"])]
    assert topics[-1] == "incident.incident.reopened"


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ({"open": "true"}, {"open"}),
        ({"open": "false"}, {"over"}),
        ({"status": "resolved"}, {"over"}),
        ({"status": "monitoring"}, set[str]()),
        ({"severity": "critical"}, {"over"}),
        ({"q": "PAYMENT"}, {"open"}),
        ({}, {"open", "over"}),
    ],
)
async def test_lists_are_narrowed(desk: Desk, query: dict[str, str], expected: set[str]) -> None:
    made = {
        "open": await desk.open(description="The payment hangs."),
        "over": await desk.open(severity="critical", systemIds=[desk.shop.systems[1]]),
    }
    await desk.end(made["over"])
    assert set(await desk.list(**query)) == {made[one]["id"] for one in expected}
    assert await desk.list(systemId=desk.shop.systems[1]) == [made["over"]["id"]]


@pytest.mark.parametrize("moment", ["2999-01-01T00:00:00Z", "2026-01-01", "2026-01-01T00:00:00", 5])
async def test_a_beginning_that_cannot_be(desk: Desk, moment: Any) -> None:
    answer = await desk.client.post(desk.kind.base, json=desk.draft(startedAt=moment))
    status = 409 if moment == "2999-01-01T00:00:00Z" else 422
    assert [one["path"] for one in expect(answer, status)["issues"]] == ["startedAt"]
    given = desk.draft(startedAt=moment)
    problem = await desk.propose("create", given, 422)
    assert [one["path"] for one in problem["issues"]] == ["startedAt"]


async def test_it_cannot_begin_after_its_end(desk: Desk) -> None:
    made = await desk.open(startedAt="2026-01-01T10:00:00+02:00")
    assert made["startedAt"] == "2026-01-01T08:00:00Z"
    await desk.end(made)
    ended = (await desk.get(made))["resolvedAt"]
    await desk.patch(made, {"startedAt": ended})
    problem = await desk.patch(made, {"startedAt": "2998-01-01T00:00:00Z"}, 409)
    assert [one["path"] for one in problem["issues"]] == ["startedAt"]


async def test_cards_from_beginning_to_end(desk: Desk) -> None:
    system = desk.shop.systems[0]
    card = await desk.propose("create", desk.draft(title="Checkout hangs", systemIds=[system]))
    assert card["summary"].startswith("Open incident Checkout hangs in workspace ")
    name = expect(await desk.client.get(f"/api/p/catalog/systems/{system}"), 200)["name"]
    assert (card["creates"]["systems"], card["creates"]["severity"]) == ([name], "major")
    made = (await desk.apply(card))["result"]
    card = await desk.propose(
        "addUpdate", desk.name(made, text="The queue is full.", status="identified")
    )
    assert [(one["path"], one["after"]) for one in card["diff"]] == [
        ("status", "identified"),
        ("update", "The queue is full."),
    ]
    assert (await desk.apply(card))["result"]["status"] == "identified"
    resolved = await desk.change("resolve", desk.name(made))
    assert (await desk.get(made))["status"] == "resolved"
    problem = await desk.propose("resolve", desk.name(made), 422)
    assert problem["issues"][0]["message"] == "This incident is resolved already."
    await desk.undo(resolved)
    shown = await desk.get(made)
    assert (shown["status"], shown["updates"][0]["text"]) == ("identified", "Opened again.")
    listed = await desk.read("list", {"open": True, "workspaceId": desk.shop.workspace_id})
    assert [(one["id"], one["status"]) for one in listed["items"]] == [(made["id"], "identified")]
    assert (await desk.read("get", desk.name(made)))["updates"][0]["text"] == "Opened again."
