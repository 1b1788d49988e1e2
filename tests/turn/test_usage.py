"""What models cost: every call in the ledger, sums as the provider says, credits, the switch."""

import asyncio
import csv
import io
from collections.abc import AsyncGenerator
from datetime import UTC, datetime
from functools import partial
from typing import Any
from uuid import UUID

import pytest
import pytest_asyncio

from assent.models import open as open_module
from assent.models.retry import with_retries
from assent.models.sweep import sweep
from assent.testing import Databases
from assent.testing.provider import call, end, refuse, stream, text
from tests.patience import wait_until
from tests.turn.faults import ONCE, play
from tests.turn.people import expect
from tests.turn.talk import Talk, open_talk

CALLS = "SELECT * FROM model_calls WHERE conversation_id = $1 ORDER BY started_at, id"
PRICE = {"model": "fake", "input": "3", "output": "15", "cacheRead": "0.3", "cacheWrite": "3.75"}
USAGE = {
    "prompt_tokens": 1000,
    "completion_tokens": 200,
    "prompt_tokens_details": {"cached_tokens": 400},
    "completion_tokens_details": {"reasoning_tokens": 50},
}


@pytest_asyncio.fixture
async def talk(databases: Databases, monkeypatch: pytest.MonkeyPatch) -> AsyncGenerator[Talk]:
    monkeypatch.setattr(open_module, "with_retries", partial(with_retries, waits=(0.0, 0.0)))
    async with open_talk(databases) as opened:
        yield opened


async def list_calls(talk: Talk, conversation: str) -> list[dict[str, Any]]:
    async with talk.server.database.connection() as db:
        return [dict(row) for row in await db.fetch(CALLS, UUID(conversation))]


async def change_integration(talk: Talk, **change: Any) -> dict[str, Any]:
    [found] = expect(await talk.client.get("/api/admin/integrations"), 200)["items"]
    return expect(
        await talk.client.patch(f"/api/admin/integrations/{found['id']}", json=change), 200
    )


async def set_credits(talk: Talk, credits_: dict[str, Any] | None, *, chat: bool = True) -> Any:
    body = {"credits": credits_, "chatEnabled": chat}
    return expect(await talk.client.put("/api/admin/credits", json=body), 200)


def today() -> str:
    return datetime.now(UTC).date().isoformat()


async def ask_usage(talk: Talk, **query: Any) -> Any:
    params = {"from": today(), "to": today(), **query}
    return expect(await talk.client.get("/api/usage", params=params), 200)


async def send(talk: Talk, conversation: str) -> Any:
    body = {"conversationId": conversation, "message": {"text": "Hi"}}
    return await talk.client.post("/api/chat", json=body)


async def test_a_turn_is_counted_as_the_provider_says(talk: Talk) -> None:
    await change_integration(talk, prices=[PRICE])
    conversation = await talk.open()
    talk.provider.script(stream(text("Hi"), end(usage=USAGE)))
    await talk.say(conversation, "Hello")
    [row] = await list_calls(talk, conversation)
    assert (row["input_tokens"], row["output_tokens"]) == (1000, 200)
    assert (row["cache_read_tokens"], row["reasoning_tokens"]) == (400, 50)
    assert (row["outcome"], row["estimated"], row["purpose"]) == ("finished", False, "turn")
    assert (row["model"], row["agent"], row["currency"]) == ("fake", "assistant", "USD")
    assert float(row["cost"]) == pytest.approx((600 * 3 + 400 * 0.3 + 200 * 15) / 1e6)
    assert row["run_id"] is not None
    assert row["ended_at"] >= row["started_at"]


async def test_new_prices_leave_the_past_as_it_was(talk: Talk) -> None:
    await change_integration(talk, prices=[PRICE])
    conversation = await talk.open()
    talk.provider.script(stream(text("Hi"), end(usage=USAGE)), stream(text("Ho"), end(usage=USAGE)))
    await talk.say(conversation, "Hello")
    before = (await ask_usage(talk))["total"]["costs"]
    await change_integration(talk, prices=[{**PRICE, "input": "300", "currency": "EUR"}])
    assert (await ask_usage(talk))["total"]["costs"] == before
    await talk.say(conversation, "Hello")
    costs = (await ask_usage(talk))["total"]["costs"]
    assert [one["currency"] for one in costs] == ["EUR", "USD"]
    assert costs[1:] == before


async def test_each_attempt_that_reached_the_provider_is_there(talk: Talk) -> None:
    conversation = await talk.open()
    talk.provider.script(refuse(503, {}), refuse(429, {}), stream(text("Hi"), end(usage=USAGE)))
    await talk.say(conversation, "Hello")
    rows = await list_calls(talk, conversation)
    assert [one["outcome"] for one in rows] == ["failed", "failed", "finished"]
    assert [one["input_tokens"] for one in rows] == [0, 0, 1000]


