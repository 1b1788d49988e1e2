"""Titles: the first words at once, a model's by and by, a person's for good."""

import asyncio
from collections.abc import AsyncGenerator, Callable

import pytest
import pytest_asyncio

from assent.conversations.titles import INSTRUCTION
from assent.testing import Databases
from assent.testing.provider import Asked, Scripted, end, refuse, stream, text
from tests.turn.people import expect, fetch_value
from tests.turn.talk import Talk, open_talk, wait_until

LONG = "Please   show me all systems of production that nobody owns"
FIRST_WORDS = "Please show me all systems of"
TITLE = stream(text('"Systems without an owner."'), end())
ANSWER = stream(text("Here."), end())
HANGS = Scripted((*stream(text("Once upon ")).steps[:-1], "hang"))
FAILS = refuse(401, {})
OPEN_WORK = """
SELECT count(*) FROM work WHERE kind LIKE 'runs.%' AND state NOT IN ('done', 'cancelled')
"""


@pytest_asyncio.fixture(scope="module")
async def running(databases: Databases) -> AsyncGenerator[Talk]:
    async with open_talk(databases) as opened:
        yield opened


@pytest_asyncio.fixture
async def talk(running: Talk) -> Talk:
    running.provider.clear()
    return running


def is_for_title(asked: Asked) -> bool:
    return asked.body["messages"][0] == {"role": "system", "content": INSTRUCTION}


def script(talk: Talk, *turns: Scripted, title: Scripted = TITLE) -> None:
    """Turns are answered in this order, and whoever asks for a title gets that one."""
    left = list(turns)

    def answer(asked: Asked) -> Scripted:
        return title if is_for_title(asked) else left.pop(0)

    talk.provider.script(*[answer] * 20)


async def open_untitled(talk: Talk) -> str:
    return expect(await talk.client.post("/api/conversations", json={}), 201)["id"]


async def count_asked(talk: Talk) -> int:
    """When nothing is left to do."""

    async def look() -> bool:
        return await fetch_value(talk.server, OPEN_WORK) == 0

    await wait_until(look)
    return len([one for one in talk.provider.requests if is_for_title(one)])


async def wait_for_source(talk: Talk, conversation: str, source: str) -> str:
    view = await talk.wait_for(conversation, lambda one: one["titleSource"] == source)
    return view["title"]


def has_asked(talk: Talk, count: int) -> Callable[[object], bool]:
    return lambda _: len(talk.provider.requests) >= count


async def test_the_first_words_at_once_and_a_models_by_and_by(talk: Talk) -> None:
    script(talk, HANGS, ANSWER)
    conversation = await open_untitled(talk)
    saying = asyncio.create_task(talk.say(conversation, LONG))
    view = await talk.wait_for(conversation, has_asked(talk, 1))
    assert (view["status"], view["title"]) == ("running", FIRST_WORDS)
    assert view["titleSource"] == "fallback"
    await talk.say(conversation, "Hurry")
    await saying
    assert await wait_for_source(talk, conversation, "model") == "Systems without an owner"
    assert await count_asked(talk) == 1


async def test_a_first_turn_that_fails_has_a_title_too(talk: Talk) -> None:
    script(talk, FAILS, ANSWER)
    conversation = await open_untitled(talk)
    assert (await talk.say(conversation, LONG)).types[-1] == "error"
    assert await wait_for_source(talk, conversation, "model") == "Systems without an owner"
    await talk.say(conversation, "Again")
    assert await count_asked(talk) == 1


async def test_a_first_turn_that_is_stopped_has_a_title_too(talk: Talk) -> None:
    script(talk, HANGS)
    conversation = await open_untitled(talk)
    saying = asyncio.create_task(talk.say(conversation, LONG))
    await talk.wait_for(conversation, has_asked(talk, 1))
    expect(await talk.client.post(f"/api/conversations/{conversation}/cancel"), 202)
    await saying
    assert await wait_for_source(talk, conversation, "model") == "Systems without an owner"
    assert await count_asked(talk) == 1


@pytest.mark.parametrize("title", [FAILS, stream(text("“”"), end())])
async def test_where_no_model_gives_one_the_first_words_stay(talk: Talk, title: Scripted) -> None:
    script(talk, ANSWER, ANSWER, title=title)
    conversation = await open_untitled(talk)
    assert (await talk.say(conversation, LONG)).text == "Here."
    assert await count_asked(talk) == 1
    await talk.say(conversation, "And now something else")
    assert await count_asked(talk) == 1
    view = await talk.view(conversation)
    assert (view["title"], view["titleSource"]) == (FIRST_WORDS, "fallback")


async def test_a_persons_title_stays(talk: Talk) -> None:
    script(talk, HANGS)
    conversation = await open_untitled(talk)
    saying = asyncio.create_task(talk.say(conversation, LONG))
    await talk.wait_for(conversation, has_asked(talk, 1))
    url = f"/api/conversations/{conversation}"
    expect(await talk.client.patch(url, json={"title": "Mine"}), 200)
    expect(await talk.client.post(f"{url}/cancel"), 202)
    await saying
    assert await count_asked(talk) == 0
    assert (await talk.view(conversation))["title"] == "Mine"


async def test_a_persons_title_stays_while_a_model_thinks_of_one(talk: Talk) -> None:
    conversation = await open_untitled(talk)
    slow = Scripted((0.5, *TITLE.steps))
    script(talk, ANSWER, title=slow)
    await talk.say(conversation, LONG)
    await talk.wait_for(conversation, has_asked(talk, 2))
    url = f"/api/conversations/{conversation}"
    expect(await talk.client.patch(url, json={"title": "Mine"}), 200)
    assert await count_asked(talk) == 1
    assert (await talk.view(conversation))["title"] == "Mine"


async def test_the_model_of_the_agent_writes_it(talk: Talk) -> None:
    """Not that of the first integration, which may be slow, dear or somebody else's."""
    draft = {
        "name": "Own",
        "baseUrl": talk.provider.url,
        "defaultModel": "own-model",
        "classifier": False,
    }
    made = expect(await talk.client.post("/api/admin/integrations", json=draft), 201)
    agent = {"slug": "own", "name": "Own", "integrationId": made["id"]}
    expect(await talk.client.post("/api/admin/agents", json=agent), 201)
    script(talk, ANSWER)
    conversation = expect(await talk.client.post("/api/conversations", json={"agent": "own"}), 201)[
        "id"
    ]
    await talk.say(conversation, LONG)
    await count_asked(talk)
    assert [one.body["model"] for one in talk.provider.requests] == ["own-model"] * 2
    assert sum(map(is_for_title, talk.provider.requests)) == 1
