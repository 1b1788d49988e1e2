"""Finding what a person named among the rows of a result: exactly, then nearly. Pure."""

import difflib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, cast

from assent.models.demo.words import fold

Row: TypeAlias = Mapping[str, Any]
NAMES = ("name", "title", "label", "displayName", "subject", "summary", "slug", "key", "email")
CLOSE = 0.78
LISTS = ("items", "results", "rows", "data", "records", "entries")


@dataclass(frozen=True, slots=True)
class Match:
    kind: Literal["exact", "close", "many", "none"]
    rows: tuple[Row, ...] = ()


def list_rows(value: Any) -> list[Row] | None:
    """The entries of a list result, or nothing if it is none."""
    if isinstance(value, Mapping):
        given = cast(Mapping[str, Any], value)
        listed = [given[key] for key in LISTS if isinstance(given.get(key), list)]
        others: list[Any] = [one for one in given.values() if isinstance(one, list)]
        alone = others if len(others) == 1 and len(given) <= 2 else []
        value = next(iter([*listed, *alone]), None)
    if not isinstance(value, list):
        return None
    rows = cast(list[Any], value)
    return [cast(Row, one) for one in rows if isinstance(one, Mapping) and "_truncated" not in one]


def is_cut(value: Any) -> bool:
    """Whether there is more than the result shows."""
    if isinstance(value, list):
        last: Any = cast(list[Any], value)[-1:]
        return bool(last) and isinstance(last[0], Mapping) and "_truncated" in last[0]
    if not isinstance(value, Mapping):
        return False
    given = cast(Mapping[str, Any], value)
    return "_truncated" in given or bool(given.get("nextCursor"))


def name_of(row: Row) -> str:
    found = next((row[key] for key in NAMES if isinstance(row.get(key), str) and row[key]), None)
    return str(found if found is not None else row.get("id", ""))


def id_of(row: Row, noun: str) -> Any:
    keys = ("id", f"{noun}Id", f"{noun}_id", "uuid", "key", "slug", "name")
    return next((row[key] for key in keys if row.get(key) not in (None, "")), None)


def match_name(names: Sequence[str], rows: Sequence[Row]) -> Match:
    """`names` are ways to read what was said, the likeliest first."""
    for same in (_is_id, _is_exact, _is_folded):
        for name in names:
            found = tuple(row for row in rows if same(name, row))
            if found:
                return Match("exact" if len(found) == 1 else "many", found)
    for name in names:
        found = tuple(row for row in rows if _is_close(name, row))
        if found:
            return Match("close" if len(found) == 1 else "many", found)
    return Match("none")


def _is_id(name: str, row: Row) -> bool:
    return any(row.get(key) == name for key in ("id", "slug", "key"))


def _is_exact(name: str, row: Row) -> bool:
    return name_of(row) == name


def _is_folded(name: str, row: Row) -> bool:
    return fold(name_of(row)) == fold(name)


def _is_close(name: str, row: Row) -> bool:
    said, present = fold(name), fold(name_of(row))
    if len(said) < 3:
        return False
    parts = present.replace("-", " ").replace("_", " ")
    squeezed = said.replace("-", " ").replace("_", " ")
    if squeezed == parts or f" {squeezed} " in f" {parts} ":
        return True
    matcher = difflib.SequenceMatcher(None, said, present)
    likely = matcher.real_quick_ratio() >= CLOSE and matcher.quick_ratio() >= CLOSE
    return likely and matcher.ratio() >= CLOSE
