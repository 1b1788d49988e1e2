"""The state that a client carries along: for this call, this program and once, in any process."""

import asyncio
import json
from collections.abc import AsyncGenerator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
import pytest_asyncio

from assent.actions.sweep import sweep_tenant
from assent.mcp_server import changes
from assent.mcp_server.states import VaultCodec
from assent.testing import Databases, RunningServer
from assent.vault.keys import parse_master_key
from assent.vault.master_key import new_master_key, write_key_file
from tests.bank import MANAGE, READ
from tests.bank.accounts import count_effects
from tests.bank.desk import Desk, add_key, apply, open_desk
from tests.mcp.asking import (
    CAN_ASK,
    INVALID_STATE,
    Asker,
    find_id,
    read_fault,
    read_question,
    read_told,
    read_used,
)
from tests.turn.oauth import Lathe, Site, open_lathe
from tests.turn.people import Person, add_person, execute, expect, fetch_value

DEPOSIT = "bank.deposit"
MANY_AT_ONCE = 64


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(changes, "PATIENCE_SECONDS", 0.2)


@pytest_asyncio.fixture(scope="module")
async def desk(databases: Databases, documents: Site) -> AsyncGenerator[Desk]:
    async with open_desk(databases, inside_hosts=[documents.opening]) as opened:
        yield opened


@pytest_asyncio.fixture(scope="module")
async def asker(desk: Desk) -> Asker:
    return Asker(desk.server.url, await add_key(desk.tenant.admin, READ, MANAGE))


@pytest_asyncio.fixture
async def lathe(desk: Desk, documents: Site) -> AsyncGenerator[Lathe]:
    async with open_lathe(desk.server, documents.publish()) as opened:
        yield opened


@dataclass(frozen=True, slots=True)
class Request:
    """A call that made a proposal, and the state with which it can be made again."""

    given: dict[str, Any]
    url: str
    state: str

    @property
    def proposal_id(self) -> str:
        return find_id(self.url)

    @property
    def account(self) -> UUID:
        return UUID(self.given["accountId"])


async def begin(desk: Desk, asker: Asker) -> Request:
    account = await desk.open_account(balance=100)
    given = {"accountId": str(account), "amount": 5}
    url, state = read_question(await asker.call(DEPOSIT, given))
    return Request(given, url, state)


async def connect(lathe: Lathe, person: Person, *scopes: str) -> Asker:
    tokens = await lathe.connect(person.client, *scopes)
    return Asker(lathe.server.url, tokens["access_token"])


async def count_proposals(server: RunningServer) -> int:
    return await fetch_value(server, "SELECT count(*) FROM proposals")


def alter(state: str) -> list[str]:
    """Other letters, less, more, and what was never one."""
    middle = len(state) // 2
    flipped = "A" if state[middle] != "A" else "B"
    return [
        state[:middle] + flipped + state[middle + 1 :],
        state[:-4],
        f"{state}AAAA",
        state[::-1],
        "",
        "null",
        "{}",
        "\u202e",
        "A" * 20_000,
    ]


async def test_an_altered_state_is_none(desk: Desk, asker: Asker) -> None:
    request = await begin(desk, asker)
    before = await count_proposals(desk.server)
    for altered in alter(request.state):
        answer = await asker.again(DEPOSIT, request.given, altered)
        assert read_fault(answer) == INVALID_STATE, altered
    assert await count_proposals(desk.server) == before
    assert read_question(await asker.again(DEPOSIT, request.given, request.state))[0] == request.url


async def test_what_is_no_text_is_no_state(desk: Desk, asker: Asker) -> None:
    request = await begin(desk, asker)
    for wrong in (1, True, [request.state], {"state": request.state}):
        answer = await asker.call(DEPOSIT, request.given, requestState=wrong)
        assert answer["error"]["code"] == -32602


async def test_a_state_belongs_to_its_call(desk: Desk, asker: Asker) -> None:
    request = await begin(desk, asker)
    before = await count_proposals(desk.server)
    for tool, given in [
        (DEPOSIT, {**request.given, "amount": 5_000}),
        (DEPOSIT, {**request.given, "reference": "x"}),
        ("bank.close", {"accountId": request.given["accountId"]}),
        ("bank.listAccounts", {}),
    ]:
        answer = await asker.again(tool, given, request.state)
        assert read_fault(answer) == INVALID_STATE, tool
    assert await count_proposals(desk.server) == before


