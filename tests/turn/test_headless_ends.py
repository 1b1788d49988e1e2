"""How headless runs end early: cancelled, out of time, out of steps, switched off."""

import asyncio
import json
from collections.abc import AsyncGenerator
from typing import Any
from uuid import UUID

import pytest
import pytest_asyncio

from assent.actions.sweep import sweep_tenant
from assent.runs.headless.cancel import void_left
from assent.testing import Databases
from assent.testing.provider import text
from tests.bank.accounts import count_effects
from tests.bank.desk import apply, ask_token
from tests.turn.people import execute, expect, fetch_value
from tests.turn.talk import Talk, open_talk
from tests.turn.test_headless import (
    GOOD,
    SCHEMA,
    deposit_on,
    do,
    get,
    last_said,
    run,
    say,
    start,
    wait_for,
)
from tests.turn.test_takeover import hang_after, interrupt, wait_for_words

LATE = "UPDATE proposals SET expires_at = now() - interval '1 s' WHERE id = ANY ($1::uuid[])"
STATE = "SELECT state FROM proposals WHERE id = $1::uuid"
RUNS = "SELECT count(*) FROM runs WHERE conversation_id = $1::uuid"


@pytest_asyncio.fixture(scope="module")
async def running(databases: Databases) -> AsyncGenerator[Talk]:
    async with open_talk(databases) as opened:
        yield opened


@pytest_asyncio.fixture
async def talk(running: Talk) -> Talk:
    running.provider.clear()
    return running


async def cancel(talk: Talk, run_id: str) -> None:
    expect(await talk.client.post(f"/api/runs/{run_id}/cancel"), 202)


async def let_expire(talk: Talk, *cards: dict[str, Any]) -> None:
    await execute(talk.server, LATE, [one["id"] for one in cards])
    await sweep_tenant(talk.server.app.state.parts.means, talk.tenant.id)


async def check_stays(talk: Talk, task: dict[str, Any], status: str) -> None:
    """The handler of decisions is done with all events, and has started nothing."""
    account = await talk.open_account()
    after = await run(
        talk, do("bank_deposit", accountId=account, amount=1), say("W."), until="waiting"
    )
    talk.provider.script(say("Done."))
    await apply(talk.client, after["pending"][0]["id"])
    await wait_for(talk, after["id"], "completed")
    now = await get(talk, task["id"])
    assert (now["status"], now["runId"], now["pending"]) == (status, task["runId"], [])


async def test_what_waits_is_cancelled_with_its_cards(talk: Talk) -> None:
    accounts = [await talk.open_account() for _ in range(2)]
    task = await run(talk, deposit_on(*accounts), say("They wait."), until="waiting")
    await cancel(talk, task["id"])
    over = await get(talk, task["id"])
    assert (over["status"], over["pending"], over["error"]) == ("cancelled", [], None)
    for card in task["pending"]:
        assert await fetch_value(talk.server, STATE, card["id"]) == "voided"
        expect(await talk.client.post(f"/api/proposals/{card['id']}/token"), 409)
    await cancel(talk, task["id"])
    await check_stays(talk, task, "cancelled")
    for account in accounts:
        assert await count_effects(talk.server.database, account) == 0


async def test_what_runs_is_cancelled_with_the_cards_that_it_had_prepared(talk: Talk) -> None:
    account = await talk.open_account()
    talk.provider.script(do("bank_deposit", accountId=account, amount=5), hang_after(text("It ")))
    started = await start(talk)
    await wait_for_words(talk, UUID(started["runId"]), "It")
    [card] = (await get(talk, started["runId"]))["pending"]
    await cancel(talk, started["runId"])
    task = await wait_for(talk, started["runId"], "cancelled")
    assert await fetch_value(talk.server, STATE, card["id"]) == "voided"
    await check_stays(talk, task, "cancelled")


async def test_a_card_that_a_cancelled_run_still_made_is_withdrawn(talk: Talk) -> None:
    account = await talk.open_account()
    task = await run(
        talk, do("bank_deposit", accountId=account, amount=5), say("It waits."), until="waiting"
    )
    [card] = task["pending"]
    await cancel(talk, task["id"])
    late = "UPDATE proposals SET state = 'proposed' WHERE id = $1::uuid"
    await execute(talk.server, late, card["id"])
    await void_left(talk.server.app.state.parts.studio, talk.tenant.id)
    assert await fetch_value(talk.server, STATE, card["id"]) == "voided"
    await check_stays(talk, task, "cancelled")


async def test_what_was_done_stays_so(talk: Talk) -> None:
    task = await run(talk, say("Done."), until="completed")
    await cancel(talk, task["id"])
    assert await get(talk, task["id"]) == task


@pytest.mark.parametrize("number", range(6))
async def test_a_decision_and_a_cancel_at_once(talk: Talk, number: int) -> None:
    """One of them is first: the change is made or withdrawn, and nobody goes on after a cancel."""
    account = await talk.open_account()
    task = await run(
        talk, do("bank_deposit", accountId=account, amount=5), say("It waits."), until="waiting"
    )
    [card] = task["pending"]
    token = await ask_token(talk.client, card["id"])
    talk.provider.script(say("Thank you."))

    async def decide() -> int:
        url = f"/api/proposals/{card['id']}/apply"
        return (await talk.client.post(url, json={"token": token})).status_code

    async def stop() -> int:
        await asyncio.sleep(number * 0.004)
        return (await talk.client.post(f"/api/runs/{task['id']}/cancel")).status_code

    applied, stopped = await asyncio.gather(decide(), stop())
    assert stopped == 202
    made = await count_effects(talk.server.database, account)
    assert (applied, made) in ((200, 1), (409, 0))
    state = await fetch_value(talk.server, STATE, card["id"])
    assert state == ("applied" if made else "voided")
    over = await wait_for(talk, task["id"], "cancelled", "completed")
    assert over["status"] == "cancelled" or made
    talk.provider.clear()
    await check_stays(talk, over, over["status"])


