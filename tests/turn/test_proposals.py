"""Propose, decide, apply over HTTP: nothing changes without a person, and then exactly once."""

import asyncio
import secrets
from collections.abc import AsyncGenerator
from typing import Any
from uuid import UUID

import pytest
import pytest_asyncio

from assent.testing import Databases
from tests.bank import MANAGE, READ, WIRE
from tests.bank.accounts import count_effects, find_balance, touch_account
from tests.bank.desk import Desk, add_key, apply, apply_with, ask_token, decline, open_desk
from tests.turn.people import Person, add_person, add_tenant, execute, expect, fetch, fetch_value


@pytest_asyncio.fixture(scope="module")
async def desk(databases: Databases) -> AsyncGenerator[Desk]:
    async with open_desk(databases) as opened:
        yield opened


@pytest_asyncio.fixture
async def account(desk: Desk) -> UUID:
    return await desk.open_account(balance=100)


async def test_a_proposal_shows_the_change_and_changes_nothing(desk: Desk, account: UUID) -> None:
    card = await desk.propose_deposit(account, 5)
    assert card["state"] == "proposed"
    assert card["tool"] == "bank.deposit"
    assert card["effect"] == "mutate"
    assert card["diff"] == [{"kind": "changed", "path": "balance", "before": 100, "after": 105}]
    assert card["payload"] == {"accountId": str(account), "amount": 5, "reference": ""}
    assert card["mayDecide"] is True
    assert card["proposer"]["kind"] == "user"
    assert card["reason"]["code"] == "card_asked"
    assert await find_balance(desk.server.database, account) == 100
    assert await count_effects(desk.server.database, account) == 0
    assert await desk.list_statuses(card["id"]) == ["proposed"]


async def test_a_call_that_changes_something_is_answered_with_a_card(
    desk: Desk, account: UUID
) -> None:
    given = {"input": {"accountId": str(account), "amount": 5}}
    card = expect(await desk.client.post("/api/tools/bank.deposit/call", json=given), 202)
    assert card["state"] == "proposed"
    assert card["reason"]["code"] == "mode_approve"
    assert await count_effects(desk.server.database, account) == 0


async def test_assent_makes_the_change_once(desk: Desk, account: UUID) -> None:
    card = await desk.propose_deposit(account, 5)
    token = await ask_token(desk.client, card["id"])
    applied = await apply_with(desk.client, card["id"], token)
    assert applied["state"] == "applied"
    assert applied["result"] == {"balance": 105}
    assert applied["decider"]["id"] == str(desk.tenant.admin.id)
    assert await find_balance(desk.server.database, account) == 105
    again = await apply_with(desk.client, card["id"], token, 409)
    assert again["code"] == "conflict"
    assert await count_effects(desk.server.database, account) == 1
    assert await desk.list_statuses(card["id"]) == ["proposed", "applied", "refused"]


async def test_the_model_never_sees_a_token_and_the_database_only_its_hash(
    desk: Desk, account: UUID
) -> None:
    card = await desk.propose_deposit(account)
    token = await ask_token(desk.client, card["id"])
    shown = await desk.client.get(f"/api/proposals/{card['id']}")
    listed = await desk.client.get("/api/proposals")
    assert token not in shown.text + listed.text
    for table in ("decision_tokens", "proposals", "outbox", "audit_entries"):
        rows = await fetch(desk.server, f"SELECT {table}::text AS row FROM {table}")
        assert token not in str(rows)


@pytest.mark.parametrize("how", ["made up", "of another card", "of another person", "too old"])
async def test_a_token_is_for_one_person_and_one_card(desk: Desk, account: UUID, how: str) -> None:
    card = await desk.propose_deposit(account)
    if how == "made up":
        token = secrets.token_urlsafe(32)
    elif how == "of another card":
        token = await ask_token(desk.client, (await desk.propose_deposit(account))["id"])
    elif how == "of another person":
        other = await add_person(desk.server, desk.tenant.id, role="admin")
        token = await ask_token(other.client, card["id"])
    else:
        token = await ask_token(desk.client, card["id"])
        await execute(desk.server, "UPDATE decision_tokens SET expires_at = now()")
    problem = await apply_with(desk.client, card["id"], token, 403)
    assert problem["code"] == "token_invalid"
    assert await count_effects(desk.server.database, account) == 0
    assert (await desk.list_statuses(card["id"]))[-1] == "refused"
    assert (await apply(desk.client, card["id"]))["state"] == "applied"


