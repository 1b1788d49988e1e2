"""Guides, corrections, business context; agents, integrations and roles (SPEC H8, H11, G5)."""

from collections.abc import AsyncGenerator
from typing import Any
from uuid import uuid4

import pytest
import pytest_asyncio

from assent.plugins.load import load_plugins
from assent.testing import Databases
from tests.turn.grounded import SECRET, act, assent, find_card, read_prompt, use
from tests.turn.people import add_person, add_tenant, add_workspace, expect, fetch
from tests.turn.talk import Talk, open_talk


@pytest_asyncio.fixture(scope="module")
async def talk(databases: Databases) -> AsyncGenerator[Talk]:
    async with open_talk(databases) as opened:
        yield opened


async def test_the_prompt_lists_guides_and_each_is_loaded_once_in_a_run(talk: Talk) -> None:
    conversation = await talk.open()
    guide = ("ai_loadGuide", {"name": "error-handling"})
    told = await act(talk, conversation, "Help.", guide, guide)
    assert "- error-handling: a call failed" in read_prompt(talk)
    [first] = told.find("tool-output-available")
    assert "outcome_unknown" in first["output"]["text"]
    [second] = told.find("tool-output-error")
    assert "use what it gave above" in second["errorText"]
    told = await act(talk, conversation, "Once more.", guide)
    assert told.find("tool-output-available")
    refused = await use(talk, "ai.loadGuide", {"name": "cooking"}, 422)
    assert "one-time-task" in str(refused)


async def test_corrections_are_in_every_prompt_of_the_tenant(talk: Talk) -> None:
    draft = {"text": f"Say gate, never valve {SECRET}.", "kind": "learning"}
    made = expect(await talk.client.post("/api/corrections", json=draft), 201)
    assert SECRET not in str(made)
    await act(talk, await talk.open(), "Hello.")
    assert '- learning: "Say gate, never valve' in read_prompt(talk)
    operator = await add_person(talk.server, talk.tenant.id, role="operator")
    refused = await operator.client.post("/api/corrections", json={"text": "x"})
    assert refused.status_code == 403
    assert len(expect(await operator.client.get("/api/corrections"), 200)["items"]) == 1
    other = await add_tenant(talk.server)
    assert expect(await other.admin.client.get("/api/corrections"), 200)["items"] == []
    url = f"/api/corrections/{made['id']}"
    assert (await other.admin.client.delete(url)).status_code == 404
    expect(await talk.client.delete(url), 204)
    await act(talk, await talk.open(), "Hello.")
    assert "## Corrections" not in read_prompt(talk)


async def test_the_model_corrects_itself_with_a_card(talk: Talk) -> None:
    conversation = await talk.open(mode="auto")
    told = await act(
        talk, conversation, "Correct that.", ("ai_addCorrection", {"text": "Lifts are hoists."})
    )
    assert (await find_card(talk, told))["reason"]["code"] == "tool_always_asks"
    made = await assent(talk, conversation, told)
    assert "Lifts are hoists" in str(await use(talk, "ai.listCorrections", {}))
    given = {"correctionId": made["correctionId"]}
    told = await act(talk, conversation, "Back.", ("ai_removeCorrection", given))
    await assent(talk, conversation, told)
    assert await use(talk, "ai.listCorrections", {}) in (
        [],
        {"items": []},
        {"items": [], "nextCursor": None},
    )


async def test_the_nearest_level_counts_key_by_key(talk: Talk) -> None:
    workspace = str(talk.tenant.workspace_id)
    url = "/api/business-context"
    tenant = {"language": "German", "colours": ["red", "blue"], "desk": {"phone": 1, "mail": "a"}}
    expect(await talk.client.put(url, json={"facts": tenant, "expectedVersion": 0}), 200)
    near = {"facts": {"colours": ["green"], "desk": {"phone": 2}}, "workspaceId": workspace}
    expect(await talk.client.put(url, json=near), 200)
    own = {"facts": {"language": "French", "key": SECRET}}
    assert SECRET not in str(expect(await talk.client.put(f"{url}/own", json=own), 200))
    shown = expect(await talk.client.get(f"{url}?workspaceId={workspace}"), 200)
    merged = shown["merged"]
    assert merged["language"] == "French"
    assert merged["colours"] == ["green"]
    assert merged["desk"] == {"phone": 2, "mail": "a"}
    await act(talk, await talk.open(), "Hello.")
    prompt = read_prompt(talk)
    assert '- colours: ["green"]' in prompt
    assert '- language: "French"' in prompt
    stale = {"facts": {}, "expectedVersion": 7}
    assert (await talk.client.put(url, json=stale)).status_code == 412
    operator = await add_person(talk.server, talk.tenant.id, role="operator")
    assert (await operator.client.put(url, json={"facts": {}})).status_code == 403
    expect(await operator.client.put(f"{url}/own", json={"facts": {"team": "night"}}), 200)
    seen = expect(await operator.client.get(url), 200)
    assert (seen["merged"]["language"], seen["merged"]["team"]) == ("German", "night")
    expect(await talk.client.put(url, json={"facts": {}}), 200)
    expect(await talk.client.put(f"{url}/own", json={"facts": {}}), 200)


async def test_a_rule_in_one_workspace_sets_that_workspace_alone(talk: Talk) -> None:
    workspace = await add_workspace(talk.server, talk.tenant.id)
    person = await add_person(
        talk.server, talk.tenant.id, rules=["ai.context.manage"], workspace_id=workspace
    )
    url = "/api/business-context"
    given = {"facts": {"a": 1}, "workspaceId": str(workspace)}
    expect(await person.client.put(url, json=given), 200)
    assert (await person.client.put(url, json={"facts": {}})).status_code == 403
    elsewhere = {"facts": {}, "workspaceId": str(talk.tenant.workspace_id)}
    assert (await person.client.put(url, json=elsewhere)).status_code in (403, 409)


