"""JSON values: what kind one is, when two are the same, their text, and where something is inside.

Pure. Paths look alike in issues, diffs and notes: `items.0.name`, with a key in quotes where it
could be taken for something else, as in `labels."a.b"`.
"""

import json
import math
import re
from collections.abc import Mapping
from typing import Any, TypeAlias, cast

Step: TypeAlias = str | int
Path: TypeAlias = tuple[Step, ...]

_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False)
_KINDS: Mapping[type, str] = {
    type(None): "null",
    bool: "boolean",
    int: "integer",
    str: "string",
    list: "array",
    dict: "object",
}
_PLAIN_KEY = re.compile(r"[^\W\d][\w-]*")
_STEP = re.compile(r'("(?:[^"\\]|\\.)*"|[^."]+)(?:\.(?!\Z)|\Z)')


def encode_json(value: Any) -> str:
    """Compact text; its length is what a size budget counts."""
    return _ENCODER.encode(value)


def json_kind(value: Any) -> str:
    """The name of a value's type as JSON Schema has it, or `unknown` for what is not JSON."""
    if isinstance(value, float):
        return _number_kind(value)
    return _KINDS.get(type(cast(object, value)), "unknown")


def same_json(one: Any, other: Any) -> bool:
    """Whether two values are the same JSON: `1` is `1.0`, but neither is `true`."""
    if isinstance(one, dict) and isinstance(other, dict):
        left, right = cast(dict[str, Any], one), cast(dict[str, Any], other)
        return left.keys() == right.keys() and all(same_json(left[key], right[key]) for key in left)
    if isinstance(one, list) and isinstance(other, list):
        first, second = cast(list[Any], one), cast(list[Any], other)
        return len(first) == len(second) and all(map(same_json, first, second))
    return isinstance(one, bool) == isinstance(other, bool) and one == other


def is_deeper(value: Any, levels: int) -> bool:
    """Whether objects and lists stand in each other more than so many times."""
    if isinstance(value, dict):
        value = list(cast(dict[str, Any], value).values())
    if not isinstance(value, list):
        return False
    return levels == 0 or any(is_deeper(one, levels - 1) for one in cast(list[Any], value))


def encode_path(path: Path) -> str:
    return ".".join(_encode_step(step) for step in path)


def parse_path(text: str) -> Path:
    """Read what `encode_path` wrote; raise `ValueError` for anything else."""
    steps: list[Step] = []
    position = 0
    while position < len(text):
        match = _STEP.match(text, position)
        if match is None:
            raise ValueError(f"{text!r} is not a path like items.0.name")
        steps.append(_parse_step(match[1]))
        position = match.end()
    return tuple(steps)


def _encode_step(step: Step) -> str:
    if isinstance(step, int) or _PLAIN_KEY.fullmatch(step):
        return str(step)
    return json.dumps(step, ensure_ascii=False)


def _parse_step(text: str) -> Step:
    if text.startswith('"'):
        return str(json.loads(text))
    return int(text) if text.isascii() and text.isdigit() else text


def _number_kind(value: float) -> str:
    if not math.isfinite(value):
        return "unknown"
    return "integer" if value.is_integer() else "number"
