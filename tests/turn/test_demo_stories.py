"""The demo model's stories with the real tools, over HTTP, from the demo workspace."""

from collections.abc import AsyncGenerator
from dataclasses import dataclass, field
from typing import Any

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
        cards = [part["id"] for part in self.last["parts"] if part["type"] == "data-proposal"]
        applied = await apply(self.client, cards[-1])
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
        run_server(url, demo=True, demo_pace=0, ollama_url="") as server,
    ):
        client = await server.open_admin()
        made = expect(await client.post("/api/conversations", json={}), 201)["id"]
        yield Chat(client, made)


async def test_what_is_wrong_has_a_true_answer_on_the_first_start(chat: Chat) -> None:
    said = await chat.say("What is wrong right now?")
    print(said, chat.tools)


async def test_an_incident_is_opened_updated_and_resolved(chat: Chat) -> None:
    await chat.say("open an incident for checkout: payments fail")
    print(chat.last["parts"])
    await chat.say("major")
    print(await chat.apply())
    await chat.say("add an update to it: the provider is down")
    print(await chat.apply())
    print(await chat.say("resolve it"))
    print(await chat.apply())
    print(await chat.say("list the incidents"))
    print(await chat.say("probe http://127.0.0.1:9/status"))
