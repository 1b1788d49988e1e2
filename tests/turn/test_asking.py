"""Programs that ask for changes: who they are on the card, and what they are told."""

from dataclasses import replace
from typing import Any
from uuid import UUID

import pytest

from assent.actions.asking.program import Program, build_program
from assent.actions.call import Proposed, Ran, ToolCall, call_tool
from assent.actions.proposal import Place
from assent.identity.authenticate import load_person
from assent.identity.principal import Client as Connection
from assent.identity.principal import Principal, act_through
from assent.ids import new_id
from assent.testing import Client
from assent.tools.tool import ToolValidationError
from tests.bank import MANAGE, READ, WIRE
from tests.bank.accounts import touch_account
from tests.bank.desk import Desk, add_key, apply, decline
from tests.turn.approving import add_rule, seat
from tests.turn.people import Person, add_person, add_tenant, execute, expect, fetch_value

CALL = "/api/tools/ai.readProposal/call"


async def read(client: Client, proposal_id: str, status: int = 200) -> Any:
    answer = expect(await client.post(CALL, json={"input": {"proposalId": proposal_id}}), status)
    return answer["result"] if status == 200 else answer


async def connect(desk: Desk, person: Person, *scopes: str) -> Principal:
    """The person, as a program that they have connected acts for them."""
    async with desk.server.database.reading() as db:
        principal = await load_person(
            db, tenant_id=person.tenant_id, user_id=person.id, name=person.email, session_id=None
        )
    connection = Connection(id=new_id(), name="Claude", scopes=frozenset(scopes or {"*"}))
    return act_through(principal, connection)


async def ask(
    desk: Desk, principal: Principal, account: UUID, program: Program | None, amount: int = 5
) -> str:
    answer = await call_tool(
        desk.server.app.state.parts.means,
        ToolCall(
            name="bank.deposit",
            arguments={"accountId": str(account), "amount": amount},
            principal=principal,
            place=Place(edge="mcp", client=program),
        ),
    )
    assert isinstance(answer, Proposed)
    return str(answer.proposal.id)


async def poll(desk: Desk, principal: Principal, proposal_id: str) -> dict[str, Any]:
    answer = await call_tool(
        desk.server.app.state.parts.means,
        ToolCall(
            name="ai.readProposal",
            arguments={"proposalId": proposal_id},
            principal=principal,
            place=Place(edge="mcp"),
        ),
    )
    assert isinstance(answer, Ran)
    return answer.value


async def test_the_card_shows_the_program_that_asked(desk: Desk, account: UUID) -> None:
    admin = desk.tenant.admin
    principal = await connect(desk, admin)
    assert principal.client is not None
    program = build_program(
        "Claude", host="claude.ai", verified=True, connection_id=principal.client.id
    )
    proposal_id = await ask(desk, principal, account, program)
    card = expect(await desk.client.get(f"/api/proposals/{proposal_id}"), 200)
    assert card["client"] == {"name": "Claude", "host": "claude.ai", "verified": True}
    assert card["proposer"]["name"] == f"{admin.email} via Claude"
    assert card["edge"] == "mcp"
    listed = expect(await desk.client.get("/api/proposals"), 200)["items"]
    [line] = [one for one in listed if one["id"] == proposal_id]
    assert line["client"] == card["client"]
    by_hand = await desk.propose_deposit(account)
    assert by_hand["client"] is None


async def test_a_program_cannot_call_itself_what_is_secret_or_unseen(
    desk: Desk, account: UUID
) -> None:
    secret = "sk-ant-api03-" + "aB3" * 31 + "AA"
    principal = await connect(desk, desk.tenant.admin)
    program = build_program(f"Clau\u202ede {secret[:60]}")
    proposal_id = await ask(desk, principal, account, replace(program, name=f"Claude {secret}"))
    card = expect(await desk.client.get(f"/api/proposals/{proposal_id}"), 200)
    assert card["client"]["name"].startswith("Claude ")
    assert secret not in str(card)
    assert "\u202e" not in program.name


async def test_the_program_on_a_card_cannot_be_exchanged(desk: Desk, account: UUID) -> None:
    principal = await connect(desk, desk.tenant.admin)
    proposal_id = await ask(desk, principal, account, build_program("Claude"))
    await execute(
        desk.server,
        'UPDATE proposals SET client = \'{"name": "Somebody else", "host": null,'
        ' "verified": true}\' WHERE id = $1',
        UUID(proposal_id),
    )
    card = expect(await desk.client.get(f"/api/proposals/{proposal_id}"), 200)
    assert card["payload"] is None
    assert (await apply(desk.client, proposal_id, 409))["code"] == "altered"


async def test_a_card_that_takes_the_place_of_another_keeps_the_program(
    desk: Desk, account: UUID
) -> None:
    principal = await connect(desk, desk.tenant.admin)
    program = build_program("Claude", host="claude.ai", verified=True)
    proposal_id = await ask(desk, principal, account, program)
    await touch_account(desk.server.database, account)
    moved = await apply(desk.client, proposal_id, 412)
    successor = expect(await desk.client.get(f"/api/proposals/{moved['successorId']}"), 200)
    assert successor["client"] == {"name": "Claude", "host": "claude.ai", "verified": True}
    told = await poll(desk, principal, proposal_id)
    assert (told["proposalId"], told["state"]) == (successor["id"], "proposed")
    assert told["supersedes"] == proposal_id
    assert told["url"].endswith(f"/decide/{successor['id']}")


