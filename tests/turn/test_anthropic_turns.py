"""Whole turns with a provider that speaks Anthropic's API, and changes between providers."""

import json
from collections.abc import AsyncGenerator
from typing import Any
from uuid import UUID

import pytest
import pytest_asyncio
from pydantic import SecretStr

from assent.models.http import open_session
from assent.models.open import find_provider
from assent.settings import Settings
from assent.testing import Databases
from assent.testing import anthropic_answers as anthropic
from assent.testing import provider as openai
from tests.turn.outcome import check_alternating
from tests.turn.people import expect, fetch_value
from tests.turn.talk import Talk, open_talk

KEY = "sk-ant-for-tests-only"
STORED_USAGE = """
SELECT usage::text FROM messages WHERE conversation_id = $1 AND role = 'assistant'
"""
CACHED = {"type": "ephemeral"}
REPORT = anthropic.call("bank_report", '{"cou', 'nt": 1}')


@pytest_asyncio.fixture(scope="module")
async def running(databases: Databases) -> AsyncGenerator[tuple[Talk, str]]:
    async with open_talk(databases) as opened:
        yield opened, await add(opened, "Claude", thinking=True, allowedModels=["claude-2"])


@pytest_asyncio.fixture
async def talk(running: tuple[Talk, str]) -> Talk:
    running[0].provider.clear()
    return running[0]


@pytest.fixture
def claude(running: tuple[Talk, str]) -> str:
    return running[1]


async def add(talk: Talk, name: str, **more: Any) -> str:
    draft = {
        "name": name,
        "provider": "anthropic",
        "family": "anthropic",
        "baseUrl": talk.provider.url,
        "key": KEY,
        "defaultModel": "claude-1",
        "classifier": False,
        **more,
    }
    return expect(await talk.client.post("/api/admin/integrations", json=draft), 201)["id"]


async def choose(talk: Talk, conversation: str, integration: str, model: str | None = None) -> None:
    change = {"integrationId": integration, "model": model}
    expect(await talk.client.patch(f"/api/conversations/{conversation}", json=change), 200)


async def find_other(talk: Talk) -> str:
    listed = expect(await talk.client.get("/api/admin/integrations"), 200)["items"]
    return next(one["id"] for one in listed if one["name"] == "Fake")


async def test_an_integration_is_kept_and_tested(talk: Talk, claude: str) -> None:
    listed = expect(await talk.client.get("/api/admin/integrations"), 200)["items"]
    kept = next(one for one in listed if one["id"] == claude)
    assert (kept["provider"], kept["classifier"], kept["thinking"]) == ("anthropic", False, True)
    talk.provider.script(anthropic.stream(anthropic.text("Yes"), anthropic.end()))
    url = f"/api/admin/integrations/{claude}/test"
    tested = expect(await talk.client.post(url), 200)
    assert tested == {"works": True, "problem": None, "models": ["fake"]}
    asked, listing = talk.provider.requests
    assert asked.path == "/v1/messages"
    assert asked.headers["x-api-key"] == KEY
    assert asked.headers["anthropic-version"] == "2023-06-01"
    assert "authorization" not in asked.headers
    assert listing.headers["x-api-key"] == KEY
    assert listing.path.startswith("/v1/models")


async def test_what_is_declared_can_be_changed(talk: Talk) -> None:
    made = await add(talk, "Changed")
    url = f"/api/admin/integrations/{made}"
    changed = expect(
        await talk.client.patch(url, json={"provider": "openai", "classifier": True}), 200
    )
    assert (changed["provider"], changed["classifier"]) == ("openai", True)
    left = expect(await talk.client.patch(url, json={"name": "Changed again"}), 200)
    assert (left["provider"], left["classifier"], left["thinking"]) == ("openai", True, False)
    refused = await talk.client.patch(url, json={"provider": "nobody"})
    assert refused.status_code == 422
    expect(await talk.client.delete(url), 204)


async def test_a_turn_with_thoughts_and_tools(talk: Talk, claude: str) -> None:
    talk.provider.script(
        anthropic.stream(
            anthropic.thinking("I look ", "it up."), REPORT, anthropic.end("tool_use")
        ),
        anthropic.stream(anthropic.text("It is ", "one."), anthropic.end()),
        anthropic.stream(anthropic.text("Fine."), anthropic.end()),
    )
    conversation = await talk.open(integrationId=claude)
    answer = await talk.say(conversation, "How many?")
    assert answer.text == "It is one."
    assert "".join(one["delta"] for one in answer.find("reasoning-delta")) == "I look it up."
    assert anthropic.SIGNATURE not in json.dumps(answer.events)
    [_, message] = await talk.list_messages(conversation)
    assert anthropic.SIGNATURE not in json.dumps(message)
    assert [one["state"] for one in message["parts"] if one["type"] == "dynamic-tool"] == [
        "output-available"
    ]
    await talk.say(conversation, "Thanks")
    _, second, third = (one.body for one in talk.provider.requests)
    thought = {"type": "thinking", "thinking": "I look it up.", "signature": anthropic.SIGNATURE}
    for body in (second, third):
        content = body["messages"][1]["content"]
        assert content[0] == thought
        assert (content[1]["type"], content[1]["input"]) == ("tool_use", {"count": 1})
        result = body["messages"][2]["content"][0]
        assert (result["type"], result["tool_use_id"]) == ("tool_result", content[1]["id"])
        assert body["thinking"]["type"] == "adaptive"


async def test_a_result_that_failed(talk: Talk, claude: str) -> None:
    broken = anthropic.call("bank_report", '{"count": "many"}')
    talk.provider.script(
        anthropic.stream(broken, anthropic.end("tool_use")),
        anthropic.stream(anthropic.text("It failed."), anthropic.end()),
    )
    await talk.say(await talk.open(integrationId=claude), "How many?")
    result = talk.provider.requests[1].body["messages"][2]["content"][0]
    assert result["is_error"] is True


