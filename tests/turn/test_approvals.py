"""Approval rules over HTTP: who sees a card, whose votes count, and when it is done."""

from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest

from assent.actions import call as call_module
from assent.actions.approvals.store import count_stuck
from assent.actions.call import Applied, Circumstances, Proposed, Ran, ToolCall, call_tool
from assent.actions.proposal import Place, Proposal
from assent.actions.propose import propose
from assent.doctor import examine
from assent.identity.authenticate import load_person
from assent.ids import new_id
from tests.bank import MANAGE
from tests.bank.accounts import count_effects, touch_account
from tests.bank.desk import Desk, add_key, apply, apply_with, ask_token, decline
from tests.turn.approving import (
    RULES,
    add_rule,
    give_role,
    list_waiting,
    seat,
    show,
)
from tests.turn.people import add_person, execute, expect, fetch


async def count(desk: Desk, account: UUID) -> int:
    return await count_effects(desk.server.database, account)


async def test_two_of_three_and_the_second_vote_does_it(desk: Desk, account: UUID) -> None:
    panel = await seat(desk, 3)
    ann, bob, eve = panel.people
    await add_rule(desk, needed=2, roleIds=[str(panel.role_id)], note="Money is money.")
    card = await desk.propose_deposit(account)
    assert card["reason"]["code"] == "approval_rule"
    assert (card["mayDecide"], card["mayDecline"]) == (False, True)
    assert card["approvals"] == {
        "needed": 2,
        "given": [],
        "missing": 2,
        "mayVote": False,
        "whyNot": "You proposed this, so somebody else has to decide.",
    }
    [rule] = card["rules"]
    assert (rule["note"], rule["people"], rule["given"]) == ("Money is money.", 3, 0)
    first = await apply(ann.client, card["id"])
    assert first["state"] == "proposed"
    assert [one["personId"] for one in first["approvals"]["given"]] == [str(ann.id)]
    assert (first["approvals"]["missing"], first["mayDecide"]) == (1, False)
    assert await count(desk, account) == 0
    second = await apply(bob.client, card["id"])
    assert (second["state"], second["decider"]["id"]) == ("applied", str(bob.id))
    assert await count(desk, account) == 1
    seen = await show(eve.client, card["id"])
    assert (seen["state"], seen["mayDecide"]) == ("applied", False)
    assert await desk.list_statuses(card["id"]) == ["proposed", "approved", "applied"]


async def test_proposer_and_every_decider_are_in_the_audit_log(desk: Desk, account: UUID) -> None:
    panel = await seat(desk, 2)
    await add_rule(desk, needed=2, roleIds=[str(panel.role_id)])
    card = await desk.propose_deposit(account)
    for person in panel.people:
        await apply(person.client, card["id"])
    rows = await fetch(
        desk.server,
        "SELECT principal_id, decider_id, status FROM audit_entries WHERE proposal_id = $1"
        " ORDER BY occurred_at",
        UUID(card["id"]),
    )
    admin, (ann, bob) = desk.tenant.admin.id, panel.people
    assert [(row["principal_id"], row["decider_id"]) for row in rows] == [
        (admin, None),
        (admin, ann.id),
        (admin, bob.id),
    ]


async def test_a_vote_counts_once(desk: Desk, account: UUID) -> None:
    panel = await seat(desk, 2)
    await add_rule(desk, needed=2, roleIds=[str(panel.role_id)])
    card = await desk.propose_deposit(account)
    ann = panel.people[0]
    spare = await ask_token(ann.client, card["id"])
    await apply(ann.client, card["id"])
    again = await apply_with(ann.client, card["id"], spare, 409)
    assert again["detail"] == "You have assented. Others still have to."
    assert await count(desk, account) == 0


