"""Maintenance windows over HTTP: what only they have, from the form and from cards."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from assent.testing import RunningServer
from tests.turn.people import Tenant, execute, expect, fetch
from tests.turn.timelines import WINDOW, Desk, open_desk

LIST_EVENTS = "SELECT topic FROM outbox WHERE payload->>'windowId' = $1 ORDER BY id"
SHIFT = """
UPDATE maintenance.windows
SET starts_at = starts_at - $2::interval, ends_at = ends_at - $2::interval
WHERE id = $1::uuid
"""


@pytest.fixture
async def desk(shared: RunningServer, tenant: Tenant) -> Desk:
    return await open_desk(shared, tenant, WINDOW)


def around_now(before: float, after: float) -> dict[str, str]:
    """A span by its distance from now, in hours."""
    now = datetime.now(UTC)
    starts, ends = now + timedelta(hours=before), now + timedelta(hours=after)
    return {"startsAt": starts.isoformat(), "endsAt": ends.isoformat()}


@pytest.mark.parametrize(
    ("span", "status", "is_open"),
    [((1, 2), "scheduled", True), ((-1, 2), "in_progress", True), ((-2, -1), "completed", False)],
)
async def test_the_status_follows_from_the_time(
    desk: Desk, span: tuple[float, float], status: str, is_open: bool
) -> None:
    made = await desk.open(**around_now(*span))
    assert (made["status"], made["closedAt"]) == (status, None)
    assert await desk.list(status=status) == [made["id"]]
    assert await desk.list(open=str(is_open).lower()) == [made["id"]]
    assert await desk.list(open=str(not is_open).lower()) == []
    said = await desk.say(made, "So far, so good.")
    assert said["status"] == status
    listed = await desk.read("list", {"workspaceId": desk.shop.workspace_id})
    assert [one["status"] for one in listed["items"]] == [status]


async def test_time_passes_without_a_change(desk: Desk) -> None:
    made = await desk.open(**around_now(1, 2))
    for hours, status in ((1.5, "in_progress"), (1, "completed")):
        await execute(desk.server, SHIFT, made["id"], timedelta(hours=hours))
        shown = await desk.get(made)
        assert (shown["status"], shown["version"]) == (status, 1)
    await desk.end(made, 409)
    assert (await desk.get(made))["updates"] == []


async def test_closed_early_and_opened_again(desk: Desk) -> None:
    made = await desk.open(**around_now(-1, 2))
    await desk.end(made, text="Done already.")
    shown = await desk.get(made)
    assert shown["status"] == shown["updates"][0]["status"] == "closed"
    assert shown["closedAt"] is not None
    await desk.end(made, 409)
    await desk.say(made, "Not quite.", reopen=True)
    shown = await desk.get(made)
    assert (shown["status"], shown["closedAt"]) == ("in_progress", None)
    problem = await desk.say(made, "Again.", 409, reopen=True)
    assert [one["path"] for one in problem["issues"]] == ["reopen"]
    topics = [row["topic"] for row in await fetch(desk.server, LIST_EVENTS, made["id"])]
    assert topics == [f"maintenance.window.{verb}" for verb in ("created", "closed", "reopened")]


@pytest.mark.parametrize(
    ("span", "path"),
    [
        ({"startsAt": "2126-07-01T22:00:00Z", "endsAt": "2126-07-01T22:00:00Z"}, "endsAt"),
        ({"startsAt": "2126-07-01T22:00:00Z", "endsAt": "2126-07-01T23:00:00+02:00"}, "endsAt"),
        ({"startsAt": "2126-07-01T22:00:00"}, "startsAt"),
        ({"startsAt": "tonight"}, "startsAt"),
        ({"startsAt": None}, "startsAt"),
    ],
)
async def test_a_span_that_cannot_be(desk: Desk, span: dict[str, Any], path: str) -> None:
    draft = desk.draft(**span)
    answer = expect(await desk.client.post(desk.kind.base, json=draft), 422)
    assert [one["path"] for one in answer["issues"]] == [path]
    problem = await desk.propose("create", draft, 422)
    assert [one["path"] for one in problem["issues"]] == [path]


async def test_one_end_is_moved_past_the_other(desk: Desk) -> None:
    made = await desk.open()
    for change in ({"startsAt": made["endsAt"]}, {"endsAt": made["startsAt"]}):
        problem = await desk.patch(made, change, 422)
        assert [one["path"] for one in problem["issues"]] == ["endsAt"]
        problem = await desk.propose("update", desk.name(made, **change), 422)
        assert [one["path"] for one in problem["issues"]] == ["endsAt"]
    later = {"startsAt": "2127-07-01T22:00:00Z", "endsAt": "2127-07-01T23:00:00Z"}
    moved = await desk.patch(made, later)
    assert {key: moved[key] for key in later} == later
    assert moved["version"] == 2


async def test_cards_from_beginning_to_end(desk: Desk) -> None:
    card = await desk.propose("create", desk.draft(title="Disks are changed"))
    assert card["summary"].startswith("Schedule maintenance window Disks are changed in workspace ")
    assert card["creates"]["startsAt"] == desk.kind.draft["startsAt"]
    made = (await desk.apply(card))["result"]
    closed = await desk.change("close", desk.name(made, text="Cancelled."))
    assert closed["summary"] == "Close maintenance window Disks are changed"
    assert closed["diff"][0] == {
        "kind": "changed",
        "path": "status",
        "before": "scheduled",
        "after": "closed",
    }
    problem = await desk.propose("close", desk.name(made), 422)
    assert problem["issues"][0]["message"] == "This maintenance window is over already."
    await desk.undo(closed)
    shown = await desk.get(made)
    assert (shown["status"], shown["updates"][0]["text"]) == ("scheduled", "Opened again.")


async def test_a_card_outlives_the_beginning_of_the_work(desk: Desk) -> None:
    made = await desk.open(**around_now(1, 2))
    card = await desk.propose("addUpdate", desk.name(made, text="We begin."))
    await execute(desk.server, SHIFT, made["id"], timedelta(hours=1.5))
    await desk.apply(card)
    assert (await desk.get(made))["updates"][0]["status"] == "in_progress"
    card = await desk.propose("close", desk.name(made))
    await execute(desk.server, SHIFT, made["id"], timedelta(hours=1))
    assert "is over already" in (await desk.apply(card, 412))["detail"]
    assert (await desk.get(made))["status"] == "completed"
