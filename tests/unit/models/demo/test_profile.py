from typing import Any

import pytest

from assent.models.demo.profile import find_source, read_profile, read_profiles
from assent.models.model import OfferedTool
from tests.unit.models.demo.world import ALL, ASK

PROFILES = {one.name: one for one in read_profiles((*ALL, ASK))}


@pytest.mark.parametrize(
    ("name", "action", "objects", "label"),
    [
        ("catalog_listSystems", "list", ("system",), "list systems"),
        ("dependency_list", "list", ("dependency",), "list dependency"),
        ("catalog_addSystemToGroup", "link", ("system", "group"), "add system to group"),
        (
            "catalog_removeSystemFromGroup",
            "unlink",
            ("system", "group"),
            "remove system from group",
        ),
        (
            "catalog_setSystemEnvironments",
            "update",
            ("system", "environment"),
            "set system environments",
        ),
        ("incident_create", "create", ("incident",), "create incident"),
        ("incident_addUpdate", "create", ("update",), "add update"),
        ("incident_resolve", "do", ("incident",), "resolve incident"),
        ("recipe_delete", "delete", ("recipe",), "delete recipe"),
    ],
)
def test_reads_a_name(name: str, action: str, objects: tuple[str, ...], label: str) -> None:
    profile = PROFILES[name]
    assert (profile.action, profile.objects, profile.label) == (action, objects, label)


def test_the_tool_for_asking_is_no_candidate() -> None:
    assert ASK.name not in PROFILES


def test_an_unknown_verb_is_taken_for_a_deed_unless_the_description_reads() -> None:
    assert not read_profile(OfferedTool("x_frobnicate", "Frobnicate it.", {})).reads
    assert read_profile(OfferedTool("x_status", "Show the status.", {})).reads
    assert not read_profile(OfferedTool("x_wipe", "Wipes all.", {})).reads


@pytest.mark.parametrize(
    ("name", "schema", "kind"),
    [
        ("systemId", {"type": "string"}, "id"),
        ("id", {"type": "string"}, "id"),
        ("owner", {"type": "string", "format": "uuid"}, "id"),
        ("groupIds", {"type": "array", "items": {"type": "string"}}, "ids"),
        ("at", {"anyOf": [{"type": "null"}, {"type": "string", "format": "date-time"}]}, "moment"),
        ("day", {"type": "string", "format": "date"}, "day"),
        ("size", {"$ref": "#/$defs/size"}, "choice"),
        ("sizes", {"type": "array", "items": {"$ref": "#/$defs/size"}}, "choices"),
        ("count", {"type": ["integer", "null"]}, "number"),
        ("urgent", {"type": "boolean"}, "flag"),
        ("tags", {"type": "array", "items": {"type": "string"}}, "texts"),
        ("config", {"type": "object"}, "other"),
        ("paid", {"type": "string"}, "text"),
    ],
)
def test_reads_a_field(name: str, schema: dict[str, Any], kind: str) -> None:
    root = {"properties": {name: schema}, "$defs": {"size": {"enum": ["s", "m"]}}}
    (field,) = read_profile(OfferedTool("x_create", "", root)).fields
    assert field.kind == kind


@pytest.mark.parametrize(
    ("name", "field", "source"),
    [
        ("catalog_deleteSystem", "systemId", "catalog_listSystems"),
        ("catalog_listSystems", "groupId", "catalog_listGroups"),
        ("recipe_delete", "id", "recipe_search"),
        ("catalog_createSystem", "workspaceId", None),
    ],
)
def test_finds_the_list_for_an_id(name: str, field: str, source: str | None) -> None:
    (one,) = [one for one in PROFILES[name].fields if one.name == field]
    found = find_source(one, tuple(PROFILES.values()))
    assert (found and found.name) == source
