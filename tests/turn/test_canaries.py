"""Secrets are planted wherever one can enter, and looked for wherever one could leave.

Every response, event, row of every table, and log line is searched, for each secret in all of its
encodings.
"""

import base64
import io
import json
import logging
from collections.abc import AsyncGenerator, Iterable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from typing import Any

import pytest
import pytest_asyncio

from assent.bundled.catalog import plugin as catalog
from assent.logs import JsonFormatter
from assent.plugins import administration, assistant
from assent.plugins.load import load_plugins
from assent.settings import Settings
from assent.testing import Client, Databases, RunningServer, run_server
from assent.testing.provider import (
    FakeProvider,
    call,
    end,
    reasoning,
    refuse,
    run_provider,
    stream,
    text,
)
from assent.vault.scrub.values import list_forms
from assent.vault.scrubbing import build_hiding
from tests.bank.desk import MANY, apply, ask_token
from tests.patience import wait_until
from tests.turn.leaky import CANARIES, TYPED, VAULT, plugin
from tests.turn.people import expect, fetch_value, find_tenant
from tests.turn.talk import parse_stream

TABLES = """
SELECT format('%I.%I', table_schema, table_name) FROM information_schema.tables
WHERE table_type = 'BASE TABLE' AND table_schema NOT IN ('pg_catalog', 'information_schema')
"""
CONNECTING = ("leaky.connect", "leaky.connectOutside")
PROVIDER_KEY = "violet-Umbrella_42-of-the-provider"


@dataclass
class Story:
    server: RunningServer
    provider: FakeProvider
    client: Client
    log: io.StringIO
    told: list[str] = field(default_factory=list[str])
    key: str = ""

    async def ask(self, method: str, url: str, status: int, body: Any = None) -> str:
        answer = await self.client.request(method, url, json=body)
        assert answer.status_code == status, answer.text
        self.told.append(answer.text + json.dumps(dict(answer.headers)))
        return answer.text

    async def get(self, url: str) -> Any:
        return json.loads(await self.ask("GET", url, 200))

    async def say(self, conversation: str, said: str) -> str:
        body = {"conversationId": conversation, "message": {"text": said}}
        return await self.ask("POST", "/api/chat", 200, body)

    async def open(self) -> str:
        return json.loads(await self.ask("POST", "/api/conversations", 201, {}))["id"]


@contextmanager
def listening() -> Iterator[io.StringIO]:
    """All that is logged, at its most talkative."""
    lines = io.StringIO()
    handler = logging.StreamHandler(lines)
    handler.setFormatter(JsonFormatter(build_hiding(Settings())))
    root, level = logging.getLogger(), logging.getLogger().level
    root.addHandler(handler)
    root.setLevel("DEBUG")
    try:
        yield lines
    finally:
        root.removeHandler(handler)
        root.setLevel(level)


@asynccontextmanager
async def open_story(databases: Databases) -> AsyncGenerator[Story]:
    loaded = load_plugins([administration.plugin, assistant.plugin], [catalog, plugin], {})
    settings = {"tool_calls": MANY, "ollama_url": ""}
    with listening() as log:
        async with (
            run_provider() as provider,
            databases.copy() as url,
            run_server(url, loaded=loaded, **settings) as server,
        ):
            tenant = await find_tenant(server)
            story = Story(server, provider, tenant.admin.client, log)
            await keep_secrets(story)
            yield story


async def keep_secrets(story: Story) -> None:
    """Two values of the vault, one of them a key of a provider, and an application's key."""
    draft = {
        "name": "Fake",
        "baseUrl": story.provider.url,
        "defaultModel": "fake",
        "classifier": False,
    }
    draft["key"] = PROVIDER_KEY
    await story.ask("POST", "/api/admin/integrations", 201, draft)
    await story.ask("POST", "/api/admin/integrations", 201, draft | {"name": "Old", "key": VAULT})
    made = json.loads(
        await story.ask("POST", "/api/applications", 201, {"name": "robot", "rules": ["*"]})
    )
    shown_once = await story.client.post(f"/api/applications/{made['id']}/keys", json={})
    story.key = expect(shown_once, 201)["key"]


@pytest_asyncio.fixture(scope="module")
async def story(databases: Databases) -> AsyncGenerator[Story]:
    async with open_story(databases) as opened:
        await tell(opened)
        yield opened


def spread(secret: str) -> list[str]:
    """A few characters at a time, as models speak."""
    whole = f"It is {secret} I think, and "
    return [whole[start : start + 5] for start in range(0, len(whole), 5)]


