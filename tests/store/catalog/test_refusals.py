"""What a dry run of the catalog's tools refuses: with the path to repair, or the rule to get."""

import re
from typing import Any

import pytest

from assent.bundled.catalog.systems import update_system
from assent.errors import Forbidden, MissingRule
from assent.ids import new_id
from tests.contract.story import digest
from tests.store.catalog.stage import Stage
from tests.store.catalog.test_cards import CALLS

NOWHERE = str(new_id())
NEW = {"workspaceId": "<Here>", "name": "mail"}
SYSTEM = "There is no such system. Use catalog.listSystems to find the id."
GROUP = "There is no such group. Use catalog.listGroups to find the id."
ENVIRONMENT = "There is no such environment. Use catalog.listEnvironments to find the id."
MANAGE = re.escape("catalog.system.manage")
READING = [f"catalog.{kind}.read" for kind in ("system", "group", "environment", "dependency")]
FIRST_CALLS = list({tool: (tool, given) for tool, given, _ in CALLS}.values())


@pytest.mark.parametrize(
    ("tool", "given", "issues"),
    [
        ("createSystem", {**NEW, "name": "WEB"}, {"name": "Another system"}),
        ("createSystem", {**NEW, "workspaceId": NOWHERE}, {"workspaceId": "no such workspace"}),
        ("createSystem", {**NEW, "groupIds": [NOWHERE]}, {"groupIds.0": GROUP}),
        ("createSystem", {**NEW, "groupIds": ["<web>"]}, {"groupIds.0": GROUP}),
        (
            "createSystem",
            {**NEW, "environmentIds": ["<Remote>", "<Staging>", NOWHERE]},
            {"environmentIds.0": "Remote is in another workspace", "environmentIds.2": ENVIRONMENT},
        ),
        ("createGroup", {**NEW, "name": "payments"}, {"name": "Another group"}),
        ("createGroup", {**NEW, "systemIds": ["<far>"]}, {"systemIds.0": "another workspace"}),
        ("createGroup", {**NEW, "systemIds": [NOWHERE]}, {"systemIds.0": SYSTEM}),
        ("createGroup", {**NEW, "workspaceId": NOWHERE}, {"workspaceId": "no such workspace"}),
        ("createEnvironment", {**NEW, "name": "STAGING"}, {"name": "Another environment"}),
        ("createEnvironment", {**NEW, "workspaceId": NOWHERE}, {"workspaceId": "no such"}),
        ("updateSystem", {"systemId": NOWHERE, "name": "x"}, {"systemId": SYSTEM}),
        ("updateSystem", {"systemId": "<Payments>", "name": "x"}, {"systemId": SYSTEM}),
        ("updateSystem", {"systemId": "<web>", "name": "Billing"}, {"name": "Another system"}),
        ("updateSystem", {"systemId": "<web>"}, {"": "Say what to change"}),
        ("updateSystem", {"systemId": "<web>", "name": None}, {"": "Say what to change"}),
        (
            "updateSystem",
            {"systemId": "<web>", "name": "web ", "description": ""},
            {"name": "its name already", "description": "its description already"},
        ),
        ("updateGroup", {"groupId": NOWHERE, "name": "x"}, {"groupId": GROUP}),
        ("updateGroup", {"groupId": "<Payments>", "name": "storefront"}, {"name": "Another"}),
        ("updateGroup", {"groupId": "<Payments>"}, {"": "Say what to change"}),
        ("addSystemToGroup", {"systemId": NOWHERE, "groupId": "<Payments>"}, {"systemId": SYSTEM}),
        ("addSystemToGroup", {"systemId": "<web>", "groupId": NOWHERE}, {"groupId": GROUP}),
        (
            "addSystemToGroup",
            {"systemId": "<web>", "groupId": "<Distant>"},
            {"groupId": "Distant is in another workspace"},
        ),
        (
            "addSystemToGroup",
            {"systemId": "<billing>", "groupId": "<Payments>"},
            {"groupId": "billing is in Payments already"},
        ),
        (
            "removeSystemFromGroup",
            {"systemId": "<web>", "groupId": "<Payments>"},
            {"groupId": "web is not in Payments"},
        ),
        ("removeSystemFromGroup", {"systemId": "<web>", "groupId": NOWHERE}, {"groupId": GROUP}),
        (
            "removeSystemFromGroup",
            {"systemId": NOWHERE, "groupId": "<Payments>"},
            {"systemId": SYSTEM},
        ),
        (
            "setSystemEnvironments",
            {"systemId": "<billing>", "environmentIds": ["<Production>", "<Production>"]},
            {"environmentIds": "billing runs in exactly these already"},
        ),
        (
            "setSystemEnvironments",
            {"systemId": "<web>", "environmentIds": []},
            {"environmentIds": "exactly these already"},
        ),
        (
            "setSystemEnvironments",
            {"systemId": "<web>", "environmentIds": ["<Staging>", "<Remote>"]},
            {"environmentIds.1": "another workspace"},
        ),
        (
            "setSystemEnvironments",
            {"systemId": NOWHERE, "environmentIds": []},
            {"systemId": SYSTEM},
        ),
        ("deleteSystem", {"systemId": NOWHERE}, {"systemId": SYSTEM}),
        ("deleteGroup", {"groupId": NOWHERE}, {"groupId": GROUP}),
    ],
)
async def test_feedback_names_the_path(
    still: Stage, tool: str, given: dict[str, Any], issues: dict[str, str]
) -> None:
    told = await still.refuse(f"catalog.{tool}", given)
    assert set(told) == set(issues)
    for path, message in issues.items():
        assert message in told[path]


