"""Rows that belong to something named in a question: `which groups is checkout in?` Pure.

No argument says it, but lists show it: the thing has the ids of the rows, or the rows have its id.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

from assent.models.demo.lookup import Call, Lookup
from assent.models.demo.profile import Profile
from assent.models.demo.resolve import Row, list_rows, match_name, name_of

MOST_LISTS = 4


@dataclass(frozen=True, slots=True)
class Keep:
    """Only rows with one of these ids, or that have `own` among their ids of such a `noun`."""

    name: str
    noun: str
    own: Any
    ids: tuple[Any, ...] | None

    def select(self, rows: Sequence[Row]) -> list[Row] | None:
        """The rows; nothing where they do not show whether they belong."""
        if self.ids is not None:
            return [row for row in rows if row.get("id") in self.ids]
        linked = [_read_ids(row, self.noun) for row in rows]
        if any(one is None for one in linked):
            return None
        return [row for row, ids in zip(rows, linked, strict=True) if self.own in (ids or ())]


def find_keep(text: str, profile: Profile, lookup: Lookup) -> tuple[Keep | None, tuple[Call, ...]]:
    """What a name narrows a list by, or the lists that would tell."""
    needs: list[Call] = []
    lists = [
        one
        for one in lookup.kit.profiles
        if one.reads and one.noun != profile.noun and not any(f.required for f in one.fields)
    ]
    for source in lists[:MOST_LISTS]:
        call = lookup.list_call(source)
        seen = lookup.result_of(call)
        if seen is None:
            needs.append(call)
            continue
        match = match_name([text], list_rows(seen.value) or [])
        if match.kind in ("exact", "close"):
            row = match.rows[0]
            ids = _read_ids(row, profile.noun)
            return Keep(name_of(row), source.noun, row.get("id"), ids), ()
    return None, tuple(needs)


def _read_ids(row: Row, noun: str) -> tuple[Any, ...] | None:
    """The ids of such things in a row, or nothing if it has no field for them."""
    for key in (f"{noun}Ids", f"{noun}_ids", f"{noun}Id", f"{noun}_id"):
        if key in row:
            value = row[key]
            return tuple(cast(list[Any], value)) if isinstance(value, list) else (value,)
    return None
