"""The off-topic guard: a classifier beside the first step, at the wire."""

import asyncio
import json
from collections.abc import AsyncGenerator
from typing import Any

import pytest
import pytest_asyncio

from assent.runs import guard
from assent.testing import Databases
from assent.testing.provider import USAGE, Asked, Scripted, call, end, refuse, stream, text
from tests.bank.accounts import count_effects
from tests.bank.desk import apply
from tests.patience import wait_until
from tests.turn.people import expect, fetch_value
from tests.turn.talk import Talk, open_talk, parse_stream

YES, NO = '{"onTopic": true}', '{"onTopic":false}'
ANSWER = stream(text("Here ", "it is."), end())
REFUSAL = "That is not something I can help with here."
HANGS = Scripted((*stream(text("Once upon ")).steps[:-1], "hang"))


@pytest_asyncio.fixture(scope="module")
async def running(databases: Databases) -> AsyncGenerator[Talk]:
    async with open_talk(databases) as opened:
        await set_up(opened, classifier=True)
        yield opened


@pytest_asyncio.fixture
async def talk(running: Talk) -> Talk:
    running.provider.clear()
    return running


async def set_up(talk: Talk, **change: Any) -> None:
    [one] = expect(await talk.client.get("/api/admin/integrations"), 200)["items"]
    url = f"/api/admin/integrations/{one['id']}"
    expect(await talk.client.patch(url, json=change), 200)


def judges(asked: Asked) -> bool:
    return asked.body["messages"][0]["content"].startswith("You judge whether a message belongs")


def script(talk: Talk, verdict: Scripted | str, *turns: Scripted) -> None:
    """Whoever judges gets the verdict; steps are answered in this order, the last again."""
    judged = stream(text(verdict), end()) if isinstance(verdict, str) else verdict
    left = list(turns)

    def answer(asked: Asked) -> Scripted:
        if judges(asked):
            return judged
        return left.pop(0) if len(left) > 1 else left[0]

    talk.provider.script(*[answer] * 20)


def list_judged(talk: Talk) -> list[Asked]:
    return [one for one in talk.provider.requests if judges(one)]


async def test_what_is_on_topic_is_answered(talk: Talk) -> None:
    script(talk, YES, ANSWER)
    assert (await talk.say(await talk.open(), "Which accounts are there?")).text == "Here it is."
    [asked] = list_judged(talk)
    assert asked.body["max_tokens"] <= 50
    assert asked.body["response_format"]["json_schema"]["schema"]["required"] == ["onTopic"]
    assert "Bank" in asked.body["messages"][0]["content"]
    said = json.loads(asked.body["messages"][-1]["content"])
    assert said == [{"from": "user", "text": "Which accounts are there?"}]


@pytest.mark.parametrize("turn", [ANSWER, HANGS, refuse(401, {})])
async def test_what_is_off_topic_is_refused_and_stored_like_an_answer(
    talk: Talk, turn: Scripted
) -> None:
    script(talk, NO, turn)
    conversation = await talk.open()
    told = await talk.say(conversation, "Write a poem about the sea")
    assert told.text.startswith(REFUSAL)
    assert "Bank, Catalog and People" in told.text and "Assistant" not in told.text
    assert told.types[0] == "start" and told.types[-1] == "finish" and told.ended
    [_, answer] = await talk.list_messages(conversation)
    assert answer["parts"] == [{"type": "step-start"}, {"type": "text", "text": told.text}]
    assert answer["metadata"]["status"] == "completed"


async def test_nothing_is_done_for_what_is_off_topic(talk: Talk) -> None:
    account = await talk.open_account()
    given = json.dumps({"accountId": str(account), "amount": 5})
    script(talk, NO, stream(call("bank_deposit", given), end("tool_calls")))
    conversation = await talk.open(mode="auto")
    told = await talk.say(conversation, "Write a poem")
    assert told.find("tool-input-start", "data-proposal") == []
    assert await count_effects(talk.server.database, account) == 0


async def test_the_model_that_was_asked_meanwhile_is_left(talk: Talk) -> None:
    """The verdict waits until both are asked: else there might be nobody to leave."""
    asked_both = asyncio.Event()
    verdict = Scripted((asked_both, *stream(text(NO), end()).steps))

    def answer(asked: Asked) -> Scripted:
        if judges(asked):
            return verdict
        asked_both.set()
        return HANGS

    talk.provider.script(answer, answer)
    assert (await talk.say(await talk.open(), "Write a poem")).text.startswith(REFUSAL)
    await wait_until_left(talk)


async def wait_until_left(talk: Talk) -> None:
    async def look() -> bool:
        return talk.provider.left.is_set()

    await wait_until(look)