async def tell(story: Story) -> None:
    conversation = await story.open()
    await tell_of_a_message(story, conversation)
    await tell_of_tools(story, conversation)
    await tell_of_a_question(story, conversation)
    await tell_of_failures(story, conversation)
    await tell_of_proposals(story)
    await tell_of_a_typed_secret(story)
    await tell_of_names(story, conversation)
    await tell_of_files(story)
    await tell_of_knowledge(story)
    for url in (
        f"/api/conversations/{conversation}",
        f"/api/conversations/{conversation}/messages",
        "/api/conversations",
        "/api/proposals",
        "/api/audit",
        "/api/admin/integrations",
        "/api/applications",
        "/api/tools",
        "/api/me",
        "/api/memories",
        "/api/documents",
        "/api/skills",
        "/api/corrections",
        "/api/business-context",
    ):
        await story.get(url)


async def tell_of_a_message(story: Story, conversation: str) -> None:
    """The person, the model's words and its thoughts; then the title."""
    story.provider.script(
        stream(
            reasoning(*spread(CANARIES["reasoning"]), *spread(VAULT)),
            text(*spread(CANARIES["text"]), *spread(VAULT)),
            end(),
        ),
        stream(text(*spread(CANARIES["title"])), end()),
    )
    encoded = base64.b64encode(f"x{VAULT}".encode()).decode()
    said = f"My key is {CANARIES['message']}, password: hunter2x, {VAULT}, {encoded}"
    await story.say(conversation, said)

    async def has_title() -> bool:
        return len(story.provider.requests) >= 2

    await wait_until(has_title)


async def tell_of_tools(story: Story, conversation: str) -> None:
    for name, status in (("leaky_read", 200), ("leaky_fail", 409), ("leaky_crash", 500)):
        given = json.dumps({"text": f"{CANARIES['arguments']} {VAULT}"})
        pieces = [given[start : start + 7] for start in range(0, len(given), 7)]
        story.provider.script(
            stream(call(name, *pieces), end("tool_calls")), stream(text("Done."), end())
        )
        await story.say(conversation, f"Use {name}")
        url = f"/api/tools/{name.replace('_', '.')}/call"
        await story.ask("POST", url, status, {"input": {}})
    await story.ask("POST", f"/api/tools/{CANARIES['name']}/call", 404, {"input": {}})


async def tell_of_a_question(story: Story, conversation: str) -> None:
    asked = {"questions": [{"key": "k", "text": f"Is it {VAULT}?", "kind": "text"}]}
    story.provider.script(stream(call("ai_askOperator", json.dumps(asked)), end("tool_calls")))
    streamed = parse_stream(await story.say(conversation, "Ask me"))
    questions = streamed.find("data-question")
    assert questions, streamed.events
    story.provider.script(stream(text("Thanks."), end()))
    answer = {"partId": questions[0]["id"], "value": {"k": f"{CANARIES['answer']} {VAULT}"}}
    await story.ask("POST", "/api/chat", 200, {"conversationId": conversation, "answer": answer})


async def tell_of_failures(story: Story, conversation: str) -> None:
    story.provider.script(
        refuse(400, {"message": f"Bad key {CANARIES['provider']} {PROVIDER_KEY} {VAULT}"})
    )
    await story.say(conversation, "Go on")


async def tell_of_proposals(story: Story) -> None:
    for wish, deed in (("apply", "apply"), ("fail", "apply"), (VAULT, "decline")):
        body = {"tool": "leaky.change", "input": {"text": wish}}
        card = json.loads(await story.ask("POST", "/api/proposals", 201, body))
        token = await ask_token(story.client, card["id"])
        reason = {"reason": f"No: {CANARIES['reason']} {VAULT}"} if deed == "decline" else {}
        url = f"/api/proposals/{card['id']}"
        await story.ask("POST", f"{url}/{deed}", 200, {"token": token, **reason})
        await story.get(url)


async def tell_of_a_typed_secret(story: Story) -> None:
    for host in ("somewhere", "nowhere"):
        body = {"tool": "leaky.connect", "input": {"hostName": host}}
        card = json.loads(await story.ask("POST", "/api/proposals", 201, body))
        token = await ask_token(story.client, card["id"])
        typed = {"token": token, "secrets": {"adminKey": TYPED}}
        await story.ask("POST", f"/api/proposals/{card['id']}/apply", 200, typed)


async def tell_of_names(story: Story, conversation: str) -> None:
    title = f"About {CANARIES['renaming']} {VAULT}"
    await story.ask("PATCH", f"/api/conversations/{conversation}", 200, {"title": title})
    await story.client.get(f"/api/conversations?q={CANARIES['renaming']}")
    await story.client.get("/api/me", headers={"authorization": f"Bearer {story.key}"})
    logging.getLogger("assent.test").error("Lost %s", VAULT, extra={"url": PROVIDER_KEY})


