"""Who sees which tool, under which name."""

from collections.abc import Collection
from typing import Any

import pytest

from assent.errors import MissingRule, PluginError
from assent.identity.principal import Kind, Principal
from assent.tools.registry import (
    build_registry,
    check_may_use,
    find_closest,
    find_missing_rule,
    is_in_phase,
)
from assent.tools.tool import Phase
from tests.unit.tools.samples import WORKSPACE, build_principal, build_tool

READ, MANAGE = "shop.thing.read", "shop.thing.manage"
FREE = build_tool("ai.askOperator", rules=())
LIST = build_tool("shop.listThings")
ORDER = build_tool("shop.order", effect="mutate", phase="build")
BOTH = build_tool("shop.compare", rules=(READ, "stock.item.read"))
REGISTRY = build_registry([ORDER, LIST, BOTH, FREE])


def names(principal: Principal, **given: Any) -> list[str]:
    return [tool.name for tool in REGISTRY.list_for(principal, **given)]


def test_tools_are_found_by_both_names() -> None:
    assert REGISTRY.find("shop.listThings") is LIST
    assert REGISTRY.find_by_wire_name("shop_listThings") is LIST
    assert REGISTRY.find("shop_listThings") is None
    assert REGISTRY.find_by_wire_name("shop.listThings") is None
    assert {REGISTRY.wire_names[name] for name in REGISTRY.by_name} == set(REGISTRY.by_wire_name)


def test_a_long_name_leads_back_too() -> None:
    tool = build_tool("shop." + "x" * 100)
    registry = build_registry([tool, LIST])
    assert registry.find_by_wire_name(registry.wire_names[tool.name]) is tool


def test_a_name_is_given_once() -> None:
    with pytest.raises(PluginError, match=r"Two tools are called shop\.order\."):
        build_registry([ORDER, LIST, ORDER])


def test_every_tool_is_checked() -> None:
    with pytest.raises(PluginError, match="needs a dry_run"):
        build_registry([LIST, build_tool(effect="mutate", dry_run=None)])


@pytest.mark.parametrize(
    ("principal", "expected"),
    [
        (build_principal(), ["ai.askOperator"]),
        (build_principal(READ), ["ai.askOperator", "shop.listThings"]),
        (build_principal(MANAGE), ["ai.askOperator", "shop.listThings", "shop.order"]),
        (
            build_principal(READ, "stock.item.read"),
            ["ai.askOperator", "shop.compare", "shop.listThings"],
        ),
        (build_principal("*"), ["ai.askOperator", "shop.compare", "shop.listThings", "shop.order"]),
        (
            build_principal(workspace_rules={WORKSPACE: frozenset({MANAGE})}),
            ["ai.askOperator", "shop.listThings", "shop.order"],
        ),
        (
            build_principal(MANAGE, kind="application"),
            ["ai.askOperator", "shop.listThings", "shop.order"],
        ),
        (build_principal("*", kind="service"), []),
    ],
)
def test_only_what_one_may_use_is_listed(principal: Principal, expected: list[str]) -> None:
    assert names(principal) == expected


def test_grants_count() -> None:
    assert names(build_principal(), granted={READ}) == ["ai.askOperator", "shop.listThings"]


@pytest.mark.parametrize(
    ("phase", "expected"),
    [
        ("discovery", ["ai.askOperator", "shop.compare", "shop.listThings"]),
        ("build", ["ai.askOperator", "shop.compare", "shop.listThings", "shop.order"]),
    ],
)
def test_tools_for_building_are_hidden_at_first(phase: Phase, expected: list[str]) -> None:
    assert names(build_principal("*"), phase=phase) == expected
    assert is_in_phase(ORDER, phase) == ("shop.order" in expected)


@pytest.mark.parametrize(
    ("rules", "granted", "expected"),
    [
        ([], [], READ),
        ([READ], [], "stock.item.read"),
        (["stock.item.read"], [], READ),
        ([READ], ["stock.item.read"], None),
        (["*"], [], None),
    ],
)
def test_the_missing_rule_is_named(
    rules: list[str], granted: Collection[str], expected: str | None
) -> None:
    principal = build_principal(*rules)
    assert find_missing_rule(BOTH, principal, granted) == expected
    if expected is None:
        check_may_use(BOTH, principal, granted)
    else:
        with pytest.raises(MissingRule, match=expected):
            check_may_use(BOTH, principal, granted)


@pytest.mark.parametrize("kind", ["user", "application", "service"])
def test_nobody_uses_a_tool_without_its_rules(kind: Kind) -> None:
    assert "shop.order" not in names(build_principal(READ, kind=kind))


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("shop.listThing", "shop.listThings"),
        ("shop_listthings", "shop.listThings"),
        ("shop.Order", "shop.order"),
        ("shop.comparison", "shop.compare"),
    ],
)
def test_closest_names(name: str, expected: str) -> None:
    assert find_closest(name, REGISTRY.by_name.values())[0] == expected


def test_only_offered_tools_are_named() -> None:
    assert find_closest("shop.ordr", [LIST, FREE]) == ()
    assert find_closest("completely.else", REGISTRY.by_name.values()) == ()
