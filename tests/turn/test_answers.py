"""Answers to question cards: stored once with the turn that they start, and read by the model."""

import asyncio
import json
from collections.abc import AsyncGenerator
from typing import Any

import httpx2
import pytest
import pytest_asyncio

from assent.history.replay import ASKED_PERSON
from assent.testing import Databases, run_server
from assent.testing.provider import call, end, stream, text
from tests.turn.people import Tenant, add_person, expect, fetch, find_tenant
from tests.turn.talk import Streamed, Talk, open_talk, parse_stream

WHERE = {"key": "where", "text": "Environment", "kind": "choice", "options": ["test", "production"]}
WHY = {"key": "why", "text": "Why?", "kind": "text"}
GOOD = {"where": "production", "why": "It is urgent"}


@pytest_asyncio.fixture(scope="module")
async def running(databases: Databases) -> AsyncGenerator[Talk]:
    async with open_talk(databases) as opened:
        yield opened


@pytest_asyncio.fixture
async def talk(running: Talk) -> Talk:
    running.provider.clear()
    return running


def asking(call_id: str = "q", pause: float = 0) -> Any:
    given = json.dumps({"questions": [WHERE, WHY]})
    return stream(
        call("ai_askOperator", given, index=0, id=call_id), end("tool_calls"), pause=pause
    )


async def ask(talk: Talk, *answers: str) -> str:
    """A conversation in which a card waits; the turns after it are answered with these."""
    talk.provider.script(asking(), *(stream(text(one), end()) for one in answers))
    conversation = await talk.open()
    [question] = (await talk.say(conversation, "Deploy it")).find("data-question")
    assert question["id"] == "q"
    return conversation


def reply(value: Any, part_id: str = "q") -> dict[str, Any]:
    return {"answer": {"partId": part_id, "value": value}}


async def post(talk: Talk, conversation: str, body: dict[str, Any]) -> httpx2.Response:
    return await talk.client.post(f"/api/conversations/{conversation}/messages", json=body)


async def answer(talk: Talk, conversation: str, value: Any = GOOD) -> tuple[str, Streamed]:
    body = {"conversationId": conversation, "timeZone": "Europe/Rome", **reply(value)}
    got = await talk.client.post("/api/chat", json=body)
    assert got.status_code == 200, got.text
    return got.headers["x-assent-run-id"], parse_stream(got.text)


def find_part(message: dict[str, Any], kind: str) -> dict[str, Any]:
    [found] = [part for part in message["parts"] if part["type"] == kind]
    return found


async def test_an_answer_is_kept_and_read(talk: Talk) -> None:
    conversation = await ask(talk, "Deployed.")
    view = await talk.view(conversation)
    assert view["status"] == "waiting"
    assert view["pending"] == [{"kind": "question", "id": "q", "summary": "Environment Why?"}]
    run_id, streamed = await answer(talk, conversation)
    assert streamed.text == "Deployed."
    _, asked, said, answered = await talk.list_messages(conversation)
    card = find_part(asked, "data-question")
    assert card["data"]["answer"] == GOOD
    assert card["data"]["answerRunId"] == run_id == said["metadata"]["runId"]
    assert said["role"] == "user"
    assert said["parts"] == [{"type": "text", "text": "Environment: production\nWhy? It is urgent"}]
    assert answered["metadata"]["runId"] == run_id
    assert (await talk.view(conversation))["status"] == "idle"
    called, result, filler, last = talk.provider.requests[-1].body["messages"][-4:]
    assert called["tool_calls"][0]["function"]["name"] == "ai_askOperator"
    assert json.loads(result["content"]) == {"status": "answered", "answers": GOOD}
    assert filler["content"] == ASKED_PERSON
    assert last == {"role": "user", "content": "Environment: production\nWhy? It is urgent"}


async def test_a_choice_is_not_what_the_person_wrote(talk: Talk) -> None:
    """Places that a model offers must not count as places that the person named."""
    conversation = await ask(talk, "Deployed.")
    await answer(talk, conversation)
    rows = await fetch(
        talk.server,
        "SELECT content FROM messages WHERE conversation_id = $1::uuid AND role = 'user'",
        conversation,
    )
    assert [row["content"] for row in rows] == ["Deploy it", "It is urgent"]


@pytest.mark.parametrize(
    ("value", "paths"),
    [
        ({}, ["answer.value.where", "answer.value.why"]),
        ({"where": "moon", "why": "x"}, ["answer.value.where"]),
        ({**GOOD, "who": "me"}, ["answer.value.who"]),
        ({**GOOD, "why": ""}, ["answer.value.why"]),
        ([], ["answer.value"]),
    ],
)
async def test_what_does_not_fit_is_refused_by_name(
    talk: Talk, value: Any, paths: list[str]
) -> None:
    conversation = await ask(talk)
    problem = expect(await post(talk, conversation, reply(value)), 422)
    assert [one["path"] for one in problem["issues"]] == paths
    assert len(await talk.list_messages(conversation)) == 2
    assert (await talk.view(conversation))["status"] == "waiting"


