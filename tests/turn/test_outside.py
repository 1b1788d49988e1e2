"""Changes outside, and reads that carry data out: leased work after a decision."""

from collections.abc import AsyncGenerator
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
import pytest_asyncio

from assent.testing import Databases
from tests.bank import OUTSIDE
from tests.bank.accounts import touch_account
from tests.bank.desk import Desk, apply, open_desk
from tests.bank.outside import OtherBank, open_other_bank
from tests.patience import wait_until
from tests.turn.people import expect


@pytest_asyncio.fixture(scope="module")
async def other_bank() -> AsyncGenerator[OtherBank]:
    async with open_other_bank() as bank:
        yield bank


@pytest_asyncio.fixture(scope="module")
async def desk(databases: Databases, other_bank: OtherBank) -> AsyncGenerator[Desk]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(OUTSIDE, other_bank.url)
        async with open_desk(databases, background_work=True) as opened:
            yield opened


@pytest_asyncio.fixture
async def account(desk: Desk) -> UUID:
    return await desk.open_account(balance=100)


async def follow(desk: Desk, proposal_id: str, until: set[str]) -> dict[str, Any]:
    async def look() -> dict[str, Any] | None:
        shown = expect(await desk.client.get(f"/api/proposals/{proposal_id}"), 200)
        return shown if shown["state"] in until else None

    return await wait_until(look)


async def test_a_change_outside_is_made_once_with_its_key(
    desk: Desk, account: UUID, other_bank: OtherBank
) -> None:
    card = await desk.propose("bank.wire", {"accountId": str(account), "amount": 3})
    assert other_bank.transfers[card["id"]] == 0
    applied = await apply(desk.client, card["id"])
    assert (applied["state"], applied["result"]) == ("applied", {"key": card["id"]})
    assert applied["decider"]["id"] == str(desk.tenant.admin.id)
    assert other_bank.transfers[card["id"]] == 1
    assert await desk.list_statuses(card["id"]) == ["proposed", "applying", "applied"]


async def test_a_tool_that_says_it_failed_has_failed(
    desk: Desk, account: UUID, other_bank: OtherBank
) -> None:
    given = {"accountId": str(account), "amount": 3, "how": "refused"}
    card = await desk.propose("bank.wire", given)
    failed = await apply(desk.client, card["id"])
    assert (failed["state"], failed["error"]["message"]) == ("failed", "The other bank refused.")
    assert other_bank.transfers[card["id"]] == 0


async def test_what_was_lost_sight_of_is_found_out(
    desk: Desk, account: UUID, other_bank: OtherBank
) -> None:
    given = {"accountId": str(account), "amount": 3, "how": "cut"}
    card = await desk.propose("bank.wire", given)
    assert (await apply(desk.client, card["id"]))["state"] in ("outcome_unknown", "applied")
    found = await follow(desk, card["id"], {"applied"})
    assert found["result"] == {"key": card["id"]}
    assert other_bank.transfers[card["id"]] == 1
    assert await desk.list_statuses(card["id"]) == [
        "proposed",
        "applying",
        "outcome_unknown",
        "applied",
    ]


async def test_where_nobody_can_ask_a_person_says(desk: Desk, account: UUID) -> None:
    given = {"accountId": str(account), "amount": 3, "how": "cut"}
    card = await desk.propose("bank.post", given)
    unknown = await apply(desk.client, card["id"])
    assert (unknown["state"], unknown["mayDecide"]) == ("outcome_unknown", True)
    assert (await resolve(desk, card["id"], 422, outcome="perhaps"))["issues"]
    resolved = await resolve(desk, card["id"], 200, outcome="applied", note="I asked them.")
    assert (resolved["state"], resolved["note"]) == ("applied", "I asked them.")
    await resolve(desk, card["id"], 409, outcome="failed")
    assert await desk.list_statuses(card["id"]) == [
        "proposed",
        "applying",
        "outcome_unknown",
        "applied",
        "refused",
    ]


async def test_what_changed_in_between_is_not_done_outside(desk: Desk, account: UUID) -> None:
    card = await desk.propose("bank.post", {"accountId": str(account), "amount": 3})
    await touch_account(desk.server.database, account)
    problem = await apply(desk.client, card["id"], 412)
    fresh = expect(await desk.client.get(f"/api/proposals/{problem['successorId']}"), 200)
    assert fresh["state"] == "proposed"
    assert (await apply(desk.client, fresh["id"]))["state"] == "applied"


async def test_what_takes_long_goes_on_without_the_request(
    desk: Desk, account: UUID, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("assent.actions.outside.PATIENCE", timedelta())
    card = await desk.propose("bank.wire", {"accountId": str(account), "amount": 3})
    under_way = await apply(desk.client, card["id"], 202)
    assert under_way["state"] == "applying"
    assert (await follow(desk, card["id"], {"applied"}))["result"] == {"key": card["id"]}


async def test_an_egress_read_shows_its_arguments(desk: Desk) -> None:
    given = {"url": "https://elsewhere.example/x", "text": "all our secrets"}
    answer = await desk.client.post("/api/tools/bank.write/call", json={"input": given})
    card = expect(answer, 202)
    assert (card["effect"], card["egress"], card["payload"]) == ("read", True, given)
    assert card["reason"]["code"] == "egress_read"
    assert (await apply(desk.client, card["id"]))["result"] == {"sent": given["url"]}


async def test_a_change_outside_is_taken_back_by_another(
    desk: Desk, account: UUID, other_bank: OtherBank
) -> None:
    card = await desk.propose("bank.freeze", {"accountId": str(account)})
    assert (await apply(desk.client, card["id"]))["state"] == "applied"
    done = await follow(desk, card["id"], {"applied"})
    assert done["undo"]["state"] == "available"
    back = expect(await desk.client.post(f"/api/proposals/{card['id']}/undo"), 201)
    assert (back["tool"], back["undoes"], back["state"]) == ("bank.thaw", card["id"], "proposed")
    assert other_bank.transfers[f"Thaw-{account}"] == 0
    assert (await apply(desk.client, back["id"]))["state"] == "applied"
    assert other_bank.transfers[f"Freeze-{account}"] == other_bank.transfers[f"Thaw-{account}"] == 1
    assert (await follow(desk, card["id"], {"applied"}))["undo"]["state"] == "undone"
    expect(await desk.client.post(f"/api/proposals/{card['id']}/undo"), 409)


async def test_what_moved_on_since_is_not_taken_back_outside(
    desk: Desk, account: UUID, other_bank: OtherBank
) -> None:
    card = await desk.propose("bank.freeze", {"accountId": str(account)})
    await apply(desk.client, card["id"])
    await touch_account(desk.server.database, account)
    expect(await desk.client.post(f"/api/proposals/{card['id']}/undo"), 412)
    assert other_bank.transfers[f"Thaw-{account}"] == 0


async def resolve(desk: Desk, proposal_id: str, status: int, **body: str) -> Any:
    url = f"/api/proposals/{proposal_id}/resolve"
    return expect(await desk.client.post(url, json=body), status)
