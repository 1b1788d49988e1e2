"""Answers for what is not a turn: titles, classifications, summaries, values of a schema. Pure."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, cast

from assent.models.demo.profile import follow
from assent.models.demo.state import Part, read_parts
from assent.models.demo.words import split_text
from assent.models.model import ModelRequest
from assent.tools.json_value import encode_json

TITLE_WORDS, TITLE_LENGTH = 6, 60
SUMMARY_PARTS, SUMMARY_LENGTH = 8, 160
DEPTH = 12
_POLITE = re.compile(
    r"^((please|hi|hey|hello|ok|okay|can you|could you|would you|i want to|i would like to"
    r"|i'd like to|i need to)\b[\s,!.]*)+",
    re.I,
)
_TOPIC = re.compile(r"(on|off)[_ ]?topic|relevant|allowed|in[_ ]?scope", re.I)


def answer_purpose(request: ModelRequest) -> str:
    parts = read_parts(request.messages)
    if request.purpose == "title":
        text = write_title(parts)
    elif request.purpose == "summarize":
        text = write_summary(parts)
    else:
        text = "on topic" if request.purpose == "classify" else ""
    if request.output_schema is None:
        return text
    return encode_json(build_value(request.output_schema, text))


def write_title(parts: Sequence[Part]) -> str:
    """At most six words of the first request, without politeness and punctuation."""
    first = next((part.text for part in parts if part.text.strip()), "")
    plain = _POLITE.sub("", first.strip()) or first
    words = [re.sub(r"[\"'“”„`*_#<>\[\]]", "", word.text) for word in split_text(plain)]
    title = " ".join(words[:TITLE_WORDS])[:TITLE_LENGTH].rstrip(".,;:!?… ")
    return title[:1].upper() + title[1:] or "New conversation"


def write_summary(parts: Sequence[Part]) -> str:
    """An extract: the beginnings of what was asked and answered last."""
    lines: list[str] = []
    for part in [one for one in parts if one.text.strip()][-SUMMARY_PARTS:]:
        answer = f" Answered: {_begin(part.said)}" if part.said.strip() else ""
        lines.append(f"- Asked: {_begin(part.text)}{answer}")
    return "\n".join(lines) or "Nothing was said yet."


def _begin(text: str) -> str:
    plain = " ".join(text.split())
    return plain if len(plain) <= SUMMARY_LENGTH else f"{plain[: SUMMARY_LENGTH - 1].rstrip()}…"


def build_value(schema: Mapping[str, Any], text: str = "") -> Any:
    """The smallest value that a schema allows; `text` where it asks for one."""
    return _build(schema, schema, "", text, 0)


def _build(part: Any, root: Mapping[str, Any], name: str, text: str, depth: int) -> Any:
    node = follow(part, root)
    for fixed in ("const", "default"):
        if fixed in node:
            return node[fixed]
    if "enum" in node:
        return _choose(cast(list[Any], node["enum"]))
    kind = node.get("type") or ("object" if "properties" in node else "string")
    if kind == "object" and depth < DEPTH:
        return _build_object(node, root, text, depth)
    if kind == "array":
        count = int(node.get("minItems", 0))
        return [_build(node.get("items", {}), root, name, text, depth + 1) for _ in range(count)]
    return _build_plain(node, str(kind), name, text)


def _build_plain(node: Mapping[str, Any], kind: str, name: str, text: str) -> Any:
    if kind == "boolean":
        return _TOPIC.search(name) is not None and not name.casefold().startswith("off")
    if kind in ("integer", "number"):
        return _build_number(node, kind)
    return _build_text(node, text) if kind == "string" else None


def _choose(options: list[Any]) -> Any:
    """Of several choices the one that stops nothing."""
    good = [one for one in options if isinstance(one, str) and re.match(r"on[_ ]?topic", one, re.I)]
    return next(iter([*good, *options]), None)


def _build_object(
    node: Mapping[str, Any], root: Mapping[str, Any], text: str, depth: int
) -> dict[str, Any]:
    properties = cast(Mapping[str, Any], node.get("properties", {}))
    required = cast(Sequence[str], node.get("required", ()))
    return {
        name: _build(properties.get(name, {}), root, name, text, depth + 1) for name in required
    }


def _build_number(node: Mapping[str, Any], kind: str) -> int | float:
    step = 1 if kind == "integer" else 0.5
    lowest = node.get("minimum")
    if lowest is None and "exclusiveMinimum" in node:
        lowest = node["exclusiveMinimum"] + step
    highest = node.get("maximum", node.get("exclusiveMaximum", 0))
    return lowest if lowest is not None else min(0, highest)


_FORMATS = {
    "date-time": "1970-01-01T00:00:00Z",
    "date": "1970-01-01",
    "uuid": "00000000-0000-0000-0000-000000000000",
    "uri": "about:blank",
    "email": "nobody@example.invalid",
}


def _build_text(node: Mapping[str, Any], text: str) -> str:
    known = _FORMATS.get(str(node.get("format", "")))
    if known is not None:
        return known
    length = int(node.get("minLength", 0))
    longest = int(node.get("maxLength", max(len(text), length)))
    return text[:longest].ljust(length, "-")
