"""Changes over MCP in every revision: a person decides, and whoever asked learns of it."""

import asyncio
from collections import Counter
from datetime import timedelta
from typing import Any
from uuid import UUID

import mcp_types as types
import pytest
import pytest_asyncio
from mcp import MCPError

from assent.audit.entry import hash_arguments
from assent.mcp_server import changes
from assent.testing import Databases
from tests.bank import MANAGE, READ, WIRE
from tests.bank.accounts import count_effects, find_balance, touch_account
from tests.bank.desk import Desk, add_key, apply, decline, open_desk
from tests.mcp.asking import (
    CANNOT,
    MODERN,
    OLDEST,
    REFERRING,
    Asker,
    find_id,
    read_question,
    read_referral,
    read_told,
)
from tests.mcp.programs import REVISIONS, open_program
from tests.turn.approving import add_rule, seat
from tests.turn.people import execute, expect, fetch, fetch_value

DEPOSIT = "bank.deposit"


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(changes, "PATIENCE_SECONDS", 0.3)


@pytest_asyncio.fixture(scope="module")
async def key(opened_desk: Desk) -> str:
    return await add_key(opened_desk.tenant.admin, READ, MANAGE, WIRE)


def put(account: UUID, amount: int = 5) -> dict[str, Any]:
    return {"accountId": str(account), "amount": amount}


async def count_proposals(desk: Desk, account: UUID) -> int:
    text = f"%{account}%"
    return await fetch_value(
        desk.server,
        "SELECT count(*) FROM proposals WHERE basis::text LIKE $1 AND supersedes IS NULL",
        text,
    )


async def test_a_client_that_can_ask_is_handed_the_page(
    desk: Desk, account: UUID, key: str
) -> None:
    asker = Asker(desk.server.url, key, name="Clau\u202ede")
    url, state = read_question(await asker.call(DEPOSIT, put(account)))
    assert url == f"{desk.server.url}/decide/{find_id(url)}"
    card = expect(await desk.client.get(f"/api/proposals/{find_id(url)}"), 200)
    assert card["client"] == {"name": "Claude", "host": None, "verified": False}
    assert card["mayDecide"] is True
    again, later = read_question(await asker.again(DEPOSIT, put(account), state))
    assert (again, later != state) == (url, True)
    assert await count_effects(desk.server.database, account) == 0
    await apply(desk.client, find_id(url))
    answer = await asker.again(DEPOSIT, put(account), later)
    told = read_told(answer)
    assert (told["state"], told["result"]) == ("applied", {"balance": 105})
    assert answer["result"]["isError"] is False
    assert "the change was made" in answer["result"]["content"][0]["text"]
    assert await count_proposals(desk, account) == 1
    assert await count_effects(desk.server.database, account) == 1


