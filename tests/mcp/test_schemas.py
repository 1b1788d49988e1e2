"""What programs are told of tools: every part of a schema says what it takes."""

from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from assent.testing import Client, RunningServer
from tests.mcp.programs import make_key
from tests.mcp.wire import Wire

SAYING = {"type", "enum", "const", "$ref", "anyOf", "oneOf", "allOf"}
INSIDE = ("items", "additionalProperties", "contains", "not")
SEVERAL = ("anyOf", "oneOf", "allOf", "prefixItems")
NAMED = ("properties", "$defs", "patternProperties")


def walk(schema: Any, path: str) -> Iterator[tuple[str, Any]]:
    """Each schema in a schema, with its place."""
    yield path, schema
    if not isinstance(schema, dict):
        return
    for name in INSIDE:
        if name in schema and not isinstance(schema[name], bool):
            yield from walk(schema[name], f"{path}.{name}")
    for name in SEVERAL:
        for number, one in enumerate(schema.get(name, ())):
            yield from walk(one, f"{path}.{name}.{number}")
    for name in NAMED:
        for key, one in schema.get(name, {}).items():
            yield from walk(one, f"{path}.{name}.{key}")


def find_vague(schema: Mapping[str, Any], name: str) -> list[str]:
    return [
        path
        for path, one in walk(schema, name)
        if not isinstance(one, dict) or not SAYING & one.keys()
    ]


@pytest.mark.parametrize(
    ("schema", "vague"),
    [
        ({"type": "object", "properties": {"a": {"type": "string"}}}, []),
        ({"type": "object", "properties": {"a": {}}}, ["t.properties.a"]),
        ({"type": "object", "properties": {"a": {"title": "A"}}}, ["t.properties.a"]),
        ({"type": "object", "properties": {"a": True}}, ["t.properties.a"]),
        ({"type": "array", "items": {"anyOf": [{"type": "null"}, {}]}}, ["t.items.anyOf.1"]),
        ({"type": "object", "additionalProperties": True}, []),
        ({"$ref": "#/$defs/A", "$defs": {"A": {"default": 1}}}, ["t.$defs.A"]),
    ],
)
def test_what_says_nothing_is_found(schema: dict[str, Any], vague: list[str]) -> None:
    assert find_vague(schema, "t") == vague


async def test_no_tool_takes_just_anything(shop: RunningServer, admin: Client) -> None:
    wire = Wire(await shop.open_client(key=await make_key(admin, "*")))
    tools = (await wire.ask("tools/list")).json()["result"]["tools"]
    assert len(tools) > 50
    assert [one for tool in tools for one in find_vague(tool["inputSchema"], tool["name"])] == []


async def test_nothing_is_promised_that_is_not_always_kept(
    shop: RunningServer, admin: Client
) -> None:
    """Results are cut to size, and changes answer with proposals: see decision 0009."""
    wire = Wire(await shop.open_client(key=await make_key(admin, "*")))
    tools = (await wire.ask("tools/list")).json()["result"]["tools"]
    assert [tool["name"] for tool in tools if "outputSchema" in tool] == []
    assert [tool["name"] for tool in tools if "idempotentHint" in tool["annotations"]] == []
