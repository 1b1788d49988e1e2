"""What people write, and the calls or the answers that it leads to."""

import json
import random
import re
from typing import Any

import pytest

from tests.unit.models.demo.world import ALL, ASK, WORKSPACE, Talk

NEW = {"workspaceId": WORKSPACE}

CHANGES: list[tuple[str, str, dict[str, Any]]] = [
    ("add a system called payments", "catalog_createSystem", {**NEW, "name": "payments"}),
    ("Create system payments.", "catalog_createSystem", {**NEW, "name": "payments"}),
    ("new system: ledger", "catalog_createSystem", {**NEW, "name": "ledger"}),
    ("I need a system called ledger", "catalog_createSystem", {**NEW, "name": "ledger"}),
    ("add ledger to the systems", "catalog_createSystem", {**NEW, "name": "ledger"}),
    ("creat a system called x1", "catalog_createSystem", {**NEW, "name": "x1"}),
    ("CREATE A SYSTEM CALLED Big", "catalog_createSystem", {**NEW, "name": "Big"}),
    (
        "could you please add a payments system that handles cards",
        "catalog_createSystem",
        {**NEW, "name": "payments", "description": "Handles cards"},
    ),
    (
        "create a system ledger for invoices",
        "catalog_createSystem",
        {**NEW, "name": "ledger", "description": "For invoices"},
    ),
    (
        "create a system ledger for staging",
        "catalog_createSystem",
        {**NEW, "name": "ledger", "environmentIds": ["@environment:Staging"]},
    ),
    (
        'Create a new system named "Payment Gateway" in group Platform',
        "catalog_createSystem",
        {**NEW, "name": "Payment Gateway", "groupIds": ["@group:Platform"]},
    ),
    (
        "create a system in the platform group called ledger",
        "catalog_createSystem",
        {**NEW, "name": "ledger", "groupIds": ["@group:Platform"]},
    ),
    (
        "create a system payments in production and staging",
        "catalog_createSystem",
        {
            **NEW,
            "name": "payments",
            "environmentIds": ["@environment:Production", "@environment:Staging"],
        },
    ),
    (
        "create a system called ledger with description keeps the books and groups Platform",
        "catalog_createSystem",
        {
            **NEW,
            "name": "ledger",
            "description": "keeps the books",
            "groupIds": ["@group:Platform"],
        },
    ),
    (
        "create a system called web2 in workspace Demo",
        "catalog_createSystem",
        {**NEW, "name": "web2"},
    ),
    (
        "create a group Backoffice with systems billing and orders",
        "catalog_createGroup",
        {**NEW, "name": "Backoffice", "systemIds": ["@system:billing", "@system:orders"]},
    ),
    (
        "please crete a new environment named Testing",
        "catalog_createEnvironment",
        {**NEW, "name": "Testing"},
    ),
    (
        'Add environment “Test” with description "For the testers"',
        "catalog_createEnvironment",
        {**NEW, "name": "Test", "description": "For the testers"},
    ),
    ("delete the billing system", "catalog_deleteSystem", {"systemId": "@system:billing"}),
    ("delet billing", "catalog_deleteSystem", {"systemId": "@system:billing"}),
    (
        "please remove system billing, thanks",
        "catalog_deleteSystem",
        {"systemId": "@system:billing"},
    ),
    ("remove billing from the catalog", "catalog_deleteSystem", {"systemId": "@system:billing"}),
    ("get rid of billing", "catalog_deleteSystem", {"systemId": "@system:billing"}),
    ("delete search", "catalog_deleteSystem", {"systemId": "@system:search"}),
    ("delete the order system", "catalog_deleteSystem", {"systemId": "@system:Order system"}),
    ("delete BILLING", "catalog_deleteSystem", {"systemId": "@system:billing"}),
    ("drop the group Platform", "catalog_deleteGroup", {"groupId": "@group:Platform"}),
    ("delete grossenprufung", "catalog_deleteSystem", {"systemId": "@system:Größenprüfung"}),
    (
        "rename billing to invoicing",
        "catalog_updateSystem",
        {"systemId": "@system:billing", "name": "invoicing"},
    ),
    (
        'rename "Größenprüfung" to \'Größen "neu"\'',
        "catalog_updateSystem",
        {"systemId": "@system:Größenprüfung", "name": 'Größen "neu"'},
    ),
    (
        "rename the group Platform to Foundation",
        "catalog_updateGroup",
        {"groupId": "@group:Platform", "name": "Foundation"},
    ),
    (
        'Rename group "Platform" -> "Core"',
        "catalog_updateGroup",
        {"groupId": "@group:Platform", "name": "Core"},
    ),
    (
        "set the description of billing to: Sends invoices, daily, by mail.",
        "catalog_updateSystem",
        {"systemId": "@system:billing", "description": "Sends invoices, daily, by mail"},
    ),
    (
        "change the name of the group Platform to Core",
        "catalog_updateGroup",
        {"groupId": "@group:Platform", "name": "Core"},
    ),
    (
        "change the description of billing to Sends invoices to customers",
        "catalog_updateSystem",
        {"systemId": "@system:billing", "description": "Sends invoices to customers"},
    ),
    (
        "set billing's description to “Invoices”",
        "catalog_updateSystem",
        {"systemId": "@system:billing", "description": "Invoices"},
    ),
    (
        "add billing to group Platform",
        "catalog_addSystemToGroup",
        {"systemId": "@system:billing", "groupId": "@group:Platform"},
    ),
    (
        "move billing to Platform",
        "catalog_addSystemToGroup",
        {"systemId": "@system:billing", "groupId": "@group:Platform"},
    ),
    (
        "remove web from Storefront",
        "catalog_removeSystemFromGroup",
        {"systemId": "@system:web", "groupId": "@group:Storefront"},
    ),
    (
        "take checkout out of the Storefront group",
        "catalog_removeSystemFromGroup",
        {"systemId": "@system:checkout", "groupId": "@group:Storefront"},
    ),
    (
        "put billing into environments Production and Staging",
        "catalog_setSystemEnvironments",
        {
            "systemId": "@system:billing",
            "environmentIds": ["@environment:Production", "@environment:Staging"],
        },
    ),
    (
        "put web into staging",
        "catalog_setSystemEnvironments",
        {
            "systemId": "@system:web",
            "environmentIds": ["@environment:Production", "@environment:Staging"],
        },
    ),
    (
        "put web into staging only",
        "catalog_setSystemEnvironments",
        {"systemId": "@system:web", "environmentIds": ["@environment:Staging"]},
    ),
    (
        "remove web from production",
        "catalog_setSystemEnvironments",
        {"systemId": "@system:web", "environmentIds": []},
    ),
    (
        "set the environments of web to staging",
        "catalog_setSystemEnvironments",
        {"systemId": "@system:web", "environmentIds": ["@environment:Staging"]},
    ),
    (
        'open a critical incident called "Checkout is down" for checkout',
        "incident_create",
        {"title": "Checkout is down", "severity": "critical", "systemId": "@system:checkout"},
    ),
    (
        "create a high severity incident titled Login broken for system web "
        "starting tomorrow at 10:00",
        "incident_create",
        {
            "title": "Login broken",
            "severity": "high",
            "systemId": "@system:web",
            "startedAt": "2026-11-16T10:00:00+01:00",
        },
    ),
    (
        "open a high incident for checkout: payments fail",
        "incident_create",
        {"title": "payments fail", "severity": "high", "systemId": "@system:checkout"},
    ),
    ("resolve the DB outage", "incident_resolve", {"incidentId": "@incident:DB outage"}),
    ('close incident "DB outage"', "incident_resolve", {"incidentId": "@incident:DB outage"}),
    ("mark DB outage as resolved", "incident_resolve", {"incidentId": "@incident:DB outage"}),
    (
        "set the severity of DB outage to low",
        "incident_update",
        {"incidentId": "@incident:DB outage", "severity": "low"},
    ),
    (
        "set severity to critical for incident DB outage",
        "incident_update",
        {"incidentId": "@incident:DB outage", "severity": "critical"},
    ),
    (
        "add an update to incident DB outage: we rolled back",
        "incident_addUpdate",
        {"incidentId": "@incident:DB outage", "message": "we rolled back"},
    ),
    (
        "create a vegetarian recipe called Ratatouille with 4 servings and tags quick, summer",
        "recipe_create",
        {"name": "Ratatouille", "servings": 4, "vegetarian": True, "tags": ["quick", "summer"]},
    ),
    (
        "add flour to the pancakes recipe",
        "recipe_addIngredient",
        {"recipeId": "r1", "ingredient": "flour"},
    ),
    ("add flour to pancakes", "recipe_addIngredient", {"recipeId": "r1", "ingredient": "flour"}),
    ("delete the recipe Goulash", "recipe_delete", {"id": "r2"}),
]