async def test_a_voter_who_lost_their_role_does_not_count(desk: Desk, account: UUID) -> None:
    panel = await seat(desk, 3)
    ann, bob, eve = panel.people
    await add_rule(desk, needed=2, roleIds=[str(panel.role_id)])
    card = await desk.propose_deposit(account)
    await apply(ann.client, card["id"])
    await give_role(desk.server, ann)
    second = await apply(bob.client, card["id"])
    assert (second["state"], second["approvals"]["missing"]) == ("proposed", 1)
    assert [one["counts"] for one in second["approvals"]["given"]] == [False, True]
    assert await count(desk, account) == 0
    assert (await apply(eve.client, card["id"]))["state"] == "applied"


async def test_somebody_who_may_not_sign_in_any_more_does_not_count(
    desk: Desk, account: UUID
) -> None:
    panel = await seat(desk, 2, [MANAGE])
    await add_rule(desk, needed=2, anyone=True, notProposer=True)
    card = await desk.propose_deposit(account)
    await apply(panel.people[0].client, card["id"])
    await execute(desk.server, "UPDATE users SET active = false WHERE id = $1", panel.people[0].id)
    assert (await apply(panel.people[1].client, card["id"]))["state"] == "proposed"
    assert await count(desk, account) == 0


async def test_a_role_in_one_workspace_is_not_enough(desk: Desk, account: UUID) -> None:
    panel = await seat(desk, 1)
    ann = panel.people[0]
    await give_role(desk.server, ann, panel.role_id, workspace_id=desk.tenant.workspace_id)
    await add_rule(desk, roleIds=[str(panel.role_id)])
    card = await desk.propose_deposit(account)
    expect(await ann.client.get(f"/api/proposals/{card['id']}"), 404)
    assert card["rules"][0]["people"] == 0


async def test_not_the_proposer_counts_for_admins_too(desk: Desk, account: UUID) -> None:
    await add_rule(desk, anyone=True, notProposer=True)
    card = await desk.propose_deposit(account)
    token = await ask_token(desk.client, card["id"])
    refused = await apply_with(desk.client, card["id"], token, 403)
    assert refused["detail"] == "You proposed this, so somebody else has to decide."
    other = await add_person(desk.server, desk.tenant.id, role="admin")
    assert (await apply(other.client, card["id"]))["state"] == "applied"


async def test_the_owner_of_an_application_is_the_proposer(desk: Desk, account: UUID) -> None:
    await add_rule(desk, anyone=True, notProposer=True)
    key = await add_key(desk.tenant.admin, MANAGE)
    robot = await desk.server.open_client(key=key)
    card = await desk.propose_deposit(account, client=robot)
    assert (await show(desk.client, card["id"]))["mayDecide"] is False
    expect(await robot.post(f"/api/proposals/{card['id']}/token"), 403)
    other = await add_person(desk.server, desk.tenant.id, rules=[MANAGE])
    assert (await apply(other.client, card["id"]))["state"] == "applied"


async def test_whoever_is_named_decides_without_the_tools_rules(desk: Desk, account: UUID) -> None:
    """And executes nothing: the change is the proposer's, with the proposer's rights."""
    ann = (await seat(desk, 1)).people[0]
    stranger = await add_person(desk.server, desk.tenant.id, rules=[])
    await add_rule(desk, userIds=[str(ann.id)])
    owner = await add_person(desk.server, desk.tenant.id, rules=[MANAGE])
    card = await desk.propose_deposit(account, client=owner.client)
    expect(await stranger.client.get(f"/api/proposals/{card['id']}"), 404)
    expect(await stranger.client.post(f"/api/proposals/{card['id']}/token"), 404)
    assert await list_waiting(ann.client) == [card["id"]]
    assert await list_waiting(stranger.client) == []
    assert await list_waiting(owner.client) == []
    await give_role(desk.server, owner)
    token = await ask_token(ann.client, card["id"])
    assert (await apply_with(ann.client, card["id"], token, 403))["code"] == "missing_rule"
    assert await count(desk, account) == 0


