"""All tools that can be called, by name and by wire name, and which a principal may use. Pure."""

import difflib
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from assent.errors import MissingRule, PluginError
from assent.identity.principal import Principal, find_scope
from assent.tools.gate import Edge
from assent.tools.names import build_wire_names
from assent.tools.tool import Phase, Tool, check_tool

CLOSEST = 3
NO_GRANTS: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Registry:
    """Made by `build_registry`; another set of tools is another registry."""

    by_name: Mapping[str, Tool]
    wire_names: Mapping[str, str]
    by_wire_name: Mapping[str, Tool]

    def find(self, name: str) -> Tool | None:
        return self.by_name.get(name)

    def find_by_wire_name(self, wire_name: str) -> Tool | None:
        return self.by_wire_name.get(wire_name)

    def list_for(
        self, principal: Principal, *, phase: Phase = "build", granted: Collection[str] = NO_GRANTS
    ) -> tuple[Tool, ...]:
        """The tools that the principal may use, by name; `granted` as for `find_missing_rule`."""
        return tuple(
            tool
            for tool in self.by_name.values()
            if is_in_phase(tool, phase) and may_use(tool, principal, granted)
        )


def build_registry(tools: Iterable[Tool]) -> Registry:
    """Check every tool; raise for the first fault and for a name that is there twice."""
    by_name: dict[str, Tool] = {}
    for tool in sorted(tools, key=lambda one: one.name):
        check_tool(tool)
        if tool.name in by_name:
            raise PluginError(f"Two tools are called {tool.name}.")
        by_name[tool.name] = tool
    wires = build_wire_names(by_name)
    return Registry(by_name, wires, {wire: by_name[name] for name, wire in wires.items()})


def is_in_phase(tool: Tool, phase: Phase) -> bool:
    """While discovering, the tools for building are hidden; while building, nothing is."""
    return phase == "build" or tool.phase == "discovery"


def is_offered_at(tool: Tool, edge: Edge) -> bool:
    """What belongs to a conversation is not there for programs that come over MCP."""
    return edge != "mcp" or not tool.behaviour.chat_only


def may_use(tool: Tool, principal: Principal, granted: Collection[str] = NO_GRANTS) -> bool:
    return principal.kind != "service" and find_missing_rule(tool, principal, granted) is None


def find_missing_rule(
    tool: Tool, principal: Principal, granted: Collection[str] = NO_GRANTS
) -> str | None:
    """The first of the tool's rules that holds nowhere for the principal.

    `granted` are rules that grants give for at least one resource. Where exactly a rule holds is
    checked again by the procedures that the tool calls.
    """
    for rule in tool.rules:
        if rule not in granted and find_scope(principal, rule, frozenset()).is_empty:
            return rule
    return None


def check_may_use(tool: Tool, principal: Principal, granted: Collection[str] = NO_GRANTS) -> None:
    missing = find_missing_rule(tool, principal, granted)
    if missing is not None:
        raise MissingRule(missing)


def find_closest(name: str, offered: Iterable[Tool]) -> tuple[str, ...]:
    """Names like this one, among the tools that the caller may know of, the most alike first."""
    names = {tool.name.casefold(): tool.name for tool in offered}
    alike = difflib.get_close_matches(name.casefold(), names, n=CLOSEST)
    return tuple(names[one] for one in alike)