async def tell_of_files(story: Story) -> None:
    """A text with secrets in its name too, said, rated, said anew, branched, found and exported."""
    conversation = await story.open()
    held = f"key: {CANARIES['file']}\n{VAULT}\n{base64.b64encode(VAULT.encode()).decode()}\n"
    sent = {"file": (f"{VAULT}.txt", held.encode("utf-16"))}
    answer = await story.client.post("/api/files", files=sent)
    story.told.append(answer.text)
    file_id = expect(answer, 201)["id"]
    await story.ask("GET", f"/api/files/{file_id}", 200)
    story.provider.script(*(stream(text(*spread(VAULT)), end()) for _ in range(4)))
    said = {"text": f"Read {VAULT}", "fileIds": [file_id]}
    body = {"conversationId": conversation, "message": said}
    await story.ask("POST", "/api/chat", 200, body)
    await story.ask("PATCH", f"/api/conversations/{conversation}", 200, {"title": f"T {VAULT}"})
    anew = {"conversationId": conversation, "retry": {"text": f"{CANARIES['anew']} {VAULT}"}}
    await story.ask("POST", "/api/chat", 200, anew)
    messages = (await story.get(f"/api/conversations/{conversation}/messages"))["items"]
    comment = {"rating": "down", "comment": f"No: {CANARIES['comment']} {VAULT}"}
    last = messages[-1]["id"]
    await story.ask("PUT", f"/api/messages/{last}/feedback", 200, comment)
    url = f"/api/conversations/{conversation}"
    branch = await story.ask("POST", f"{url}/branch", 201, {"messageId": last})
    for one in (conversation, json.loads(branch)["id"]):
        for form in ("json", "markdown"):
            await story.ask("GET", f"/api/conversations/{one}/export?format={form}", 200)
    await story.get("/api/conversations?q=secret")


async def tell_of_knowledge(story: Story) -> None:
    """All that a model is told beside the conversation: typed, changed, proposed, read and used."""

    def plant(where: str) -> str:
        return f"umbrella {CANARIES[where]} {VAULT}"

    always = {"text": plant("memory"), "hint": plant("memory"), "alwaysApply": True}
    page = {name: plant("document") for name in ("title", "section", "text")}
    fields = ("name", "description", "prompt", "starter")
    skill = {name: plant("skill") for name in fields}
    ids: dict[str, str] = {}
    for kind, draft in (("memories", always), ("documents", page), ("skills", skill)):
        made = json.loads(await story.ask("POST", f"/api/{kind}", 201, draft))
        ids[kind] = made["id"]
        again = {name: one for name, one in draft.items() if isinstance(one, str)}
        await story.ask("PATCH", f"/api/{kind}/{made['id']}", 200, again)
    await story.ask("POST", "/api/corrections", 201, {"text": plant("correction")})
    facts = {"facts": {"umbrella": plant("fact"), "more": [plant("fact")]}}
    await story.ask("PUT", "/api/business-context/own", 200, facts)
    for tool, given in (("ai.recall", "query"), ("ai.searchDocs", "query")):
        await story.ask("POST", f"/api/tools/{tool}/call", 200, {"input": {given: "umbrella"}})
    remember = {"text": f"Their key: {CANARIES['memory']} {VAULT}", "hint": VAULT}
    body = {"tool": "ai.remember", "input": remember}
    card = json.loads(await story.ask("POST", "/api/proposals", 201, body))
    applied = await apply(story.client, card["id"])
    story.told.append(json.dumps(applied))
    story.provider.script(
        stream(call("ai_recall", json.dumps({"query": "umbrella"})), end("tool_calls")),
        stream(text("Well."), end()),
    )
    said = {"message": {"text": "What of the umbrella?"}, "skillId": ids["skills"]}
    await story.ask("POST", "/api/chat", 200, {"conversationId": await story.open(), **said})


def find_leaks(places: Iterable[str], story: Story) -> dict[str, str]:
    """Which secrets are there, in which form."""
    kept = {"vault": VAULT, "typed": TYPED, "provider's key": PROVIDER_KEY, "key": story.key}
    secrets = {**CANARIES, **kept}
    whole = "\n".join(places)
    return {
        name: form
        for name, secret in secrets.items()
        for form in list_forms(secret)
        if form in whole
    }


async def test_no_response_and_no_event_has_a_secret(story: Story) -> None:
    assert len(story.told) > 30
    assert find_leaks(story.told, story) == {}
    assert any("[secret: vault]" in one for one in story.told)


