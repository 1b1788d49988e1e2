"""Tools and JSON for the tests of this folder."""

from collections.abc import Mapping
from dataclasses import fields
from typing import Any
from uuid import UUID

from hypothesis import strategies as st

from assent.identity.principal import Kind, Principal
from assent.tools.tool import Behaviour, Functions, Preview, Result, Shape, Tool

TENANT, SOMEBODY, WORKSPACE = UUID(int=1), UUID(int=2), UUID(int=3)
ANYTHING: Mapping[str, Any] = {"type": "object", "properties": {}, "additionalProperties": True}

json_texts = st.text(st.characters(codec="utf-8"), max_size=40)
json_scalars = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | json_texts
)
json_values: st.SearchStrategy[Any] = st.recursive(
    json_scalars,
    lambda inside: st.lists(inside, max_size=8) | st.dictionaries(json_texts, inside, max_size=8),
    max_leaves=30,
)


async def execute(ctx: Any, given: Any) -> Result:
    return Result()


async def dry_run(ctx: Any, given: Any) -> Preview:
    return Preview(summary="It changes.")


def build_tool(name: str = "shop.listThings", **given: Any) -> Tool:
    """A tool that is declared well, but for what is given: any field of any of its parts."""
    parts = {
        part: {one.name: given.pop(one.name) for one in fields(part) if one.name in given}
        for part in (Shape, Behaviour, Functions)
    }
    effect = parts[Behaviour].setdefault("effect", "read")
    parts[Shape].setdefault("input_schema", ANYTHING)
    parts[Functions].setdefault("execute", execute)
    if effect != "read":
        parts[Functions].setdefault("dry_run", dry_run)
    rule = "shop.thing.read" if effect == "read" else "shop.thing.manage"
    declared = {"title": "Things", "description": "Lists things.", "rules": (rule,), **given}
    return Tool(
        name=name,
        shape=Shape(**parts[Shape]),
        behaviour=Behaviour(**parts[Behaviour]),
        functions=Functions(**parts[Functions]),
        **declared,
    )


def build_principal(*rules: str, kind: Kind = "user", **given: Any) -> Principal:
    return Principal(
        kind=kind,
        id=SOMEBODY,
        tenant_id=TENANT,
        name="Somebody",
        rules=frozenset(rules),
        **given,
    )
