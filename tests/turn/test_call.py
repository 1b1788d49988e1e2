"""The door as runs use it: modes, taint, repetition, calls told twice, and the sweep."""

from collections.abc import AsyncGenerator
from dataclasses import replace
from typing import Any
from uuid import UUID, uuid4

import pytest
import pytest_asyncio

from assent.actions.call import Applied, Circumstances, Proposed, Ran, ToolCall, call_tool
from assent.actions.means import Means
from assent.actions.proposal import Place
from assent.actions.sweep import sweep_tenant
from assent.audit.entry import hash_arguments
from assent.errors import Forbidden, Repeated
from assent.identity.principal import Principal
from assent.testing import Databases
from assent.tools.duplicates import PastCall
from assent.tools.taint import taint_from
from assent.tools.tool import ToolValidationError
from tests.bank import MANAGE
from tests.bank.accounts import count_effects, touch_account
from tests.bank.desk import Desk, add_key, apply, open_desk
from tests.turn.people import add_person, execute, expect, fetch

AUTO = Circumstances(caller="person", mode="auto")


@pytest_asyncio.fixture(scope="module")
async def desk(databases: Databases) -> AsyncGenerator[Desk]:
    async with open_desk(databases) as opened:
        yield opened


@pytest.fixture
def means(desk: Desk) -> Means:
    return desk.server.app.state.parts.means


@pytest.fixture
def person(desk: Desk) -> Principal:
    """As a run on a worker knows them: without their session."""
    return Principal(
        kind="user",
        id=desk.tenant.admin.id,
        tenant_id=desk.tenant.id,
        name="Ann",
        rules=frozenset({"*"}),
    )


@pytest_asyncio.fixture
async def account(desk: Desk) -> UUID:
    return await desk.open_account(balance=100)


def in_chat(person: Principal, tool: str, **given: Any) -> ToolCall:
    return ToolCall(
        name=tool,
        arguments={key: str(one) if isinstance(one, UUID) else one for key, one in given.items()},
        principal=person,
        place=Place(edge="chat", conversation_id=uuid4(), run_id=uuid4(), call_key="0/0"),
        circumstances=AUTO,
    )


async def test_auto_applies_at_once(
    desk: Desk, means: Means, person: Principal, account: UUID
) -> None:
    call = in_chat(person, "bank.deposit", accountId=account, amount=5)
    answer = await call_tool(means, call)
    assert isinstance(answer, Applied)
    assert answer.proposal.state == "applied"
    assert answer.proposal.outcome.decider is None
    assert answer.proposal.draft.grounds.reason.code == "mode_auto"
    assert await count_effects(desk.server.database, account) == 1
    rows = await fetch(
        desk.server,
        "SELECT status, edge, run_id, conversation_id FROM audit_entries "
        "WHERE proposal_id = $1 ORDER BY occurred_at",
        answer.proposal.id,
    )
    assert [row["status"] for row in rows] == ["proposed", "applied"]
    assert {(row["edge"], row["run_id"]) for row in rows} == {("chat", call.place.run_id)}
    assert {row["conversation_id"] for row in rows} == {call.place.conversation_id}


async def test_the_same_call_of_a_run_happens_once(
    desk: Desk, means: Means, person: Principal, account: UUID
) -> None:
    """A run that was taken over makes its last call again."""
    call = in_chat(person, "bank.deposit", accountId=account, amount=5)
    first = await call_tool(means, call)
    again = await call_tool(means, call)
    assert isinstance(first, Applied)
    assert isinstance(again, Applied)
    assert again.proposal.id == first.proposal.id
    assert await count_effects(desk.server.database, account) == 1
    next_call = replace(call, place=replace(call.place, call_key="1/0"))
    await call_tool(means, next_call)
    assert await count_effects(desk.server.database, account) == 2


async def test_auto_gives_way(desk: Desk, means: Means, person: Principal, account: UUID) -> None:
    deposit = in_chat(person, "bank.deposit", accountId=account, amount=5)
    tainted = replace(AUTO, taint=taint_from("web", "https://elsewhere.example"))
    cases = [
        (in_chat(person, "bank.close", accountId=account), "destructive"),
        (in_chat(person, "bank.wire", accountId=account, amount=1), "egress_change"),
        (replace(deposit, circumstances=tainted), "tainted"),
        (replace(deposit, circumstances=replace(AUTO, card_asked=True)), "card_asked"),
        (replace(deposit, circumstances=replace(AUTO, mode="approve")), "mode_approve"),
        (replace(deposit, circumstances=replace(AUTO, caller=None)), "not_a_person"),
    ]
    for call, reason in cases:
        place = replace(call.place, run_id=uuid4())
        answer = await call_tool(means, replace(call, place=place))
        assert isinstance(answer, Proposed), reason
        assert answer.proposal.draft.grounds.reason.code == reason
    assert await count_effects(desk.server.database, account) == 0