async def test_a_state_belongs_to_its_application(desk: Desk, asker: Asker) -> None:
    request = await begin(desk, asker)
    other = Asker(desk.server.url, await add_key(desk.tenant.admin, READ, MANAGE))
    answer = await other.again(DEPOSIT, request.given, request.state)
    assert read_fault(answer) == INVALID_STATE


async def test_a_state_belongs_to_its_person_and_consent(
    desk: Desk, lathe: Lathe, documents: Site
) -> None:
    admin = desk.tenant.admin
    asker = await connect(lathe, admin, MANAGE)
    request = await begin(desk, asker)
    somebody = await add_person(desk.server, desk.tenant.id, role="admin")
    others = [await connect(lathe, somebody, MANAGE)]
    async with open_lathe(desk.server, documents.publish(client_name="Mill")) as mill:
        others.append(await connect(mill, admin, MANAGE))
    others.append(Asker(desk.server.url, await add_key(admin, MANAGE)))
    for other in others:
        answer = await other.again(DEPOSIT, request.given, request.state)
        assert read_fault(answer) == INVALID_STATE
    again, _ = read_question(await asker.again(DEPOSIT, request.given, request.state))
    assert again == request.url


async def test_the_card_names_the_connected_program(
    desk: Desk, lathe: Lathe, documents: Site
) -> None:
    request = await begin(desk, await connect(lathe, desk.tenant.admin, MANAGE))
    card = expect(await desk.client.get(f"/api/proposals/{request.proposal_id}"), 200)
    assert card["client"] == {"name": "Lathe", "host": documents.opening, "verified": True}
    assert card["proposer"]["name"] == f"{desk.tenant.admin.email} via Lathe"
    assert card["mayDecide"] is True


async def test_a_connected_program_gets_the_outcome(desk: Desk, lathe: Lathe) -> None:
    asker = await connect(lathe, desk.tenant.admin, MANAGE)
    request = await begin(desk, asker)
    await apply(desk.client, request.proposal_id)
    told = read_told(await asker.again(DEPOSIT, request.given, request.state))
    assert (told["state"], told["result"]) == ("applied", {"balance": 105})


async def test_a_revoked_program_hears_nothing(desk: Desk, lathe: Lathe) -> None:
    asker = await connect(lathe, desk.tenant.admin, MANAGE)
    request = await begin(desk, asker)
    for one in expect(await desk.client.get("/api/oauth/clients"), 200)["items"]:
        expect(await desk.client.delete(f"/api/oauth/clients/{one['id']}"), 204)
    params = {"name": DEPOSIT, "arguments": request.given, "requestState": request.state}
    assert (await asker.post("tools/call", params)).status_code == 401


async def test_an_old_state_is_none(desk: Desk, asker: Asker) -> None:
    request = await begin(desk, asker)
    codec = VaultCodec(desk.server.app.state.parts.means.vault)
    claims = json.loads(codec.unseal(request.state))
    lifetime = claims["exp"] - claims["iat"]
    for older, verdict in [(lifetime - 60, True), (lifetime + 1, False)]:
        moved = {**claims, "iat": claims["iat"] - older, "exp": claims["exp"] - older}
        answer = await asker.again(DEPOSIT, request.given, codec.seal(json.dumps(moved).encode()))
        assert ("result" in answer) is verdict
        if not verdict:
            assert read_fault(answer) == INVALID_STATE


async def test_a_state_is_good_once(desk: Desk, asker: Asker) -> None:
    request = await begin(desk, asker)
    _, later = read_question(await asker.again(DEPOSIT, request.given, request.state))
    used = await asker.again(DEPOSIT, request.given, request.state)
    assert read_used(used) == request.proposal_id
    await apply(desk.client, request.proposal_id)
    assert read_told(await asker.again(DEPOSIT, request.given, later))["state"] == "applied"
    assert read_used(await asker.again(DEPOSIT, request.given, later)) == request.proposal_id
    assert await count_effects(desk.server.database, request.account) == 1