async def test_a_cancelled_call_is_estimated(talk: Talk) -> None:
    conversation = await talk.open()
    talk.provider.script(play(ONCE, "hang"))
    sending = asyncio.create_task(talk.say(conversation, "Tell me"))
    await talk.wait_for_text(conversation, "upon")
    [row] = await list_calls(talk, conversation)
    assert (row["outcome"], row["estimated"], row["ended_at"]) == ("open", True, None)
    assert row["output_tokens"] == 4096
    expect(await talk.client.post(f"/api/conversations/{conversation}/cancel", json={}), 202)
    await sending

    async def ended() -> dict[str, Any] | None:
        [found] = await list_calls(talk, conversation)
        return found if found["outcome"] != "open" else None

    row = await wait_until(ended)
    assert (row["outcome"], row["estimated"]) == ("cancelled", True)
    assert row["input_tokens"] > 0
    assert row["output_tokens"] == len("Once upon ") // 3


async def test_titles_and_tests_of_an_integration_count_too(talk: Talk) -> None:
    made = expect(await talk.client.post("/api/conversations", json={}), 201)["id"]
    talk.provider.script(
        stream(text("Hi"), end(usage=USAGE)), stream(text("A title"), end(usage=USAGE))
    )
    await talk.say(made, "Hello")

    async def titled() -> bool:
        return {one["purpose"] for one in await list_calls(talk, made)} == {"turn", "title"}

    await wait_until(titled)
    talk.provider.clear()
    talk.provider.script(stream(text("Yes"), end()))
    [found] = expect(await talk.client.get("/api/admin/integrations"), 200)["items"]
    expect(await talk.client.post(f"/api/admin/integrations/{found['id']}/test"), 200)
    by_purpose = {
        one["key"]: one["calls"] for one in (await ask_usage(talk, groupBy="purpose"))["items"]
    }
    assert by_purpose == {"turn": 2, "title": 1}


async def test_a_call_of_a_lost_process_is_marked_with_its_estimate(talk: Talk) -> None:
    conversation = await talk.open()
    talk.provider.script(stream(text("Hi"), end(usage=USAGE)))
    await talk.say(conversation, "Hello")
    async with talk.server.database.connection() as db:
        await db.execute(
            "UPDATE model_calls SET outcome = 'open', estimated = true, ended_at = NULL,"
            " expires_at = now() - interval '1 s'"
        )
    await sweep(talk.server.database, talk.tenant.id)
    [row] = await list_calls(talk, conversation)
    assert (row["outcome"], row["estimated"]) == ("lost", True)
    assert row["ended_at"] is not None


@pytest.mark.parametrize(
    ("group", "key", "name"),
    [
        ("day", None, None),
        ("person", "person", "name"),
        ("agent", "assistant", None),
        ("model", "fake", None),
        ("integration", "integration", "Fake"),
        ("purpose", "turn", None),
    ],
)
async def test_sums(talk: Talk, group: str, key: str | None, name: str | None) -> None:
    integration = await change_integration(talk, prices=[PRICE])
    for answer in ("One", "Two"):
        talk.provider.script(stream(text(answer), end(usage=USAGE)))
        await talk.say(await talk.open(), "Hello")
    usage = await ask_usage(talk, groupBy=group)
    [line] = usage["items"]
    keys = {"person": str(talk.tenant.admin.id), "integration": integration["id"], None: today()}
    assert line["key"] == keys.get(key, key)
    assert (line["name"] is None) == (name is None)
    assert (line["calls"], line["inputTokens"], line["cacheReadTokens"]) == (2, 2000, 800)
    assert usage["total"] == {one: line[one] for one in line if one not in ("key", "name", "day")}
    assert [one["currency"] for one in line["costs"]] == ["USD"]
    [daily] = (await ask_usage(talk, groupBy=group, daily="true"))["items"]
    assert daily["day"] == (None if group == "day" else today())


async def test_the_table_and_the_single_calls(talk: Talk) -> None:
    await change_integration(talk, prices=[PRICE])
    for answer in ("One", "Two", "Three"):
        talk.provider.script(stream(text(answer), end(usage=USAGE)))
        await talk.say(await talk.open(), "Hello")
    days = {"from": today(), "to": today()}
    table = await talk.client.get("/api/usage/export", params={**days, "groupBy": "model"})
    assert table.headers["content-type"].startswith("text/csv")
    [row] = csv.DictReader(io.StringIO(table.text))
    assert (row["key"], row["calls"], row["input_tokens"], row["currency"]) == (
        "fake",
        "3",
        "3000",
        "USD",
    )
    first = expect(await talk.client.get("/api/usage/calls", params={**days, "limit": 2}), 200)
    more = {**days, "limit": 2, "cursor": first["nextCursor"]}
    second = expect(await talk.client.get("/api/usage/calls", params=more), 200)
    calls = [*first["items"], *second["items"]]
    assert (len(first["items"]), len(calls), second["nextCursor"]) == (2, 3, None)
    assert {one["principalId"] for one in calls} == {str(talk.tenant.admin.id)}
    assert {(one["outcome"], one["integrationName"]) for one in calls} == {("finished", "Fake")}
    stranger = {**days, "personId": "00000000-0000-0000-0000-000000000001"}
    assert expect(await talk.client.get("/api/usage/calls", params=stranger), 200)["items"] == []


