"""What a card rests on: it changes when the card would, and not for what is beside the point."""

from typing import Any

import pytest

from assent.bundled.catalog.dependencies import (
    create_dependency,
    delete_dependency,
    update_dependency,
)
from assent.bundled.catalog.environments import update_environment
from assent.bundled.catalog.groups import update_group
from assent.bundled.catalog.systems import update_system
from assent.errors import Busy
from assent.plugins.procedure import Procedure
from tests.store.catalog.facts import Facts, read_facts
from tests.store.catalog.stage import Stage, run, run_dry

CALLS: dict[str, dict[str, Any]] = {
    "createSystem": {
        "workspaceId": "<Here>",
        "name": "mail",
        "groupIds": ["<Payments>"],
        "environmentIds": ["<Staging>"],
    },
    "createGroup": {"workspaceId": "<Here>", "name": "mail", "systemIds": ["<billing>"]},
    "createEnvironment": {"workspaceId": "<Here>", "name": "mail"},
    "updateSystem": {"systemId": "<billing>", "description": "New."},
    "updateGroup": {"groupId": "<Payments>", "description": "New."},
    "addSystemToGroup": {"systemId": "<ledger>", "groupId": "<Payments>"},
    "removeSystemFromGroup": {"systemId": "<billing>", "groupId": "<Payments>"},
    "setSystemEnvironments": {"systemId": "<billing>", "environmentIds": ["<Staging>"]},
    "deleteSystem": {"systemId": "<billing>"},
    "deleteGroup": {"groupId": "<Payments>"},
}
DISTURBANCES: dict[str, tuple[Procedure[Any, Any], dict[str, Any], set[str]]] = {
    "a system is renamed": (
        update_system,
        {"systemId": "<billing>", "name": "invoicing"},
        {
            "createGroup",
            "updateSystem",
            "removeSystemFromGroup",
            "setSystemEnvironments",
            "deleteSystem",
            "deleteGroup",
        },
    ),
    "a system is described": (
        update_system,
        {"systemId": "<billing>", "description": "Other."},
        {"updateSystem", "deleteSystem"},
    ),
    "a group is renamed": (
        update_group,
        {"groupId": "<Payments>", "name": "Money"},
        {
            "createSystem",
            "updateGroup",
            "addSystemToGroup",
            "removeSystemFromGroup",
            "deleteSystem",
            "deleteGroup",
        },
    ),
    "a group is described": (
        update_group,
        {"groupId": "<Payments>", "description": "Other."},
        {"updateGroup", "deleteGroup"},
    ),
    "a group gets a member": (
        update_system,
        {"systemId": "<web>", "groupIds": ["<Payments>"]},
        {"updateGroup", "deleteGroup"},
    ),
    "a system moves to another group": (
        update_system,
        {"systemId": "<billing>", "groupIds": ["<Payments>", "<Storefront>"]},
        {"updateSystem", "deleteSystem"},
    ),
    "a system runs elsewhere too": (
        update_system,
        {"systemId": "<billing>", "environmentIds": ["<Production>", "<Staging>"]},
        {"updateSystem", "setSystemEnvironments", "deleteSystem"},
    ),
    "the environment to come is renamed": (
        update_environment,
        {"environmentId": "<Staging>", "name": "Rehearsal"},
        {"createSystem", "setSystemEnvironments"},
    ),
    "the environment to go is renamed": (
        update_environment,
        {"environmentId": "<Production>", "name": "Live"},
        {"setSystemEnvironments", "deleteSystem"},
    ),
    "an environment is described": (
        update_environment,
        {"environmentId": "<Staging>", "description": "Other."},
        set(),
    ),
    "a dependency is added": (
        create_dependency,
        {"systemId": "<billing>", "dependsOnId": "<web>"},
        {"deleteSystem"},
    ),
    "a dependency is weakened": (
        update_dependency,
        {"dependencyId": "<out>", "strength": "soft"},
        {"deleteSystem"},
    ),
    "a dependency is deleted": (delete_dependency, {"dependencyId": "<in>"}, {"deleteSystem"}),
    "the system at the other end is renamed": (
        update_system,
        {"systemId": "<ledger>", "name": "books"},
        {"addSystemToGroup", "deleteSystem"},
    ),
    "the system at the other end is described": (
        update_system,
        {"systemId": "<ledger>", "description": "Other."},
        set(),
    ),
    "something far away is renamed": (update_system, {"systemId": "<far>", "name": "x"}, set()),
}