async def test_a_card_of_a_conversation_is_decided_by_link(desk: Desk, account: UUID) -> None:
    """The named approver gets the card and not the conversation."""
    ann = (await seat(desk, 1)).people[0]
    await add_rule(desk, userIds=[str(ann.id)])
    made = expect(await desk.client.post("/api/conversations", json={}), 201)
    body = {
        "tool": "bank.deposit",
        "input": {"accountId": str(account), "amount": 5},
        "conversationId": made["id"],
    }
    card = expect(await desk.client.post("/api/proposals", json=body), 201)
    expect(await ann.client.get(f"/api/conversations/{made['id']}"), 404)
    assert (await show(ann.client, card["id"]))["mayDecide"] is True
    assert (await apply(ann.client, card["id"]))["state"] == "applied"
    other = await add_person(desk.server, desk.tenant.id, role="admin")
    expect(await other.client.get(f"/api/proposals/{card['id']}"), 404)


async def test_every_rule_that_holds_must_be_met(desk: Desk, account: UUID) -> None:
    one, other = await seat(desk, 1), await seat(desk, 1)
    await add_rule(desk, roleIds=[str(one.role_id)])
    await add_rule(desk, tool="bank.*", title="The others", roleIds=[str(other.role_id)])
    card = await desk.propose_deposit(account)
    assert len(card["rules"]) == 2
    assert (await apply(one.people[0].client, card["id"]))["state"] == "proposed"
    assert (await apply(other.people[0].client, card["id"]))["state"] == "applied"


async def test_a_rule_may_depend_on_an_argument(desk: Desk, account: UUID) -> None:
    panel = await seat(desk, 1)
    condition = {"path": "amount", "test": "oneOf", "values": [50, 60]}
    await add_rule(desk, condition=condition, roleIds=[str(panel.role_id)])
    small = await desk.propose_deposit(account, 5)
    assert (small["approvals"], small["mayDecide"]) == (None, True)
    assert (await apply(desk.client, small["id"]))["state"] == "applied"
    large = await desk.propose_deposit(account, 50)
    assert large["mayDecide"] is False
    assert await list_waiting(panel.people[0].client) == [large["id"]]


async def test_a_rule_counts_for_cards_that_were_there_before(desk: Desk, account: UUID) -> None:
    panel = await seat(desk, 1)
    card = await desk.propose_deposit(account)
    token = await ask_token(desk.client, card["id"])
    rule = await add_rule(desk, roleIds=[str(panel.role_id)])
    await apply_with(desk.client, card["id"], token, 403)
    assert await count(desk, account) == 0
    expect(await desk.client.delete(f"{RULES}/{rule['id']}"), 204)
    assert (await apply_with(desk.client, card["id"], token))["state"] == "applied"


async def test_a_role_that_is_gone_opens_nothing(desk: Desk, account: UUID) -> None:
    panel = await seat(desk, 1)
    await add_rule(desk, roleIds=[str(panel.role_id)])
    card = await desk.propose_deposit(account)
    expect(await desk.client.delete(f"/api/roles/{panel.role_id}"), 204)
    for client in (desk.client, panel.people[0].client):
        assert (
            await client.post(f"/api/proposals/{card['id']}/apply", json={"token": "x"})
        ).status_code in (403, 404)
    shown = await show(desk.client, card["id"])
    assert (shown["mayDecide"], shown["rules"][0]["people"]) == (False, 0)
    [rule] = expect(await desk.client.get(RULES), 200)["items"]
    assert rule["people"] == 0
    assert (await decline(desk.client, card["id"]))["state"] == "declined"


async def test_a_fresh_card_starts_without_votes(desk: Desk, account: UUID) -> None:
    panel = await seat(desk, 2)
    ann, bob = panel.people
    await add_rule(desk, needed=2, roleIds=[str(panel.role_id)])
    card = await desk.propose_deposit(account)
    await apply(ann.client, card["id"])
    await touch_account(desk.server.database, account)
    problem = await apply(bob.client, card["id"], 412)
    fresh = await show(bob.client, problem["successorId"])
    assert fresh["approvals"]["given"] == []
    assert await count(desk, account) == 0
    assert (await apply(bob.client, fresh["id"]))["state"] == "proposed"
    assert (await apply(ann.client, fresh["id"]))["state"] == "applied"


