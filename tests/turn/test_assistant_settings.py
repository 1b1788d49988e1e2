"""Agents and integrations as admins set them up: what is left out stays, what is null goes."""

from typing import Any

import pytest

from assent.testing import RunningServer
from tests.turn.people import Tenant, add_person, expect

AGENT = {
    "slug": "teller",
    "name": "Teller",
    "prompt": "Speak like a bank.",
    "tools": ["ai.readArtifact"],
}
INTEGRATION = {
    "name": "Somewhere",
    "baseUrl": "http://127.0.0.1:9/v1",
    "defaultModel": "small",
    "contextWindow": 32_000,
    "cap": {"tokens": 1_000, "seconds": 60},
}


async def change(tenant: Tenant, path: str, made: dict[str, Any], body: dict[str, Any]) -> Any:
    return expect(await tenant.admin.client.patch(f"{path}/{made['id']}", json=body), 200)


@pytest.mark.parametrize(
    ("path", "draft", "cleared"),
    [
        ("/api/admin/agents", AGENT, {"integrationId": None, "model": None, "tools": None}),
        ("/api/admin/integrations", INTEGRATION, {"contextWindow": None, "cap": None}),
    ],
)
async def test_what_is_left_out_stays_and_what_is_null_goes(
    tenant: Tenant, path: str, draft: dict[str, Any], cleared: dict[str, Any]
) -> None:
    made = expect(await tenant.admin.client.post(path, json=draft), 201)
    renamed = await change(tenant, path, made, {"name": "Renamed"})
    assert renamed == {**made, "name": "Renamed", "version": made["version"] + 1}
    emptied = await change(tenant, path, made, cleared)
    assert emptied == {**renamed, **cleared, "version": renamed["version"] + 1}
    assert emptied["name"] == "Renamed"


async def test_who_chats_sees_which_model_an_agent_has(tenant: Tenant) -> None:
    client = tenant.admin.client
    draft = {**INTEGRATION, "name": "Another"}
    integration = expect(await client.post("/api/admin/integrations", json=draft), 201)
    agent = {"slug": "clerk", "name": "Clerk", "integrationId": integration["id"], "model": "small"}
    expect(await client.post("/api/admin/agents", json=agent), 201)
    listed = expect(await client.get("/api/agents"), 200)["items"]
    chosen = {one["slug"]: (one["integrationId"], one["model"]) for one in listed}
    assert chosen["clerk"] == (integration["id"], "small")
    assert chosen["assistant"] == (None, None)


async def test_suggestions_fit_the_agent_and_the_person(
    shared: RunningServer, tenant: Tenant
) -> None:
    client = tenant.admin.client
    lister = {"slug": "lister", "name": "Lister", "tools": ["catalog.listSystems"]}
    expect(await client.post("/api/admin/agents", json=lister), 201)
    mute = {"slug": "mute", "name": "Mute", "tools": []}
    expect(await client.post("/api/admin/agents", json=mute), 201)
    listed = expect(await client.get("/api/agents"), 200)["items"]
    suggested = {one["slug"]: [it["text"] for it in one["suggestions"]] for one in listed}
    assert suggested["lister"] == ["Which systems do we have?"]
    assert suggested["mute"] == []
    assert "Add a system called billing" in suggested["assistant"]

    reader = await add_person(shared, tenant.id, rules=["catalog.system.read"])
    listed = expect(await reader.client.get("/api/agents"), 200)["items"]
    own = {one["slug"]: one["suggestions"] for one in listed}
    assert [one["text"] for one in own["assistant"]][:2] == [
        "What is wrong right now?",
        "Which systems do we have?",
    ]
    assert not any("Add" in one["text"] for one in own["assistant"])