async def test_a_cancel_while_nobody_drives(talk: Talk) -> None:
    """The process is lost in the middle; whoever takes it over ends it."""
    talk.provider.script(hang_after(text("Once ")), hang_after(text("upon ")))
    started = await start(talk)
    await wait_for_words(talk, UUID(started["runId"]), "Once")
    interrupt()
    await cancel(talk, started["runId"])
    task = await wait_for(talk, started["runId"], "cancelled")
    assert task["text"].startswith("Once")


async def test_what_nobody_decided_about_is_told_and_the_run_ends(talk: Talk) -> None:
    accounts = [await talk.open_account() for _ in range(2)]
    task = await run(
        talk, deposit_on(*accounts), say("They wait."), until="waiting", outputSchema=SCHEMA
    )
    talk.provider.script(say(GOOD))
    await let_expire(talk, *task["pending"])
    done = await wait_for(talk, task["id"], "completed")
    assert done["output"] == json.loads(GOOD)
    assert last_said(talk).count("expired before anybody decided") == 2
    assert await fetch_value(talk.server, RUNS, task["conversationId"]) == 2


async def test_a_card_that_was_decided_is_told_when_the_other_expires(talk: Talk) -> None:
    accounts = [await talk.open_account() for _ in range(2)]
    task = await run(talk, deposit_on(*accounts), say("They wait."), until="waiting")
    first, second = task["pending"]
    await apply(talk.client, first["id"])
    await execute(talk.server, LATE, [second["id"]])
    talk.provider.script(say("One was made."))
    await let_expire(talk, second)
    done = await wait_for(talk, task["id"], "completed")
    assert done["text"] == "One was made."
    told = last_said(talk)
    assert "has been applied" in told and "expired before anybody decided" in told
    assert await fetch_value(talk.server, RUNS, task["conversationId"]) == 2


async def test_nobody_is_told_of_what_was_done_at_once(talk: Talk) -> None:
    account = await talk.open_account()
    task = await run(
        talk,
        do("bank_deposit", accountId=account, amount=5),
        say("Done."),
        until="completed",
        allowed=[{"tool": "bank.deposit"}],
    )
    await check_stays(talk, task, "completed")


async def test_in_a_chat_nobody_is_told_of_what_expired(talk: Talk) -> None:
    account = await talk.open_account()
    talk.provider.script(do("bank_deposit", accountId=account, amount=5), say("It waits."))
    conversation = await talk.open()
    await talk.say(conversation, "Deposit 5")
    [card] = (await talk.view(conversation))["pending"]
    await let_expire(talk, card)
    talk.provider.clear()
    talk.provider.script(say("Hello."))
    await talk.say(conversation, "Hello")
    assert len(talk.provider.requests) == 1
    assert "expired" not in last_said(talk)


async def test_where_the_chat_is_off(talk: Talk) -> None:
    account = await talk.open_account()
    task = await run(
        talk, do("bank_deposit", accountId=account, amount=5), say("It waits."), until="waiting"
    )
    await switch(talk, on=False)
    try:
        problem = expect(await talk.client.post("/api/runs", json={"instruction": "Look"}), 403)
        assert problem["code"] == "chat_disabled"
        await apply(talk.client, task["pending"][0]["id"])
        over = await wait_for(talk, task["id"], "failed")
        assert over["error"]["code"] == "chat_disabled"
    finally:
        await switch(talk, on=True)
    expect(await talk.client.get("/api/runs"), 200)


async def switch(talk: Talk, *, on: bool) -> None:
    expect(
        await talk.client.put("/api/admin/credits", json={"credits": None, "chatEnabled": on}), 200
    )


async def test_the_last_step_still_gives_the_value(talk: Talk) -> None:
    """Out of steps in the middle of the work, and with words instead of the value."""
    draft = {"slug": "hasty", "name": "Hasty", "stepCap": 1}
    expect(await talk.client.post("/api/admin/agents", json=draft), 201)
    task = await run(
        talk,
        do("bank_listAccounts"),
        say("I could not look at everything."),
        say(GOOD),
        until="completed",
        agent="hasty",
        outputSchema=SCHEMA,
    )
    assert task["output"] == json.loads(GOOD)
    [_, last, repair] = [one.body for one in talk.provider.requests]
    assert "tools" not in last and "Answer now" in last["messages"][0]["content"]
    assert repair["response_format"]["type"] == "json_schema"


async def test_a_last_step_that_calls_all_the_same_still_gives_the_value(talk: Talk) -> None:
    task = await run(
        talk,
        do("bank_listAccounts"),
        do("bank_listAccounts"),
        say(GOOD),
        until="completed",
        agent="hasty",
        outputSchema=SCHEMA,
    )
    assert task["output"] == json.loads(GOOD)