@pytest.mark.parametrize(
    ("query", "path"),
    [
        ({"from": "2026-02-02", "to": "2026-02-01"}, "to"),
        ({"from": "2020-01-01", "to": "2026-02-01"}, "to"),
        ({"from": "yesterday", "to": "2026-02-01"}, "from"),
        ({"from": "2026-02-01", "to": "2026-02-01", "groupBy": "mood"}, "groupBy"),
    ],
)
async def test_days_that_cannot_be(talk: Talk, query: dict[str, str], path: str) -> None:
    problem = expect(await talk.client.get("/api/usage", params=query), 422)
    assert path in [one["path"] for one in problem["issues"]]


async def test_credits_run_out_before_the_turn_begins(talk: Talk) -> None:
    await change_integration(talk, provided=True)
    await set_credits(talk, {"unit": "tokens", "amount": "100000"})
    conversation = await talk.open()
    many = {"prompt_tokens": 71_500, "completion_tokens": 3500}
    talk.provider.script(stream(text("Hi"), end(usage=many)))
    await talk.say(conversation, "Hello")
    now = expect(await talk.client.get("/api/credits"), 200)
    assert (now["state"], now["percent"], now["used"]) == ("low", 75, "75000")
    async with talk.server.database.connection() as db:
        await db.execute("UPDATE credit_use SET used = 100000 WHERE unit = 'tokens'")
    problem = expect(await send(talk, conversation), 402)
    assert problem["code"] == "credits_exhausted"
    assert (await talk.view(conversation))["status"] == "idle"
    assert expect(await talk.client.get("/api/credits"), 200)["state"] == "exhausted"
    await change_integration(talk, provided=False)
    talk.provider.script(stream(text("Free"), end()))
    assert (await talk.say(conversation, "Hello")).text == "Free"


async def test_what_is_left_must_be_enough_for_the_worst_case(talk: Talk) -> None:
    await change_integration(talk, provided=True)
    await set_credits(talk, {"unit": "tokens", "amount": "100000"})
    conversation = await talk.open()
    most = {"prompt_tokens": 98_000, "completion_tokens": 10}
    talk.provider.script(stream(text("Hi"), call("nothing", "{}"), end("tool_calls", most)))
    answer = await talk.say(conversation, "Hello")
    assert answer.text == "Hi"
    assert "not enough" in answer.find("error")[-1]["errorText"]
    assert len(talk.provider.requests) == 1
    async with talk.server.database.connection() as db:
        used = await db.fetchval("SELECT used FROM credit_use WHERE unit = 'tokens'")
        rows = await db.fetchval("SELECT sum(input_tokens + output_tokens) FROM model_calls")
    assert used == rows == 98_010


async def test_credits_in_money_need_a_price(talk: Talk) -> None:
    await change_integration(talk, provided=True)
    await set_credits(talk, {"unit": "EUR", "amount": "1.5"})
    conversation = await talk.open()
    assert "no price in EUR" in expect(await send(talk, conversation), 402)["detail"]
    await change_integration(talk, prices=[{**PRICE, "currency": "EUR"}])
    talk.provider.script(stream(text("Hi"), end(usage=USAGE)))
    await talk.say(conversation, "Hello")
    used = expect(await talk.client.get("/api/credits"), 200)["used"]
    assert float(used) == pytest.approx(0.00492)


async def test_a_chat_that_is_switched_off(talk: Talk) -> None:
    conversation = await talk.open()
    await set_credits(talk, None, chat=False)
    for response in (
        await send(talk, conversation),
        await talk.client.post(f"/api/conversations/{conversation}/messages", json={"text": "Hi"}),
        await talk.client.post("/api/conversations", json={}),
    ):
        assert expect(response, 403)["code"] == "chat_disabled"
    assert not expect(await talk.client.get("/api/credits"), 200)["chatEnabled"]
    await set_credits(talk, None)
    talk.provider.script(stream(text("Back"), end()))
    assert (await talk.say(conversation, "Hello")).text == "Back"


async def test_a_cap_that_is_reached_says_when_to_come_back(talk: Talk) -> None:
    await change_integration(talk, cap={"tokens": 20_000, "seconds": 3600})
    conversation = await talk.open()
    talk.provider.script(
        stream(text("Hi"), end(usage={"prompt_tokens": 19_000, "completion_tokens": 2_000}))
    )
    await talk.say(conversation, "Hello")
    refused = await send(talk, conversation)
    assert expect(refused, 429)["code"] == "too_many"
    assert 3000 < int(refused.headers["retry-after"]) <= 3700