async def test_a_card_that_is_not_there(talk: Talk) -> None:
    conversation, other = await ask(talk), await talk.open()
    expect(await post(talk, conversation, reply(GOOD, "p")), 404)
    expect(await post(talk, other, reply(GOOD)), 404)
    somebody = await add_person(talk.server, talk.tenant.id, role="admin")
    url = f"/api/conversations/{conversation}/messages"
    expect(await somebody.client.post(url, json=reply(GOOD)), 404)


async def test_the_same_answer_again_attaches_and_another_is_refused(talk: Talk) -> None:
    conversation = await ask(talk, "Deployed.")
    first = await answer(talk, conversation)
    assert await answer(talk, conversation) == first
    problem = expect(await post(talk, conversation, reply({**GOOD, "where": "test"})), 409)
    assert problem["issues"][0]["path"] == "answer.partId"
    assert len(await talk.list_messages(conversation)) == 4


async def test_of_many_tabs_at_once_exactly_one_wins(talk: Talk) -> None:
    conversation = await ask(talk, "Deployed.")
    values = [{"where": "test", "why": f"Because of {number}"} for number in range(8)]
    tabs = await asyncio.gather(
        *(post(talk, conversation, reply(value)) for value in values for _ in range(2))
    )
    by_value = [tabs[at : at + 2] for at in range(0, len(tabs), 2)]
    [winner] = [at for at, pair in enumerate(by_value) if pair[0].status_code == 202]
    assert [pair[1].status_code for pair in by_value] == [
        202 if at == winner else 409 for at in range(8)
    ]
    one, same = (expect(got, 202)["runId"] for got in by_value[winner])
    assert one == same
    messages = await talk.wait_for_messages(conversation, 4)
    assert len(messages) == 4
    card = find_part(messages[1], "data-question")
    assert card["data"]["answer"] == values[winner]
    assert card["data"]["answerRunId"] == one


async def test_something_else_is_said_instead(talk: Talk) -> None:
    conversation = await ask(talk, "All right.")
    assert (await talk.say(conversation, "Never mind")).text == "All right."
    view = await talk.view(conversation)
    assert (view["status"], view["pending"]) == ("idle", [])
    expect(await post(talk, conversation, reply(GOOD)), 409)
    messages = await talk.list_messages(conversation)
    assert "answer" not in find_part(messages[1], "data-question")["data"]


async def test_an_answer_and_a_message_at_once_leave_one_order(talk: Talk) -> None:
    conversation = await ask(talk, "One.", "Two.")
    got = await asyncio.gather(
        post(talk, conversation, reply(GOOD)), post(talk, conversation, {"text": "Never mind"})
    )
    assert got[1].status_code == 202
    messages = await talk.wait_for_messages(conversation, 4)
    card = find_part(messages[1], "data-question")["data"]
    said = [one["parts"][0]["text"] for one in messages if one["role"] == "user"]
    if got[0].status_code == 202:
        assert card["answer"] == GOOD
        assert len(said) == 3
    else:
        assert got[0].status_code == 409
        assert "answer" not in card
        assert said == ["Deploy it", "Never mind"]


async def test_an_answer_before_the_turn_has_ended_waits_for_it(talk: Talk) -> None:
    talk.provider.script(asking(pause=0.2), stream(text("Deployed."), end()))
    conversation = await talk.open()
    expect(await post(talk, conversation, {"text": "Deploy it"}), 202)
    _, streamed = await answer(talk, conversation)
    assert streamed.text == "Deployed."
    messages = await talk.list_messages(conversation)
    assert find_part(messages[1], "data-question")["data"]["answer"] == GOOD


async def test_a_question_with_a_key_twice_is_asked_anew(talk: Talk) -> None:
    twice = json.dumps({"questions": [WHY, WHY]})
    same = json.dumps({"questions": [{**WHERE, "options": ["test", "test"]}]})
    talk.provider.script(
        stream(call("ai_askOperator", twice, index=0, id="a"), end("tool_calls")),
        stream(call("ai_askOperator", same, index=0, id="b"), end("tool_calls")),
        asking(),
    )
    streamed = await talk.say(await talk.open(), "Deploy it")
    faults = [json.loads(one["errorText"]) for one in streamed.find("tool-output-error")]
    assert [one["issues"][0]["path"] for one in faults] == [
        "questions.1.key",
        "questions.0.options",
    ]
    assert len(streamed.find("data-question")) == 1


async def test_the_demo_model_goes_on_with_an_answer(databases: Databases) -> None:
    async with databases.copy() as url, run_server(url, demo_pace=0, ollama_url="") as server:
        tenant: Tenant = await find_tenant(server)
        client = tenant.admin.client
        conversation = expect(await client.post("/api/conversations", json={}), 201)["id"]

        async def say(body: dict[str, Any]) -> Streamed:
            got = await client.post("/api/chat", json={"conversationId": conversation, **body})
            assert got.status_code == 200, got.text
            return parse_stream(got.text)

        [card] = (await say({"message": {"text": "Add a system"}})).find("data-question")
        value = {one["key"]: "Billing" for one in card["data"]["questions"]}
        [proposal] = (await say(reply(value, card["id"]))).find("data-proposal")
        assert "Billing" in proposal["data"]["summary"]
