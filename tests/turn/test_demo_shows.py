"""The demo model shows plans and suggests replies, so that both are seen without a provider."""

from typing import Any

from assent.testing import Databases, run_server
from tests.bank.desk import apply, decline
from tests.patience import wait_until
from tests.turn.people import Tenant, expect, find_tenant
from tests.turn.talk import parse_stream

TASK = "Create a group called Payments and rename group Storefront to Shop"


async def say(tenant: Tenant, conversation: str, text: str) -> Any:
    body = {"conversationId": conversation, "message": {"text": text}}
    answer = await tenant.admin.client.post("/api/chat", json=body)
    assert answer.status_code == 200, answer.text
    return parse_stream(answer.text)


async def read(tenant: Tenant, conversation: str, count: int) -> list[dict[str, Any]]:
    async def look() -> list[dict[str, Any]] | None:
        url = f"/api/conversations/{conversation}"
        view = expect(await tenant.admin.client.get(url), 200)
        listed = expect(await tenant.admin.client.get(f"{url}/messages"), 200)["items"]
        return listed if len(listed) >= count and view["status"] != "running" else None

    return await wait_until(look)


def states(message: dict[str, Any]) -> list[str]:
    [plan] = [part for part in message["parts"] if part["type"] == "data-plan"]
    return [step["state"] for step in plan["data"]["steps"]]


def card(message: dict[str, Any]) -> str:
    return next(part["id"] for part in message["parts"] if part["type"] == "data-proposal")


async def test_it_suggests_replies_and_works_through_a_plan(databases: Databases) -> None:
    async with (
        databases.copy() as url,
        run_server(url, demo=True, demo_pace=0, ollama_url="") as server,
    ):
        tenant = await find_tenant(server)
        client = tenant.admin.client
        conversation = expect(await client.post("/api/conversations", json={}), 201)["id"]
        hello = await say(tenant, conversation, "Hello")
        [replies] = hello.find("data-quick-replies")
        first = replies["data"]["replies"][0]
        chosen = await say(tenant, conversation, first)
        assert chosen.text and not chosen.find("data-quick-replies")
        told = await say(tenant, conversation, TASK)
        assert told.find("data-plan") and told.find("data-proposal")
        messages = await read(tenant, conversation, 6)
        waiting = [p["id"] for p in messages[-1]["parts"] if p["type"] == "data-proposal"]
        assert states(messages[-1])[0] == "active"
        for number, proposal in enumerate(waiting):
            await apply(client, proposal)
            messages = await read(tenant, conversation, 7 + number)
        assert set(states(messages[-1])) == {"done"}, messages[-1]["parts"]

        conversation = expect(await client.post("/api/conversations", json={}), 201)["id"]
        await say(tenant, conversation, "Create a group called Night and then list groups")
        messages = await read(tenant, conversation, 2)
        assert states(messages[-1]) == ["active", "pending"]
        await decline(client, card(messages[-1]))
        messages = await read(tenant, conversation, 3)
        assert states(messages[-1]) == ["skipped", "skipped"]
