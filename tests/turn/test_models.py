"""From an integration to the provider's wire: which dialect is spoken, and what the Test says."""

from collections.abc import AsyncGenerator
from typing import Any

import pytest
import pytest_asyncio
from pydantic import SecretStr

from assent.models.http import open_session
from assent.models.open import find_provider
from assent.settings import Settings
from assent.testing import Databases
from assent.testing.provider import end, refuse, run_provider, stream, text
from tests.turn.people import expect
from tests.turn.talk import Talk, open_talk


@pytest_asyncio.fixture(scope="module")
async def running(databases: Databases) -> AsyncGenerator[Talk]:
    async with open_talk(databases) as opened:
        yield opened


@pytest_asyncio.fixture
async def talk(running: Talk) -> Talk:
    running.provider.clear()
    return running


async def add(talk: Talk, family: str | None) -> str:
    draft: dict[str, Any] = {
        "name": f"Provider {family}",
        "baseUrl": talk.provider.url,
        "defaultModel": "m-1",
        "classifier": False,
    }
    if family is not None:
        draft["family"] = family
    return expect(await talk.client.post("/api/admin/integrations", json=draft), 201)["id"]


@pytest.mark.parametrize(
    ("family", "limit", "other"),
    [
        ("openai", "max_completion_tokens", "max_tokens"),
        ("generic", "max_tokens", "max_completion_tokens"),
        ("anthropic", "max_tokens", "max_completion_tokens"),
        (None, "max_tokens", "max_completion_tokens"),
    ],
)
async def test_the_declared_family_is_spoken(
    talk: Talk, family: str | None, limit: str, other: str
) -> None:
    integration = await add(talk, family)
    talk.provider.script(stream(text("Yes"), end()), stream(text("Hello."), end()))
    url = f"/api/admin/integrations/{integration}/test"
    tested = expect(await talk.client.post(url), 200)
    assert tested == {"works": True, "problem": None, "models": ["fake"]}
    await talk.say(await talk.open(integrationId=integration), "Hi")
    bodies = [one.body for one in talk.provider.requests if one.body]
    assert [one[limit] for one in bodies] == [16, 4096]
    assert not any(other in one for one in bodies)


async def test_an_answer_leaves_room_in_a_small_window(talk: Talk) -> None:
    draft = {
        "name": "Small",
        "baseUrl": talk.provider.url,
        "defaultModel": "m-1",
        "classifier": False,
        "contextWindow": 8192,
    }
    made = expect(await talk.client.post("/api/admin/integrations", json=draft), 201)
    talk.provider.script(stream(text("Hello."), end()))
    await talk.say(await talk.open(integrationId=made["id"]), "Hi")
    assert talk.provider.requests[0].body["max_tokens"] == 2048


async def test_a_rate_limit_says_when_to_come_back(talk: Talk) -> None:
    talk.provider.script(refuse(429, {}, {"retry-after": "3600"}), stream(text("Hi"), end()))
    [failure] = (await talk.say(await talk.open(), "Hi")).find("error")
    assert failure["errorText"].endswith("Try again in 60 minutes.")
    assert len(talk.provider.requests) == 1


@pytest.mark.parametrize(
    ("address", "family"),
    [
        ("https://api.openai.com/v1", "openai"),
        ("https://API.OpenAI.com:443/v1", "openai"),
        ("https://api.openai.com.example.com/v1", "generic"),
        ("https://example.com/api.openai.com/v1", "generic"),
        ("http://127.0.0.1:8080/v1", "generic"),
    ],
)
async def test_a_key_from_the_environment(address: str, family: str) -> None:
    settings = Settings(openai_api_key=SecretStr("k"), openai_base_url=address)
    async with open_session() as session:
        found = await find_provider(settings, session)
    assert found is not None
    assert (found.integration.family, found.integration.base_url) == (family, address)
    assert found.integration.classifier


async def test_a_local_ollama_is_generic() -> None:
    async with run_provider() as provider, open_session() as session:
        provider.models = ["llama", "qwen"]
        found = await find_provider(Settings(openai_api_key=None, ollama_url=provider.url), session)
        provider.models = []
        assert (
            await find_provider(Settings(openai_api_key=None, ollama_url=provider.url), session)
            is None
        )
    assert found is not None
    assert found.integration.family == "generic"
    assert found.integration.models == ("llama", "qwen")
    assert not found.integration.classifier
