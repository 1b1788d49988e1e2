"""The parts of a stored message: which are well formed, how one call stays one part. Pure.

A part is a JSON object in the shape of the AI SDK's UI message parts; a message is a list of them
and nothing besides (SPEC C6, C7). A key that begins with `_` is the server's own and never leaves.
What a person may send is in `user_message.py`, what a model is given back in `history/replay.py`.
"""

import json
import re
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import Any, TypeAlias, cast

from assent.tools.clamp import clamp
from assent.tools.json_value import encode_json, json_kind
from assent.value import UNSTORABLE, strip_unstorable

Part: TypeAlias = dict[str, Any]
Read: TypeAlias = Callable[[Any], Any]
"""Makes a value clean, or raises `ValueError` for one that cannot be kept."""

MOST_PARTS = 2_000
LONGEST_TEXT = 500_000
LONGEST_LINE = 500
LONGEST_ID = 200
LONGEST_URL = 4_000
LARGEST_JSON = 1_000_000
LARGEST_OUTPUT = 200_000
DEEPEST = 64
LONGEST_THOUGHT = 86_400_000
INTERRUPTED = "This was interrupted before there was a result."

_DATA = re.compile(r"data-[a-z][a-z0-9]*(-[a-z0-9]+)*")
_MEDIA_TYPE = re.compile(r"[a-z0-9][a-z0-9.+-]*/[a-z0-9][a-z0-9.+-]*")
_OUTSIDE = re.compile(r"https?://[^\s/]\S*")
_OWN_FILE = re.compile(r"/(?!/)[^\s\\]+")


def parse_parts(raw: Any) -> list[Part]:
    """What is well formed of a list of parts. Of parts with one id the last update counts."""
    kept: dict[Hashable, Part] = {}
    for number, one in enumerate(_list(raw)[:MOST_PARTS]):
        part = _parse_part(one)
        if part is not None:
            key = _find_key(part) or number
            kept[key] = _update(kept[key], part) if key in kept else part
    return list(kept.values())


def upsert_part(parts: Sequence[Part], part: Part) -> list[Part]:
    """Update the part that has this one's id where it stands, or add it at the end."""
    key = _find_key(part)
    if key is not None:
        for number, one in enumerate(parts):
            if _find_key(one) == key:
                return [*parts[:number], _update(one, part), *parts[number + 1 :]]
    return [*parts, part]


def text_of(parts: Iterable[Part]) -> str:
    """The plain content: what is searched, and what is left where parts cannot be read."""
    texts = (part["text"].strip() for part in parts if part["type"] == "text")
    return "\n\n".join(text for text in texts if text)


def count_steps(parts: Iterable[Part]) -> int:
    return sum(part["type"] == "step-start" for part in parts)


def close_open_parts(parts: Iterable[Part]) -> list[Part]:
    """The parts of a message that was interrupted: no call waits for its result any more.

    A half-written input is dropped, so that nobody takes it for what the model meant to say; the
    call itself stays, because people have seen it.
    """
    return [_close(part) if part["type"] == "dynamic-tool" else part for part in parts]


def _close(call: Part) -> Part:
    if call["state"] not in ("input-streaming", "input-available"):
        return call
    closed = call | {"state": "output-error", "errorText": INTERRUPTED}
    if call["state"] == "input-streaming":
        return {key: value for key, value in closed.items() if key not in ("input", "_wire")}
    return closed


def _parse_part(raw: Any) -> Part | None:
    if not isinstance(raw, dict):
        return None
    given = cast(Part, raw)
    shape = _find_shape(given)
    if shape is None:
        return None
    needed, optional = shape
    part: Part = {"type": given["type"]}
    try:
        for key, read in needed.items():
            part[key] = read(given[key])
    except (KeyError, ValueError):
        return None
    for key, read in optional.items():
        try:
            part[key] = read(given[key])
        except (KeyError, ValueError):
            continue
    return None if _says_nothing(part) else part


def _find_shape(given: Part) -> tuple[Mapping[str, Read], Mapping[str, Read]] | None:
    """The keys that a part must have, and those that it may have."""
    kind, state = given.get("type"), given.get("state")
    if not isinstance(kind, str):
        return None
    if kind == "dynamic-tool":
        return _CALLS.get(state) if isinstance(state, str) else None
    return _DATA_SHAPE if _DATA.fullmatch(kind[:LONGEST_ID]) else _SHAPES.get(kind)


def was_chosen(parts: Iterable[Part]) -> bool:
    """Whether what a person said is a reply that was suggested: their choice, not their words."""
    return any(part.get("type") == "text" and part.get("chosen") for part in parts)


def build_skill_part(skill_id: str, name: str) -> Part:
    """Marks what a person says as said with this skill; the name is as it was then."""
    return {"type": "data-skill", "id": "skill", "data": {"skillId": skill_id, "name": name}}


def find_chosen_skill(parts: Iterable[Part]) -> str | None:
    for part in parts:
        if part.get("type") == "data-skill":
            skill_id = part["data"].get("skillId")
            return skill_id if isinstance(skill_id, str) else None
    return None


def _says_nothing(part: Part) -> bool:
    return part.get("text") == "" and "_opaque" not in part