READS: list[tuple[str, str, dict[str, Any], str]] = [
    ("list systems", "catalog_listSystems", {}, r"There are 10 systems:.*\| web \|"),
    ("Show me all the groups please", "catalog_listGroups", {}, r"2 groups.*Storefront"),
    ("which environments are there?", "catalog_listEnvironments", {}, r"2 environments.*Staging"),
    ("groups?", "catalog_listGroups", {}, r"2 groups"),
    ("are there any groups?", "catalog_listGroups", {}, r"2 groups"),
    (
        "how many systems do we have?",
        "catalog_listSystems",
        {"limit": 200},
        r"^There are 10 systems\.$",
    ),
    (
        "how many systems are in production?",
        "catalog_listSystems",
        {"environmentId": "@environment:Production", "limit": 200},
        r"^There are 2 systems with environment Production\.$",
    ),
    (
        "what systems are in production?",
        "catalog_listSystems",
        {"environmentId": "@environment:Production"},
        r"2 systems with environment Production.*\| orders \|",
    ),
    (
        "list the systems of the Storefront group",
        "catalog_listSystems",
        {"groupId": "@group:Storefront"},
        r"2 systems with group Storefront.*checkout",
    ),
    ("storefront systems", "catalog_listSystems", {"groupId": "@group:Storefront"}, r"2 systems"),
    (
        "find systems called mail",
        "catalog_listSystems",
        {"q": "mail"},
        r"matching “mail”.*mail-out",
    ),
    (
        "is there a system called nope?",
        "catalog_listSystems",
        {"q": "nope"},
        r"^There are no systems",
    ),
    ("show me the system Größenprüfung", "catalog_listSystems", {"q": "Größenprüfung"}, r"sizes"),
    ("show the last 2 systems", "catalog_listSystems", {"limit": 2}, r"^Here are 2 systems:"),
    (
        "what depends on orders?",
        "dependency_list",
        {"systemId": "@system:orders"},
        r"There is 1 dependency with “Depends on” orders.*\| checkout \| orders \| hard \|$",
    ),
    (
        "what does orders depend on?",
        "dependency_list",
        {"systemId": "@system:orders"},
        r"There is 1 dependency.*\| orders \| postgres \| hard \|$",
    ),
    (
        "what depends on checkout?",
        "dependency_list",
        {"systemId": "@system:checkout"},
        r"^There are no dependencies with “Depends on” checkout\.$",
    ),
    (
        "which systems depend on postgres",
        "dependency_list",
        {"systemId": "@system:postgres"},
        r"2 dependencies.*\| search \| postgres \| soft \|",
    ),
    (
        "show the dependencies of orders",
        "dependency_list",
        {"systemId": "@system:orders"},
        r"2 dependencies",
    ),
    ("which groups is checkout in?", "catalog_listGroups", {}, r"1 group for checkout.*Storefront"),
    (
        "which environments is billing in?",
        "catalog_listEnvironments",
        {},
        r"no environments for billing",
    ),
    ("List all systems as a table", "catalog_listSystems", {}, r"10 systems"),
    ("list open incidents", "incident_list", {"status": "open"}, r"1 incident with status open"),
    ("open incidents", "incident_list", {"status": "open"}, r"DB outage"),
    (
        "show the incident DB outage",
        "incident_get",
        {"incidentId": "@incident:DB outage"},
        r"\*\*Severity:\*\* high",
    ),
    ("search recipes for pancakes", "recipe_search", {"query": "pancakes"}, r"1 recipe.*Pancakes"),
    ("find vegetarian recipes", "recipe_search", {"vegetarian": True}, r"Pancakes"),
    ("which systems are broken?", "catalog_listSystems", {}, r"could not narrow this by “broken”"),
]