@pytest.mark.parametrize(("tool", "given"), FIRST_CALLS)
async def test_unknown_fields_are_refused(still: Stage, tool: str, given: dict[str, Any]) -> None:
    assert set(await still.refuse(tool, {**given, "version": 1})) == {"version"}


async def test_more_groups_than_a_system_takes(stage: Stage) -> None:
    await stage.execute(
        "WITH made AS (INSERT INTO catalog.groups (id, tenant_id, workspace_id, name, description)"
        " SELECT gen_random_uuid(), $1, $2, 'bulk ' || n, '' FROM generate_series(1, 500) AS n"
        " RETURNING id) INSERT INTO catalog.system_groups (tenant_id, workspace_id, system_id,"
        " group_id) SELECT $1, $2, $3, id FROM made",
        stage.admin.tenant_id,
        stage.ids["Here"],
        stage.ids["web"],
    )
    given = {"systemId": "<web>", "groupId": "<Payments>"}
    assert "500" in (await stage.refuse("catalog.addSystemToGroup", given))["groupId"]


@pytest.mark.parametrize(("tool", "given"), FIRST_CALLS)
async def test_who_may_only_read_is_told_the_rule(
    still: Stage, tool: str, given: dict[str, Any]
) -> None:
    """Everywhere, here while managing there, and at apply just as before."""
    rule = still.loaded.tools.by_name[tool].rules[0]
    readers = [
        await still.add_person(READING),
        await still.add_person(here=READING, there=["catalog.system.manage", rule]),
    ]
    stored = await digest(still.database)
    for reader in readers:
        for run in (still.preview, still.apply):
            with pytest.raises(MissingRule) as raised:
                await run(tool, given, by=reader)
            assert raised.value.rule == rule
    assert await digest(still.database) == stored


@pytest.mark.parametrize(("tool", "given"), FIRST_CALLS)
async def test_what_one_may_not_see_does_not_exist(
    still: Stage, tool: str, given: dict[str, Any]
) -> None:
    """A manager of another workspace learns nothing, not even that the id is somebody's."""
    rules = [rule.replace(".read", ".manage") for rule in READING]
    stranger = await still.add_person(there=rules)
    (path, message), *more = (await still.refuse(tool, given, by=stranger)).items()
    assert more == []
    assert path == next(iter(given))
    assert message.startswith("There is no such ")


