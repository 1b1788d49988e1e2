"""Turns in which the model reacts to decisions: how they are followed, and that each is told of."""

import asyncio
import json
from collections.abc import AsyncGenerator
from typing import Any
from uuid import uuid4

import httpx2
import pytest
import pytest_asyncio

from assent.runs import decision
from assent.testing import Databases
from assent.testing.provider import Scripted, call, end, refuse, stream, text
from tests.bank.desk import add_key, apply, decline
from tests.turn.people import add_person, execute, expect, fetch_value
from tests.turn.talk import Talk, open_talk, parse_stream, wait_until

HANGS = Scripted((*stream(text("Once upon ")).steps[:-1], "hang"))


@pytest_asyncio.fixture(scope="module")
async def running(databases: Databases) -> AsyncGenerator[Talk]:
    async with open_talk(databases) as opened:
        yield opened


@pytest_asyncio.fixture
async def talk(running: Talk) -> Talk:
    running.provider.clear()
    return running


async def propose_in_chat(talk: Talk) -> tuple[str, str]:
    """A conversation and the card that waits in it."""
    given = json.dumps({"accountId": str(await talk.open_account()), "amount": 5})
    talk.provider.script(
        stream(call("bank_deposit", given, index=0, id="a"), end("tool_calls")),
        stream(text("Please look at the card."), end()),
    )
    conversation = await talk.open()
    [card] = (await talk.say(conversation, "Deposit 5")).find("data-proposal")
    talk.provider.clear()
    return conversation, card["data"]["proposalId"]


async def propose(talk: Talk, conversation: str, status: int = 201) -> dict[str, Any]:
    given = {"accountId": str(await talk.open_account()), "amount": 5}
    body = {"tool": "bank.deposit", "input": given, "conversationId": conversation}
    return expect(await talk.client.post("/api/proposals", json=body), status)


async def attach(talk: Talk, conversation: str, proposal: str) -> httpx2.Response:
    body = {"conversationId": conversation, "decision": {"proposalId": proposal}}
    return await talk.client.post("/api/chat", json=body)


def list_notes(talk: Talk) -> list[str]:
    """What the model was told last in each of its requests, where that was a decision."""
    last = [one.body["messages"][-1]["content"] for one in talk.provider.requests]
    return [said for said in last if "[Note from Assent" in said]


async def test_a_decision_turn_is_followed_from_the_decision_on(talk: Talk) -> None:
    conversation, proposal = await propose_in_chat(talk)
    talk.provider.script(stream(text("Done, ", "5 are there."), end(), pause=0.05))
    await apply(talk.client, proposal)
    first = await attach(talk, conversation, proposal)
    assert parse_stream(first.text).text == "Done, 5 are there."
    again = await attach(talk, conversation, proposal)
    assert again.text == first.text
    run_id = first.headers["x-assent-run-id"]
    url = f"/api/conversations/{conversation}/messages"
    body = {"decision": {"proposalId": proposal}}
    assert expect(await talk.client.post(url, json=body), 202)["runId"] == run_id
    assert len(await talk.list_messages(conversation)) == 3
    await execute(talk.server, "DELETE FROM run_events WHERE run_id = $1::uuid", run_id)
    expect(await attach(talk, conversation, proposal), 410)
    expect(await talk.client.get(f"/api/runs/{run_id}/stream"), 410)


async def test_what_was_not_decided_has_no_turn(talk: Talk) -> None:
    conversation, proposal = await propose_in_chat(talk)
    other = await talk.open()
    problem = expect(await attach(talk, conversation, proposal), 409)
    assert problem["detail"] == "Nobody has decided about this yet."
    assert problem["issues"][0]["path"] == "decision.proposalId"
    talk.provider.script(stream(text("All right."), end()))
    await decline(talk.client, proposal)
    problem = expect(await attach(talk, other, proposal), 409)
    assert problem["detail"] == "This proposal belongs to another conversation."
    assert parse_stream((await attach(talk, conversation, proposal)).text).text == "All right."
    expect(await attach(talk, conversation, str(uuid4())), 404)
    expect(await attach(talk, str(uuid4()), proposal), 404)


async def test_what_ended_without_a_decision_has_no_turn(talk: Talk) -> None:
    conversation, proposal = await propose_in_chat(talk)
    late = "UPDATE proposals SET expires_at = now() - interval '1 s' WHERE id = $1::uuid"
    await execute(talk.server, late, proposal)
    problem = expect(await attach(talk, conversation, proposal), 409)
    assert problem["detail"] == "This ended without a decision."


async def test_a_decision_that_nobody_tells_of(talk: Talk, monkeypatch: pytest.MonkeyPatch) -> None:
    """As after an update: decided and told when nobody wrote down by which turn."""
    conversation, proposal = await propose_in_chat(talk)
    talk.provider.script(stream(text("Done."), end()))
    await apply(talk.client, proposal)
    await talk.wait_for_messages(conversation, 3)
    unknown = "UPDATE proposals SET told_by = NULL WHERE id = $1::uuid"
    await execute(talk.server, unknown, proposal)
    monkeypatch.setattr(decision, "PATIENCE_SECONDS", 0.3)
    problem = expect(await attach(talk, conversation, proposal), 409)
    assert problem["detail"] == "No turn tells of this decision."