async def test_declined_is_over(desk: Desk, account: UUID) -> None:
    card = await desk.propose_deposit(account)
    spare = await ask_token(desk.client, card["id"])
    declined = await decline(desk.client, card["id"], reason="Not today.")
    assert (declined["state"], declined["declineReason"]) == ("declined", "Not today.")
    assert (await apply_with(desk.client, card["id"], spare, 409))["code"] == "conflict"
    assert await count_effects(desk.server.database, account) == 0
    assert await desk.list_statuses(card["id"]) == ["proposed", "declined", "refused"]


async def test_expired_is_refused_before_anybody_has_marked_it(desk: Desk, account: UUID) -> None:
    card = await desk.propose_deposit(account)
    token = await ask_token(desk.client, card["id"])
    await expire(desk, card["id"])
    assert (await apply_with(desk.client, card["id"], token, 410))["code"] == "expired"
    assert expect(await desk.client.get(f"/api/proposals/{card['id']}"), 200)["state"] == "expired"
    asked = await desk.client.post(f"/api/proposals/{card['id']}/token")
    assert expect(asked, 410)["code"] == "expired"
    assert await count_effects(desk.server.database, account) == 0


async def test_what_changed_in_between_makes_a_fresh_card(desk: Desk, account: UUID) -> None:
    card = await desk.propose_deposit(account)
    token = await ask_token(desk.client, card["id"])
    await touch_account(desk.server.database, account)
    problem = await apply_with(desk.client, card["id"], token, 412)
    assert problem["code"] == "changed"
    old = expect(await desk.client.get(f"/api/proposals/{card['id']}"), 200)
    assert (old["state"], old["supersededBy"]) == ("superseded", problem["successorId"])
    fresh = expect(await desk.client.get(f"/api/proposals/{problem['successorId']}"), 200)
    assert (fresh["state"], fresh["supersedes"]) == ("proposed", card["id"])
    assert fresh["payload"] == card["payload"]
    assert await count_effects(desk.server.database, account) == 0
    assert (await apply(desk.client, fresh["id"]))["state"] == "applied"
    assert await count_effects(desk.server.database, account) == 1


async def test_what_is_gone_cannot_be_changed(desk: Desk, account: UUID) -> None:
    card = await desk.propose_deposit(account)
    closing = await desk.propose("bank.close", {"accountId": str(account)})
    assert closing["removes"] == [f"account account {account} with 100"]
    assert (await apply(desk.client, closing["id"]))["state"] == "applied"
    assert (await apply(desk.client, card["id"], 412))["code"] == "changed"
    shown = expect(await desk.client.get(f"/api/proposals/{card['id']}"), 200)
    assert (shown["state"], shown["error"]["code"]) == ("voided", "not_found")


@pytest.mark.parametrize(
    ("how", "code"),
    [
        ("conflict", "conflict"),
        ("crash", "tool_failed"),
        ("deferred", "conflict"),
        ("check", "tool_failed"),
    ],
)
async def test_a_failure_is_stored_and_undoes_everything(
    desk: Desk, account: UUID, how: str, code: str
) -> None:
    card = await desk.propose("bank.trouble", {"accountId": str(account), "how": how})
    failed = await apply(desk.client, card["id"])
    assert (failed["state"], failed["error"]["code"]) == ("failed", code)
    assert "launch code" not in str(failed)
    assert await count_effects(desk.server.database, account) == 0
    assert await find_balance(desk.server.database, account) == 100
    moved = "SELECT count(*) FROM outbox WHERE topic = 'bank.moved' AND payload->>'reference' = $1"
    assert await fetch_value(desk.server, moved, how) == 0
    assert await desk.list_statuses(card["id"]) == ["proposed", "failed"]


async def test_a_dry_run_that_breaks_down_later_fails(desk: Desk, account: UUID) -> None:
    given = {"accountId": str(account), "how": "crash", "where": "dry_run"}
    card = await desk.propose("bank.trouble", given)
    await execute(desk.server, "UPDATE bank.accounts SET balance = 9999 WHERE id = $1", account)
    failed = await apply(desk.client, card["id"])
    assert (failed["state"], failed["error"]["code"]) == ("failed", "tool_failed")
    assert "launch code" not in str(failed)
    assert await count_effects(desk.server.database, account) == 0
    assert await desk.list_statuses(card["id"]) == ["proposed", "failed"]


