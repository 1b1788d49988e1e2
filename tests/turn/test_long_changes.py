"""Long conversations on Anthropic's own format, and between it and OpenAI's.

Every body that arrives is held to the rules of the format that it came in, signatures included.
"""

import json
from collections.abc import Sequence
from typing import Any
from uuid import UUID

import pytest

from assent.testing import Databases
from tests.bank.desk import apply
from tests.turn.people import expect, fetch
from tests.turn.strict import INSTRUCTION, RECORD, WINDOW, Strict, list_said, make_small
from tests.turn.talk import Talk, open_talk
from tests.turn.voices import PRIVATE

SPENT = """
SELECT coalesce(sum(input_tokens), 0)::bigint AS read,
       coalesce(sum(output_tokens), 0)::bigint AS written,
       count(*) FILTER (WHERE outcome <> 'finished' OR estimated) AS unsure
FROM model_calls WHERE conversation_id = $1
"""
THINKING = {"name": "Thinking", "thinking": True, "allowedModels": ["claude-2"]}
PLAIN = {"name": "Plain", "allowedModels": ["claude-2"]}
HOPS = 2
"""Turns before the next change."""


async def add_claude(talk: Talk, more: dict[str, Any]) -> str:
    draft = {
        "provider": "anthropic",
        "family": "anthropic",
        "baseUrl": talk.provider.url,
        "defaultModel": "claude-1",
        "classifier": False,
        "contextWindow": WINDOW,
        **more,
    }
    return expect(await talk.client.post("/api/admin/integrations", json=draft), 201)["id"]


async def find_openai(talk: Talk) -> str:
    listed = expect(await talk.client.get("/api/admin/integrations"), 200)["items"]
    return next(one["id"] for one in listed if one["provider"] == "openai")


async def choose(talk: Talk, conversation: str, integration: str, model: str | None) -> None:
    change = {"integrationId": integration, "model": model}
    expect(await talk.client.patch(f"/api/conversations/{conversation}", json=change), 200)


async def hold(
    talk: Talk, strict: Strict, turns: int, places: Sequence[tuple[str, str | None]]
) -> tuple[str, list[int]]:
    """So many turns, some in each place and then in the next; what each turn came to in tokens."""
    talk.provider.script(*[strict.answer] * 20 * turns)
    conversation = await talk.open(agent="small")
    costs: list[int] = []
    for number in range(turns):
        if number % HOPS == 0:
            await choose(talk, conversation, *places[number // HOPS % len(places)])
        before = strict.reported[0]
        said = INSTRUCTION if number == 0 else f"And what does report {number} say, please?"
        answer = await talk.say(conversation, said)
        assert answer.text.endswith("ABC-123: all is well."), answer.events[-3:]
        assert not strict.faults, number
        costs.append(strict.reported[0] - before)
    return conversation, costs


async def check(
    talk: Talk, strict: Strict, conversation: str, costs: Sequence[int], calls: int
) -> None:
    """Nothing is lost, each request fits, summaries are rare, and the ledger has every token."""
    assert all("ABC-123" in json.dumps(list_said(one)) for one in strict.requests)
    assert max(strict.sizes) <= WINDOW
    # Where two results are all that there is room for, each turn's are summarized after it.
    is_tight = strict.characters < 3
    assert 0 < strict.asked_for_summary < len(costs) / (1 if is_tight else 2)
    assert max(costs) <= (calls + 4) * WINDOW
    half = len(costs) // 2
    assert sum(costs[-half:]) < 1.5 * sum(costs[:half]) + WINDOW
    [row] = await fetch(talk.server, SPENT, UUID(conversation))
    assert (row["read"], row["written"], row["unsure"]) == (*strict.reported, 0)
    [kept] = await fetch(
        talk.server, "SELECT summary FROM conversations WHERE id = $1", UUID(conversation)
    )
    assert kept["summary"]["record"] == RECORD


async def run(
    databases: Databases, turns: int, *, calls: int, characters: float, changes: bool
) -> None:
    strict = Strict(calls=calls, characters=characters, rows=12 if changes else 60)
    async with open_talk(databases) as talk:
        await make_small(talk.client)
        thinking = await add_claude(talk, THINKING)
        places: list[tuple[str, str | None]] = [(thinking, None)]
        if changes:
            plain, other = await add_claude(talk, PLAIN), await find_openai(talk)
            places = [
                (thinking, "claude-1"),
                (other, None),
                (thinking, "claude-1"),
                (thinking, "claude-2"),
                (plain, "claude-2"),
                (other, None),
                (plain, "claude-1"),
            ]
        conversation, costs = await hold(talk, strict, turns, places)
        await check(talk, strict, conversation, costs, calls)
        paths = {one.path for one in talk.provider.requests}
        assert paths == {"/v1/messages"} | ({"/v1/chat/completions"} if changes else set())
        check_thoughts(strict)


def check_thoughts(strict: Strict) -> None:
    """Who thinks gets its thoughts back, also in later turns; what OpenAI's thought, nobody."""
    assert any("thinking" in one for one in strict.requests)
    claude = [one for one in strict.requests if one["model"].startswith("claude")]
    earlier = [message for one in claude for message in one["messages"][:-2]]
    kinds = {block["type"] for message in earlier for block in message["content"]}
    assert {"thinking", "redacted_thinking"} <= kinds
    assert PRIVATE not in json.dumps(strict.requests)


@pytest.mark.parametrize("changes", [False, True], ids=["Anthropic", "both"])
async def test_a_long_conversation(databases: Databases, changes: bool) -> None:
    await run(databases, 42, calls=2, characters=3.2, changes=changes)


@pytest.mark.deep
@pytest.mark.parametrize("characters", [2.0, 3.2, 4.5])
@pytest.mark.parametrize("changes", [False, True], ids=["Anthropic", "both"])
async def test_four_hundred_turns(databases: Databases, changes: bool, characters: float) -> None:
    await run(databases, 400, calls=2, characters=characters, changes=changes)


async def test_a_card_of_one_model_is_decided_before_another(databases: Databases) -> None:
    """The last step of a turn with a card has calls behind it, and none may follow."""
    strict = Strict(calls=0)
    async with open_talk(databases) as talk:
        await make_small(talk.client)
        places = [await add_claude(talk, THINKING), await find_openai(talk)]
        talk.provider.script(*[strict.answer] * 100)
        account = await talk.open_account(balance=100)
        conversation = await talk.open(agent="small")
        for number in range(4):
            await choose(talk, conversation, places[number % 2], None)
            given = json.dumps({"accountId": str(account), "amount": 10 + number})
            strict.wanted = [("bank_report", '{"count": 3}'), ("bank_deposit", given)]
            answer = await talk.say(conversation, INSTRUCTION)
            [card] = answer.find("data-proposal")
            await choose(talk, conversation, places[(number + 1) % 2], None)
            await apply(talk.client, card["data"]["proposalId"])
            await talk.wait_for_messages(conversation, 3 * number + 3)
            assert not strict.faults
        last = [one for one in strict.requests if one.get("tool_choice") == {"type": "none"}]
        assert len(last) == 2