async def test_nobody_votes_on_what_has_moved_on(desk: Desk, account: UUID) -> None:
    panel = await seat(desk, 2)
    await add_rule(desk, needed=2, roleIds=[str(panel.role_id)])
    card = await desk.propose_deposit(account)
    await touch_account(desk.server.database, account)
    await apply(panel.people[0].client, card["id"], 412)


async def test_one_who_may_decide_declines_for_all(desk: Desk, account: UUID) -> None:
    panel = await seat(desk, 3)
    ann, bob, eve = panel.people
    await add_rule(desk, needed=3, roleIds=[str(panel.role_id)])
    card = await desk.propose_deposit(account)
    await apply(ann.client, card["id"])
    assert (await decline(bob.client, card["id"], reason="No."))["state"] == "declined"
    expect(await eve.client.post(f"/api/proposals/{card['id']}/token"), 409)
    rows = await fetch(
        desk.server,
        "SELECT person_id, kind FROM decisions WHERE proposal_id = $1 ORDER BY decided_at",
        UUID(card["id"]),
    )
    assert [(row["person_id"], row["kind"]) for row in rows] == [
        (ann.id, "apply"),
        (bob.id, "decline"),
    ]


async def test_the_proposer_takes_it_back(desk: Desk, account: UUID) -> None:
    panel = await seat(desk, 1)
    await add_rule(desk, roleIds=[str(panel.role_id)])
    card = await desk.propose_deposit(account)
    assert (await decline(desk.client, card["id"]))["state"] == "declined"