async def test_no_row_has_a_secret(story: Story) -> None:
    rows: list[str] = []
    async with story.server.database.connection() as db:
        for table in [row[0] for row in await db.fetch(TABLES)]:
            found = [row[0] for row in await db.fetch(f"SELECT t::text FROM {table} AS t")]
            assert {table: find_leaks(found, story)} == {table: {}}
            rows += found
    assert sum("[secret: " in row for row in rows) > 10


async def test_no_log_line_has_a_secret(story: Story) -> None:
    lines = story.log.getvalue()
    assert "Crashed: [secret: github-token] and [secret: vault]" in lines
    assert find_leaks([lines], story) == {}


async def test_no_model_sees_a_secret(story: Story) -> None:
    asked = [json.dumps(one.body, ensure_ascii=False) for one in story.provider.requests]
    assert len(asked) > 8
    assert find_leaks(asked, story) == {}
    told = max(one.count("umbrella [secret: github-token] [secret: vault]") for one in asked)
    assert told >= 5, "memory, skill, correction and facts were there"


async def test_what_is_sealed_is_done_as_it_was_given(story: Story) -> None:
    body = {"tool": "leaky.change", "input": {"text": VAULT}}
    card = json.loads(await story.ask("POST", "/api/proposals", 201, body))
    assert card["payload"] == {"text": "[secret: vault]"}
    assert card["diff"][0]["before"] == card["diff"][0]["after"] == "[secret: named]"
    applied = await apply(story.client, card["id"])
    assert applied["result"]["same"] is True
    assert applied["result"]["vault"] == "[secret: vault]"


async def test_a_secret_is_known_as_soon_as_it_is_kept(story: Story) -> None:
    conversation = await story.open()
    fresh = "a fresh umbrella of no particular form"
    integrations = (await story.get("/api/admin/integrations"))["items"]
    [old] = [one["id"] for one in integrations if one["name"] == "Old"]
    url = f"/api/admin/integrations/{old}"
    await story.ask("PATCH", url, 200, {"key": fresh})
    story.provider.clear()
    story.provider.script(stream(text("Well, ", *spread(fresh)), end()))
    streamed = parse_stream(await story.say(conversation, f"Take {fresh}, please"))
    assert streamed.text.startswith("Well, It is [secret: vault] I think")
    assert "Take [secret: vault], please" in json.dumps(story.provider.requests[0].body)


async def connect(story: Story, host: str, tool: str = "leaky.connect") -> dict[str, Any]:
    body = {"tool": tool, "input": {"hostName": host}}
    return json.loads(await story.ask("POST", "/api/proposals", 201, body))


@pytest.mark.parametrize("tool", CONNECTING)
async def test_a_card_asks_for_a_secret(story: Story, tool: str) -> None:
    tools = (await story.get("/api/tools"))["items"]
    [schema] = [one["inputSchema"] for one in tools if one["name"] == tool]
    assert list(schema["properties"]) == ["hostName"]
    card = await connect(story, "here", tool)
    assert card["secrets"] == [{"name": "adminKey", "title": "Admin key"}]
    token = await ask_token(story.client, card["id"])
    url = f"/api/proposals/{card['id']}/apply"
    for typed in ({}, {"adminKey": "  "}, {"adminKey": TYPED, "other": "x"}):
        problem = await story.ask("POST", url, 422, {"token": token, "secrets": typed})
        assert json.loads(problem)["issues"][0]["path"].startswith("secrets.")
    body = {"token": token, "secrets": {"adminKey": TYPED}}
    applied = json.loads(await story.ask("POST", url, 200, body))
    assert applied["secrets"] == []
    assert applied["result"]["fits"] is True
    assert applied["result"]["value"] == "[secret: vault]"


async def test_nobody_else_fills_a_secret_field(story: Story) -> None:
    given = {"hostName": "here", "adminKey": "01a1e15c-6a61-7d08-8368-220209f8449b"}
    body = {"tool": "leaky.connect", "input": given}
    problem = json.loads(await story.ask("POST", "/api/proposals", 422, body))
    assert problem["issues"][0]["path"].endswith("adminKey")


@pytest.mark.parametrize("tool", CONNECTING)
async def test_what_came_to_nothing_keeps_no_secret(story: Story, tool: str) -> None:
    count = f"SELECT count(*) FROM secrets WHERE name = '{tool} adminKey'"
    before = await fetch_value(story.server, count)
    card = await connect(story, "nowhere", tool)
    token = await ask_token(story.client, card["id"])
    body = {"token": token, "secrets": {"adminKey": TYPED}}
    url = f"/api/proposals/{card['id']}/apply"
    assert json.loads(await story.ask("POST", url, 200, body))["state"] == "failed"
    assert await fetch_value(story.server, count) == before
