"""Declarations are checked, and a call stays within what was declared."""

from datetime import timedelta
from typing import Any

import pytest

from assent.errors import Invalid, Issue, PluginError
from assent.tools.diff import find_changes
from assent.tools.tool import (
    Basis,
    Preview,
    Reconciled,
    Result,
    Tool,
    ToolValidationError,
    check_preview,
    check_tool,
    find_effect,
    find_egress,
)
from tests.unit.tools.samples import build_tool, dry_run


async def reconcile(ctx: Any, given: Any) -> Reconciled:
    return Reconciled("unknown")


@pytest.mark.parametrize(
    "tool",
    [
        build_tool(),
        build_tool(rules=()),
        build_tool(examples=("Which things are there?",)),
        build_tool(effect="mutate"),
        build_tool(effect="destructive", rules=("shop.thing.read", "shop.thing.manage")),
        build_tool(effect="mutate", external=True, reconcile=reconcile),
        build_tool(egress=True, origin="https://shop.example"),
        build_tool(
            egress=True,
            input_schema={"type": "object", "properties": {"to": {}}},
            destinations=("to", "to.address"),
        ),
    ],
)
def test_what_is_declared_well(tool: Tool) -> None:
    check_tool(tool)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"name": "list"}, "namespace.verb"),
        ({"name": "Shop.list"}, "namespace.verb"),
        ({"title": " "}, "needs a title"),
        ({"description": ""}, "a description for the model"),
        ({"effect": None}, "declare its effect: read, mutate, destructive"),
        ({"effect": "write"}, "declare its effect"),
        ({"phase": "later"}, "discovery or build"),
        ({"output_trust": "some"}, "trusted, mixed or untrusted"),
        ({"timeout": timedelta(0)}, "longer than nothing"),
        ({"examples": ("Fine.", " ")}, "an example is a sentence"),
        ({"examples": ("x" * 121,)}, "at most 120 characters"),
        ({"rules": ("shop.thing",)}, "not namespace.resource.read or .manage"),
        ({"effect": "mutate", "rules": ("shop.thing.read",)}, "ends in .manage"),
        ({"effect": "destructive", "rules": ()}, "ends in .manage"),
        ({"egress": True, "rules": ()}, "carries data out needs a rule"),
        ({"input_schema": {"type": "string"}}, "must be that of an object"),
        ({"input_schema": {"type": "object", "properties": []}}, "properties is not written"),
        ({"output_schema": {"required": True}}, "required is not written"),
        ({"destinations": ("url",)}, "only what carries data out"),
        ({"origin": "https://shop.example"}, "only what carries data out"),
        ({"egress": True, "destinations": ("url",)}, "'url' is not a field"),
        ({"egress": True, "destinations": ("",)}, "'' is not a field"),
        ({"egress": True, "destinations": ("a..b",)}, "'a..b' is not a field"),
        ({"effect": "mutate", "dry_run": None}, "needs a dry_run"),
        ({"effect": "destructive", "dry_run": None}, "needs a dry_run"),
        ({"inverse": lambda given, result: None}, "nothing to take back"),
        ({"effect": "mutate", "reconcile": reconcile}, "only a change outside"),
    ],
)
def test_what_is_declared_wrongly_is_told(given: dict[str, Any], expected: str) -> None:
    tool = build_tool(**given)
    with pytest.raises(PluginError) as caught:
        check_tool(tool)
    assert caught.value.message.startswith(f"Tool {tool.name!r}: ")
    assert expected in caught.value.message


@pytest.mark.parametrize(
    ("bound", "computed", "expected"),
    [
        ("read", "read", "read"),
        ("read", "mutate", None),
        ("read", "destructive", None),
        ("mutate", "read", "read"),
        ("mutate", "mutate", "mutate"),
        ("mutate", "destructive", None),
        ("destructive", "read", "read"),
        ("destructive", "destructive", "destructive"),
        ("destructive", "unheard of", None),
        ("destructive", None, None),
    ],
)
def test_the_effect_stays_within_its_bound(bound: str, computed: Any, expected: str | None) -> None:
    tool = build_tool(effect=bound, effect_of=lambda given: given["effect"], dry_run=dry_run)
    if expected is not None:
        assert find_effect(tool, {"effect": computed}) == expected
        return
    with pytest.raises(PluginError, match="beyond that"):
        find_effect(tool, {"effect": computed})


@pytest.mark.parametrize(
    ("bound", "computed", "expected"),
    [
        (False, False, False),
        (True, False, False),
        (True, True, True),
        (True, None, True),
        (False, True, None),
        (False, None, None),
    ],
)
def test_egress_stays_within_its_bound(bound: bool, computed: Any, expected: bool | None) -> None:
    tool = build_tool(egress=bound, egress_of=lambda given: given)
    if expected is not None:
        assert find_egress(tool, computed) is expected
        return
    with pytest.raises(PluginError, match="not declared as egress"):
        find_egress(tool, computed)


def test_without_a_function_the_declaration_holds() -> None:
    tool = build_tool(effect="destructive", egress=True)
    assert (find_effect(tool, {}), find_egress(tool, {})) == ("destructive", True)


BASIS = (Basis("catalog.system", "7", "3"),)


@pytest.mark.parametrize(
    ("preview", "external", "expected"),
    [
        (Preview(summary="Rename", basis=BASIS), False, None),
        (Preview(summary="Add", creates={}), False, None),
        (Preview(summary="Send"), True, None),
        (Preview(summary=" ", basis=BASIS), False, "no summary"),
        (Preview(summary="Rename"), False, "which versions"),
        (Preview(summary="Delete", removes=("Shop",)), False, "which versions"),
    ],
)
def test_previews(preview: Preview, external: bool, expected: str | None) -> None:
    tool = build_tool(effect="mutate", external=external)
    if expected is None:
        check_preview(tool, preview)
        return
    with pytest.raises(PluginError, match=expected):
        check_preview(tool, preview)


def test_a_preview_as_json() -> None:
    changes = find_changes({"name": "a"}, {"name": "b"})
    preview = Preview(summary="Rename", diff=changes, removes=("Shop",), basis=BASIS)
    assert preview.encode() == {
        "summary": "Rename",
        "diff": [{"kind": "changed", "path": "name", "before": "a", "after": "b"}],
        "creates": None,
        "removes": ["Shop"],
    }


def test_feedback() -> None:
    error = ToolValidationError([Issue("name", "Taken.")])
    assert isinstance(error, Invalid)
    assert error.feedback("shop.order") == {
        "kind": "validation",
        "tool": "shop.order",
        "issues": [{"path": "name", "message": "Taken."}],
    }
    assert isinstance(ToolValidationError.at("name", "Taken."), ToolValidationError)


def test_defaults() -> None:
    tool = build_tool()
    assert tool.behaviour.timeout == timedelta(minutes=5)
    assert (tool.phase, tool.behaviour.output_trust) == ("discovery", "trusted")
    assert tool.namespace == "shop"
    assert Result() == Result(None, (), ())
