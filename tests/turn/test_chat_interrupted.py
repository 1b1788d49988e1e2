"""A server that goes away in the middle of a turn: the turn ends, and what was stored stays."""

import asyncio
import json

from assent.testing import Databases, run_server
from assent.testing.provider import FakeProvider, Scripted, call, end, run_provider, stream, text
from tests.bank.desk import MANY, load_bank
from tests.patience import wait_until
from tests.turn.people import expect, find_tenant
from tests.turn.talk import Talk


async def test_a_turn_does_not_stay_under_way(databases: Databases) -> None:
    settings = {"tool_calls": MANY, "demo_pace": 0, "ollama_url": "", "master_key": "11" * 32}
    async with run_provider() as provider, databases.copy() as url:
        provider.script(
            stream(text("Let me see. "), call("bank_report", '{"count": 1}'), end("tool_calls")),
            Scripted((*stream(text("It says ")).steps[:-1], "hang")),
        )
        async with run_server(url, loaded=load_bank(), **settings) as first:
            tenant = await find_tenant(first)
            draft = {"name": "Fake", "baseUrl": provider.url, "key": "k", "defaultModel": "fake"}
            expect(await tenant.admin.client.post("/api/admin/integrations", json=draft), 201)
            talk = Talk(first, provider, tenant)
            conversation = await talk.open()
            send = f"/api/conversations/{conversation}/messages"
            expect(await talk.client.post(send, json={"message": {"text": "Report"}}), 202)
            await wait_until(lambda: has_asked(provider, 2))
            for task in asyncio.all_tasks():
                if task.get_name().startswith("work runs.drive"):
                    task.cancel()
        async with run_server(url, loaded=load_bank(), lease_seconds=2, **settings) as second:
            again = Talk(second, provider, await find_tenant(second))
            await wait_until(lambda: is_idle(again))
            stored = await load_parts(again)
    assert "input-available" not in json.dumps(stored)
    assert "Let me see." in json.dumps(stored)


async def has_asked(provider: FakeProvider, count: int) -> bool:
    return len(provider.requests) >= count


async def is_idle(talk: Talk) -> bool:
    active = "SELECT count(*) FROM runs WHERE status IN ('queued', 'running')"
    async with talk.server.database.connection() as db:
        return await db.fetchval(active) == 0


async def load_parts(talk: Talk) -> object:
    async with talk.server.database.connection() as db:
        return await db.fetchval("SELECT parts FROM messages WHERE role = 'assistant'")