async def test_a_key_is_told_how_its_proposal_stands(desk: Desk, account: UUID) -> None:
    robot = await desk.server.open_client(key=await add_key(desk.tenant.admin, MANAGE))
    card = await desk.propose_deposit(account, 5, client=robot)
    waiting = await read(robot, card["id"])
    assert (waiting["state"], waiting["summary"]) == ("proposed", card["summary"])
    assert waiting["url"] == f"{desk.server.url}/decide/{card['id']}"
    await apply(desk.client, card["id"])
    applied = await read(robot, card["id"])
    assert (applied["state"], applied["result"]) == ("applied", {"balance": 105})
    assert "url" not in applied


async def test_a_refusal_comes_with_its_reason(desk: Desk, account: UUID) -> None:
    robot = await desk.server.open_client(key=await add_key(desk.tenant.admin, MANAGE))
    card = await desk.propose_deposit(account, client=robot)
    await decline(desk.client, card["id"], reason="Not today.")
    told = await read(robot, card["id"])
    assert (told["state"], told["reason"]) == ("declined", "Not today.")


async def test_a_failure_comes_with_its_error(desk: Desk, account: UUID) -> None:
    robot = await desk.server.open_client(key=await add_key(desk.tenant.admin, MANAGE))
    given = {"accountId": str(account), "how": "conflict"}
    card = await desk.propose("bank.trouble", given, client=robot)
    await apply(desk.client, card["id"])
    told = await read(robot, card["id"])
    assert told["state"] == "failed"
    assert told["error"]["issues"] == [{"path": "accountId", "message": "Not now."}]


async def test_assents_that_are_still_missing_are_counted(desk: Desk, account: UUID) -> None:
    panel = await seat(desk, 2)
    await add_rule(desk, needed=2, roleIds=[str(panel.role_id)])
    card = await desk.propose_deposit(account)
    assert (await read(desk.client, card["id"]))["approvals"] == {"given": 0, "missing": 2}
    await apply(panel.people[0].client, card["id"])
    told = await read(desk.client, card["id"])
    assert told["approvals"] == {"given": 1, "missing": 1}
    assert told["meaning"] == "Nothing was changed yet: 1 assented, and one more person has to."
    for_them = await read(panel.people[1].client, card["id"])
    assert for_them["state"] == "proposed"


async def test_what_is_not_theirs_is_not_there(desk: Desk, account: UUID) -> None:
    card = await desk.propose_deposit(account)
    elsewhere = await add_tenant(desk.server)
    nobody = await add_person(desk.server, desk.tenant.id, rules=[READ])
    robot = await desk.server.open_client(key=await add_key(desk.tenant.admin, MANAGE))
    for client in (elsewhere.admin.client, nobody.client, robot):
        for wanted in (card["id"], str(new_id())):
            problem = await read(client, wanted, 422)
            assert problem["issues"] == [
                {"path": "proposalId", "message": "There is no such proposal."}
            ]


async def test_a_narrow_program_sees_its_own_and_what_it_may_use(desk: Desk, account: UUID) -> None:
    admin = desk.tenant.admin
    wide, narrow = await connect(desk, admin), await connect(desk, admin, WIRE)
    mine = await ask(desk, wide, account, build_program("Wide"))
    assert (await poll(desk, wide, mine))["state"] == "proposed"
    with pytest.raises(ToolValidationError, match="There is no such proposal"):
        await poll(desk, narrow, mine)
    assert wide.client is not None
    earlier = build_program("Wide", connection_id=wide.client.id)
    own = await ask(desk, wide, account, earlier)
    lessened = replace(narrow, client=replace(wide.client, scopes=frozenset({WIRE})))
    assert (await poll(desk, lessened, own))["state"] == "proposed"


async def test_reading_is_audited_as_any_call(desk: Desk, account: UUID) -> None:
    before = await fetch_value(
        desk.server, "SELECT count(*) FROM audit_entries WHERE action = 'ai.readProposal'"
    )
    card = await desk.propose_deposit(account)
    await read(desk.client, card["id"])
    await read(desk.client, str(new_id()), 422)
    after = await fetch_value(
        desk.server, "SELECT count(*) FROM audit_entries WHERE action = 'ai.readProposal'"
    )
    assert after - before == 2


async def test_the_same_call_outside_of_a_run_proposes_once_until_it_was_told(
    desk: Desk, account: UUID
) -> None:
    principal = await connect(desk, desk.tenant.admin)

    async def again(key: str) -> UUID:
        call = ToolCall(
            name="bank.deposit",
            arguments={"accountId": str(account), "amount": 5},
            principal=principal,
            place=Place(edge="mcp", call_key=key),
        )
        answer = await call_tool(desk.server.app.state.parts.means, call)
        assert isinstance(answer, Proposed)
        return answer.proposal.id

    first = await again("one")
    assert await again("one") == first
    assert await again("two") != first
