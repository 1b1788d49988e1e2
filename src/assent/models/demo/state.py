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

Outcome: TypeAlias = Literal["applied", "declined", "failed", "replaced", "expired", "unknown"]

NOTHING: Mapping[str, Any] = {}
NOTE = "[Note from Assent"
"""How everything begins that the server says in a person's place."""
_OUTCOMES: tuple[tuple[Outcome, re.Pattern[str]], ...] = (
    ("unknown", re.compile(r"not known")),
    ("failed", re.compile(r"\bfailed\b")),
    ("declined", re.compile(r"\bdeclined\b")),
    ("replaced", re.compile(r"\breplaced\b")),
    ("expired", re.compile(r"\b(expired|withdrawn)\b")),
    ("applied", re.compile(r"\bapplied\b")),
)
_ABOUT = re.compile(r"\(proposal [0-9a-f-]{36}\)")
_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"|“[^”]*”')
_DETAILS = re.compile(r"\s(?:Result|Error):\s")
_CONTEXT = re.compile(r"\b(workspace|tenant|project|organization)\b", re.I)
_BARE = re.compile(r"^[\s:#*>`\"'“„–—-]+|[\s:(\[*`\"'”“,;–—-]+$")


@dataclass(frozen=True, slots=True)
class Seen:
    """A call that was made, with what came back; `value` is text where that is no JSON.

    Calls of one answer were made in the same `step`.
    """

    name: str
    arguments: Mapping[str, Any]
    value: Any
    is_error: bool
    step: int = 0

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
    summary: str
    reason: str
    ids: tuple[str, ...]
    result: Any = None


def read_parts(messages: Sequence[Message]) -> tuple[Part, ...]:
    parts: list[Part] = []
    calls: dict[str, CallPart] = {}
    for number, message in enumerate(messages):
        if isinstance(message, UserMessage):
            parts += [Part(text) for text in _split_notes(_join(message.parts))]
        elif not parts:
            continue
        elif isinstance(message, AssistantMessage):
            calls.update({one.id: one for one in message.parts if isinstance(one, CallPart)})
            last = parts[-1]
            parts[-1] = Part(last.text, last.seen, last.said + _join(message.parts))
        else:
            last = parts[-1]
            seen = (*last.seen, *_read_results(message, calls, number))
            parts[-1] = Part(last.text, seen, last.said)
    return tuple(parts)


def _split_notes(text: str) -> list[str]:
    """A note may stand behind what a person wrote; one that only urges to go on says nothing."""
    texts = re.split(rf"\n\n(?={re.escape(NOTE)})", text)
    return [one for one in texts if not one.startswith(NOTE) or read_decisions(one)]


def _join(parts: Sequence[object]) -> str:
    return "\n".join(one.text for one in parts if isinstance(one, TextPart))


def _read_results(message: ToolMessage, calls: Mapping[str, CallPart], step: int) -> list[Seen]:
    seen: list[Seen] = []
    for result in message.results:
        call = calls.get(result.call_id)
        arguments: Any = _parse(call.arguments) if call else None
        given = cast(Mapping[str, Any], arguments) if isinstance(arguments, Mapping) else NOTHING
        seen.append(Seen(result.name, given, _parse(result.content), result.is_error, step))
    return seen


def _parse(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text


def read_unfinished(request: ModelRequest) -> str:
    """What the answer began with when it was cut and is to go on."""
    messages = list(request.messages)
    while messages and isinstance(messages[-1], UserMessage):
        if _split_notes(_join(messages[-1].parts)):
            return ""
        messages.pop()
    last = messages[-1] if messages else None
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
    decisions: list[Decision] = []
    for line in text.splitlines() if text.startswith(NOTE) else ():
        quoted = _QUOTED.search(line)
        said = _DETAILS.split(line)[0]
        outcome = _find_outcome(_QUOTED.sub("", said)) if _ABOUT.search(line) else None
        if outcome is not None:
            summary = _read_quoted(quoted[0]) if quoted else ""
            details = line[len(said) :].partition(":")[2].strip()
            reason = _read_quoted(details) if outcome == "failed" else ""
            result = _parse(details) if outcome == "applied" else None
            ids = tuple(find_uuids(said))
            decisions.append(Decision(outcome, summary, reason, ids, result))
    return tuple(decisions)


def _find_outcome(line: str) -> Outcome | None:
    if "being applied" in line or "still waits for a decision" in line:
        return None
    return next((name for name, pattern in _OUTCOMES if pattern.search(line)), None)


def _read_quoted(text: str) -> str:
    value = _parse(text)
    return value if isinstance(value, str) else text.strip("“”")


def list_issues(seen: Seen) -> list[tuple[str, str]]:
    given = seen.fields.get("issues")
    if given is None and isinstance(seen.fields.get("error"), Mapping):
        given = seen.fields["error"].get("issues")
    listed = cast(list[Any], given) if isinstance(given, list) else []
    rows = [cast(Mapping[str, Any], one) for one in listed if isinstance(one, Mapping)]
    return [(str(one.get("path", "")), str(one.get("message", ""))) for one in rows]