WORDS = [
    ("hello", r"^Hello! I am the built-in demo model"),
    ("Good morning!", r"built-in demo model"),
    ("thanks a lot", r"^You are welcome\.$"),
    ("help", r"built-in demo model.*List the systems.*resolve incidents"),
    ("What can you do?", r"Nothing changes before you have confirmed it"),
    ("are you a real AI?", r"fixed rules, no AI provider"),
    ("yes", r"nothing waiting for an answer"),
    ("no", r"Nothing was changed"),
    ("what is the weather in Berlin?", r"^I did not understand.*I can help with requests like"),
    ("what happens if postgres goes down?", r"^I did not understand"),
    ("make me a sandwich", r"^I did not understand"),
    ("qwertz asdf", r"^I did not understand “qwertz asdf”"),
    ("", r"^I did not understand"),
    ("delete xyz", r"^I found no group, system or recipe called “xyz”\.$"),
    ("delete everything", r"^I found no .*called “everything”"),
    ("change billing", r"^Tell me what to change about billing: its name or description\.$"),
    ("create a system", r"^What should the system be called\?$"),
    ("create a recipe called Soup", r"^How many servings\?$"),
    ("create payments", r"^What do you want to create\?.*- system"),
    ("delete mail", r"^Which system do you mean\?\n\n- mail-in\n- mail-out$"),
    ("delete biling", r"^Did you mean billing\?$"),
    ("add it to Platform", r"^Which system do you mean\?"),
    ("please delete the environment Staging", r"^I have no tool here to delete environments\.$"),
    ("rename environment Staging to Test", r"^I have no tool here to rename environments\.$"),
    ("list the ingredients", r"^I have no tool here to list ingredients\.$"),
]


