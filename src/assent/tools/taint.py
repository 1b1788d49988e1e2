"""What untrusted content is in the model's context, as a value that only grows (SPEC P9). Pure."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, cast, get_args

from assent.tools.tool import Tool

SourceKind: TypeAlias = Literal["web", "document", "tool", "message", "attachment", "unknown"]


@dataclass(frozen=True, slots=True, order=True)
class Source:
    """Where untrusted content came from, such as the tool `ai.webSearch`."""

    kind: SourceKind
    name: str


@dataclass(frozen=True, slots=True)
class Taint:
    sources: frozenset[Source] = frozenset()

    @property
    def is_tainted(self) -> bool:
        return bool(self.sources)

    def __or__(self, other: "Taint") -> "Taint":
        return Taint(self.sources | other.sources)

    def encode(self) -> list[dict[str, str]]:
        return [{"kind": one.kind, "name": one.name} for one in sorted(self.sources)]


CLEAN = Taint()


def taint_from(kind: SourceKind, name: str) -> Taint:
    return Taint(frozenset({Source(kind, name)}))


def taint_of_result(tool: Tool) -> Taint:
    """What the model's context gets along with a result of this tool."""
    if tool.behaviour.output_trust == "trusted":
        return CLEAN
    return taint_from("tool", tool.name)


def taint_of_parts(
    parts: Iterable[Mapping[str, Any]], find_tool: Callable[[str], Tool | None]
) -> Taint:
    """What is replayed with stored results; a tool that is gone may have been any."""
    results = [one for one in parts if one.get("state") == "output-available"]
    taint = CLEAN
    for name in {str(one["toolName"]) for one in results if one["type"] == "dynamic-tool"}:
        tool = find_tool(name)
        taint |= taint_of_result(tool) if tool else taint_from("unknown", name)
    return taint


def parse_taint(encoded: Iterable[Mapping[str, Any]]) -> Taint:
    """Read what was stored. A source that makes no sense taints all the same."""
    return Taint(frozenset(_parse_source(one) for one in encoded))


def _parse_source(encoded: Mapping[str, Any]) -> Source:
    kind = encoded.get("kind")
    known: SourceKind = cast(SourceKind, kind) if kind in get_args(SourceKind) else "unknown"
    return Source(known, str(encoded.get("name", "")))
