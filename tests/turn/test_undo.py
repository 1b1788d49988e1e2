"""Undo over HTTP: a card that takes a change back, while nothing has happened to it since."""

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator
from typing import Any
from uuid import UUID

import pytest
import pytest_asyncio

from assent.actions.undoing import plan as plan_module
from assent.db.database import Db
from assent.testing import Client, Databases
from tests.bank import MANAGE
from tests.bank.accounts import find_balance, touch_account
from tests.bank.desk import Desk, add_key, apply, ask_token, decline, open_desk
from tests.turn.approving import add_rule, clear, seat, show
from tests.turn.people import add_person, execute, expect, fetch


@pytest_asyncio.fixture(scope="module")
async def desk(databases: Databases) -> AsyncGenerator[Desk]:
    async with open_desk(databases) as opened:
        yield opened


@pytest_asyncio.fixture
async def account(desk: Desk) -> UUID:
    return await desk.open_account(balance=100)


async def deposit(desk: Desk, account: UUID, amount: int = 5) -> str:
    """An applied change; its proposal."""
    card = await desk.propose_deposit(account, amount)
    await apply(desk.client, card["id"])
    return card["id"]


async def undo(client: Client, proposal_id: str, status: int = 201) -> Any:
    return expect(await client.post(f"/api/proposals/{proposal_id}/undo"), status)


async def balance(desk: Desk, account: UUID) -> int | None:
    return await find_balance(desk.server.database, account)


async def test_undo_is_a_card_that_takes_it_back(desk: Desk, account: UUID) -> None:
    done = await deposit(desk, account)
    before = await show(desk.client, done)
    assert before["undo"] == {"state": "available", "proposalId": None, "mayUndo": True}
    card = await undo(desk.client, done)
    assert (card["state"], card["tool"], card["undoes"]) == ("proposed", "bank.deposit", done)
    assert card["diff"] == [{"kind": "changed", "path": "balance", "before": 105, "after": 100}]
    assert await balance(desk, account) == 105
    waiting = await show(desk.client, done)
    assert waiting["undo"] == {"state": "waiting", "proposalId": card["id"], "mayUndo": False}
    assert (await apply(desk.client, card["id"]))["state"] == "applied"
    assert await balance(desk, account) == 100
    undone = await show(desk.client, done)
    assert undone["undo"] == {"state": "undone", "proposalId": card["id"], "mayUndo": False}
    assert (await undo(desk.client, done, 409))["detail"] == "It was undone already."


async def test_what_was_undone_is_done_again_the_same_way(desk: Desk, account: UUID) -> None:
    done = await deposit(desk, account)
    back = (await undo(desk.client, done))["id"]
    await apply(desk.client, back)
    again = await undo(desk.client, back)
    await apply(desk.client, again["id"])
    assert await balance(desk, account) == 105


async def test_undo_is_refused_when_it_has_moved_on(desk: Desk, account: UUID) -> None:
    done = await deposit(desk, account)
    await touch_account(desk.server.database, account)
    problem = await undo(desk.client, done, 412)
    assert (problem["code"], problem["detail"]) == (
        "changed",
        "It has been changed since, so it cannot simply be undone.",
    )
    rows = await fetch(desk.server, "SELECT 1 FROM proposals WHERE undoes = $1", UUID(done))
    assert rows == []


async def test_undo_is_refused_when_it_is_gone(desk: Desk, account: UUID) -> None:
    done = await deposit(desk, account)
    closing = await desk.propose("bank.close", {"accountId": str(account)})
    await apply(desk.client, closing["id"])
    await undo(desk.client, done, 412)


async def test_a_card_that_undoes_is_not_replaced_when_it_moves_on(
    desk: Desk, account: UUID
) -> None:
    """A fresh one would take back what somebody else did."""
    done = await deposit(desk, account)
    card = await undo(desk.client, done)
    await touch_account(desk.server.database, account)
    problem = await apply(desk.client, card["id"], 412)
    assert "successorId" not in problem
    assert (await show(desk.client, card["id"]))["state"] == "voided"
    assert await balance(desk, account) == 105


@pytest.mark.parametrize("how", ["declined", "expired"])
async def test_it_can_be_asked_for_again(desk: Desk, account: UUID, how: str) -> None:
    done = await deposit(desk, account)
    card = await undo(desk.client, done)
    assert (await undo(desk.client, done, 409))["code"] == "conflict"
    if how == "declined":
        await decline(desk.client, card["id"])
    else:
        late = "UPDATE proposals SET expires_at = now() WHERE id = $1"
        await execute(desk.server, late, UUID(card["id"]))
    assert (await show(desk.client, done))["undo"]["mayUndo"] is True
    again = await undo(desk.client, done)
    assert (await apply(desk.client, again["id"]))["state"] == "applied"
    assert (await show(desk.client, card["id"]))["state"] == how