async def test_a_grant_on_one_system(stage: Stage) -> None:
    person = await stage.add_person(here=["catalog.system.read", "catalog.group.read"])
    await stage.grant(person, "catalog.system", "billing", "manage")
    calls: list[tuple[str, dict[str, Any]]] = [
        ("catalog.updateSystem", {"description": "New."}),
        ("catalog.addSystemToGroup", {"groupId": "<Storefront>"}),
        ("catalog.removeSystemFromGroup", {"groupId": "<Payments>"}),
        ("catalog.setSystemEnvironments", {"environmentIds": []}),
        ("catalog.deleteSystem", {}),
    ]
    for tool, given in calls:
        with pytest.raises(MissingRule, match=MANAGE):
            await stage.preview(tool, {"systemId": "<web>", **given}, by=person)
        await stage.apply(tool, {"systemId": "<billing>", **given}, by=person)
    with pytest.raises(MissingRule, match=MANAGE):
        await stage.preview("catalog.createSystem", NEW, by=person)


async def test_what_has_owners(stage: Stage) -> None:
    manager, owner = await stage.add_person(["catalog.system.manage"]), await stage.add_person()
    given = {"systemId": "<web>", "description": "New."}
    await stage.preview("catalog.updateSystem", given, by=manager)
    await stage.grant(owner, "catalog.system", "web", "own")
    with pytest.raises(Forbidden, match="owners"):
        await stage.preview("catalog.updateSystem", given, by=manager)
    await stage.preview("catalog.updateSystem", given, by=owner)


@pytest.mark.parametrize(
    ("tool", "given", "rule"),
    [
        ("createSystem", {**NEW, "groupIds": ["<Payments>"]}, "catalog.group.read"),
        ("createSystem", {**NEW, "environmentIds": ["<Staging>"]}, "catalog.environment.read"),
        (
            "setSystemEnvironments",
            {"systemId": "<web>", "environmentIds": ["<Staging>"]},
            "catalog.environment.read",
        ),
    ],
)
async def test_a_card_needs_the_right_to_read_what_it_names(
    still: Stage, tool: str, given: dict[str, Any], rule: str
) -> None:
    person = await still.add_person(["catalog.system.manage"])
    with pytest.raises(MissingRule) as raised:
        await still.preview(f"catalog.{tool}", given, by=person)
    assert raised.value.rule == rule


async def test_what_goes_unseen_is_still_told(still: Stage) -> None:
    """Names stay hidden from who may not read them; that something goes does not."""
    person = await still.add_person(["catalog.system.manage"])
    given = {"systemId": "<billing>"}
    card = await still.preview("catalog.deleteSystem", given, by=person)
    assert card.removes == (
        "system billing",
        "2 dependencies, not visible to whoever asks",
        f"membership in group {still.ids['Payments']}",
        f"link to environment {still.ids['Production']}",
    )
    card = await still.preview(
        "catalog.setSystemEnvironments", {**given, "environmentIds": []}, by=person
    )
    assert [change.before for change in card.diff] == [str(still.ids["Production"])]
    person = await still.add_person(["catalog.group.manage"])
    card = await still.preview("catalog.deleteGroup", {"groupId": "<Payments>"}, by=person)
    assert card.removes == ("group Payments", f"membership of system {still.ids['billing']}")


async def test_the_far_end_of_a_dependency_may_be_hidden(stage: Stage) -> None:
    person = await stage.add_person(here=["catalog.dependency.read"])
    await stage.grant(person, "catalog.system", "billing", "manage")
    card = await stage.preview("catalog.deleteSystem", {"systemId": "<billing>"}, by=person)
    assert card.removes[1:3] == (
        f"dependency {stage.ids['web']} → billing (hard)",
        f"dependency billing → {stage.ids['ledger']} (hard)",
    )


async def test_a_name_that_became_free(stage: Stage) -> None:
    given = {**NEW, "name": "web"}
    assert set(await stage.refuse("catalog.createSystem", given)) == {"name"}
    await stage.change(update_system, {"systemId": "<web>", "name": "www"})
    await stage.apply("catalog.createSystem", given)