@pytest.mark.parametrize("decided", [False, True])
async def test_whoever_lost_the_answer_is_told_where_it_is(
    desk: Desk, asker: Asker, decided: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The connection breaks under the answer: the state is used, and nobody has read it."""
    request = await begin(desk, asker)
    if decided:
        await apply(desk.client, request.proposal_id)
    lost = await asker.again(DEPOSIT, request.given, request.state)
    assert "result" in lost
    monkeypatch.setattr(changes, "PATIENCE_SECONDS", 3600.0)
    proposal_id = read_used(await asker.again(DEPOSIT, request.given, request.state))
    found = read_told(await asker.call("ai.readProposal", {"proposalId": proposal_id}))
    assert found["state"] == ("applied" if decided else "proposed")
    assert await count_effects(desk.server.database, request.account) == int(decided)


async def test_a_used_state_says_nothing_to_others(desk: Desk, asker: Asker) -> None:
    request = await begin(desk, asker)
    await asker.again(DEPOSIT, request.given, request.state)
    other = Asker(desk.server.url, await add_key(desk.tenant.admin, READ, MANAGE))
    for answer in (
        await other.again(DEPOSIT, request.given, request.state),
        await asker.again(DEPOSIT, {**request.given, "amount": 6}, request.state),
        await asker.again("bank.listAccounts", {}, request.state),
    ):
        assert read_fault(answer) == INVALID_STATE
        assert request.proposal_id not in json.dumps(answer)


@pytest.mark.parametrize("decided", [False, True])
async def test_of_many_who_come_with_it_at_once_one_is_answered(
    desk: Desk, asker: Asker, decided: bool
) -> None:
    request = await begin(desk, asker)
    if decided:
        await apply(desk.client, request.proposal_id)
    before = await count_proposals(desk.server)
    answers = await asyncio.gather(
        *(asker.again(DEPOSIT, request.given, request.state) for _ in range(MANY_AT_ONCE))
    )
    answered = [one for one in answers if "result" in one]
    assert len(answered) == 1
    assert {read_used(one) for one in answers if "error" in one} == {request.proposal_id}
    assert await count_proposals(desk.server) == before


async def test_deciding_while_clients_ask_again_changes_it_once(desk: Desk, asker: Asker) -> None:
    requests = [await begin(desk, asker) for _ in range(8)]

    async def follow(request: Request) -> str:
        state = request.state
        while True:
            answer = await asker.again(DEPOSIT, request.given, state)
            if answer["result"]["resultType"] == "complete":
                return read_told(answer)["state"]
            url, state = read_question(answer)
            assert url == request.url

    following = [asyncio.create_task(follow(one)) for one in requests]
    await asyncio.sleep(0.1)
    await asyncio.gather(*(apply(desk.client, one.proposal_id) for one in requests))
    assert await asyncio.gather(*following) == ["applied"] * len(requests)
    for request in requests:
        assert await count_effects(desk.server.database, request.account) == 1


async def test_a_client_that_leaves_while_it_waits_can_come_again(
    desk: Desk, asker: Asker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(changes, "PATIENCE_SECONDS", 30.0)
    request = await begin(desk, asker)
    waiting = asyncio.create_task(asker.again(DEPOSIT, request.given, request.state))
    await asyncio.sleep(0.5)
    waiting.cancel()
    await asyncio.gather(waiting, return_exceptions=True)
    await apply(desk.client, request.proposal_id)
    told = read_told(await asker.again(DEPOSIT, request.given, request.state))
    assert told["state"] == "applied"


async def test_used_states_are_forgotten_in_time(desk: Desk, asker: Asker) -> None:
    request = await begin(desk, asker)
    await asker.again(DEPOSIT, request.given, request.state)
    means = desk.server.app.state.parts.means
    count = "SELECT count(*) FROM spent_states"
    await sweep_tenant(means, desk.tenant.id)
    assert await fetch_value(desk.server, count) > 0
    await execute(desk.server, "UPDATE spent_states SET expires_at = now() - interval '1 second'")
    await sweep_tenant(means, desk.tenant.id)
    assert await fetch_value(desk.server, count) == 0


async def test_states_outlive_a_change_of_the_master_key(
    databases: Databases, tmp_path: Path
) -> None:
    path, old, new = tmp_path / "master.key", parse_master_key("22" * 32), new_master_key()
    write_key_file(path, [old])
    async with open_desk(databases, master_key=None, master_key_file=path) as desk:
        asker = Asker(
            desk.server.url, await add_key(desk.tenant.admin, MANAGE), capabilities=CAN_ASK
        )
        first, second = await begin(desk, asker), await begin(desk, asker)
        write_key_file(path, [new, old])
        url, later = read_question(await asker.again(DEPOSIT, first.given, first.state))
        assert url == first.url
        write_key_file(path, [new])
        again = await asker.again(DEPOSIT, second.given, second.state)
        assert read_fault(again) == INVALID_STATE
        assert read_question(await asker.again(DEPOSIT, first.given, later))[0] == first.url