def _find_key(part: Part) -> Hashable | None:
    kind: str = part["type"]
    if kind == "dynamic-tool":
        return kind, part["toolCallId"]
    if kind.startswith("source-"):
        return "source", part["sourceId"]
    return (kind, part["id"]) if kind.startswith("data-") else None


def _update(old: Part, new: Part) -> Part:
    """A call never goes back to an earlier state, nor becomes one of another tool."""
    if old["type"] != "dynamic-tool":
        return new
    if old["toolName"] != new["toolName"] or _RANKS[new["state"]] < _RANKS[old["state"]]:
        return old
    needed, optional = _CALLS[new["state"]]
    merged = old | new
    known = ("type", *needed, *optional)
    return {key: merged[key] for key in known if key in merged}


def _list(raw: Any) -> list[Any]:
    return cast(list[Any], raw) if isinstance(raw, list) else []


def _read_text(value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError
    return UNSTORABLE.sub("", value[:LONGEST_TEXT])


def _read_line(value: Any) -> str:
    line = " ".join(_read_text(value).split())[:LONGEST_LINE]
    if not line:
        raise ValueError
    return line


def _read_id(value: Any) -> str:
    """Never cut or cleaned: two ids must not become the same."""
    if not isinstance(value, str) or not 0 < len(value) <= LONGEST_ID or UNSTORABLE.search(value):
        raise ValueError
    return value


def _read_media_type(value: Any) -> str:
    if not _MEDIA_TYPE.fullmatch(_read_id(value)):
        raise ValueError
    return value


def _read_link(value: Any) -> str:
    return _match(value, _OUTSIDE)


def _read_file_url(value: Any) -> str:
    """A file of ours or one elsewhere, never its bytes."""
    try:
        return _match(value, _OWN_FILE)
    except ValueError:
        return _match(value, _OUTSIDE)


def _match(value: Any, pattern: re.Pattern[str]) -> str:
    url = _read_text(value)
    if len(url) > LONGEST_URL or not pattern.fullmatch(url):
        raise ValueError
    return url


def _read_duration(value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= LONGEST_THOUGHT:
        raise ValueError
    return value


def _read_true(value: Any) -> bool:
    if value is not True:
        raise ValueError
    return True


def _read_state(value: Any) -> str:
    return cast(str, value)


def _read_json(value: Any) -> Any:
    """JSON as it comes back from Postgres; one that is cut would mean something else."""
    _check_depth(value)
    try:
        text = encode_json(value)
    except TypeError:
        raise ValueError from None
    if len(text) > LARGEST_JSON:
        raise ValueError
    return strip_unstorable(json.loads(text))


def _read_object(value: Any) -> Any:
    if json_kind(value) != "object":
        raise ValueError
    return _read_json(value)


def _read_output(value: Any) -> Any:
    _check_depth(value)
    try:
        return _read_json(clamp(value, LARGEST_OUTPUT).value)
    except TypeError:
        raise ValueError from None


def _read_wire(value: Any) -> dict[str, str]:
    wire = _read_object(value)
    arguments = wire.get("arguments")
    if not isinstance(arguments, str):
        raise ValueError
    return {"name": _read_id(wire.get("name")), "arguments": arguments}


def _check_depth(value: Any) -> None:
    level = [value]
    for _ in range(DEEPEST):
        level = [below for one in level for below in _list_below(one)]
        if not level:
            return
    raise ValueError


def _list_below(value: Any) -> Iterable[Any]:
    if isinstance(value, dict):
        return cast(Part, value).values()
    return cast(Sequence[Any], value) if isinstance(value, list | tuple) else ()


_SHAPES: Mapping[str, tuple[Mapping[str, Read], Mapping[str, Read]]] = {
    "text": ({"text": _read_text}, {"chosen": _read_true}),
    "reasoning": ({"text": _read_text}, {"durationMs": _read_duration, "_opaque": _read_object}),
    "file": ({"mediaType": _read_media_type, "url": _read_file_url}, {"filename": _read_line}),
    "source-url": ({"sourceId": _read_id, "url": _read_link}, {"title": _read_line}),
    "source-document": (
        {"sourceId": _read_id, "mediaType": _read_media_type, "title": _read_line},
        {"filename": _read_line},
    ),
    "step-start": ({}, {}),
}
_DATA_SHAPE: tuple[Mapping[str, Read], Mapping[str, Read]] = (
    {"id": _read_id, "data": _read_object},
    {},
)
_CALL: Mapping[str, Read] = {"toolName": _read_id, "toolCallId": _read_id, "state": _read_state}
_LABELS: Mapping[str, Read] = {
    "title": _read_line,
    "description": _read_line,
    "_wire": _read_wire,
}
_INPUT: Mapping[str, Read] = {"input": _read_json}
_CALLS: Mapping[str, tuple[Mapping[str, Read], Mapping[str, Read]]] = {
    "input-streaming": (_CALL, {**_LABELS, **_INPUT}),
    "input-available": ({**_CALL, **_INPUT}, _LABELS),
    "output-available": ({**_CALL, **_INPUT, "output": _read_output}, _LABELS),
    "output-error": ({**_CALL, "errorText": _read_text}, {**_LABELS, **_INPUT}),
    "output-denied": ({**_CALL, **_INPUT}, _LABELS),
}
_RANKS: Mapping[str, int] = {
    "input-streaming": 0,
    "input-available": 1,
    "output-available": 2,
    "output-error": 2,
    "output-denied": 2,
}
