"""What changes between two JSON values, field by field (SPEC P10). Pure.

A card shows this and nothing else, so nothing may stay hidden: from `before` and the changes one
can compute `after`. Elements of a list are matched by themselves when they are texts or numbers,
and by their `id` when they are objects, as long as that tells them apart; otherwise by position
between the common beginning and the common end. The order of a list counts, unless its field is
named in `unordered`.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, cast

from assent.tools.json_value import Path, encode_path, json_kind, same_json

Key: TypeAlias = tuple[str, str | int | float | bool | None]


@dataclass(frozen=True, slots=True)
class FieldChange:
    """One difference. A list's index is the new one, except where an element was removed.

    `reordered` compares the elements that stay, or their ids, in the old and in the new order.
    """

    kind: Literal["added", "removed", "changed", "reordered"]
    path: Path
    before: Any = None
    after: Any = None


def find_changes(
    before: Any, after: Any, *, unordered: Collection[str] = ()
) -> tuple[FieldChange, ...]:
    return tuple(_compare((), before, after, frozenset(unordered)))


def encode_diff(changes: Sequence[FieldChange]) -> list[dict[str, Any]]:
    return [_encode(change) for change in changes]


def _encode(change: FieldChange) -> dict[str, Any]:
    encoded: dict[str, Any] = {"kind": change.kind, "path": encode_path(change.path)}
    if change.kind != "added":
        encoded["before"] = change.before
    if change.kind != "removed":
        encoded["after"] = change.after
    return encoded


def _compare(
    path: Path, before: Any, after: Any, unordered: frozenset[str]
) -> Iterator[FieldChange]:
    if isinstance(before, dict) and isinstance(after, dict):
        yield from _compare_objects(
            path, cast(dict[str, Any], before), cast(dict[str, Any], after), unordered
        )
    elif isinstance(before, list) and isinstance(after, list):
        yield from _compare_lists(path, cast(list[Any], before), cast(list[Any], after), unordered)
    elif not same_json(before, after):
        yield FieldChange("changed", path, before, after)


def _compare_objects(
    path: Path, before: Mapping[str, Any], after: Mapping[str, Any], unordered: frozenset[str]
) -> Iterator[FieldChange]:
    for key, value in before.items():
        if key in after:
            yield from _compare((*path, key), value, after[key], unordered)
        else:
            yield FieldChange("removed", (*path, key), before=value)
    for key, value in after.items():
        if key not in before:
            yield FieldChange("added", (*path, key), after=value)


def _compare_lists(
    path: Path, before: list[Any], after: list[Any], unordered: frozenset[str]
) -> Iterator[FieldChange]:
    old, new = _identify(before), _identify(after)
    if old is not None and new is not None:
        yield from _compare_by_identity(path, old, new, unordered)
    else:
        yield from _compare_by_position(path, before, after, unordered)


def _compare_by_identity(
    path: Path, old: dict[Key, Any], new: dict[Key, Any], unordered: frozenset[str]
) -> Iterator[FieldChange]:
    for index, (key, value) in enumerate(old.items()):
        if key not in new:
            yield FieldChange("removed", (*path, index), before=value)
    for index, (key, value) in enumerate(new.items()):
        if key in old:
            yield from _compare((*path, index), old[key], value, unordered)
        else:
            yield FieldChange("added", (*path, index), after=value)
    stayed, now = [key for key in old if key in new], [key for key in new if key in old]
    if stayed != now and not (path and path[-1] in unordered):
        yield FieldChange("reordered", path, [key[1] for key in stayed], [key[1] for key in now])


def _compare_by_position(
    path: Path, before: list[Any], after: list[Any], unordered: frozenset[str]
) -> Iterator[FieldChange]:
    start = _common_length(before, after)
    end = _common_length(before[start:][::-1], after[start:][::-1])
    old, new = before[start : len(before) - end], after[start : len(after) - end]
    for index, (one, other) in enumerate(zip(old, new, strict=False), start):
        yield from _compare((*path, index), one, other, unordered)
    paired = min(len(old), len(new))
    for index, value in enumerate(old[paired:], start + paired):
        yield FieldChange("removed", (*path, index), before=value)
    for index, value in enumerate(new[paired:], start + paired):
        yield FieldChange("added", (*path, index), after=value)


def _identify(items: list[Any]) -> dict[Key, Any] | None:
    """The elements by what tells them apart, or nothing when that is not possible."""
    identified: dict[Key, Any] = {}
    for item in items:
        key = _find_key(item)
        if key is None or key in identified:
            return None
        identified[key] = item
    return identified


def _find_key(item: Any) -> Key | None:
    kind = json_kind(item)
    if kind == "object":
        own = cast(dict[str, Any], item).get("id")
        return ("id", own) if json_kind(own) in ("string", "integer") else None
    return None if kind in ("array", "unknown") else (kind, item)


def _common_length(one: list[Any], other: list[Any]) -> int:
    pairs = zip(one, other, strict=False)
    return next(
        (index for index, (left, right) in enumerate(pairs) if not same_json(left, right)),
        min(len(one), len(other)),
    )