async def test_what_takes_too_long_fails(
    desk: Desk, account: UUID, monkeypatch: pytest.MonkeyPatch
) -> None:
    limit = "SET LOCAL statement_timeout = '300ms'"
    monkeypatch.setattr("assent.actions.store.LIMIT_TIME", limit)
    card = await desk.propose("bank.trouble", {"accountId": str(account), "how": "slow"})
    failed = await apply(desk.client, card["id"])
    assert (failed["state"], failed["error"]["code"]) == ("failed", "timeout")
    assert await count_effects(desk.server.database, account) == 0


async def test_a_dry_run_that_objects_is_feedback_and_no_proposal(
    desk: Desk, account: UUID
) -> None:
    before = await fetch_value(desk.server, "SELECT count(*) FROM proposals")
    given = {"tool": "bank.deposit", "input": {"accountId": str(account), "amount": -500}}
    problem = expect(await desk.client.post("/api/proposals", json=given), 422)
    assert problem["code"] == "tool_validation"
    assert problem["issues"] == [{"path": "amount", "message": "There are only 100 left."}]
    assert await fetch_value(desk.server, "SELECT count(*) FROM proposals") == before


@pytest.mark.parametrize(
    ("given", "path"),
    [
        ({"amount": 1}, "accountId"),
        ({"accountId": "nonsense", "amount": 1}, "accountId"),
        ({"accountId": str(UUID(int=1)), "amount": 1, "surplus": 1}, "surplus"),
        ({"accountId": str(UUID(int=1)), "amount": "1"}, "amount"),
        ({"accountId": str(UUID(int=1)), "amount": 1, "at": "2026-01-01"}, "at"),
        ({"accountId": str(UUID(int=1)), "amount": 1, "at": "2026-01-01T00:00:00"}, "at"),
    ],
)
async def test_arguments_are_held_to_the_schema(
    desk: Desk, given: dict[str, Any], path: str
) -> None:
    body = {"tool": "bank.deposit", "input": given}
    problem = expect(await desk.client.post("/api/proposals", json=body), 422)
    assert path in {issue["path"] for issue in problem["issues"]}


@pytest.mark.parametrize("tool", ["bank.sneak", "bank.insist", "bank.sneakDry"])
async def test_reads_and_dry_runs_cannot_write(desk: Desk, account: UUID, tool: str) -> None:
    given = {"input": {"accountId": str(account)}}
    problem = expect(await desk.client.post(f"/api/tools/{tool}/call", json=given), 500)
    assert problem["code"] == "tool_failed"
    assert await find_balance(desk.server.database, account) == 100


COLUMNS = {
    "payload": "payload = payload || '\\x00'",
    "hash": "payload_hash = sha256('other')",
    "tool": "tool = 'bank.close'",
    "effect": "effect = 'read'",
    "card": 'preview = \'{"summary": "Harmless", "diff": [], "creates": null, "removes": []}\'',
    "basis": "basis = '[]'",
    "proposer": "proposer_id = $2",
    "owner": "owner_id = $2",
}


@pytest.mark.parametrize("column", COLUMNS)
async def test_an_altered_row_is_found_out(desk: Desk, account: UUID, column: str) -> None:
    card = await desk.propose_deposit(account)
    other = await add_person(desk.server, desk.tenant.id, role="admin")
    change = f"UPDATE proposals SET {COLUMNS[column]} WHERE id = $1 AND $2::uuid IS NOT NULL"
    await execute(desk.server, change, UUID(card["id"]), other.id)
    problem = await apply(desk.client, card["id"], 409)
    assert problem["code"] == "altered"
    shown = expect(await desk.client.get(f"/api/proposals/{card['id']}"), 200)
    assert shown["payload"] is None
    assert await count_effects(desk.server.database, account) == 0
    assert await find_balance(desk.server.database, account) == 100


async def test_a_payload_does_not_open_in_another_row(desk: Desk, account: UUID) -> None:
    one, two = [await desk.propose_deposit(account, amount) for amount in (1, 1000)]
    await execute(
        desk.server,
        "UPDATE proposals SET payload = other.payload, payload_hash = other.payload_hash "
        "FROM proposals AS other WHERE proposals.id = $1 AND other.id = $2",
        UUID(one["id"]),
        UUID(two["id"]),
    )
    assert (await apply(desk.client, one["id"], 409))["code"] == "altered"


