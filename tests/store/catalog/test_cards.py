"""Every tool of the catalog that changes something: its card, and that the card comes true."""

from typing import Any

import pytest

from assent.tools.diff import encode_diff
from tests.contract.story import digest
from tests.store.catalog.facts import foresee, read_facts
from tests.store.catalog.stage import Stage

NEW = {"workspaceId": "<Here>", "name": " mail ", "description": "Sends mail."}
CALLS: list[tuple[str, dict[str, Any], str]] = [
    (
        "catalog.createSystem",
        {**NEW, "groupIds": ["<Payments>"] * 2, "environmentIds": ["<Production>", "<Staging>"]},
        "Create system mail in workspace Here",
    ),
    ("catalog.createSystem", NEW, "Create system mail in workspace Here"),
    (
        "catalog.createGroup",
        {**NEW, "systemIds": ["<web>", "<ledger>"]},
        "Create group mail in workspace Here",
    ),
    ("catalog.createEnvironment", NEW, "Create environment mail in workspace Here"),
    (
        "catalog.updateSystem",
        {"systemId": "<billing>", "name": "invoicing", "description": "Sends bills."},
        "Change the name of system billing",
    ),
    (
        "catalog.updateSystem",
        {"systemId": "<billing>", "name": "Billing", "description": ""},
        "Change the name and description of system billing",
    ),
    (
        "catalog.updateGroup",
        {"groupId": "<Payments>", "description": "Money.", "name": None},
        "Change the description of group Payments",
    ),
    (
        "catalog.addSystemToGroup",
        {"systemId": "<billing>", "groupId": "<Storefront>"},
        "Add system billing to group Storefront",
    ),
    (
        "catalog.removeSystemFromGroup",
        {"systemId": "<billing>", "groupId": "<Payments>"},
        "Remove system billing from group Payments",
    ),
    (
        "catalog.setSystemEnvironments",
        {"systemId": "<billing>", "environmentIds": ["<Staging>"]},
        "Set the environments of system billing to Staging",
    ),
    (
        "catalog.setSystemEnvironments",
        {"systemId": "<billing>", "environmentIds": []},
        "Set the environments of system billing to none",
    ),
    ("catalog.deleteSystem", {"systemId": "<billing>"}, "Delete system billing"),
    ("catalog.deleteGroup", {"groupId": "<Payments>"}, "Delete group Payments"),
]
FINAL = ["catalog.deleteSystem", "catalog.deleteGroup", "catalog.createEnvironment"]
UNDONE = [call for call in CALLS if call[0] not in FINAL]
CHANGING = {name for name, _, _ in CALLS}


def find_entry(tool: str) -> tuple[str, str]:
    """The table and the name of what the calls above are about."""
    if "System" in tool:
        return "systems", "billing"
    return ("environments", "") if tool.endswith("Environment") else ("groups", "Payments")


def test_every_tool_is_tried(still: Stage) -> None:
    changing = {
        tool.name
        for tool in still.loaded.tools.by_name.values()
        if tool.namespace == "catalog" and tool.behaviour.effect != "read"
    }
    assert changing == CHANGING
    for name in CHANGING:
        tool = still.loaded.tools.by_name[name]
        assert tool.phase == "discovery"
        assert tool.behaviour.effect == ("destructive" if "delete" in name else "mutate")
        for schema in tool.shape.input_schema["properties"].values():
            assert schema["description"]


@pytest.mark.parametrize(("tool", "given", "summary"), CALLS)
async def test_a_card_comes_true(
    stage: Stage, tool: str, given: dict[str, Any], summary: str
) -> None:
    """A dry run writes nothing; afterwards everything is as the card said, and nothing else."""
    await stage.grant(await stage.add_person(), "catalog.system", "billing", "read")
    await stage.grant(await stage.add_person(), "catalog.group", "Payments", "manage")
    stored = await digest(stage.database)
    card = await stage.preview(tool, given)
    assert await digest(stage.database) == stored
    assert card.summary == summary
    assert (await stage.preview(tool, given)) == card

    table, name = find_entry(tool)
    expected = foresee(await read_facts(stage.database), card, table=table, name=name)
    await stage.apply(tool, given)
    assert await read_facts(stage.database) == expected