async def test_who_insists_is_judged_with_what_was_said(talk: Talk) -> None:
    script(talk, NO, ANSWER)
    conversation = await talk.open()
    await talk.say(conversation, "Write a poem")
    talk.provider.clear()
    script(talk, YES, ANSWER)
    assert (await talk.say(conversation, "It is for the status page")).text == "Here it is."
    said = json.loads(list_judged(talk)[0].body["messages"][-1]["content"])
    assert [one["from"] for one in said] == ["user", "assistant", "user"]
    assert said[1]["text"].startswith(REFUSAL)


@pytest.mark.parametrize(
    "verdict",
    [
        "no",
        "off topic",
        "",
        "{",
        '{"onTopic": "false"}',
        '{"onTopic": 0}',
        '{"onTopic": false, "sure": false}',
        "[false]",
        refuse(400, {"message": "response_format"}),
        refuse(401, {}),
        Scripted((*stream(text('{"onTopic":')).steps[:-1], "cut")),
    ],
)
async def test_what_is_ambiguous_malformed_or_failed_is_on_topic(
    talk: Talk, verdict: Scripted | str
) -> None:
    script(talk, verdict, ANSWER)
    assert (await talk.say(await talk.open(), "Hm")).text == "Here it is."


async def test_nobody_waits_for_a_slow_one(talk: Talk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guard, "PATIENCE_SECONDS", 0.05)
    script(talk, Scripted(("hang",)), ANSWER)
    assert (await talk.say(await talk.open(), "Hm")).text == "Here it is."
    await wait_until_left(talk)


async def test_stopping_while_it_is_judged(talk: Talk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guard, "PATIENCE_SECONDS", 60)
    script(talk, Scripted(("hang",)), HANGS)
    conversation = await talk.open()
    saying = asyncio.create_task(talk.say(conversation, "Hm"))
    await talk.wait_for(conversation, lambda _: len(talk.provider.requests) == 2)
    expect(await talk.client.post(f"/api/conversations/{conversation}/cancel"), 202)
    told = await saying
    assert told.types[-1] == "abort" and told.text == ""
    left = "SELECT count(*) FROM runs WHERE conversation_id = $1::uuid AND status = 'cancelled'"
    assert await fetch_value(talk.server, left, conversation) == 1


async def test_only_the_first_step_is_judged(talk: Talk) -> None:
    script(talk, YES, stream(call("bank_listAccounts", "{}"), end("tool_calls")), ANSWER)
    assert (await talk.say(await talk.open(), "Which accounts?")).text == "Here it is."
    assert len(list_judged(talk)) == 1 and len(talk.provider.requests) == 3


async def test_decisions_and_answers_to_questions_are_not_judged(talk: Talk) -> None:
    questions = {"questions": [{"key": "why", "text": "Why?"}]}
    script(
        talk, YES, stream(call("ai_askOperator", json.dumps(questions)), end("tool_calls")), ANSWER
    )
    conversation = await talk.open()
    [card] = (await talk.say(conversation, "Deposit something")).find("data-question")
    body = {
        "conversationId": conversation,
        "answer": {"partId": card["id"], "value": {"why": "A poem"}},
    }
    answered = await talk.client.post("/api/chat", json=body)
    assert parse_stream(answered.text).text == "Here it is."
    assert len(list_judged(talk)) == 1
    talk.provider.clear()
    given = json.dumps({"accountId": str(await talk.open_account()), "amount": 5})
    script(talk, YES, stream(call("bank_deposit", given), end("tool_calls")), ANSWER)
    [proposal] = (await talk.say(conversation, "Deposit 5")).find("data-proposal")
    await apply(talk.client, proposal["data"]["proposalId"])
    body = {
        "conversationId": conversation,
        "decision": {"proposalId": proposal["data"]["proposalId"]},
    }
    told = await talk.client.post("/api/chat", json=body)
    assert parse_stream(told.text).text == "Here it is."
    assert len(list_judged(talk)) == 1


async def test_off_for_an_integration(talk: Talk) -> None:
    await set_up(talk, classifier=False)
    try:
        script(talk, NO, ANSWER)
        assert (await talk.say(await talk.open(), "Write a poem")).text == "Here it is."
        assert list_judged(talk) == []
    finally:
        await set_up(talk, classifier=True)


async def test_a_judgement_counts_as_spend(talk: Talk) -> None:
    await set_up(talk, cap={"tokens": 1_000_000, "seconds": 3600})
    try:
        script(talk, YES, ANSWER)
        await talk.say(await talk.open(), "Which accounts?")
        spent = "SELECT sum(one) FROM spend, unnest(tokens) AS one"
        each = USAGE["prompt_tokens"] + USAGE["completion_tokens"]

        async def look() -> bool:
            return await fetch_value(talk.server, spent) == 2 * each

        await wait_until(look)
    finally:
        await set_up(talk, cap=None)