async def test_rights_are_checked_again_when_it_is_applied(desk: Desk, account: UUID) -> None:
    person = await add_person(desk.server, desk.tenant.id, rules=[READ, MANAGE])
    card = await desk.propose_deposit(account, client=person.client)
    token = await ask_token(person.client, card["id"])
    await execute(
        desk.server,
        "UPDATE roles SET rules = $2 WHERE id IN "
        "(SELECT role_id FROM memberships WHERE user_id = $1)",
        person.id,
        [READ],
    )
    problem = await apply_with(person.client, card["id"], token, 403)
    assert (problem["code"], problem["rule"]) == ("missing_rule", MANAGE)
    problem = await apply(desk.client, card["id"], 403)
    assert (problem["code"], problem["rule"]) == ("missing_rule", MANAGE)
    assert await count_effects(desk.server.database, account) == 0


async def test_who_may_not_act_any_more_changes_nothing(desk: Desk, account: UUID) -> None:
    person = await add_person(desk.server, desk.tenant.id, rules=[READ, MANAGE])
    card = await desk.propose_deposit(account, client=person.client)
    await execute(desk.server, "UPDATE users SET active = false WHERE id = $1", person.id)
    assert (await apply(desk.client, card["id"], 403))["code"] == "forbidden"
    assert await count_effects(desk.server.database, account) == 0


async def test_proposing_names_the_missing_rule(desk: Desk, account: UUID) -> None:
    person = await add_person(desk.server, desk.tenant.id, rules=[READ])
    given = {"tool": "bank.deposit", "input": {"accountId": str(account), "amount": 1}}
    problem = expect(await person.client.post("/api/proposals", json=given), 403)
    assert (problem["code"], problem["rule"]) == ("missing_rule", MANAGE)
    offered = expect(await person.client.get("/api/tools"), 200)["items"]
    assert "bank.deposit" not in {tool["name"] for tool in offered}


async def test_others_decide_only_with_the_rules(desk: Desk, account: UUID) -> None:
    """A colleague who holds the rule may; one without, and another tenant, learn nothing."""
    proposer = await add_person(desk.server, desk.tenant.id, rules=[MANAGE])
    reader = await add_person(desk.server, desk.tenant.id, rules=[READ])
    colleague = await add_person(desk.server, desk.tenant.id, rules=[MANAGE])
    stranger = (await add_tenant(desk.server)).admin
    card = await desk.propose_deposit(account, client=proposer.client)
    for other in (reader, stranger):
        for path in ("", "/token"):
            url = f"/api/proposals/{card['id']}{path}"
            method = "POST" if path else "GET"
            expect(await other.client.request(method, url), 404)
        assert card["id"] not in (await other.client.get("/api/proposals")).text
    listed = expect(await colleague.client.get("/api/proposals"), 200)["items"]
    assert card["id"] in {one["id"] for one in listed}
    mine = expect(await colleague.client.get("/api/proposals?mine=true"), 200)["items"]
    assert card["id"] not in {one["id"] for one in mine}
    applied = await apply(colleague.client, card["id"])
    assert (applied["proposer"]["id"], applied["decider"]["id"]) == (
        str(proposer.id),
        str(colleague.id),
    )
    row = await fetch(
        desk.server,
        "SELECT principal_id, decider_id FROM audit_entries "
        "WHERE proposal_id = $1 AND status = 'applied'",
        UUID(card["id"]),
    )
    assert [(one["principal_id"], one["decider_id"]) for one in row] == [
        (proposer.id, colleague.id)
    ]


@pytest_asyncio.fixture
async def owner(desk: Desk) -> Person:
    rules = ["identity.application.manage", READ, MANAGE, WIRE]
    return await add_person(desk.server, desk.tenant.id, rules=rules)


async def test_an_application_proposes_and_its_owner_decides(
    desk: Desk, account: UUID, owner: Person
) -> None:
    robot = await desk.server.open_client(key=await add_key(owner, READ, MANAGE))
    card = await desk.propose_deposit(account, client=robot)
    assert (card["mayDecide"], card["proposer"]["kind"]) == (False, "application")
    for path, body in decisions(card["id"]):
        problem = expect(await robot.post(path, json=body), 403)
        assert problem["code"] == "people_only"
    expect(await desk.client.post(f"/api/proposals/{card['id']}/token"), 404)
    assert await count_effects(desk.server.database, account) == 0
    applied = await apply(owner.client, card["id"])
    assert applied["decider"]["id"] == str(owner.id)
    polled = expect(await robot.get(f"/api/proposals/{card['id']}"), 200)
    assert polled["state"] == "applied"
    assert await count_effects(desk.server.database, account) == 1


def decisions(proposal_id: str) -> list[tuple[str, Any]]:
    at = f"/api/proposals/{proposal_id}"
    token = "x" * 43
    return [
        (f"{at}/token", None),
        (f"{at}/apply", {"token": token}),
        (f"{at}/decline", {"token": token}),
        (f"{at}/resolve", {"outcome": "applied"}),
    ]