async def test_what_is_cached_stays_the_same(talk: Talk, claude: str) -> None:
    """Everything up to the breakpoints is the same in the next turn, to the byte."""
    talk.provider.script(
        *[anthropic.stream(anthropic.text("Well."), anthropic.end()) for _ in range(2)]
    )
    conversation = await talk.open(integrationId=claude)
    await talk.say(conversation, "One")
    await talk.say(conversation, "Two")
    first, second = (one.body for one in talk.provider.requests)
    assert json.dumps(first["tools"]) == json.dumps(second["tools"])
    assert first["tools"][-1]["cache_control"] == CACHED
    assert json.dumps(first["system"]) == json.dumps(second["system"])
    assert first["system"][-1]["cache_control"] == CACHED
    for body in (first, second):
        said, moment = body["messages"][-1]["content"]
        assert said.pop("cache_control") == CACHED
        assert "Time: " in moment["text"]
        assert "cache_control" not in json.dumps(body["messages"])
    assert second["messages"][0] == {"role": "user", "content": first["messages"][0]["content"][:1]}


async def test_figures_are_recorded(talk: Talk, claude: str) -> None:
    cached = {
        "input_tokens": 5,
        "cache_read_input_tokens": 900,
        "cache_creation_input_tokens": 95,
        "output_tokens": 1,
    }
    edit = {
        "type": "clear_tool_uses_20250919",
        "cleared_tool_uses": 3,
        "cleared_input_tokens": 4000,
    }
    written = {"output_tokens": 50, "output_tokens_details": {"thinking_tokens": 30}}
    last = anthropic.end(usage=written, edits=[edit])
    talk.provider.script(
        anthropic.stream(REPORT, anthropic.end("tool_use", edits=[edit]), usage=cached),
        anthropic.stream(anthropic.text("Well."), last, usage=cached),
    )
    conversation = await talk.open(integrationId=claude)
    answer = await talk.say(conversation, "Hi")
    usage = {
        "inputTokens": 2000,
        "outputTokens": 90,
        "cacheReadTokens": 1800,
        "cacheWriteTokens": 190,
        "reasoningTokens": 30,
        "clearedToolUses": 6,
        "clearedInputTokens": 8000,
    }
    [finish] = answer.find("finish")
    assert finish["messageMetadata"]["usage"] == usage
    stored = await fetch_value(talk.server, STORED_USAGE, UUID(conversation))
    assert json.loads(stored) == usage
    asked = talk.provider.requests[0]
    assert asked.headers["anthropic-beta"] == "context-management-2025-06-27"
    [wanted] = asked.body["context_management"]["edits"]
    assert (wanted["type"], wanted["trigger"]["value"]) == ("clear_tool_uses_20250919", 64_000)


async def test_thoughts_go_to_nobody_else(talk: Talk, claude: str) -> None:
    other = await find_other(talk)
    thought = anthropic.stream(
        anthropic.thinking("Secret thought"), REPORT, anthropic.end("tool_use")
    )
    talk.provider.script(
        thought,
        anthropic.stream(anthropic.text("One."), anthropic.end()),
        openai.stream(openai.reasoning("Other thought"), openai.text("Two."), openai.end()),
        anthropic.stream(anthropic.text("Three."), anthropic.end()),
        anthropic.stream(anthropic.text("Four."), anthropic.end()),
    )
    conversation = await talk.open(integrationId=claude)
    assert (await talk.say(conversation, "1")).text == "One."
    await choose(talk, conversation, other)
    assert (await talk.say(conversation, "2")).text == "Two."
    await choose(talk, conversation, claude)
    assert (await talk.say(conversation, "3")).text == "Three."
    await choose(talk, conversation, claude, "claude-2")
    assert (await talk.say(conversation, "4")).text == "Four."
    bodies = [json.dumps(one.body) for one in talk.provider.requests]
    assert [anthropic.SIGNATURE in one for one in bodies] == [False, True, False, True, False]
    assert ["Secret thought" in one for one in bodies] == [False, True, False, True, False]
    assert not any("Other thought" in one for one in bodies)
    assert [one.path.rsplit("/", 1)[1] for one in talk.provider.requests] == [
        "messages",
        "messages",
        "completions",
        "messages",
        "messages",
    ]
    check_alternating(talk.provider.requests[-1].body["messages"])


async def test_without_the_extra_the_test_says_what_is_missing(
    talk: Talk, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = await add(talk, "Gemini", provider="google")

    def fail(name: str) -> Any:
        raise ImportError(name)

    monkeypatch.setattr("assent.models.open.import_module", fail)
    tested = expect(await talk.client.post(f"/api/admin/integrations/{made}/test"), 200)
    assert tested["works"] is False
    assert "assent[providers]" in tested["problem"]
    answer = await talk.say(await talk.open(integrationId=made), "Hi")
    [failure] = answer.find("error")
    assert failure["errorText"] == tested["problem"]
    expect(await talk.client.delete(f"/api/admin/integrations/{made}"), 204)


async def test_a_key_from_the_environment() -> None:
    settings = Settings(
        openai_api_key=None, anthropic_api_key=SecretStr("k"), anthropic_model="claude-9"
    )
    async with open_session() as session:
        found = await find_provider(settings, session)
    assert found is not None
    assert found.key == "k"
    assert (found.integration.provider, found.integration.family) == ("anthropic", "anthropic")
    assert found.integration.base_url == "https://api.anthropic.com"
    assert found.integration.models == ("claude-9",)