async def test_somebody_elses_decision_is_not_there(talk: Talk) -> None:
    _, proposal = await propose_in_chat(talk)
    somebody = await add_person(talk.server, talk.tenant.id, role="admin")
    theirs = expect(await somebody.client.post("/api/conversations", json={}), 201)["id"]
    body = {"conversationId": theirs, "decision": {"proposalId": proposal}}
    expect(await somebody.client.post("/api/chat", json=body), 404)


async def test_a_message_that_comes_before_the_decision_turn_tells_of_it(talk: Talk) -> None:
    conversation, proposal = await propose_in_chat(talk)
    talk.provider.script(HANGS, stream(text("Both are done."), end()))
    saying = asyncio.create_task(talk.say(conversation, "And now a story"))
    await talk.wait_for(conversation, lambda _: len(talk.provider.requests) == 1)
    await apply(talk.client, proposal)
    queued = "SELECT count(*) FROM runs WHERE conversation_id = $1::uuid AND kind = 'decision'"

    async def look() -> bool:
        return await fetch_value(talk.server, queued, conversation) == 1

    await wait_until(look)
    following = asyncio.create_task(attach(talk, conversation, proposal))
    answer = await talk.say(conversation, "Make it short")
    await saying
    assert answer.text == "Both are done."
    [note] = list_notes(talk)
    assert note.startswith("Make it short\n\n")
    assert "has been applied" in note
    assert (await following).status_code in (200, 410)
    assert parse_stream((await attach(talk, conversation, proposal)).text).text == answer.text
    texts = [
        one["parts"][-1]["text"] for one in await talk.list_messages(conversation) if one["parts"]
    ]
    assert texts[-4:] == ["And now a story", "Once upon ", "Make it short", "Both are done."]


async def test_what_a_failed_turn_was_to_tell_is_told_in_the_next(talk: Talk) -> None:
    conversation, proposal = await propose_in_chat(talk)
    talk.provider.script(refuse(401, {}))
    await apply(talk.client, proposal)
    assert parse_stream((await attach(talk, conversation, proposal)).text).types[-1] == "error"
    talk.provider.script(stream(text("I see."), end()), stream(text("Yes."), end()))
    assert (await talk.say(conversation, "Did it work?")).text == "I see."
    await talk.say(conversation, "Fine")
    first, second = list_notes(talk)
    assert "has been applied" in first
    assert second.startswith("Did it work?")
    assert proposal in second


async def test_a_card_made_for_a_conversation_waits_in_it_and_leads_to_a_turn(talk: Talk) -> None:
    conversation = await talk.open()
    card = await propose(talk, conversation)
    view = await talk.view(conversation)
    assert view["status"] == "waiting"
    assert [(one["kind"], one["id"]) for one in view["pending"]] == [("proposal", card["id"])]
    talk.provider.script(stream(text("5 are there."), end()))
    await apply(talk.client, card["id"])
    assert parse_stream((await attach(talk, conversation, card["id"])).text).text == "5 are there."
    assert (await talk.view(conversation))["status"] == "idle"


async def test_a_card_for_a_conversation_that_is_not_ones_own(talk: Talk) -> None:
    somebody = await add_person(talk.server, talk.tenant.id, role="admin")
    theirs = expect(await somebody.client.post("/api/conversations", json={}), 201)["id"]
    archived = await talk.open()
    expect(await talk.client.post(f"/api/conversations/{archived}/archive"), 200)
    for conversation in (theirs, archived, str(uuid4())):
        await propose(talk, conversation, 404)
    body = {"tool": "bank.deposit", "input": {}, "conversationId": "x"}
    problem = expect(await talk.client.post("/api/proposals", json=body), 422)
    assert problem["issues"][0]["path"] == "conversationId"


async def test_a_program_reaches_no_conversation(talk: Talk) -> None:
    conversation = await talk.open()
    program = await talk.server.open_client(
        key=await add_key(talk.tenant.admin, "bank.account.manage")
    )
    body = {"tool": "bank.deposit", "input": {}, "conversationId": conversation}
    expect(await program.post("/api/proposals", json=body), 404)


async def test_the_first_turn_of_a_conversation_may_be_a_decision(talk: Talk) -> None:
    made = await talk.client.post("/api/conversations", json={})
    conversation = expect(made, 201)["id"]
    card = await propose(talk, conversation)
    talk.provider.script(
        stream(text("5 are there."), end()),
        stream(text("Hello."), end()),
        stream(text("A greeting"), end()),
    )
    await apply(talk.client, card["id"])
    await attach(talk, conversation, card["id"])
    await talk.say(conversation, "Hi there")
    view = await talk.wait_for(conversation, lambda view: view["titleSource"] == "model")
    assert view["title"] == "A greeting"