async def test_a_batch_decides_one_by_one(desk: Desk, account: UUID) -> None:
    other = await desk.open_account()
    cards = [
        await desk.propose_deposit(account),
        await desk.propose_deposit(other),
        await desk.propose_deposit(other),
    ]
    tokens = [await ask_token(desk.client, card["id"]) for card in cards]
    kinds = ["apply", "apply", "decline"]
    batch = [
        {"id": card["id"], "token": token, "kind": kind}
        for card, token, kind in zip(cards, tokens, kinds, strict=True)
    ]
    batch[0]["token"] = "wrong"
    items = expect(await desk.client.post("/api/proposals/decide", json=batch), 200)["items"]
    assert items[0]["problem"]["code"] == "token_invalid"
    assert [item["proposal"]["state"] for item in items[1:]] == ["applied", "declined"]
    assert await count_effects(desk.server.database, account) == 0
    assert await count_effects(desk.server.database, other) == 1


async def test_a_result_that_was_cut_can_be_read_on(desk: Desk) -> None:
    answer = await desk.client.post("/api/tools/bank.report/call", json={"input": {"count": 900}})
    body = expect(answer, 200)
    assert body["truncated"] is True
    assert body["artifactId"] in body["result"]["_truncated"]["narrow"]
    page = {"artifactId": body["artifactId"], "path": "rows", "offset": 890, "limit": 10}
    read = expect(
        await desk.client.post("/api/tools/ai.readArtifact/call", json={"input": page}), 200
    )
    assert [row["line"] for row in read["result"]["items"]] == list(range(890, 900))
    other = await add_person(desk.server, desk.tenant.id, role="admin")
    refused = await other.client.post("/api/tools/ai.readArtifact/call", json={"input": page})
    assert expect(refused, 422)["issues"][0]["path"] == "artifactId"


async def test_decisions_are_told_to_whoever_listens(desk: Desk, account: UUID) -> None:
    card = await desk.propose_deposit(account)
    await apply(desk.client, card["id"])
    rows = await fetch(
        desk.server,
        "SELECT topic, payload FROM outbox WHERE payload->>'proposalId' = $1",
        card["id"],
    )
    told = [(row["topic"], row["payload"].get("status") or row["payload"]["state"]) for row in rows]
    assert sorted(told) == [
        ("proposal.decided", "applied"),
        ("tool.called", "applied"),
        ("tool.called", "proposed"),
    ]
    assert str(account) not in str([row["payload"] for row in rows])


async def test_many_decide_at_once_and_one_wins(desk: Desk, account: UUID) -> None:
    card = await desk.propose_deposit(account)
    tokens = [await ask_token(desk.client, card["id"]) for _ in range(12)]
    answers = await asyncio.gather(
        *(
            desk.client.post(
                f"/api/proposals/{card['id']}/{'decline' if number % 2 else 'apply'}",
                json={"token": token},
            )
            for number, token in enumerate(tokens)
        )
    )
    statuses = sorted(answer.status_code for answer in answers)
    assert statuses == [200, *([409] * 11)], [answer.text for answer in answers]
    state = expect(await desk.client.get(f"/api/proposals/{card['id']}"), 200)["state"]
    assert await count_effects(desk.server.database, account) == (1 if state == "applied" else 0)


async def test_lists_are_paged_and_filtered(desk: Desk, account: UUID) -> None:
    person = await add_person(desk.server, desk.tenant.id, rules=[MANAGE])
    made = [(await desk.propose_deposit(account, client=person.client))["id"] for _ in range(5)]
    await decline(person.client, made[0])
    seen: list[str] = []
    cursor = ""
    while True:
        url = f"/api/proposals?mine=true&limit=2{cursor}"
        page = expect(await person.client.get(url), 200)
        seen += [line["id"] for line in page["items"]]
        if not page.get("nextCursor"):
            break
        cursor = f"&cursor={page['nextCursor']}"
    assert seen == made[::-1]
    declined = expect(await person.client.get("/api/proposals?mine=true&state=declined"), 200)
    assert [line["id"] for line in declined["items"]] == [made[0]]
    expect(await person.client.get("/api/proposals?state=nonsense"), 422)


async def expire(desk: Desk, proposal_id: str) -> None:
    await execute(
        desk.server,
        "UPDATE proposals SET expires_at = now() - interval '1 second' WHERE id = $1",
        UUID(proposal_id),
    )