async def test_a_decision_while_the_client_waits_is_told_at_once(
    desk: Desk, account: UUID, key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(changes, "PATIENCE_SECONDS", 30.0)
    asker = Asker(desk.server.url, key)
    url, state = read_question(await asker.call(DEPOSIT, put(account)))
    waiting = asyncio.create_task(asker.again(DEPOSIT, put(account), state))
    await asyncio.sleep(0.3)
    assert not waiting.done()
    await apply(desk.client, find_id(url))
    assert read_told(await waiting)["state"] == "applied"


@pytest.mark.parametrize("action", ["decline", "cancel"])
async def test_sending_the_question_away_decides_nothing(
    desk: Desk, account: UUID, key: str, action: str
) -> None:
    asker = Asker(desk.server.url, key)
    url, state = read_question(await asker.call(DEPOSIT, put(account)))
    answer = await asker.again(DEPOSIT, put(account), state, action)
    told = read_told(answer)
    assert (told["state"], told["url"]) == ("proposed", url)
    assert url in answer["result"]["content"][0]["text"]
    assert "ai.readProposal" in answer["result"]["content"][0]["text"]
    card = expect(await desk.client.get(f"/api/proposals/{find_id(url)}"), 200)
    assert card["state"] == "proposed"


async def test_a_client_that_goes_on_asking_is_told_how_to_go_on(
    desk: Desk, account: UUID, key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(changes, "PATIENCE_SECONDS", 0.0)
    opened: list[str] = []

    async def accept(_ctx: Any, params: Any) -> types.ElicitResult:
        opened.append(params.url)
        return types.ElicitResult(action="accept")

    async with open_program(desk.server.url, key, elicitation_callback=accept) as program:
        result = await program.call_tool(DEPOSIT, put(account))
    assert result.structured_content["state"] == "proposed"
    assert len(opened) == changes.MOST_ROUNDS + 1
    assert len(set(opened)) == 1
    assert await count_proposals(desk, account) == 1
    assert await count_effects(desk.server.database, account) == 0


async def test_the_official_client_gets_the_outcome(desk: Desk, account: UUID, key: str) -> None:
    async def decide(_ctx: Any, params: Any) -> types.ElicitResult:
        await apply(desk.client, find_id(params.url))
        return types.ElicitResult(action="accept")

    async with open_program(desk.server.url, key, elicitation_callback=decide) as program:
        assert program.protocol_version == MODERN
        result = await program.call_tool(DEPOSIT, put(account))
    assert result.structured_content["result"] == {"balance": 105}
    assert await find_balance(desk.server.database, account) == 105


async def test_the_official_older_client_gets_the_error_and_then_the_outcome(
    desk: Desk, account: UUID, key: str
) -> None:
    async def never(_ctx: Any, _params: Any) -> types.ElicitResult:
        raise AssertionError("Nothing is asked in the middle of a call.")

    async with open_program(desk.server.url, key, REFERRING, elicitation_callback=never) as program:
        with pytest.raises(MCPError) as refused:
            await program.call_tool(DEPOSIT, put(account))
        url = read_referral({"error": refused.value.error.model_dump(by_alias=True)})
        await apply(desk.client, find_id(url))
        result = await program.call_tool(DEPOSIT, put(account))
    assert result.structured_content["result"] == {"balance": 105}


async def test_the_same_call_of_an_older_client_is_known_until_it_was_told(
    desk: Desk, account: UUID, key: str
) -> None:
    asker = await Asker(desk.server.url, key, REFERRING).begin()
    url = read_referral(await asker.call(DEPOSIT, put(account)))
    assert read_referral(await asker.call(DEPOSIT, put(account))) == url
    other = read_referral(await asker.call(DEPOSIT, put(account, 6)))
    assert other != url
    somebody = await Asker(
        desk.server.url, await add_key(desk.tenant.admin, MANAGE), REFERRING
    ).begin()
    assert read_referral(await somebody.call(DEPOSIT, put(account))) != url
    assert await count_proposals(desk, account) == 3
    await apply(desk.client, find_id(url))
    told = read_told(await asker.call(DEPOSIT, put(account)))
    assert (told["proposalId"], told["state"]) == (find_id(url), "applied")
    once_more = read_referral(await asker.call(DEPOSIT, put(account)))
    assert once_more not in (url, other)
    assert await count_effects(desk.server.database, account) == 1


async def test_the_same_call_at_once_proposes_once(desk: Desk, account: UUID, key: str) -> None:
    asker = await Asker(desk.server.url, key, REFERRING).begin()
    answers = await asyncio.gather(*(asker.call(DEPOSIT, put(account)) for _ in range(32)))
    [url] = {read_referral(one) for one in answers}
    assert await count_proposals(desk, account) == 1
    entries = await fetch(
        desk.server,
        "SELECT effect, status FROM audit_entries WHERE arguments_hash = $1",
        hash_arguments(put(account)),
    )
    assert Counter((one["effect"], one["status"]) for one in entries) == {
        ("mutate", "proposed"): 1,
        ("read", "executed"): 31,
    }
    await decline(desk.client, find_id(url))


@pytest.mark.parametrize(
    ("revision", "capabilities"),
    [(MODERN, CANNOT), (MODERN, {}), (REFERRING, CANNOT), (REFERRING, {}), (OLDEST, None)],
)
async def test_all_others_get_a_link_and_can_poll(
    desk: Desk, account: UUID, key: str, revision: str, capabilities: dict[str, Any] | None
) -> None:
    asker = Asker(desk.server.url, key, revision)
    if capabilities is not None:
        asker = Asker(desk.server.url, key, revision, capabilities)
    asker = await asker.begin()
    answer = await asker.call(DEPOSIT, put(account))
    told = read_told(answer)
    assert (told["state"], answer["result"]["isError"]) == ("proposed", False)
    said = answer["result"]["content"][0]["text"]
    assert told["url"] in said
    assert f'ai.readProposal {{"proposalId": "{told["proposalId"]}"}}' in said
    poll = {"proposalId": told["proposalId"]}
    assert read_told(await asker.call("ai.readProposal", poll))["state"] == "proposed"
    await apply(desk.client, told["proposalId"])
    ended = read_told(await asker.call("ai.readProposal", poll))
    assert (ended["state"], ended["result"]) == ("applied", {"balance": 105})


@pytest.mark.parametrize("revision", REVISIONS)
async def test_outcomes_are_said_in_words_and_fields(desk: Desk, key: str, revision: str) -> None:
    """Declined, failed, expired and of unknown outcome, as each way of asking hears of them."""
    asker = await Asker(desk.server.url, key, revision).begin()
    for state, words in {
        "declined": "Not today.",
        "failed": "Not now.",
        "expired": "Nobody decided in time",
        "outcome_unknown": "what became of it is not known",
    }.items():
        account = await desk.open_account(balance=100)
        tool, given = DEPOSIT, put(account)
        if state == "failed":
            tool, given = "bank.trouble", {"accountId": str(account), "how": "conflict"}
        hear = await ask(asker, tool, given)
        await end(desk, hear.proposal_id, state)
        answer = await hear(asker)
        assert read_told(answer)["state"] == state
        reads_it = revision == OLDEST
        assert answer["result"]["isError"] is not reads_it
        assert words in answer["result"]["content"][0]["text"]
        assert await count_effects(desk.server.database, account) == 0


async def test_what_is_unknown_is_not_asked_for_again(desk: Desk, account: UUID, key: str) -> None:
    asker = await Asker(desk.server.url, key, REFERRING).begin()
    url = read_referral(await asker.call(DEPOSIT, put(account)))
    await end(desk, find_id(url), "outcome_unknown")
    for _ in range(2):
        told = read_told(await asker.call(DEPOSIT, put(account)))
        assert (told["proposalId"], told["state"]) == (find_id(url), "outcome_unknown")
    assert await count_proposals(desk, account) == 1


@pytest.mark.parametrize("revision", REVISIONS)
async def test_further_assents_are_waited_for(
    desk: Desk, account: UUID, key: str, revision: str
) -> None:
    panel = await seat(desk, 2)
    await add_rule(desk, needed=2, roleIds=[str(panel.role_id)])
    asker = await Asker(desk.server.url, key, revision).begin()
    hear = await ask(asker, DEPOSIT, put(account))
    await apply(panel.people[0].client, hear.proposal_id)
    answer = await hear(asker)
    assert "one more person has to" in str(answer)
    if revision == MODERN:
        _, state = read_question(answer)
        hear = Hearing(hear.proposal_id, DEPOSIT, put(account), state)
    await apply(panel.people[1].client, hear.proposal_id)
    assert read_told(await hear(asker))["state"] == "applied"


@pytest.mark.parametrize("revision", [MODERN, REFERRING])
async def test_a_card_that_took_the_place_of_another_is_followed(
    desk: Desk, account: UUID, key: str, revision: str
) -> None:
    asker = await Asker(desk.server.url, key, revision).begin()
    hear = await ask(asker, DEPOSIT, put(account))
    await touch_account(desk.server.database, account)
    moved = await apply(desk.client, hear.proposal_id, 412)
    answer = await hear(asker)
    if revision == MODERN:
        url, state = read_question(answer)
        hear = Hearing(hear.proposal_id, DEPOSIT, put(account), state)
    else:
        url = read_referral(answer)
    assert find_id(url) == moved["successorId"]
    await apply(desk.client, moved["successorId"])
    assert read_told(await hear(asker))["state"] == "applied"
    assert await count_effects(desk.server.database, account) == 1
    assert await count_proposals(desk, account) == 1


@pytest.mark.parametrize("revision", REVISIONS)
async def test_only_the_owner_decides_for_an_application(
    desk: Desk, account: UUID, key: str, revision: str
) -> None:
    asker = await Asker(desk.server.url, key, revision).begin()
    hear = await ask(asker, DEPOSIT, put(account))
    robot = await desk.server.open_client(key=key)
    refused = await robot.post(f"/api/proposals/{hear.proposal_id}/token")
    assert expect(refused, 403)["code"] == "people_only"
    await decline(desk.client, hear.proposal_id)
    assert read_told(await hear(asker))["state"] == "declined"


@pytest.mark.parametrize("revision", [MODERN, REFERRING])
async def test_what_is_done_elsewhere_is_under_way_for_a_while(
    desk: Desk, key: str, revision: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A read that carries data out asks too, and nobody works in the background here."""
    monkeypatch.setattr("assent.actions.outside.PATIENCE", timedelta())
    asker = await Asker(desk.server.url, key, revision).begin()
    given = {"url": f"https://example.com/{revision}", "text": "hello"}
    hear = await ask(asker, "bank.write", given)
    assert (await apply(desk.client, hear.proposal_id, 202))["state"] == "applying"
    answer = await hear(asker)
    told = read_told(answer)
    assert (told["state"], answer["result"]["isError"]) == ("applying", False)
    assert "ai.readProposal" in answer["result"]["content"][0]["text"]
    if revision == REFERRING:
        assert read_told(await hear(asker))["proposalId"] == hear.proposal_id


async def test_every_round_is_audited_and_counted(
    databases: Databases, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(changes, "PATIENCE_SECONDS", 0.0)
    async with open_desk(databases, tool_calls=3) as desk:
        account = await desk.open_account(balance=100)
        asker = Asker(desk.server.url, await add_key(desk.tenant.admin, MANAGE))
        url, state = read_question(await asker.call(DEPOSIT, put(account)))
        for _ in range(2):
            _, state = read_question(await asker.again(DEPOSIT, put(account), state))
        params = {"name": DEPOSIT, "arguments": put(account), "requestState": state}
        refused = await asker.post("tools/call", params)
        assert refused.status_code == 429
        assert int(refused.headers["retry-after"]) >= 1
        await execute(desk.server, "DELETE FROM tool_budget")
        await apply(desk.client, find_id(url))
        assert read_told(await asker.again(DEPOSIT, put(account), state))["state"] == "applied"
        reads = (
            "SELECT count(*) FROM audit_entries WHERE action = 'ai.readProposal' AND edge = 'mcp'"
        )
        assert await fetch_value(desk.server, reads) == 4


class Hearing:
    """How a client hears what became of its call: it makes it again, with its state or without."""

    def __init__(
        self, proposal_id: str, tool: str, given: dict[str, Any], state: str | None
    ) -> None:
        self.proposal_id = proposal_id
        self._tool, self._given, self._state = tool, given, state

    async def __call__(self, asker: Asker) -> dict[str, Any]:
        if asker.revision == OLDEST:
            return await asker.call("ai.readProposal", {"proposalId": self.proposal_id})
        if self._state is None:
            return await asker.call(self._tool, self._given)
        return await asker.again(self._tool, self._given, self._state)


async def ask(asker: Asker, tool: str, given: dict[str, Any]) -> Hearing:
    answer = await asker.call(tool, given)
    if asker.revision == MODERN:
        url, state = read_question(answer)
        return Hearing(find_id(url), tool, given, state)
    if asker.revision == REFERRING:
        return Hearing(find_id(read_referral(answer)), tool, given, None)
    return Hearing(read_told(answer)["proposalId"], tool, given, None)


async def end(desk: Desk, proposal_id: str, state: str) -> None:
    if state == "declined":
        await decline(desk.client, proposal_id, reason="Not today.")
    elif state == "failed":
        await apply(desk.client, proposal_id)
    elif state == "expired":
        earlier = "UPDATE proposals SET expires_at = now() - interval '1 second' WHERE id = $1"
        await execute(desk.server, earlier, UUID(proposal_id))
    else:
        lost = "UPDATE proposals SET state = 'outcome_unknown' WHERE id = $1"
        await execute(desk.server, lost, UUID(proposal_id))
