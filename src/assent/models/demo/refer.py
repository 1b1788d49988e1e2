"""References of playbooks, `${docs.hits.0.slug|host}`, and what they stand for. Pure.

Of several paths, `${workspace.id,systems.items.0.workspaceId}`, the first counts that leads to
something.
"""

import re
import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, cast
from urllib.parse import urlsplit

from assent.models.demo.table import escape, write_value
from assent.tools.json_value import encode_json

_PATH = r"[A-Za-z_]\w*(?:\.\w+)*"
REFERENCE = re.compile(rf"\$\{{({_PATH}(?:,{_PATH})*)(?:\|([a-z]+))?\}}")
LONG = 600
_UNITS = ((86_400, "day"), (3_600, "hour"), (60, "minute"), (1, "second"))


def list_references(value: Any) -> Iterator[tuple[str, str]]:
    """All references in a value, at any depth: what they refer to, and the filter."""
    if isinstance(value, str):
        for match in REFERENCE.finditer(value):
            for path in match[1].split(","):
                yield path, match[2] or ""
    elif isinstance(value, Mapping):
        for one in cast(Mapping[str, Any], value).values():
            yield from list_references(one)
    elif isinstance(value, Sequence):
        for one in cast(Sequence[Any], value):
            yield from list_references(one)


def find_path(path: str, known: Mapping[str, Any]) -> Any:
    """What a path leads to; `None` where it leads nowhere."""
    found: Any = known
    for step in path.split("."):
        if isinstance(found, Mapping):
            found = cast(Mapping[str, Any], found).get(step)
        elif isinstance(found, list) and step.isdigit():
            listed = cast(list[Any], found)
            found = listed[int(step)] if int(step) < len(listed) else None
        else:
            return None
    return found


def find_value(reference: str, known: Mapping[str, Any]) -> Any:
    """What a text that is one reference stands for, with its type."""
    match = REFERENCE.fullmatch(reference)
    return _look_up(match, known) if match else None


def holds(reference: str, known: Mapping[str, Any]) -> bool:
    return find_value(reference, known) not in (None, "", False, [], {})


def is_known(text: str, known: Mapping[str, Any]) -> bool:
    """Whether each reference in a text leads to something."""
    return all(_look_up(match, known) is not None for match in REFERENCE.finditer(text))


def build_argument(value: Any, known: Mapping[str, Any]) -> Any:
    """A value with its references replaced; what refers to nothing is left out of what holds it."""
    if isinstance(value, str):
        if REFERENCE.fullmatch(value):
            return find_value(value, known)
        return REFERENCE.sub(lambda match: _write_plain(_look_up(match, known)), value)
    if isinstance(value, Mapping):
        built = {
            key: build_argument(one, known) for key, one in cast(Mapping[str, Any], value).items()
        }
        return {key: one for key, one in built.items() if one is not None}
    if isinstance(value, list | tuple):
        listed = [build_argument(one, known) for one in cast(Sequence[Any], value)]
        return [one for one in listed if one is not None]
    return value


def write_text(text: str, known: Mapping[str, Any]) -> str:
    """A sentence with its references replaced, as data: no mark of theirs changes the layout."""

    def write(match: re.Match[str]) -> str:
        value = _look_up(match, known)
        if match[2] == "long":
            return escape(_write_plain(value), LONG)
        return escape(value) if isinstance(value, str) else write_value(value, {})

    return REFERENCE.sub(write, text)


def _look_up(match: re.Match[str], known: Mapping[str, Any]) -> Any:
    found = (find_path(path, known) for path in match[1].split(","))
    value = next((one for one in found if one not in (None, "")), None)
    return FILTERS[match[2]](value) if match[2] and value is not None else value


def _write_plain(value: Any) -> str:
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return "" if value is None else str(value)


def _find_host(value: Any) -> str:
    try:
        parts = urlsplit(str(value))
        return f"{parts.hostname or ''}{f':{parts.port}' if parts.port else ''}"
    except ValueError:
        return str(value)


def _find_place(value: Any) -> str:
    """Host and path, as a name for what is there."""
    return re.sub(r"^[a-z]+://|[?#].*$", "", str(value)).rstrip("/")


def _find_origin(value: Any) -> str:
    parts = str(value).split("/")
    return "/".join(parts[:3])


def _write_duration(value: Any) -> str:
    """`every …`: a minute, 30 seconds."""
    seconds = int(value)
    size, unit = next(one for one in _UNITS if seconds % one[0] == 0)
    count = seconds // size
    return unit if count == 1 else f"{count} {unit}s"


def _write_moment(value: Any) -> str:
    """A time stamp as people write it."""
    return re.sub(r"(\d)T(\d\d:\d\d)(?::\d\d(?:\.\d+)?)?", r"\1 \2", str(value)).replace(
        "Z", " UTC"
    )


def _write_since(value: Any) -> str:
    return f", since {_write_moment(value)}"


def _write_until(value: Any) -> str:
    return f", until {_write_moment(value)}"


def _write_also(value: Any) -> str:
    """More sentences about the same."""
    return "".join(f". {one}" for one in value)


def _write_because(value: Any) -> str:
    return f": {str(value).rstrip('.')}" if value else ""


def _write_under(value: Any) -> str:
    return f", under “{value}”" if value else ""


def _write_rounded(value: Any) -> str:
    return f"{float(value):.0f}" if isinstance(value, int | float) else str(value)


FILTERS: Mapping[str, Callable[[Any], Any]] = {
    "host": _find_host,
    "place": _find_place,
    "origin": _find_origin,
    "duration": _write_duration,
    "moment": _write_moment,
    "since": _write_since,
    "until": _write_until,
    "also": _write_also,
    "because": _write_because,
    "under": _write_under,
    "rounded": _write_rounded,
    "json": lambda value: encode_json(value),
    "shell": lambda value: shlex.quote(str(value)),
    "long": lambda value: value,
}
