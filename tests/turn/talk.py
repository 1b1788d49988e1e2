"""Talking over real HTTP with a scripted provider: what was said, streamed and stored."""

import json
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from assent.testing import Client, Databases, RunningServer, run_server
from assent.testing.provider import FakeProvider, run_provider
from tests.bank.accounts import open_account
from tests.bank.desk import MANY, load_bank
from tests.patience import wait_until
from tests.turn.people import Tenant, expect, find_tenant

HAS_SAID = """
SELECT EXISTS (
    SELECT FROM run_events JOIN runs ON runs.id = run_events.run_id
    WHERE runs.conversation_id = $1 AND strpos(convert_from(run_events.frames, 'UTF8'), $2) > 0
)
"""


@dataclass(frozen=True, slots=True)
class Streamed:
    """Events of a stream in their order, with their ids."""

    events: list[dict[str, Any]]
    ids: list[str]
    ended: bool

    @property
    def text(self) -> str:
        return "".join(one["delta"] for one in self.events if one["type"] == "text-delta")

    def find(self, *types: str) -> list[dict[str, Any]]:
        return [one for one in self.events if one["type"] in types]

    @property
    def types(self) -> list[str]:
        return [one["type"] for one in self.events]


def parse_stream(text: str) -> Streamed:
    events: list[dict[str, Any]] = []
    ids: list[str] = []
    ended = False
    for frame in text.split("\n\n"):
        fields = dict(
            line.split(": ", 1) for line in frame.splitlines() if not line.startswith(":")
        )
        if fields.get("data") == "[DONE]":
            ended = True
        elif "data" in fields:
            events.append(json.loads(fields["data"]))
            ids.append(fields["id"])
    return Streamed(events, ids, ended)


@dataclass(frozen=True, slots=True)
class Talk:
    server: RunningServer
    provider: FakeProvider
    tenant: Tenant

    @property
    def client(self) -> Client:
        return self.tenant.admin.client

    async def open(self, **draft: Any) -> str:
        """A conversation with a title, so that nobody asks the provider for one."""
        made = expect(await self.client.post("/api/conversations", json=draft), 201)["id"]
        expect(await self.client.patch(f"/api/conversations/{made}", json={"title": "Talk"}), 200)
        return made

    async def say(self, conversation_id: str, text: str, **more: Any) -> Streamed:
        body = {"conversationId": conversation_id, "message": {"text": text, **more}}
        answer = await self.client.post("/api/chat", json=body)
        assert answer.status_code == 200, answer.text
        return parse_stream(answer.text)

    async def list_messages(self, conversation_id: str) -> list[dict[str, Any]]:
        url = f"/api/conversations/{conversation_id}/messages"
        return expect(await self.client.get(url), 200)["items"]

    async def view(self, conversation_id: str) -> dict[str, Any]:
        return expect(await self.client.get(f"/api/conversations/{conversation_id}"), 200)

    async def open_account(self, *, balance: int = 100) -> UUID:
        return await open_account(self.server.database, self.tenant.id, balance=balance)

    async def wait_for(
        self, conversation_id: str, holds: Callable[[dict[str, Any]], Any]
    ) -> dict[str, Any]:
        async def look() -> dict[str, Any] | None:
            view = await self.view(conversation_id)
            return view if holds(view) else None

        return await wait_until(look)

    async def wait_for_text(self, conversation_id: str, text: str) -> None:
        """Until the turn that runs has said this, and everybody can hear it."""

        async def look() -> bool:
            async with self.server.database.connection() as db:
                return await db.fetchval(HAS_SAID, UUID(conversation_id), text)

        await wait_until(look)

    async def wait_for_messages(self, conversation_id: str, count: int) -> list[dict[str, Any]]:
        """Until so many messages are there, and nothing runs."""

        async def look() -> list[dict[str, Any]] | None:
            view = await self.view(conversation_id)
            messages = await self.list_messages(conversation_id)
            return messages if len(messages) >= count and view["status"] != "running" else None

        return await wait_until(look)


@asynccontextmanager
async def open_talk(databases: Databases, **settings: object) -> AsyncGenerator[Talk]:
    given: dict[str, Any] = {"tool_calls": MANY, "demo_pace": 0, "ollama_url": "", **settings}
    given.setdefault("loaded", load_bank())
    async with (
        run_provider() as provider,
        databases.copy() as url,
        run_server(url, **given) as server,
    ):
        tenant = await find_tenant(server)
        draft = {
            "name": "Fake",
            "baseUrl": provider.url,
            "key": "k",
            "defaultModel": "fake",
            "classifier": False,
            "images": True,
        }
        expect(await tenant.admin.client.post("/api/admin/integrations", json=draft), 201)
        yield Talk(server, provider, tenant)