async def test_of_many_at_once_one_wins(desk: Desk, account: UUID) -> None:
    done = await deposit(desk, account)
    answers = await asyncio.gather(
        *(desk.client.post(f"/api/proposals/{done}/undo") for _ in range(8))
    )
    assert Counter(one.status_code for one in answers) == {201: 1, 409: 7}


async def test_who_may_undo(desk: Desk, account: UUID) -> None:
    done = await deposit(desk, account)
    stranger = await add_person(desk.server, desk.tenant.id, rules=[])
    await undo(stranger.client, done, 404)
    key = await add_key(desk.tenant.admin, MANAGE)
    robot = await desk.server.open_client(key=key)
    assert (await undo(robot, done, 403))["code"] == "people_only"
    ann = (await seat(desk, 1)).people[0]
    await add_rule(desk, userIds=[str(ann.id)])
    assert (await show(ann.client, done))["undo"]["mayUndo"] is False
    assert (await undo(ann.client, done, 403))["code"] == "missing_rule"
    await clear(desk)
    other = await add_person(desk.server, desk.tenant.id, rules=[MANAGE])
    card = await undo(other.client, done)
    assert card["proposer"]["id"] == str(other.id)


async def test_approval_rules_hold_for_undo(desk: Desk, account: UUID) -> None:
    done = await deposit(desk, account)
    await add_rule(desk, anyone=True, notProposer=True)
    card = await undo(desk.client, done)
    assert card["mayDecide"] is False
    await clear(desk)


async def test_what_has_no_inverse_has_no_undo(desk: Desk, account: UUID) -> None:
    closing = await desk.propose("bank.close", {"accountId": str(account)})
    assert (await undo(desk.client, closing["id"], 409))["detail"].startswith("Only a change")
    await apply(desk.client, closing["id"])
    assert (await show(desk.client, closing["id"]))["undo"] is None
    problem = await undo(desk.client, closing["id"], 409)
    assert problem["detail"] == "This change cannot be undone."


@pytest.mark.parametrize("how", ["crash", "sql", "slow"])
async def test_a_change_does_not_fail_because_it_cannot_be_undone(
    desk: Desk, account: UUID, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    async def fail(db: Db, *_: Any) -> Any:
        if how == "sql":
            await db.execute("SELECT 1 / 0")
        if how == "slow":
            await db.execute("SELECT pg_sleep(60)")
        raise RuntimeError("the launch code is 0000")

    monkeypatch.setattr(plan_module, "rehearse", fail)
    monkeypatch.setattr(plan_module, "LONGEST_SECONDS", 0.2)
    done = await deposit(desk, account)
    assert await balance(desk, account) == 105
    assert (await show(desk.client, done))["undo"] is None


async def test_a_plan_that_was_altered_is_refused(desk: Desk, account: UUID) -> None:
    done = await deposit(desk, account)
    await execute(
        desk.server,
        "UPDATE undo_plans SET basis = '[]' WHERE proposal_id = $1",
        UUID(done),
    )
    assert (await undo(desk.client, done, 409))["code"] == "altered"


async def test_in_a_conversation_the_card_waits_there(desk: Desk, account: UUID) -> None:
    made = expect(await desk.client.post("/api/conversations", json={}), 201)["id"]
    body = {
        "tool": "bank.deposit",
        "input": {"accountId": str(account), "amount": 5},
        "conversationId": made,
    }
    card = expect(await desk.client.post("/api/proposals", json=body), 201)
    await apply(desk.client, card["id"])
    back = await undo(desk.client, card["id"])
    view = expect(await desk.client.get(f"/api/conversations/{made}"), 200)
    assert [one["id"] for one in view["pending"]] == [back["id"]]


async def test_the_catalog_takes_its_changes_back(desk: Desk) -> None:
    """What was created is deleted, which is destructive and asks as such."""
    given = {"workspaceId": str(desk.tenant.workspace_id), "name": "to and fro"}
    made = await desk.propose("catalog.createSystem", given)
    applied = await apply(desk.client, made["id"])
    system = applied["result"]["id"]
    renamed = await desk.propose("catalog.updateSystem", {"systemId": system, "name": "fro"})
    await apply(desk.client, renamed["id"])
    await undo(desk.client, made["id"], 412)
    back = await undo(desk.client, renamed["id"])
    assert back["diff"][0]["after"] == "to and fro"
    token = await ask_token(desk.client, back["id"])
    body = [{"id": back["id"], "token": token, "kind": "apply"}]
    decided = expect(await desk.client.post("/api/proposals/decide", json=body), 200)
    assert decided["items"][0]["proposal"]["state"] == "applied"
    await undo(desk.client, made["id"], 412)
    second = await desk.propose("catalog.createSystem", given | {"name": "gone soon"})
    await apply(desk.client, second["id"])
    deletion = await undo(desk.client, second["id"])
    assert (deletion["effect"], deletion["tool"]) == ("destructive", "catalog.deleteSystem")
    assert (await apply(desk.client, deletion["id"]))["state"] == "applied"
