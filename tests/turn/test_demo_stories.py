"""The demo model's stories with the real tools, over HTTP, from the demo workspace."""

from collections.abc import AsyncGenerator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import pytest_asyncio

from assent.testing import Client, Databases, run_server
from tests.bank.desk import apply
from tests.patience import wait_until
from tests.turn.people import expect
from tests.turn.talk import parse_stream


@dataclass
class Chat:
    """One conversation of the first admin with the demo model."""

    client: Client
    id: str
    messages: list[dict[str, Any]] = field(default_factory=list[Any])

    async def say(self, text: str) -> str:
        """Say something; what was answered, as it is stored."""
        body = {"conversationId": self.id, "message": {"text": text}}
        answer = await self.client.post("/api/chat", json=body)
        assert answer.status_code == 200, answer.text
        streamed = parse_stream(answer.text)
        assert not streamed.find("error"), streamed.events
        await self.read(len(self.messages) + 2)
        return self.said

    async def apply(self) -> str:
        """Assent to the last card; what was answered to that."""
        applied = await apply(self.client, self.card)
        assert applied["state"] == "applied", applied
        await self.read(len(self.messages) + 1)
        return self.said

    async def read(self, count: int) -> None:
        async def look() -> list[dict[str, Any]] | None:
            url = f"/api/conversations/{self.id}"
            view = expect(await self.client.get(url), 200)
            listed = expect(await self.client.get(f"{url}/messages"), 200)["items"]
            return listed if len(listed) >= count and view["status"] != "running" else None

        self.messages = await wait_until(look)

    @property
    def last(self) -> dict[str, Any]:
        return self.messages[-1]

    @property
    def card(self) -> str:
        return [part["id"] for part in self.last["parts"] if part["type"] == "data-proposal"][-1]

    @property
    def said(self) -> str:
        return "\n".join(part["text"] for part in self.last["parts"] if part["type"] == "text")

    @property
    def tools(self) -> list[str]:
        parts = self.last["parts"]
        return [part["toolName"] for part in parts if part["type"] == "dynamic-tool"]


@pytest_asyncio.fixture
async def chat(databases: Databases) -> AsyncGenerator[Chat]:
    async with (
        databases.copy() as url,
        run_server(url, demo=True, demo_pace=0, ollama_url="", sandbox="strict") as server,
    ):
        client = await server.open_admin()
        made = expect(await client.post("/api/conversations", json={}), 201)["id"]
        yield Chat(client, made)


async def test_what_is_wrong_has_a_true_answer_on_the_first_start(chat: Chat) -> None:
    """The first runs come at once: within seconds one check is up and the other is down."""

    async def has_run() -> bool:
        listed = expect(await chat.client.get("/api/p/healthcheck/checks"), 200)["items"]
        noticed = expect(await chat.client.get("/api/p/anomaly/anomalies"), 200)["items"]
        return bool(noticed) and {one["name"]: one["status"] for one in listed} == {
            "Assent itself": "up",
            "Search port": "down",
        }

    await wait_until(has_run)
    said = await chat.say("What is wrong right now?")
    assert chat.tools == ["system.issues"]
    assert "**search**" in said
    assert "Health check Search port is down: 127.0.0.1:1 does not answer" in said
    [told] = [line for line in said.splitlines() if "Search port" in line]
    assert told.endswith("Nobody has acknowledged that Search port is down")
    assert "major: Incident, identified: Search does not answer" in said
    assert "**orders**" in said and "Reindexing of orders" in said
    assert "other systems show no issue" in said
    assert "Assent itself" not in said
    assert "Search port is down" in await chat.say("what is wrong with search?")
    assert await chat.say("what is wrong with web?") == "Nothing is wrong with **web** right now."


async def test_an_incident_is_opened_updated_and_resolved(chat: Chat) -> None:
    await chat.say("open an incident for checkout: payments fail")
    assert chat.tools[-1] == "ai.askOperator"
    assert "Open incident payments fail in workspace Demo" in await chat.say("major")
    assert await chat.apply() == "Done: Open incident payments fail in workspace Demo."
    await chat.say("add an update to it: the provider is down")
    assert await chat.apply() == "Done: Add an update to incident payments fail."
    await chat.say("resolve it")
    assert await chat.apply() == "Done: Resolve incident payments fail."
    [incident] = expect(
        await chat.client.get("/api/p/incident/incidents", params={"q": "payments"}), 200
    )["items"]
    assert (incident["severity"], incident["status"]) == ("major", "resolved")
    detail = expect(await chat.client.get(f"/api/p/incident/incidents/{incident['id']}"), 200)
    assert [one["text"] for one in detail["updates"]] == ["Resolved.", "the provider is down"]