@pytest.mark.parametrize(
    "facts", [{"": 1}, {"x": "y" * 9_000}, {str(n): n for n in range(51)}, ["a"], {" a": 1}]
)
async def test_facts_are_bounded(talk: Talk, facts: Any) -> None:
    refused = await talk.client.put("/api/business-context", json={"facts": facts})
    assert refused.status_code == 422


def test_platform_facts_come_from_the_settings() -> None:
    from assent.plugins import administration, assistant

    given = {"assistant": {"business_context": {"company": "Acme"}}}
    loaded = load_plugins([administration.plugin, assistant.plugin], [], given)
    assert loaded.settings["assistant"].business_context == {"company": "Acme"}


async def test_agents_are_proposed(talk: Talk) -> None:
    conversation = await talk.open(mode="auto")
    draft = {"slug": f"clerk-{uuid4().hex[:6]}", "name": "Clerk", "prompt": "File things."}
    told = await act(talk, conversation, "Make one.", ("ai_createAgent", draft))
    assert (await find_card(talk, told))["reason"]["code"] == "tool_always_asks"
    made = await assent(talk, conversation, told)
    change = {"agentId": made["agentId"], "prompt": "File things well."}
    told = await act(talk, conversation, "Better.", ("ai_updateAgent", change))
    assert [one["path"] for one in (await find_card(talk, told))["diff"]] == ["prompt"]
    await assent(talk, conversation, told)
    listed = await use(talk, "ai.listAgents", {})
    assert "File things well." in str(listed)
    told = await act(talk, conversation, "Away.", ("ai_deleteAgent", {"agentId": made["agentId"]}))
    await assent(talk, conversation, told)
    assert "Clerk" not in str(await use(talk, "ai.listAgents", {}))


async def test_integrations_are_proposed_and_their_key_is_typed_into_the_card(talk: Talk) -> None:
    conversation = await talk.open(mode="auto")
    name, before = f"Spare {uuid4()}", await list_kept(talk)
    draft = {"name": name, "baseUrl": "http://127.0.0.1:9/v1", "defaultModel": "m"}
    told = await act(talk, conversation, "Add it.", ("ai_createIntegration", draft))
    card = await find_card(talk, told)
    assert [one["name"] for one in card["secrets"]] == ["key"]
    done = await assent(talk, conversation, told, key=SECRET)
    found = expect(await talk.client.get("/api/admin/integrations"), 200)["items"]
    [made] = [one for one in found if one["id"] == done["integrationId"]]
    assert made["hasKey"] is True
    assert await list_kept(talk) == [*before, f"integration {made['id']}"]
    assert SECRET not in str([done, found, await use(talk, "ai.listIntegrations", {})])
    other = await talk.open(mode="auto")
    change = {"integrationId": made["id"], "enabled": False}
    told = await act(talk, other, "Off.", ("ai_updateIntegration", change))
    await assent(talk, other, told)
    told = await act(talk, other, "Away.", ("ai_deleteIntegration", {"integrationId": made["id"]}))
    assert "its key" in str((await find_card(talk, told))["removes"])
    await assent(talk, other, told)
    assert await list_kept(talk) == before


async def list_kept(talk: Talk) -> list[str]:
    """What the vault holds for the tenant, by name."""
    rows = await fetch(
        talk.server, "SELECT name FROM secrets WHERE tenant_id = $1 ORDER BY id", talk.tenant.id
    )
    return [row["name"] for row in rows]


async def test_roles_are_proposed_and_nobody_gives_what_they_do_not_hold(talk: Talk) -> None:
    conversation = await talk.open(mode="auto")
    slug = f"night-{uuid4().hex[:6]}"
    draft = {"slug": slug, "name": "Night shift", "rules": ["catalog.system.read"]}
    told = await act(talk, conversation, "Make it.", ("identity_createRole", draft))
    made = await assent(talk, conversation, told)
    change = {"roleId": made["roleId"], "rules": ["catalog.system.manage"]}
    told = await act(talk, conversation, "More.", ("identity_updateRole", change))
    await assent(talk, conversation, told)
    assert "catalog.system.manage" in str(await use(talk, "identity.listRoles", {}))
    unknown = {**draft, "slug": "other", "rules": ["cooking.soup.read"]}
    assert "cooking.soup.read" in str(await use(talk, "identity.createRole", unknown, 422))
    clerk = await add_person(
        talk.server, talk.tenant.id, rules=["identity.role.manage", "catalog.system.read"]
    )
    url = "/api/tools/identity.createRole/call"
    more = {**draft, "slug": "more", "rules": ["catalog.system.manage"]}
    refused = expect(await clerk.client.post(url, json={"input": more}), 403)
    assert refused["rule"] == "catalog.system.manage"
    told = await act(
        talk, conversation, "Away.", ("identity_deleteRole", {"roleId": made["roleId"]})
    )
    await assent(talk, conversation, told)


async def test_without_the_rules_the_model_has_none_of_these_tools(talk: Talk) -> None:
    viewer = await add_person(talk.server, talk.tenant.id, role="viewer")
    listed = expect(await viewer.client.get("/api/tools"), 200)["items"]
    names = {one["name"] for one in listed}
    assert {"ai.recall", "ai.remember", "ai.saveSkill", "ai.loadGuide", "ai.searchDocs"} <= names
    assert not names & {"ai.saveDocument", "ai.addCorrection", "ai.createAgent", "ai.listAgents"}