def resolve(talk: Talk, value: Any) -> Any:
    """Names such as `@system:billing` as ids."""
    text = json.dumps(value, ensure_ascii=False)
    found = re.sub(r'"@(\w+):([^"]+)"', lambda m: f'"{talk.id_of(m[1], m[2])}"', text)
    return json.loads(found)


def test_there_are_enough() -> None:
    assert len(CHANGES) + len(READS) + len(WORDS) >= 100


@pytest.mark.parametrize(("text", "name", "arguments"), CHANGES, ids=[one[0] for one in CHANGES])
async def test_changes(text: str, name: str, arguments: dict[str, Any]) -> None:
    talk = Talk()
    await talk.say(text)
    changes = [call for call in talk.calls if not _reads(call[0])]
    assert changes == [(name, resolve(talk, arguments))]
    assert (
        talk.said
        == f"I prepared this: Call {name.partition('_')[2]}. Please confirm it on the card."
    )


def _reads(name: str) -> bool:
    return any(verb in name for verb in ("list", "search", "get"))


@pytest.mark.parametrize(
    ("text", "name", "arguments", "answer"), READS, ids=[one[0] for one in READS]
)
async def test_reads(text: str, name: str, arguments: dict[str, Any], answer: str) -> None:
    talk = Talk()
    await talk.say(text)
    assert talk.calls[-1] == (name, resolve(talk, arguments))
    assert all(_reads(called) for called, _ in talk.calls)
    assert re.search(answer, talk.said, re.S), talk.said


@pytest.mark.parametrize(("text", "answer"), WORDS, ids=[one[0] for one in WORDS])
async def test_words(text: str, answer: str) -> None:
    talk = Talk()
    await talk.say(text)
    assert re.search(answer, talk.said, re.S), talk.said
    assert all(_reads(called) for called, _ in talk.calls)


@pytest.mark.parametrize("text", [one[0] for one in CHANGES])
async def test_names_without_a_kind_never_fall_on_a_strange_tool(text: str) -> None:
    """With only the tools of another plugin there is nothing that these could mean."""
    talk = Talk(tools=tuple(tool for tool in ALL if tool.name == "incident_list"))
    await talk.say(text)
    assert all(name == "incident_list" for name, _ in talk.calls)


async def test_asks_with_the_tool_for_asking() -> None:
    talk = Talk(tools=(*ALL, ASK))
    await talk.say("report a new incident")
    assert talk.calls == [
        (
            "ai_askOperator",
            {
                "questions": [
                    {"key": "title", "text": "What should the incident be called?", "kind": "text"},
                    {
                        "key": "severity",
                        "text": "What is the severity of the incident?",
                        "kind": "choice",
                        "options": ["low", "high", "critical"],
                    },
                ]
            },
        )
    ]
    assert talk.said == ""


async def test_a_pasted_text_is_not_guessed_at() -> None:
    talk = Talk()
    await talk.say("delete billing. " * 1000)
    assert talk.calls == []
    assert talk.said.startswith("I did not understand “delete billing.")


VOICES = (
    "list show delete rename add put create system systems group billing production the a to into "
    "from in with called named and , . ? : it that description severity high 4 tomorrow 10:00 what "
    "which how many depends on is of 's all not Größe — ( ) incident recipe servings tags Demo "
    "workspace change set resolve yes no please \" ' „x“"
)


@pytest.mark.parametrize("seed", range(120))
async def test_always_comes_to_an_answer(seed: int) -> None:
    """Nonsense of known words neither breaks it nor keeps it going."""
    chance = random.Random(seed)
    voices = VOICES.split()
    talk = Talk(tools=chance.choice([ALL, (*ALL, ASK)]))
    for _ in range(2):
        await talk.say(" ".join(chance.choice(voices) for _ in range(chance.randint(1, 9))))
        assert talk.said or talk.calls[-1][0] == ASK.name


async def test_names_what_ids_stand_for() -> None:
    talk = Talk()
    await talk.say("list the dependencies")
    assert "| checkout | orders | hard |" in talk.said
    await talk.say("tell me about checkout")
    assert "| checkout | Takes orders and payments. | Storefront |" in talk.said
