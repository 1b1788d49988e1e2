"""A tiny world for the demo model: tools with rows behind them, and the loop that runs its calls.

The catalog's tools are described as the catalog describes them. The other two plugins exist nowhere
else.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from assent.bundled.catalog import tools as catalog_tools
from assent.bundled.catalog.declaration import plugin as catalog
from assent.models.demo.model import DemoModel
from assent.models.demo.playbook import Playbook
from assent.models.model import (
    AssistantMessage,
    CallDelta,
    CallPart,
    CallStart,
    Finished,
    Message,
    ModelRequest,
    OfferedTool,
    ResultPart,
    TextDelta,
    TextPart,
    ToolMessage,
    Usage,
    UserMessage,
)
from assent.plugins.assistant import plugin as assistant
from assent.tools.json_schema import find_faults
from assent.tools.names import wire_name

assert catalog_tools

WORKSPACE = "0190aaaa-0000-7000-8000-000000000001"
PROMPT = (
    "# Who you are\nYou are Assent, an assistant for operations.",
    f"# Now\nWorkspace: Demo (id {WORKSPACE})\nThe time is 2026-11-15T13:00:00+01:00.",
)
STEPS = 16
Override: TypeAlias = Callable[[Mapping[str, Any]], tuple[Any, bool]]
"""What a tool answers instead, and whether that is an error."""


def make_id(kind: str, number: int) -> str:
    return f"0190{kind.encode().hex()[:4]}-0000-7000-8000-{number:012d}"


def text_field(description: str = "") -> dict[str, Any]:
    return {"type": "string", "description": description}


def build_tool(
    name: str, description: str, properties: Mapping[str, Any], required: Sequence[str] = ()
) -> OfferedTool:
    schema = {
        "type": "object",
        "additionalProperties": False,
        "properties": dict(properties),
        "required": list(required),
    }
    return OfferedTool(name, description, schema)


PROPOSAL = make_id("proposal", 1)
CATALOG = tuple(
    OfferedTool(wire_name(tool.name), tool.description, tool.shape.input_schema)
    for tool in catalog.tools
)
ASK = next(
    OfferedTool(wire_name(tool.name), tool.description, tool.shape.input_schema)
    for tool in assistant.tools
    if tool.name == "ai.askOperator"
)
ID = {"type": "string", "format": "uuid"}
SEVERITY = {"enum": ["low", "high", "critical"], "description": "How bad it is."}
INCIDENT = (
    build_tool(
        "incident_list",
        "List incidents, newest first. `status` narrows it to open or resolved ones.",
        {
            "status": {"anyOf": [{"enum": ["open", "resolved"]}, {"type": "null"}]},
            "limit": {"type": "integer", "minimum": 1, "maximum": 100, "default": 20},
        },
    ),
    build_tool(
        "incident_get",
        "Show one incident with its updates.",
        {"incidentId": {**ID, "description": "`id` of an incident from incident.list."}},
        ["incidentId"],
    ),
    build_tool(
        "incident_create",
        "Open an incident about a system.",
        {
            "title": text_field("What is wrong, in a few words."),
            "severity": SEVERITY,
            "systemId": {**ID, "description": "`id` of a system from catalog.listSystems."},
            "startedAt": {"type": "string", "format": "date-time"},
        },
        ["title", "severity"],
    ),
    build_tool(
        "incident_update",
        "Change the title or the severity of an incident.",
        {
            "incidentId": {**ID, "description": "`id` of an incident from incident.list."},
            "title": text_field(),
            "severity": SEVERITY,
        },
        ["incidentId"],
    ),
    build_tool(
        "incident_addUpdate",
        "Write an update on an incident, for everybody to read.",
        {
            "incidentId": {**ID, "description": "`id` of an incident from incident.list."},
            "message": text_field("What happened."),
        },
        ["incidentId", "message"],
    ),
    build_tool(
        "incident_resolve",
        "Say that an incident is over.",
        {"incidentId": {**ID, "description": "`id` of an incident from incident.list."}},
        ["incidentId"],
    ),
)
RECIPE = (
    build_tool(
        "recipe_search",
        "Search the cook book. `query` is part of a recipe's name or of an ingredient.",
        {
            "query": text_field(),
            "vegetarian": {"type": "boolean", "description": "Only those without meat."},
        },
    ),
    build_tool(
        "recipe_create",
        "Add a recipe to the cook book.",
        {
            "name": text_field(),
            "servings": {"type": "integer", "minimum": 1},
            "vegetarian": {"type": "boolean"},
            "tags": {"type": "array", "items": {"type": "string"}},
        },
        ["name", "servings"],
    ),
    build_tool(
        "recipe_addIngredient",
        "Add an ingredient to a recipe.",
        {"recipeId": {"type": "string"}, "ingredient": text_field()},
        ["recipeId", "ingredient"],
    ),
    build_tool("recipe_delete", "Throw a recipe away.", {"id": {"type": "string"}}, ["id"]),
)
ALL = (*CATALOG, *INCIDENT, *RECIPE)


@dataclass
class World:
    """Rows by kind, and how changes are answered: with a card, or at once."""

    rows: dict[str, list[dict[str, Any]]] = field(default_factory=dict[str, Any])
    mode: str = "approve"
    overrides: dict[str, Override] = field(default_factory=dict[str, "Override"])

    def add(self, kind: str, name: str, **fields: Any) -> str:
        rows = self.rows.setdefault(kind, [])
        one = make_id(kind, len(rows) + 1)
        rows.append({"id": one, "name": name, **fields})
        return one

    def run(self, tool: OfferedTool, arguments: Mapping[str, Any]) -> tuple[Any, bool]:
        if tool.name in self.overrides:
            answer = self.overrides[tool.name](arguments)
            return (
                (answer, isinstance(answer, dict) and "error" in answer)
                if not isinstance(answer, tuple)
                else answer
            )
        faults = find_faults(tool.input_schema, dict(arguments))
        if faults:
            issues = [{"path": ".".join(map(str, f.path)), "message": f.message} for f in faults]
            return {"kind": "validation", "tool": tool.name, "issues": issues}, True
        kind = LISTS.get(tool.name)
        if kind:
            return self._list(kind, arguments), False
        if tool.name == "incident_get":
            found = [r for r in self.rows["incident"] if r["id"] == arguments["incidentId"]]
            return found[0], False
        if tool.name == ASK.name:
            return {"status": "asked"}, False
        status = "applied" if self.mode == "auto" else "awaiting_operator"
        summary = f"Call {tool.name.partition('_')[2]}"
        return {"status": status, "proposalId": PROPOSAL, "summary": summary}, False

    def _list(self, kind: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        rows = self.rows.get(kind, [])
        for key in ("q", "query"):
            if arguments.get(key):
                rows = [r for r in rows if str(arguments[key]).casefold() in str(r).casefold()]
        for key, value in arguments.items():
            if key in ("groupId", "environmentId"):
                rows = [r for r in rows if value in r.get(f"{key}s", [])]
            elif key == "systemId":
                rows = [r for r in rows if value in (r["systemId"], r["dependsOnId"])]
            elif key in ("status", "vegetarian"):
                rows = [r for r in rows if r.get(key) == value]
        limit = arguments.get("limit", 50)
        cursor = "more" if len(rows) > limit else None
        return {"items": rows[:limit], "nextCursor": cursor}


LISTS = {
    "catalog_listSystems": "system",
    "catalog_listGroups": "group",
    "catalog_listEnvironments": "environment",
    "dependency_list": "dependency",
    "incident_list": "incident",
    "recipe_search": "recipe",
}


def build_shop() -> World:
    world = World()
    place = {"workspaceId": WORKSPACE, "version": 1}
    production = world.add("environment", "Production", description="What customers use.", **place)
    world.add("environment", "Staging", description="The rehearsal.", **place)
    storefront = world.add("group", "Storefront", description="", systemIds=[], **place)
    world.add("group", "Platform", description="What the rest stands on.", systemIds=[], **place)
    ids: dict[str, str] = {}
    for name, text in (
        ("web", "The shop's pages."),
        ("checkout", "Takes orders and payments."),
        ("search", "Finds products."),
        ("orders", "Keeps orders."),
        ("postgres", "The main database."),
        ("billing", "Writes invoices."),
        ("Größenprüfung", "Checks sizes."),
        ("Order system", "An old one."),
        ("mail-in", "Receives mail."),
        ("mail-out", "Sends mail."),
    ):
        groups = [storefront] if name in ("web", "checkout") else []
        environments = [production] if name in ("web", "orders") else []
        ids[name] = world.add(
            "system", name, description=text, groupIds=groups, environmentIds=environments, **place
        )
    for system, target, strength in (
        ("checkout", "orders", "hard"),
        ("orders", "postgres", "hard"),
        ("search", "postgres", "soft"),
    ):
        rows = world.rows.setdefault("dependency", [])
        rows.append(
            {
                "id": make_id("dependency", len(rows) + 1),
                "systemId": ids[system],
                "dependsOnId": ids[target],
                "strength": strength,
                "note": "",
            }
        )
    world.rows["incident"] = [
        {"id": make_id("incident", 1), "title": "DB outage", "severity": "high", "status": "open"},
        {
            "id": make_id("incident", 2),
            "title": "Slow pages",
            "severity": "low",
            "status": "resolved",
        },
    ]
    world.rows["recipe"] = [
        {"id": "r1", "name": "Pancakes", "servings": 4, "vegetarian": True},
        {"id": "r2", "name": "Goulash", "servings": 6, "vegetarian": False},
    ]
    return world


@dataclass
class Talk:
    """A conversation with the demo model: what it called, and what it said."""

    world: World = field(default_factory=build_shop)
    tools: tuple[OfferedTool, ...] = ALL
    instructions: tuple[str, ...] = PROMPT
    playbooks: tuple[Playbook, ...] = ()
    messages: list[Message] = field(default_factory=list[Message])
    calls: list[tuple[str, dict[str, Any]]] = field(default_factory=list[Any])
    said: str = ""
    told: list[str] = field(default_factory=list[str])
    usage: Usage | None = None

    async def say(self, text: str, *, steps: int = STEPS) -> str:
        """One turn as the server drives it: a card or a question is the end of it."""
        self.messages.append(UserMessage((TextPart(text),)))
        self.calls = []
        self.told = []
        self.said = ""
        cards = False
        for _ in range(steps):
            text, calls, reason = await self.step(tools=() if cards else self.tools)
            parts = [TextPart(text)] if text else []
            self.messages.append(AssistantMessage((*parts, *calls)))
            self.said = text
            self.told += parts and [text]
            if not calls:
                assert reason == "stop"
                return text
            assert reason == "tool_calls"
            results = tuple(self._run(call) for call in calls)
            self.messages.append(ToolMessage(results))
            if any(one.content == '{"status": "asked"}' for one in results):
                return text
            cards = any("awaiting_operator" in one.content for one in results)
        raise AssertionError(f"no answer after {steps} steps: {self.calls}")

    async def step(
        self, *, max_tokens: int = 4000, **changes: Any
    ) -> tuple[str, list[CallPart], str]:
        request = ModelRequest(
            **{
                "purpose": "turn",
                "model": "demo",
                "instructions": self.instructions,
                "messages": tuple(self.messages),
                "max_tokens": max_tokens,
                "tools": self.tools,
                **changes,
            }
        )
        text, names, pieces, reason = "", dict[int, CallStart](), dict[int, str](), ""
        answer = DemoModel(0, self.playbooks).stream(request)
        for event in [event async for events in answer for event in events]:
            assert not reason
            if isinstance(event, TextDelta):
                text += event.text
            elif isinstance(event, CallStart):
                names[event.index] = event
            elif isinstance(event, CallDelta):
                pieces[event.index] = pieces.get(event.index, "") + event.arguments
            elif isinstance(event, Usage):
                self.usage = event
            elif isinstance(event, Finished):
                reason = event.reason
        calls = [CallPart(one.id, one.name, pieces[index]) for index, one in names.items()]
        return text, calls, reason

    def _run(self, call: CallPart) -> ResultPart:
        arguments = json.loads(call.arguments)
        self.calls.append((call.name, arguments))
        tool = next(one for one in self.tools if one.name == call.name)
        value, is_error = self.world.run(tool, arguments)
        content = value if isinstance(value, str) else json.dumps(value)
        return ResultPart(call.id, call.name, content, is_error)

    def id_of(self, kind: str, name: str) -> str:
        rows = self.world.rows[kind]
        return next(r["id"] for r in rows if name in (r.get("name"), r.get("title")))