async def read_all_basis(stage: Stage) -> dict[str, Any]:
    return {
        tool: (await stage.preview(f"catalog.{tool}", given)).basis for tool, given in CALLS.items()
    }


@pytest.mark.parametrize("disturbance", DISTURBANCES)
async def test_changes_when_the_card_would(stage: Stage, disturbance: str) -> None:
    procedure, given, touched = DISTURBANCES[disturbance]
    before = await read_all_basis(stage)
    assert await read_all_basis(stage) == before
    await stage.change(procedure, given)
    after = await read_all_basis(stage)
    assert {tool for tool in CALLS if before[tool] != after[tool]} == touched


async def test_a_renamed_workspace(stage: Stage) -> None:
    before = await read_all_basis(stage)
    await stage.execute("UPDATE workspaces SET name = 'Home' WHERE id = $1", stage.ids["Here"])
    after = await read_all_basis(stage)
    changed = {tool for tool in CALLS if before[tool] != after[tool]}
    assert changed == {"createSystem", "createGroup", "createEnvironment"}


@pytest.mark.parametrize(
    ("kind", "name", "tool"),
    [
        ("catalog.system", "billing", "deleteSystem"),
        ("catalog.group", "Payments", "deleteGroup"),
    ],
)
async def test_a_grant_given_or_changed(stage: Stage, kind: str, name: str, tool: str) -> None:
    person = await stage.add_person()
    before = await read_all_basis(stage)
    for level in ("read", "manage"):
        await stage.grant(person, kind, name, level)
        after = await read_all_basis(stage)
        assert {one for one in CALLS if before[one] != after[one]} == {tool}
        before = after


async def test_dependencies_that_one_may_not_see_count(stage: Stage) -> None:
    person = await stage.add_person(["catalog.system.manage"])
    given = {"systemId": "<billing>"}
    before = await stage.preview("catalog.deleteSystem", given, by=person)
    await stage.change(update_dependency, {"dependencyId": "<out>", "strength": "soft"})
    after = await stage.preview("catalog.deleteSystem", given, by=person)
    assert before.removes == after.removes
    assert before.basis != after.basis


async def test_each_thing_is_named_once(stage: Stage) -> None:
    for tool, basis in (await read_all_basis(stage)).items():
        named = [(one.kind, one.id) for one in basis]
        assert len(set(named)) == len(named), tool


@pytest.mark.parametrize(
    ("tool", "disturbance"),
    [
        ("deleteSystem", "a dependency is added"),
        ("deleteSystem", "a dependency is weakened"),
        ("deleteSystem", "a system is described"),
        ("deleteGroup", "a group gets a member"),
        ("updateSystem", "a system is described"),
        ("updateGroup", "a group gets a member"),
        ("removeSystemFromGroup", "a system moves to another group"),
        ("setSystemEnvironments", "a system runs elsewhere too"),
    ],
)
async def test_a_change_between_the_check_and_the_deed(
    stage: Stage, tool: str, disturbance: str
) -> None:
    """Apply looks and acts in one transaction: what it did not see makes it start again."""
    found = stage.loaded.tools.by_name[f"catalog.{tool}"]
    procedure, given, _ = DISTURBANCES[disturbance]
    disturbed: list[Facts] = []
    with pytest.raises(Busy):
        async with stage.open(found, isolation="repeatable_read") as ctx:
            await run_dry(found, ctx, stage.fill(CALLS[tool]))
            await stage.change(procedure, given)
            disturbed.append(await read_facts(stage.database))
            await run(found, ctx, stage.fill(CALLS[tool]))
    assert [await read_facts(stage.database)] == disturbed


async def test_several_cards_for_one_group_go_one_after_the_other(stage: Stage) -> None:
    calls = [{"systemId": f"<{name}>", "groupId": "<Payments>"} for name in ("web", "ledger")]
    cards = [await stage.preview("catalog.addSystemToGroup", call) for call in calls]
    for call, card in zip(calls, cards, strict=True):
        assert (await stage.preview("catalog.addSystemToGroup", call)).basis == card.basis
        await stage.apply("catalog.addSystemToGroup", call)
    systems = (await read_facts(stage.database))["systems"]
    assert [name for name in systems if systems[name]["groups"] == ["Payments"]] == [
        "web",
        "ledger",
        "billing",
    ]
