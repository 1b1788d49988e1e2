"""What the messages of a request show: who said what, which calls were made, what came back. Pure.

A part begins where a person, or the server in a person's name, spoke. Results are data: nothing in
them is ever read as a request.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, cast

from assent.models.demo.words import find_uuids
from assent.models.model import (
    AssistantMessage,
    CallPart,
    Message,
    ModelRequest,
    TextPart,
    ToolMessage,
    UserMessage,
)
from assent.tools.json_value import same_json

Outcome: TypeAlias = Literal["applied", "declined", "failed", "expired", "unknown"]

NOTHING: Mapping[str, Any] = {}
_STATES: Mapping[str, Outcome] = {
    "applied": "applied",
    "declined": "declined",
    "rejected": "declined",
    "failed": "failed",
    "expired": "expired",
    "voided": "expired",
    "superseded": "expired",
    "outcome_unknown": "unknown",
}
_NOTE = re.compile(
    r"^\W*(?:\[[^\]]*\]\W*)?(?:(?:system )?note\W+)?(?:the |your |this |decisions? on )?"
    r"(?:following )?proposals?\b",
    re.I,
)
"""How a note of the server begins; a person who begins like this asks about a proposal."""
_CONTEXT = re.compile(r"\b(workspace|tenant|project|organization)\b", re.I)
_BARE = re.compile(r"^[\s:#*>`\"'“„–—-]+|[\s:(\[*`\"'”“,;–—-]+$")


@dataclass(frozen=True, slots=True)
class Seen:
    """A call that was made, with what came back; `value` is text where that is no JSON."""

    name: str
    arguments: Mapping[str, Any]
    value: Any
    is_error: bool

    def is_call(self, name: str, arguments: Mapping[str, Any]) -> bool:
        return self.name == name and same_json(dict(self.arguments), dict(arguments))

    @property
    def fields(self) -> Mapping[str, Any]:
        return cast(Mapping[str, Any], self.value) if isinstance(self.value, Mapping) else {}

    @property
    def status(self) -> str:
        status = self.fields.get("status", self.fields.get("state", ""))
        return status if isinstance(status, str) else ""


@dataclass(frozen=True, slots=True)
class Part:
    """What was said, the calls that followed in their order, and what was answered."""

    text: str
    seen: tuple[Seen, ...] = ()
    said: str = ""


@dataclass(frozen=True, slots=True)
class Place:
    """Something that the prompt names with its id: where the conversation happens."""

    noun: str
    name: str
    id: str


@dataclass(frozen=True, slots=True)
class Decision:
    """What became of a proposal, as the server tells it."""

    outcome: Outcome
    text: str
    ids: tuple[str, ...]


def read_parts(messages: Sequence[Message]) -> tuple[Part, ...]:
    parts: list[Part] = []
    calls: dict[str, CallPart] = {}
    for message in messages:
        if isinstance(message, UserMessage):
            parts.append(Part(_join(message.parts)))
        elif not parts:
            continue
        elif isinstance(message, AssistantMessage):
            calls.update({one.id: one for one in message.parts if isinstance(one, CallPart)})
            last = parts[-1]
            parts[-1] = Part(last.text, last.seen, last.said + _join(message.parts))
        else:
            last = parts[-1]
            parts[-1] = Part(last.text, (*last.seen, *_read_results(message, calls)), last.said)
    return tuple(parts)


def _join(parts: Sequence[object]) -> str:
    return "\n".join(one.text for one in parts if isinstance(one, TextPart))


def _read_results(message: ToolMessage, calls: Mapping[str, CallPart]) -> list[Seen]:
    seen: list[Seen] = []
    for result in message.results:
        call = calls.get(result.call_id)
        arguments: Any = _parse(call.arguments) if call else None
        given = cast(Mapping[str, Any], arguments) if isinstance(arguments, Mapping) else NOTHING
        seen.append(Seen(result.name, given, _parse(result.content), result.is_error))
    return seen


def _parse(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text


def read_unfinished(request: ModelRequest) -> str:
    """What the answer began with when it was cut and is to go on."""
    last = request.messages[-1] if request.messages else None
    if isinstance(last, AssistantMessage) and not any(
        isinstance(one, CallPart) for one in last.parts
    ):
        return _join(last.parts)
    return ""


def read_places(instructions: Sequence[str]) -> tuple[Place, ...]:
    """Lines of the prompt such as `Workspace: Demo (id 0190…)`; the current one comes first."""
    found: list[tuple[bool, Place]] = []
    for line in (line for text in instructions for line in text.splitlines()):
        kind, ids = _CONTEXT.search(line), find_uuids(line)
        if kind is None or not ids:
            continue
        between = line[kind.end() : line.index(ids[0])]
        name = re.sub(r"^s?\s*(is|called|named|:|=)*\s*", "", between.strip())
        name = re.sub(r"[\s,;(\[]*\b(with )?(the )?id\b.*$", "", name, flags=re.I)
        current = re.search(r"\b(current|active|selected)\b", line, re.I) is not None
        found.append((not current, Place(kind[1].casefold(), _BARE.sub("", name), ids[0])))
    found.sort(key=lambda one: one[0])
    return tuple(place for _, place in found)


def read_decisions(text: str) -> tuple[Decision, ...]:
    """What a note of the server says, line by line; nothing for what a person wrote."""
    if _NOTE.match(text) is None:
        return ()
    decisions: list[Decision] = []
    for line in text.splitlines():
        outcome = _find_outcome(line)
        if outcome is not None:
            decisions.append(Decision(outcome, line.strip(), tuple(find_uuids(line))))
    return tuple(decisions)


def _find_outcome(line: str) -> Outcome | None:
    """The first state that is named, summaries in quotes left out."""
    plain = re.sub(r"[\"“„][^\"”“]*[\"”“]", "", line)
    found = re.search(rf"\b({'|'.join(_STATES)})\b", plain, re.I)
    return _STATES[found[1].casefold()] if found else None


def list_issues(seen: Seen) -> list[tuple[str, str]]:
    given = seen.fields.get("issues")
    if given is None and isinstance(seen.fields.get("error"), Mapping):
        given = seen.fields["error"].get("issues")
    listed = cast(list[Any], given) if isinstance(given, list) else []
    rows = [cast(Mapping[str, Any], one) for one in listed if isinstance(one, Mapping)]
    return [(str(one.get("path", "")), str(one.get("message", ""))) for one in rows]