async def test_a_card_of_a_chat_lasts_ten_minutes_and_is_its_owners(
    desk: Desk, means: Means, person: Principal, account: UUID
) -> None:
    call = in_chat(person, "bank.close", accountId=account)
    answer = await call_tool(means, call)
    assert isinstance(answer, Proposed)
    lifetime = answer.proposal.expires_at - answer.proposal.created_at
    assert abs(lifetime.total_seconds() - 600) < 1
    colleague = await add_person(desk.server, desk.tenant.id, role="admin")
    expect(await colleague.client.get(f"/api/proposals/{answer.proposal.id}"), 404)
    shown = expect(await desk.client.get(f"/api/proposals/{answer.proposal.id}"), 200)
    assert (shown["edge"], shown["mayDecide"]) == ("chat", True)


async def test_repetitions_are_stopped(
    desk: Desk, means: Means, person: Principal, account: UUID
) -> None:
    call = in_chat(person, "bank.deposit", accountId=account, amount=5)
    digest = hash_arguments(call.arguments)
    done = (PastCall("bank.deposit", digest, "done"),)
    with pytest.raises(Repeated, match="already called"):
        await call_tool(means, replace(call, past=done))
    failed = (PastCall("bank.deposit", digest, "failed"),) * 2
    with pytest.raises(Repeated, match="failed 2 times"):
        await call_tool(means, replace(call, past=failed))
    assert await count_effects(desk.server.database, account) == 0
    invalid = (PastCall("bank.deposit", digest, "invalid"),)
    assert isinstance(await call_tool(means, replace(call, past=invalid)), Applied)


async def test_validation_is_feedback_for_the_model(
    desk: Desk, means: Means, person: Principal, account: UUID
) -> None:
    call = in_chat(person, "bank.deposit", accountId=account, amount=-500)
    with pytest.raises(ToolValidationError) as caught:
        await call_tool(means, call)
    assert caught.value.feedback("bank.deposit") == {
        "kind": "validation",
        "tool": "bank.deposit",
        "issues": [{"path": "amount", "message": "There are only 100 left."}],
    }
    rows = await fetch(
        desk.server,
        "SELECT status, effect FROM audit_entries WHERE run_id = $1",
        call.place.run_id,
    )
    assert [(row["status"], row["effect"]) for row in rows] == [("failed", "mutate")]


async def test_services_never_drive_tools(
    desk: Desk, means: Means, person: Principal, account: UUID
) -> None:
    service = replace(person, kind="service")
    for tool in ("bank.listAccounts", "bank.deposit"):
        given = {"accountId": account, "amount": 1} if tool == "bank.deposit" else {}
        call = replace(in_chat(service, tool, **given), circumstances=Circumstances())
        with pytest.raises(Forbidden):
            await call_tool(means, call)
    assert await count_effects(desk.server.database, account) == 0


async def test_a_large_window_shows_more(means: Means, person: Principal) -> None:
    call = replace(in_chat(person, "bank.report", count=400), circumstances=Circumstances())
    small, large = [
        await call_tool(means, replace(call, window_tokens=tokens)) for tokens in (8_000, 200_000)
    ]
    assert isinstance(small, Ran)
    assert isinstance(large, Ran)
    assert small.truncated
    assert len(str(small.value)) < len(str(large.value))
    assert large.artifact_id is None or large.truncated


async def test_drift_in_auto_mode_leaves_a_card(
    desk: Desk, means: Means, person: Principal, account: UUID
) -> None:
    """Proposed, then the server died: the card stays, and assent finds what has changed."""
    call = in_chat(person, "bank.deposit", accountId=account, amount=5)
    asked = replace(call, circumstances=replace(AUTO, mode="approve"))
    card = await call_tool(means, asked)
    assert isinstance(card, Proposed)
    await touch_account(desk.server.database, account)
    assert (await apply(desk.client, str(card.proposal.id), 412))["code"] == "changed"


async def test_the_sweep_marks_what_is_over(desk: Desk, means: Means, account: UUID) -> None:
    owner = await add_person(
        desk.server, desk.tenant.id, rules=["identity.application.manage", MANAGE]
    )
    robot = await desk.server.open_client(key=await add_key(owner, MANAGE))
    late = await desk.propose_deposit(account)
    fresh = await desk.propose_deposit(account)
    orphan = await desk.propose_deposit(account, client=robot)
    await execute(
        desk.server, "UPDATE proposals SET expires_at = now() WHERE id = $1", UUID(late["id"])
    )
    await execute(desk.server, "UPDATE users SET active = false WHERE id = $1", owner.id)
    await sweep_tenant(means, desk.tenant.id)
    rows = await fetch(
        desk.server,
        "SELECT id::text, state FROM proposals WHERE id::text = ANY ($1)",
        [late["id"], fresh["id"], orphan["id"]],
    )
    assert {row["id"]: row["state"] for row in rows} == {
        late["id"]: "expired",
        fresh["id"]: "proposed",
        orphan["id"]: "voided",
    }
    assert await desk.list_statuses(late["id"]) == ["proposed", "expired"]
    assert await desk.list_statuses(orphan["id"]) == ["proposed", "voided"]
    decided = await fetch(
        desk.server,
        "SELECT payload FROM outbox WHERE topic = 'proposal.decided' "
        "AND payload->>'proposalId' = $1",
        late["id"],
    )
    assert [row["payload"]["state"] for row in decided] == ["expired"]