async def test_maintenance_is_scheduled_in_the_persons_zone(chat: Chat) -> None:
    said = await chat.say("schedule maintenance for checkout tomorrow 22:00 to 23:00")
    assert "Maintenance of checkout" in said
    await chat.apply()
    found = expect(
        await chat.client.get("/api/p/maintenance/windows", params={"q": "checkout"}), 200
    )["items"]
    [window] = found
    starts, ends = (datetime.fromisoformat(window[key]) for key in ("startsAt", "endsAt"))
    assert (starts - datetime.now(UTC)) < timedelta(days=2)
    assert starts > datetime.now(UTC)
    assert ends - starts == timedelta(hours=1)
    assert len(window["systemIds"]) == 1
    said = await chat.say("which maintenance is planned?")
    assert "Maintenance of checkout" in said and "Postgres gets its updates" in said


async def test_what_is_missing_for_maintenance_is_asked(chat: Chat) -> None:
    await chat.say("schedule maintenance")
    questions = [part for part in chat.last["parts"] if part["type"] == "data-question"]
    assert [one["key"] for one in questions[0]["data"]["questions"]] == ["start", "end"]


async def test_a_check_is_proposed_looked_at_and_deleted_in_auto_mode(chat: Chat) -> None:
    said = await chat.say("check http://127.0.0.1:1/x every 30 seconds")
    assert "Create health check 127.0.0.1:1/x in workspace Demo, every 30 seconds" in said
    said = await chat.apply()
    assert "127.0.0.1:1/x runs every 30 seconds." in said

    async def has_run() -> bool:
        query = {"q": "127.0.0.1:1/x"}
        listed = expect(await chat.client.get("/api/p/healthcheck/checks", params=query), 200)
        return listed["items"][0]["status"] == "down"

    await wait_until(has_run)
    assert "is down" in await chat.say("how is the check 127.0.0.1:1/x?")
    expect(await chat.client.patch(f"/api/conversations/{chat.id}", json={"mode": "auto"}), 200)
    said = await chat.say("delete the check 127.0.0.1:1/x")
    assert said == (
        "I prepared this: Delete health check 127.0.0.1:1/x. Please confirm it on the card."
    )
    assert "127.0.0.1:1/x and its runs are gone." in await chat.apply()
    assert "127.0.0.1:1/x" not in await chat.say("list the health checks")


STEPS = [
    "ai.searchDocs",
    "ai.getDoc",
    "healthcheck.getScriptContext",
    "healthcheck.listCapabilities",
    "healthcheck.getCapabilitySchema",
    "catalog.listSystems",
    "healthcheck.testScript",
    "healthcheck.propose",
]


@pytest.mark.parametrize("kind", ["script", "shell script"])
async def test_a_script_is_written_tried_and_proposed_as_it_was_tried(
    chat: Chat, kind: str
) -> None:
    """The check is of this server itself, which is the one place here that surely answers."""
    url = f"{chat.client.base_url}/healthz"
    said = await chat.say(f"create a {kind} health check called Own for web that probes {url}")
    assert [one for one in chat.tools if one != "ai.showPlan"] == STEPS, said
    assert "I wrote the script and tried it out" in said
    calls = {
        part["toolName"]: part for part in chat.last["parts"] if part["type"] == "dynamic-tool"
    }
    tested = calls["healthcheck.testScript"]
    assert (tested["output"]["error"], tested["output"]["result"]["ok"]) == (None, True)
    card = expect(await chat.client.get(f"/api/proposals/{chat.card}"), 200)
    config = card["creates"]["strategy"]["config"]
    assert config["source"] == tested["input"]["source"]
    assert str(url) in config["source"]
    assert card["creates"]["test"]["result"]["ok"] is True
    assert card["creates"]["systems"] == ["web"]
    assert not card["isRed"], card["provenance"]["alarms"]
    said = await chat.apply()
    assert "Own runs every minute." in said

    async def has_run() -> bool:
        listed = expect(
            await chat.client.get("/api/p/healthcheck/checks", params={"q": "Own"}), 200
        )["items"]
        return listed[0]["status"] == "up"

    await wait_until(has_run)
    assert "**Own** is up" in await chat.say("how is the check Own?")


async def test_a_draft_that_fails_is_not_proposed(chat: Chat) -> None:
    said = await chat.say("create a script health check that probes http://127.0.0.1:1/status")
    assert chat.tools[-2:] == ["healthcheck.testScript", "ai.showPlan"]
    assert said.startswith("I wrote a draft, but trying it out went wrong:")
    assert "127.0.0.1:1 does not answer" in said


async def test_the_documentation_is_searched_and_the_page_named(chat: Chat) -> None:
    said = await chat.say("What does the documentation say about approval rules?")
    assert chat.tools == ["ai.searchDocs"]
    assert "(`proposals`)" in said
    said = await chat.say("What does the documentation say about zygomorphic xylophones?")
    assert said.startswith("The documentation says nothing about")


async def test_an_address_inside_is_refused_with_the_reason(chat: Chat) -> None:
    said = await chat.say("probe http://127.0.0.1:1/status")
    assert "I could not look at http://127.0.0.1:1/status" in said
    assert "loopback" in said


async def test_what_is_to_be_remembered_has_a_card(chat: Chat) -> None:
    await chat.say("remember that we deploy on Tuesdays")
    assert chat.tools == ["ai.remember"]
    assert "I will remember it" in await chat.apply()
    assert "we deploy on Tuesdays" in await chat.say("what do you know about deploy?")
