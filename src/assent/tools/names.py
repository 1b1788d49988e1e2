"""A tool's name, `namespace.verb`, and the name a provider accepts for it (SPEC T6). Pure.

A namespace holds no underscore, so the first underscore of a wire name stands for the dot and the
way back is unambiguous. Only a name too long for a provider, or taken, is cut and ends in a piece
of its hash; for those the way back is the table that `build_wire_names` makes.
"""

import hashlib
import re
from collections.abc import Iterable
from itertools import count

WIRE_LENGTH = 64
NAME_LENGTH = 128
HASH_LENGTH = 8

TOOL_NAME = r"[a-z][a-z0-9]*\.[A-Za-z][A-Za-z0-9_-]*"
_NAME = re.compile(TOOL_NAME)


def is_tool_name(text: str) -> bool:
    return len(text) <= NAME_LENGTH and _NAME.fullmatch(text) is not None


def wire_name(name: str, attempt: int = 0) -> str:
    """The provider-safe form of a name; another `attempt` gives another form."""
    wire = name.replace(".", "_", 1)
    if len(wire) <= WIRE_LENGTH and not attempt:
        return wire
    salted = f"{name}#{attempt}" if attempt else name
    digest = hashlib.sha256(salted.encode()).hexdigest()[:HASH_LENGTH]
    return f"{wire[: WIRE_LENGTH - HASH_LENGTH - 1]}_{digest}"


def build_wire_names(names: Iterable[str]) -> dict[str, str]:
    """Give each name a wire name of its own, the same whatever order the names come in."""
    wires: dict[str, str] = {}
    taken: set[str] = set()
    for name in sorted(set(names), key=lambda one: (len(one) > WIRE_LENGTH, one)):
        attempts = (wire_name(name, attempt) for attempt in count())
        wires[name] = next(wire for wire in attempts if wire not in taken)
        taken.add(wires[name])
    return wires