async def test_a_change_outside_is_begun_with_the_last_vote(
    desk: Desk, account: UUID, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("assent.actions.outside.PATIENCE", timedelta())
    panel = await seat(desk, 2)
    await add_rule(desk, tool="bank.wire", needed=2, roleIds=[str(panel.role_id)])
    card = await desk.propose("bank.wire", {"accountId": str(account), "amount": 5})
    await apply(panel.people[0].client, card["id"])
    query = "SELECT count(*) AS n FROM work WHERE kind = 'actions.apply'"
    assert (await fetch(desk.server, query))[0]["n"] == 0
    await apply(panel.people[1].client, card["id"], 202)
    assert (await fetch(desk.server, query))[0]["n"] == 1


async def test_the_list_shows_what_waits_page_by_page(desk: Desk, account: UUID) -> None:
    ann = (await seat(desk, 1)).people[0]
    condition = {"path": "amount", "test": "equals", "values": [50]}
    await add_rule(desk, condition=condition, userIds=[str(ann.id)])
    made = [(await desk.propose_deposit(account, amount))["id"] for amount in (50, 5, 5, 50, 5, 50)]
    wanted = [made[5], made[3], made[0]]
    seen: list[str] = []
    url: str | None = "/api/proposals?waiting=true&limit=1"
    while url:
        page = expect(await ann.client.get(url), 200)
        seen += [one["id"] for one in page["items"]]
        cursor = page["nextCursor"]
        url = f"/api/proposals?waiting=true&limit=1&cursor={cursor}" if cursor else None
    assert seen == wanted
    everything = expect(await ann.client.get("/api/proposals"), 200)["items"]
    assert [one["id"] for one in everything][:3] == wanted
    await apply(ann.client, made[0])
    assert await list_waiting(ann.client) == wanted[:2]


async def call_at_once(desk: Desk, account: UUID) -> Proposed | Applied:
    """As a chat of the admin does that applies changes at once."""
    admin = desk.tenant.admin
    async with desk.server.database.transaction(read_only=True) as db:
        person = await load_person(
            db, tenant_id=admin.tenant_id, user_id=admin.id, name="Admin", session_id=new_id()
        )
    answer = await call_tool(
        desk.server.app.state.parts.means,
        ToolCall(
            name="bank.deposit",
            arguments={"accountId": str(account), "amount": 5},
            principal=person,
            place=Place(edge="chat", run_id=new_id(), call_key="1:0"),
            circumstances=Circumstances(mode="auto"),
        ),
    )
    assert not isinstance(answer, Ran)
    return answer


@pytest.mark.parametrize("needed", [1, 2])
async def test_a_rule_makes_a_card_where_changes_are_applied_at_once(
    desk: Desk, account: UUID, needed: int
) -> None:
    """It waits for days when others are needed, and for minutes when the person is enough."""
    assert isinstance(await call_at_once(desk, account), Applied)
    await add_rule(desk, anyone=True, needed=needed)
    answer = await call_at_once(desk, account)
    assert isinstance(answer, Proposed)
    assert answer.proposal.draft.grounds.reason.code == "approval_rule"
    waits = answer.proposal.expires_at - answer.proposal.created_at
    assert waits > timedelta(days=6) if needed == 2 else waits < timedelta(hours=1)
    assert await count(desk, account) == 1


async def test_a_rule_that_comes_at_the_last_moment_holds(
    desk: Desk, account: UUID, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After the gate, before the change: the card waits, and no longer for minutes only."""

    async def propose_slowly(*args: Any, **named: Any) -> Proposal:
        proposal = await propose(*args, **named)
        await add_rule(desk, anyone=True, notProposer=True)
        return proposal

    monkeypatch.setattr(call_module, "propose", propose_slowly)
    answer = await call_at_once(desk, account)
    assert isinstance(answer, Proposed)
    assert await count(desk, account) == 0
    assert answer.proposal.expires_at - answer.proposal.created_at > timedelta(days=6)
    other = await add_person(desk.server, desk.tenant.id, rules=[MANAGE])
    assert (await apply(other.client, str(answer.proposal.id)))["state"] == "applied"


async def test_rules_are_kept_by_admins(desk: Desk) -> None:
    panel = await seat(desk, 1)
    rule = await add_rule(desk, roleIds=[str(panel.role_id)])
    url = f"{RULES}/{rule['id']}"
    change = {"needed": 2, "expectedVersion": rule["version"]}
    changed = expect(await desk.client.patch(url, json=change), 200)
    assert (changed["needed"], changed["people"], changed["version"]) == (2, 1, 2)
    assert expect(await desk.client.patch(url, json=change), 412)["code"] == "changed"
    nobody = expect(await desk.client.patch(url, json={"roleIds": []}), 422)
    assert "Name roles or people" in str(nobody["issues"])
    unknown = {"userIds": [str(new_id())]}
    assert expect(await desk.client.patch(url, json=unknown), 409)["issues"][0]["path"] == "userIds"
    operator = await add_person(desk.server, desk.tenant.id, role="operator")
    expect(await operator.client.get(RULES), 403)
    expect(await operator.client.delete(url), 403)
    expect(await desk.client.delete(url), 204)
    expect(await desk.client.delete(url), 404)


@pytest.mark.parametrize("body", [{"tool": "nonsense"}, {"needed": 0}, {"roleIds": []}])
async def test_a_rule_that_makes_no_sense_is_refused(desk: Desk, body: dict[str, Any]) -> None:
    panel = await seat(desk, 1)
    draft = {"title": "t", "tool": "bank.*", "roleIds": [str(panel.role_id)], **body}
    expect(await desk.client.post(RULES, json=draft), 422)


async def test_a_rule_that_nobody_can_fulfil_is_found(desk: Desk) -> None:
    panel = await seat(desk, 2)
    await add_rule(desk, roleIds=[str(panel.role_id)], needed=2)
    async with desk.server.database.connection() as db:
        assert await count_stuck(db) == 0
        await add_rule(desk, title="Three", roleIds=[str(panel.role_id)], needed=3)
        assert await count_stuck(db) == 1
    settings = desk.server.settings
    told = [finding async for finding in examine(settings, {}, embedded=False)]
    [stuck] = [one for one in told if one.what.startswith("Approval rules: ")]
    assert (stuck.verdict, "1 name fewer people" in stuck.what) == ("note", True)
