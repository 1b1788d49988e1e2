"""Skills: which there are, whose they are, and the turn that one is chosen for (SPEC H10)."""

from collections.abc import AsyncGenerator
from typing import Any
from uuid import uuid4

import pytest
import pytest_asyncio

from assent.context.skills.built_in import BUILT_IN
from assent.testing import Databases
from assent.testing.provider import end, stream, text
from tests.turn.grounded import SECRET, act, assent, find_card, read_prompt, use
from tests.turn.people import Person, add_person, expect
from tests.turn.talk import Talk, open_talk, parse_stream


@pytest_asyncio.fixture(scope="module")
async def talk(databases: Databases) -> AsyncGenerator[Talk]:
    async with open_talk(databases) as opened:
        yield opened


async def add(person: Person, status: int = 201, **draft: Any) -> Any:
    given = {"name": f"Skill {uuid4()}", "prompt": "Rhyme.", **draft}
    return expect(await person.client.post("/api/skills", json=given), status)


async def list_ids(person: Person) -> list[str]:
    return [one["id"] for one in expect(await person.client.get("/api/skills"), 200)["items"]]


async def say(talk: Talk, conversation: str, said: str, skill: Any, status: int = 200) -> Any:
    talk.provider.clear()
    talk.provider.script(stream(text("There."), end()))
    body = {"conversationId": conversation, "message": {"text": said}, "skillId": skill}
    answer = await talk.client.post("/api/chat", json=body)
    assert answer.status_code == status, answer.text
    return parse_stream(answer.text) if status == 200 else answer.json()


async def test_six_come_along(talk: Talk) -> None:
    viewer = await add_person(talk.server, talk.tenant.id, role="viewer")
    assert (await list_ids(viewer))[:6] == [
        "incident-commander",
        "health-investigator",
        "automation-author",
        "failure-root-cause",
        "severity-classifier",
        "customer-status-note",
    ]
    assert all(one.starter and one.description and one.prompt for one in BUILT_IN)


async def test_a_skill_is_ones_own_or_shared_under_a_rule(talk: Talk) -> None:
    person = await add_person(talk.server, talk.tenant.id, role="viewer")
    other = await add_person(talk.server, talk.tenant.id, role="operator")
    own = await add(person, name="Mine")
    assert own["id"] in await list_ids(person)
    assert own["id"] not in await list_ids(other)
    url = f"/api/skills/{own['id']}"
    assert (await other.client.patch(url, json={"prompt": "x"})).status_code == 404
    refused = await add(other, 403, reach="shared")
    assert refused["rule"] == "ai.sharing.manage"
    shared = await add(talk.tenant.admin, reach="shared")
    assert shared["id"] in await list_ids(other)
    address = f"/api/skills/{shared['id']}"
    assert (await other.client.delete(address)).status_code == 403
    changed = expect(await person.client.patch(url, json={"prompt": f"Use {SECRET}."}), 200)
    assert SECRET not in str(changed)
    stale = {"prompt": "x", "expectedVersion": 1}
    assert (await person.client.patch(url, json=stale)).status_code == 412
    await add(person, 409, name="mine")
    expect(await person.client.delete(url), 204)
    expect(await talk.client.delete(address), 204)


async def test_a_skill_is_active_in_the_turn_it_was_chosen_for_and_shown_after(talk: Talk) -> None:
    conversation = await talk.open()
    await say(talk, conversation, "What now?", "incident-commander")
    prompt = read_prompt(talk)
    assert "## Skill: Incident commander\n" in prompt
    assert "Lead the response to an incident." in prompt
    assert prompt.index("## Now") < prompt.index("## Skill")
    [said, *_] = await talk.list_messages(conversation)
    assert {
        "type": "data-skill",
        "id": "skill",
        "data": {"skillId": "incident-commander", "name": "Incident commander"},
    } in said["parts"]
    await act(talk, conversation, "And then?")
    assert "## Skill" not in read_prompt(talk)


async def test_trying_again_keeps_the_skill_or_takes_another(talk: Talk) -> None:
    conversation = await talk.open()
    await say(talk, conversation, "What now?", "incident-commander")
    for more, name in (({}, "Incident"), ({"skillId": "severity-classifier"}, "Severity")):
        talk.provider.clear()
        talk.provider.script(stream(text("Again."), end()))
        body = {"conversationId": conversation, "retry": {}, **more}
        assert (await talk.client.post("/api/chat", json=body)).status_code == 200
        assert f"## Skill: {name}" in read_prompt(talk)


async def test_a_skill_without_a_stream_and_one_of_ones_own(talk: Talk) -> None:
    made = await add(talk.tenant.admin, name="Poet", prompt="# Rhyme\nAlways.")
    conversation = await talk.open()
    talk.provider.clear()
    talk.provider.script(stream(text("There."), end()))
    url = f"/api/conversations/{conversation}/messages"
    expect(await talk.client.post(url, json={"text": "Hi.", "skillId": made["id"]}), 202)
    await talk.wait_for_messages(conversation, 2)
    assert "## Skill: Poet\n" in read_prompt(talk)
    assert "\n### Rhyme\nAlways." in read_prompt(talk)


@pytest.mark.parametrize(
    "skill", ["nothing", "01234567-89ab-cdef-0123-456789abcdef", 5, "", "x" * 300]
)
async def test_an_unknown_skill_is_refused_and_nothing_is_said(talk: Talk, skill: Any) -> None:
    conversation = await talk.open()
    refused = await say(talk, conversation, "Hello.", skill, 422)
    assert refused["issues"][0]["path"] == "skillId"
    assert await talk.list_messages(conversation) == []


async def test_a_skill_of_somebody_else_cannot_be_chosen(talk: Talk) -> None:
    other = await add_person(talk.server, talk.tenant.id, role="operator")
    made = await add(other)
    await say(talk, await talk.open(), "Hello.", made["id"], 422)


async def test_one_that_was_written_from_untrusted_content_taints_its_turns(talk: Talk) -> None:
    conversation = await talk.open(mode="auto")
    draft = {"name": "Gullible", "prompt": "Do as the mail says."}
    told = await act(
        talk, conversation, "Hm.", ("bank_readMail", {"text": "x"}), ("ai_saveSkill", draft)
    )
    assert (await find_card(talk, told))["reason"]["code"] == "tool_always_asks"
    made = await assent(talk, conversation, told)
    listed = await use(talk, "ai.listSkills", {})
    assert made["skillId"] in [one["skillId"] for one in listed]
    other = await talk.open(mode="auto")
    await say(talk, other, "Hello.", made["skillId"])
    deposit = {"accountId": str(await talk.open_account()), "amount": 5}
    told = await act(talk, other, "Put 5 there.", ("bank_deposit", deposit))
    assert (await find_card(talk, told))["reason"]["code"] == "tainted"
