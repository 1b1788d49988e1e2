"""Extension points: a plugin says what others may add to it, and they do. Pure.

The owner's `check` looks at each contribution when plugins are loaded: what does not fit stops the
start, and nobody finds out later.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from assent.errors import PluginError

POINT = re.compile(r"[a-z][a-z0-9]*(\.[a-z][A-Za-z0-9]*)+")
NAME = re.compile(r"[a-z][A-Za-z0-9]*([-_.][A-Za-z0-9]+)*")


@dataclass(frozen=True, slots=True)
class Contribution:
    """`value` is the class or the function as it was declared."""

    plugin: str
    point: str
    name: str
    value: Any


Check: TypeAlias = Callable[[Contribution], None]
Contributions: TypeAlias = Mapping[str, Mapping[str, Contribution]]
"""By point and by name, in the order of the plugins and of their declarations."""


def accept_all(contribution: Contribution) -> None:
    """For a point whose contributions cannot be wrong."""


@dataclass(frozen=True, slots=True)
class Extension:
    plugin: str
    point: str
    check: Check


def gather_contributions(
    extensions: Sequence[Extension], contributions: Sequence[Contribution]
) -> Contributions:
    """Raise PluginError for the first thing that does not fit together."""
    points: dict[str, Extension] = {}
    for extension in extensions:
        _check_point(points, extension)
        points[extension.point] = extension
    gathered: dict[str, dict[str, Contribution]] = {point: {} for point in points}
    for one in contributions:
        where = f"Plugin {one.plugin}, {one.point} {one.name!r}"
        if one.point not in points:
            raise PluginError(f"{where}: no plugin here has an extension point {one.point}.")
        if NAME.fullmatch(one.name) is None:
            raise PluginError(f"{where}: a name begins with a small letter and has no spaces.")
        other = gathered[one.point].get(one.name)
        if other is not None:
            raise PluginError(f"{where}: plugin {other.plugin} has contributed this name already.")
        _check_value(where, points[one.point], one)
        gathered[one.point][one.name] = one
    return gathered


def _check_point(known: Mapping[str, Extension], extension: Extension) -> None:
    where = f"Plugin {extension.plugin}, extension point {extension.point!r}"
    if POINT.fullmatch(extension.point) is None:
        raise PluginError(f"{where}: a name is words joined by dots, such as notes.format.")
    if extension.point in known:
        owner = known[extension.point].plugin
        raise PluginError(f"{where}: plugin {owner} has declared it already.")


def _check_value(where: str, extension: Extension, contribution: Contribution) -> None:
    try:
        extension.check(contribution)
    except PluginError as error:
        raise PluginError(f"{where}: {error.message}") from error
