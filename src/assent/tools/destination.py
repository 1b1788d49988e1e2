"""Where a call that carries data out would send it, and whether a person named that place. Pure.

A web address typed by the person counts whole, with its path and query: only the address they
wrote, not everything else on that host. An allow-list names origins: scheme, host and port. What
is not plainly a web address is compared as it stands. Two spellings that might be one place count
as two: the worst that happens is a card too many.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, cast

from assent.tools.json_value import parse_path
from assent.tools.tool import Tool

Standing: TypeAlias = Literal["typed", "allowed", "inside", "other"]
"""How a destination is known, the last one not at all; `inside` is marked so by an admin."""

_WEB = re.compile(
    r"(https?)://"
    r"([a-z0-9](?:[a-z0-9_.-]*[a-z0-9])?|\[[0-9a-f:.]+\])"
    r"(?::([0-9]{1,5}))?"
    r"([/?][^\s\\#]*)?"
    r"(?:#\S*)?",
    re.IGNORECASE | re.ASCII,
)
_PORTS = {"http": "80", "https": "443"}
_BETWEEN_WORDS = re.compile(r"[\s<>\"'`|]+")
_AROUND_WORDS = "()[]{}*_~.,;:!?…"
_SHORTEST = 4


@dataclass(frozen=True, slots=True)
class Place:
    """`origin` is scheme, host and port, or the whole text of what is not a web address."""

    origin: str
    rest: str = ""


def parse_place(text: str) -> Place:
    match = _WEB.fullmatch(text)
    if match is None:
        return Place(text)
    scheme, host, port, rest = match.groups()
    scheme = scheme.lower()
    port = str(int(port)) if port else _PORTS[scheme]
    if rest is None or rest.startswith("?"):
        rest = f"/{rest or ''}"
    return Place(f"{scheme}://{host.lower()}:{port}", rest)


def find_places(tool: Tool, arguments: Any) -> tuple[Place, ...] | None:
    """Every place that a call would send data to, or nothing when that cannot be told."""
    places = [parse_place(tool.shape.origin)] if tool.shape.origin else []
    for path in tool.shape.destinations:
        for value in _values_at(arguments, parse_path(path)):
            if not isinstance(value, str):
                return None
            places.append(parse_place(value))
    return tuple(places) or None


def find_typed_places(texts: Iterable[str]) -> frozenset[Place]:
    """All that could be a destination in what the person wrote, word by word.

    A word counts with and without the punctuation around it; one of fewer than four characters
    says too little.
    """
    return frozenset(
        parse_place(form)
        for text in texts
        for word in _BETWEEN_WORDS.split(text)
        for form in (word, word.strip(_AROUND_WORDS))
        if len(form) >= _SHORTEST
    )


def judge_places(
    places: Iterable[Place] | None,
    *,
    typed: Iterable[Place],
    allowed_origins: Iterable[str],
    inside: bool,
) -> Standing:
    """How well the places of a call are known: as well as the least known of them."""
    known, origins = frozenset(typed), {parse_place(one).origin for one in allowed_origins}
    wanted = frozenset(places or ())
    if not wanted:
        return "inside" if inside else "other"
    if all(place.origin in origins for place in wanted):
        return "allowed"
    if all(place in known or place.origin in origins for place in wanted):
        return "typed"
    return "inside" if inside else "other"


def _values_at(value: Any, path: tuple[str | int, ...]) -> list[Any]:
    """What is at a path: each element where there is a list, nothing where nothing is."""
    if isinstance(value, list):
        return [found for one in cast(list[Any], value) for found in _values_at(one, path)]
    if not path:
        return [value] if value is not None else []
    if not isinstance(value, dict):
        return [value] if value is not None else []
    below = cast(dict[str | int, Any], value).get(path[0])
    return _values_at(below, path[1:])
