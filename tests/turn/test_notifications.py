"""Notifications about incidents and maintenance, by a real receiver's account: sent once the change
has committed, tried again, recorded, and never without a decision."""

import asyncio
import json
from collections.abc import AsyncGenerator
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
import pytest_asyncio

from assent.bundled.timeline import notification
from assent.main import load_all_plugins
from assent.settings import Settings
from assent.testing import Databases, RunningServer, run_server
from assent.testing.provider import call, end, stream, text
from tests.patience import wait_until
from tests.turn.people import add_workspace, expect, fetch, find_tenant
from tests.turn.talk import open_talk
from tests.turn.test_webhook import Receiver, run_receiver
from tests.turn.timelines import INCIDENT, WINDOW, Desk, Kind, open_desk

QUEUED = "SELECT count(*) AS queued FROM work WHERE kind LIKE 'work:%:deliver_notification'"


@pytest_asyncio.fixture
async def receiver() -> AsyncGenerator[Receiver]:
    async with run_receiver() as running:
        yield running


@pytest_asyncio.fixture
async def server(
    databases: Databases, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> AsyncGenerator[RunningServer]:
    monkeypatch.setattr(notification, "PAUSES", (timedelta(0), timedelta(0)))
    inside = [f"127.0.0.1:{receiver.port}"]
    async with databases.copy() as url, run_server(url, inside_hosts=inside) as running:
        yield running


@pytest.fixture(params=[INCIDENT, WINDOW], ids=lambda kind: kind.plugin)
async def desk(server: RunningServer, receiver: Receiver, request: pytest.FixtureRequest) -> Desk:
    kind: Kind = request.param
    opened = await open_desk(server, await find_tenant(server), kind)
    await opened.set_address(receiver.url)
    return opened


async def wait_for(desk: Desk, one: dict[str, Any], *states: str) -> list[dict[str, Any]]:
    """The deliveries about it, the newest first, once they are as they should be."""
    found: list[dict[str, Any]] = []

    async def arrived() -> bool:
        found[:] = (await desk.get(one))["deliveries"]
        return [delivery["state"] for delivery in found] == list(states)

    await wait_until(arrived)
    return found


async def test_what_is_done_is_sent(desk: Desk, receiver: Receiver) -> None:
    system = desk.shop.systems[0]
    made = await desk.open(notify=True, description="It hangs.", systemIds=[system])
    await wait_for(desk, made, "sent")
    said = await desk.say(made, "Nearly there.", notify=True)
    await wait_for(desk, made, "sent", "sent")
    await desk.end(made, notify=True)
    sent = await wait_for(desk, made, "sent", "sent", "sent")
    assert [one["event"] for one in sent] == [desk.kind.ended, "updated", "created"]
    assert sent[1]["updateId"] == said["id"]
    assert {one["origin"] for one in sent} == {receiver.url.removesuffix("/hook")}
    assert [one["text"] for one in receiver.events[:2]] == ["It hangs.", "Nearly there."]
    first = receiver.events[0]
    name = expect(await desk.client.get(f"/api/p/catalog/systems/{system}"), 200)["name"]
    assert (first["title"], first["systems"]) == (made["title"], [name])
    assert first["link"].endswith(f"/p/{desk.kind.plugin}/{desk.kind.path}/{made['id']}")
    headers, body = receiver.came[0]
    assert headers["x-assent-delivery-id"] == json.loads(body)["id"] == sent[2]["id"]


async def test_it_is_tried_again(desk: Desk, receiver: Receiver) -> None:
    receiver.answers = [500, 302]
    made = await desk.open(notify=True)
    (sent,) = await wait_for(desk, made, "sent")
    assert (sent["tries"], sent["reason"]) == (3, "")
    assert len({event["id"] for event in receiver.events}) == 1
    assert len(receiver.came) == 3


async def test_after_the_last_try_it_has_failed(desk: Desk, receiver: Receiver) -> None:
    receiver.answers = [500, 500, 404]
    made = await desk.open(notify=True)
    (failed,) = await wait_for(desk, made, "failed")
    assert (failed["tries"], failed["reason"]) == (3, "It answered 404.")
    await desk.say(made, "Next.", notify=True)
    await wait_for(desk, made, "sent", "failed")


async def test_nobody_waits_for_the_receiver(desk: Desk, receiver: Receiver) -> None:
    receiver.answers = [None]
    made = await desk.open(notify=True)

    async def came() -> bool:
        return bool(receiver.came)

    await wait_until(came)
    await desk.say(made, "Meanwhile.")
    (waiting,) = (await desk.get(made))["deliveries"]
    assert (waiting["state"], waiting["tries"]) == ("waiting", 0)
    card = await desk.propose("delete", desk.name(made))
    assert "1 notification that was not sent yet" in card["removes"]
    receiver.let_go.set()
    await wait_for(desk, made, "sent")


async def test_what_is_deleted_is_not_sent(
    databases: Databases, receiver: Receiver, kind: Kind
) -> None:
    """Written down by a process without background work, found by one with it."""
    settings = {"inside_hosts": [f"127.0.0.1:{receiver.port}"], "master_key": "11" * 32}
    async with databases.copy() as url:
        async with run_server(url, background_work=False, **settings) as quiet:
            desk = await open_desk(quiet, await find_tenant(quiet), kind)
            await desk.set_address(receiver.url)
            gone, kept = await desk.open(notify=True), await desk.open()
            said = await desk.say(kept, "Forget it.", notify=True)
            await desk.say(kept, "Read this.", notify=True)
            await desk.delete(gone["id"])
            await desk.delete(f"{kept['id']}/updates/{said['id']}")
            assert await fetch(quiet, QUEUED) == [{"queued": 3}]
            admin = desk.tenant.admin
        async with run_server(url, **settings) as running:
            client = await running.open_client()
            client.cookies.update(admin.client.cookies)
            after = replace(desk, server=running, client=client)
            await wait_for(after, kept, "sent")
    assert [event["text"] for event in receiver.events] == ["Read this."]


@pytest.fixture(params=[INCIDENT, WINDOW], ids=lambda kind: kind.plugin)
def kind(request: pytest.FixtureRequest) -> Kind:
    return request.param


async def test_a_change_that_fails_sends_nothing(desk: Desk, receiver: Receiver) -> None:
    wrong = desk.draft(notify=True, systemIds=[desk.shop.group])
    await desk.post("", wrong, 409)
    made = await desk.open(notify=True)
    await desk.patch(made, {"title": "x", "notify": True, "expectedVersion": 7}, 412)
    await wait_for(desk, made, "sent")
    assert [event["title"] for event in receiver.events] == [made["title"]]


async def test_without_an_address_the_field_is_named(desk: Desk) -> None:
    await desk.set_address(None)
    made = await desk.open()
    for problem in (
        await desk.post("", desk.draft(notify=True), 422),
        await desk.say(made, "x", 422, notify=True),
        await desk.end(made, 422, notify=True),
        await desk.patch(made, {"title": "x", "notify": True}, 422),
        await desk.propose("create", desk.draft(notify=True), 422),
        await desk.propose(desk.kind.end, desk.name(made, notify=True), 422),
        await desk.propose("update", desk.name(made, title="x", notify=True), 422),
    ):
        assert [one["path"] for one in problem["issues"]] == ["notify"]
    assert (await desk.get(made))["version"] == 1


@pytest.mark.parametrize(
    ("url", "code"),
    [
        ("http://169.254.169.254/", 409),
        ("http://127.0.0.1:1/", 409),
        ("ftp://example.com/", 422),
        ("example.com", 422),
        ("https://user@example.com/", 422),
    ],
)
async def test_an_address_that_may_not_be(desk: Desk, url: str, code: int) -> None:
    problem = await desk.set_address(url, code)
    assert [one["path"] for one in problem["issues"]] == ["url"]


async def test_each_workspace_and_each_plugin_has_its_own(desk: Desk) -> None:
    at = f"/api/p/{desk.kind.plugin}/addresses"
    elsewhere = await add_workspace(desk.server, desk.tenant.id)
    empty = expect(await desk.client.get(f"{at}/{elsewhere}"), 200)
    assert empty == {"workspaceId": str(elsewhere), "url": None}
    other = {"incident": "maintenance", "maintenance": "incident"}[desk.kind.plugin]
    there = f"/api/p/{other}/addresses/{desk.shop.workspace_id}"
    assert expect(await desk.client.get(there), 200)["url"] is None


async def test_a_card_names_the_destination_and_rests_on_it(desk: Desk, receiver: Receiver) -> None:
    made = await desk.open()
    given = desk.name(made, text="Told.", notify=True)
    card = await desk.propose("addUpdate", given)
    assert card["egress"] is True
    assert [(one["path"], one["after"]) for one in card["diff"]] == [
        ("update", "Told."),
        ("notifies", receiver.url.removesuffix("/hook")),
    ]
    await desk.set_address(receiver.url.replace("/hook", "/other"))
    problem = await desk.apply(card, 412)
    await desk.set_address(receiver.url)
    fresh = expect(await desk.client.get(f"/api/proposals/{problem['successorId']}"), 200)
    await desk.apply(fresh, 412)
    await desk.apply(await desk.propose("addUpdate", given))
    await wait_for(desk, made, "sent")
    quiet = await desk.propose("addUpdate", desk.name(made, text="Not told."))
    assert quiet["egress"] is False


async def test_many_at_once_are_each_sent_once(desk: Desk, receiver: Receiver) -> None:
    made = await desk.open()
    said = [f"Number {number}." for number in range(6)]
    await asyncio.gather(*(desk.say(made, text, notify=True) for text in said))
    await wait_for(desk, made, *["sent"] * len(said))
    assert sorted(event["text"] for event in receiver.events) == said


async def test_auto_mode_still_asks_before_it_notifies(
    databases: Databases, receiver: Receiver, kind: Kind
) -> None:
    settings = {"inside_hosts": [f"127.0.0.1:{receiver.port}"]}
    async with open_talk(databases, loaded=load_all_plugins(Settings()), **settings) as talk:
        desk = await open_desk(talk.server, talk.tenant, kind)
        await desk.set_address(receiver.url)
        made = await desk.open()
        conversation = await talk.open(mode="auto")
        tool = f"{kind.plugin}_addUpdate"
        for number, notify in enumerate((False, True)):
            given = json.dumps(desk.name(made, text=f"Number {number}.", notify=notify))
            talk.provider.script(
                stream(call(tool, given, index=0, id=f"call_{number}"), end("tool_calls")),
                stream(text("There."), end()),
            )
            answer = await talk.say(conversation, "Say so")
            assert len(answer.find("data-proposal")) == int(notify)
            assert len(answer.find("data-applied")) == int(not notify)
        assert [one["text"] for one in (await desk.get(made))["updates"]] == ["Number 0."]
        assert receiver.came == []