@pytest.mark.parametrize(("tool", "given", "summary"), UNDONE)
async def test_the_inverse_takes_it_back(
    stage: Stage, tool: str, given: dict[str, Any], summary: str
) -> None:
    before = await read_facts(stage.database)
    value = await stage.apply(tool, given)
    assert await read_facts(stage.database) != before
    await stage.undo(tool, given, value)
    assert await read_facts(stage.database) == before


@pytest.mark.parametrize("name", FINAL)
def test_what_cannot_be_taken_back_has_no_inverse(still: Stage, name: str) -> None:
    assert still.loaded.tools.by_name[name].functions.inverse is None


async def test_a_new_system_is_shown_with_names(still: Stage) -> None:
    given = {**NEW, "groupIds": ["<Payments>"], "environmentIds": ["<Staging>", "<Production>"]}
    card = await still.preview("catalog.createSystem", given)
    assert card.creates == {
        "workspace": "Here",
        "name": "mail",
        "description": "Sends mail.",
        "groups": ["Payments"],
        "environments": ["Staging", "Production"],
    }


async def test_an_update_shows_only_what_changes(stage: Stage) -> None:
    given = {"systemId": "<billing>", "name": "invoicing", "description": "Sends bills."}
    card = await stage.preview("catalog.updateSystem", given)
    assert encode_diff(card.diff) == [
        {"kind": "changed", "path": "name", "before": "billing", "after": "invoicing"}
    ]
    value = await stage.apply("catalog.updateSystem", given)
    assert value == {
        "id": str(stage.ids["billing"]),
        "name": "invoicing",
        "description": "Sends bills.",
        "before": {"name": "billing"},
    }


async def test_environments_are_shown_by_name(still: Stage) -> None:
    given = {"systemId": "<billing>", "environmentIds": ["<Staging>"]}
    card = await still.preview("catalog.setSystemEnvironments", given)
    assert encode_diff(card.diff) == [
        {"kind": "removed", "path": "environments.0", "before": "Production"},
        {"kind": "added", "path": "environments.0", "after": "Staging"},
    ]


async def test_a_delete_names_all_that_goes(stage: Stage) -> None:
    for person in [await stage.add_person() for _ in range(2)]:
        await stage.grant(person, "catalog.system", "billing", "read")
    card = await stage.preview("catalog.deleteSystem", {"systemId": "<billing>"})
    assert card.removes == (
        "system billing",
        "dependency web → billing (hard)",
        "dependency billing → ledger (hard)",
        "membership in group Payments",
        "link to environment Production",
        "2 grants of access to it",
    )
    card = await stage.preview("catalog.deleteGroup", {"groupId": "<Payments>"})
    assert card.removes == ("group Payments", "membership of system billing")


async def test_a_large_group_is_named_whole(stage: Stage) -> None:
    """More members than one page of a list holds."""
    await stage.execute(
        "WITH made AS (INSERT INTO catalog.systems (id, tenant_id, workspace_id, name, description)"
        " SELECT gen_random_uuid(), $1, $2, 'bulk ' || n, '' FROM generate_series(1, 450) AS n"
        " RETURNING id) INSERT INTO catalog.system_groups (tenant_id, workspace_id, system_id,"
        " group_id) SELECT $1, $2, id, $3 FROM made",
        stage.admin.tenant_id,
        stage.ids["Here"],
        stage.ids["Payments"],
    )
    card = await stage.preview("catalog.deleteGroup", {"groupId": "<Payments>"})
    bulk = {f"membership of system bulk {number}" for number in range(1, 451)}
    assert set(card.removes) == {"group Payments", "membership of system billing", *bulk}
    given = {"systemId": "<web>", "groupId": "<Payments>"}
    await stage.apply("catalog.addSystemToGroup", given)
    assert (await read_facts(stage.database))["systems"]["web"]["groups"] == ["Payments"]


async def test_the_result_is_lean(stage: Stage) -> None:
    value = await stage.apply("catalog.createSystem", {**NEW, "groupIds": ["<Payments>"]})
    assert set(value) == {"id", "workspaceId", "name", "description", "groupIds", "environmentIds"}
    assert value["groupIds"] == [str(stage.ids["Payments"])]
    value = await stage.apply("catalog.deleteSystem", {"systemId": value["id"]})
    assert value["deleted"]["name"] == "mail"
