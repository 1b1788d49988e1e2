"""Stored messages as whole turns, and as text for whoever writes a summary. Pure.

A turn begins with what a person says, or where the assistant speaks again by itself because a
decision was made. Nothing is ever cut inside of one.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from assent.conversations.conversation import StoredMessage
from assent.conversations.parts import was_chosen
from assent.history.hygiene import read_output
from assent.history.summary import CHOSEN, Said
from assent.tools.json_value import encode_json

SHARES = {"user": 4_000, "assistant": 2_000, "result": 900, "input": 300}
"""Characters of each kind of thing in the text of a turn, at most."""
LEAST_SHARE = 40
MARK = " … "


@dataclass(frozen=True, slots=True)
class Turn:
    messages: tuple[StoredMessage, ...]

    @property
    def last_seq(self) -> int:
        return self.messages[-1].seq

    @property
    def words(self) -> tuple[Said, ...]:
        return tuple(
            Said(CHOSEN if was_chosen(one.parts) else one.author, one.content)
            for one in self.messages
            if one.role == "user" and one.content.strip()
        )


def list_turns(messages: Sequence[StoredMessage]) -> list[Turn]:
    turns: list[list[StoredMessage]] = []
    before: StoredMessage | None = None
    for one in messages:
        if before is None or one.role == "user" or before.role == "assistant":
            turns.append([])
        turns[-1].append(one)
        before = one
    return [Turn(tuple(turn)) for turn in turns]


def split_present(
    messages: Sequence[StoredMessage],
) -> tuple[list[Turn], tuple[StoredMessage, ...]]:
    """The turns that are over, and what the present answer is about: what was said last."""
    end = len(messages) - 1 if messages and messages[-1].role == "user" else len(messages)
    return list_turns(messages[:end]), tuple(messages[end:])


def write_turn(turn: Turn, *, scale: float = 1.0) -> str:
    """What happened in it, for a model to read; with a smaller scale each thing is cut shorter."""
    lines = (line for one in turn.messages for line in _write_message(one, scale))
    return "\n".join(lines)


def _write_message(message: StoredMessage, scale: float) -> Iterator[str]:
    if message.role == "user":
        if message.content.strip():
            yield f"Person: {_cut(message.content, 'user', scale)}"
        yield from (f"Person attached the file {name}." for name in _list_files(message.parts))
        return
    calls = [part for part in message.parts if part.get("type") == "dynamic-tool"]
    yield from (_write_call(part, scale) for part in calls)
    if message.content.strip():
        yield f"Assistant: {_cut(message.content, 'assistant', scale)}"


def _write_call(part: Mapping[str, Any], scale: float) -> str:
    name, result = part.get("toolName"), read_output(part)
    given = _cut(_encode(part.get("input")), "input", scale)
    outcome = _cut(result, "result", scale) if result else str(part.get("state"))
    return f"Assistant called {name} with {given}; it gave back: {outcome}"


def _list_files(parts: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    for part in parts:
        if part.get("type") == "file":
            yield str(part.get("filename") or part.get("mediaType") or "unnamed")


def _cut(text: str, kind: str, scale: float) -> str:
    """Beginning and end: what matters often stands in one of them."""
    text, limit = text.strip(), max(round(SHARES[kind] * scale), LEAST_SHARE)
    if len(text) <= limit:
        return text
    tail = limit // 4
    return f"{text[: limit - tail]}{MARK}{text[-tail:]}"


def _encode(value: Any) -> str:
    try:
        return encode_json(value)
    except (TypeError, ValueError, RecursionError):
        return "?"
