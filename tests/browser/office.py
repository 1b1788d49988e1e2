"""A server whose model is a scripted provider, for tests that decide what is said and when."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from assent.testing import Client, Databases, RunningServer, run_server
from assent.testing.provider import FakeProvider, run_provider


@dataclass(frozen=True, slots=True)
class Office:
    server: RunningServer
    provider: FakeProvider
    client: Client

    async def open_chat(self) -> str:
        """With a title, so that nobody asks the provider for one."""
        chat = (await self.client.post("/api/conversations", json={})).json()["id"]
        answer = await self.client.patch(f"/api/conversations/{chat}", json={"title": "Stories"})
        assert answer.is_success, answer.text
        return chat

    async def list_texts(self, chat: str) -> list[tuple[str, str]]:
        """Who said what, as it is stored."""
        items = (await self.client.get(f"/api/conversations/{chat}/messages")).json()["items"]
        return [(one["role"], join_texts(one["parts"])) for one in items]

    async def is_watched_by(self, count: int) -> bool:
        return self.server.app.state.parts.studio.copies.followers == count


def join_texts(parts: list[dict[str, Any]]) -> str:
    return "".join(part["text"] for part in parts if part["type"] == "text")


@asynccontextmanager
async def open_office(databases: Databases) -> AsyncGenerator[Office]:
    async with (
        databases.copy() as url,
        run_provider() as provider,
        run_server(url, demo=True, demo_pace=0, ollama_url="") as server,
    ):
        client = await server.open_admin()
        draft = {
            "name": "Outside",
            "baseUrl": provider.url,
            "defaultModel": "large",
            "classifier": False,
        }
        answer = await client.post("/api/admin/integrations", json=draft)
        assert answer.is_success, answer.text
        yield Office(server, provider, client)
