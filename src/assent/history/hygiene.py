"""Stale results as one line each (SPEC H3). Pure.

Of all results that are longer than `LONG`, the newest `WHOLE` stay as they are; of an older one the
model is told what it was, how large, and how to read it again.

Providers cache a request as far as it begins like an earlier one, so what has been sent should stay
as it was for as long as possible. A result that collapses changes the request from its place on.
Hence nothing moves at every step: what earlier turns left is collapsed when a turn begins, to the
newest six exactly, and stays like that while the turn lasts (the prompt's tail, with the time in
it, is new by then anyway). Inside the turn results collapse six at a time, once six new long ones
are there: a turn of sixteen steps with a long result each moves its beginning twice, not sixteen
times, and at most eleven are whole.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias, cast

from assent.tools.json_value import encode_json

Part: TypeAlias = Mapping[str, Any]

WHOLE = 6
LONG = 600
LONGEST_NAME = 80
_ARTIFACT = re.compile(r'artifactId\\?": \\?"([0-9a-f-]{36})')


@dataclass(frozen=True, slots=True)
class Collapsed:
    """The parts of earlier messages and of the answer, in their order."""

    history: tuple[tuple[Part, ...], ...]
    answer: tuple[Part, ...]


def collapse_stale(history: Sequence[Sequence[Any]], answer: Sequence[Any]) -> Collapsed:
    """`history` are the parts of each message before the answer that is being written."""
    before = sum(is_long(part) for parts in history for part in parts)
    own = sum(map(is_long, answer))
    old = max(before - WHOLE, 0) + own // WHOLE * WHOLE
    return collapse_oldest(history, answer, min(old, max(before + own - WHOLE, 0)))


def collapse_oldest(
    history: Sequence[Sequence[Any]], answer: Sequence[Any], count: int
) -> Collapsed:
    """With the oldest so many long results as a line."""
    collapsed: list[tuple[Part, ...]] = []
    for parts in (*history, answer):
        kept: list[Part] = []
        for part in parts:
            is_old = count > 0 and is_long(part)
            count -= is_old
            kept.append(collapse(part) if is_old else part)
        collapsed.append(tuple(kept))
    return Collapsed(tuple(collapsed[:-1]), collapsed[-1])


def is_long(part: Any) -> bool:
    """Asked for every part of every request: what is long is not written out to be measured."""
    if not isinstance(part, Mapping):
        return False
    known = cast(Part, part)
    output = known.get("output")
    if known.get("state") == "output-available" and isinstance(output, list | dict):
        is_call = known.get("type") == "dynamic-tool"
        return is_call and (_has_many(cast(Any, output)) or len(read_output(known)) > LONG)
    return len(read_output(known)) > LONG


def collapse(part: Part) -> Part:
    text = read_output(part)
    line = describe(part, text)
    if part.get("state") == "output-error":
        return {**part, "errorText": line}
    return {**part, "output": line}


def describe(part: Part, text: str) -> str:
    """The line in the place of a result."""
    name = " ".join(str(part.get("toolName")).split())[:LONGEST_NAME]
    kind = "error" if part.get("state") == "output-error" else "result"
    found = _ARTIFACT.search(text)
    again = (
        f'read it with ai.readArtifact and {{"artifactId": "{found[1]}"}}, or call again'
        if found
        else "call again to see it"
    )
    return f"[An earlier {kind} of {name}, {len(text):,} characters, is left out here: {again}.]"


def read_output(part: Any) -> str:
    """What a call gave back, as text; nothing of anything else."""
    if not isinstance(part, Mapping):
        return ""
    known = cast(Part, part)
    if known.get("type") != "dynamic-tool":
        return ""
    if known.get("state") == "output-error":
        text = known.get("errorText")
        return text if isinstance(text, str) else ""
    if known.get("state") != "output-available":
        return ""
    output = known.get("output")
    return output if isinstance(output, str) else _encode(output)


def _has_many(output: Any) -> bool:
    """Whether texts in it are longer than that for sure, as far as a few looks tell."""
    left, room = [output], LONG
    for _ in range(LONG):
        if not left or room < 0:
            break
        one = left.pop()
        if isinstance(one, str):
            room -= len(one)
        elif isinstance(one, dict):
            left.extend(cast(dict[str, Any], one).values())
        elif isinstance(one, list):
            left.extend(cast(list[Any], one))
        else:
            room -= 1
    return room < 0


def _encode(output: Any) -> str:
    try:
        return encode_json(output)
    except (TypeError, ValueError, RecursionError):
        return ""
