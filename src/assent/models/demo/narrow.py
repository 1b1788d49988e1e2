"""What more lists can tell about a result: whose rows they are, and what their ids stand for. Pure.

`which groups is checkout in?` has no argument for checkout, but lists show it: the thing has the
ids of the rows, or the rows have its id.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from assent.models.demo.lexicon import singular
from assent.models.demo.lookup import Call, Lookup
from assent.models.demo.profile import Field, Profile, find_source
from assent.models.demo.resolve import NAMES, Row, list_rows, match_name, name_of
from assent.models.demo.understand import Clause
from assent.models.demo.words import split_name

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
    lists.sort(key=lambda one: one.verb != "list")
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


def find_unnamed(rows: Sequence[Row], lookup: Lookup) -> tuple[Call, ...]:
    """The lists that name the ids in rows: where one row is shown, or rows without names."""
    if not rows or (len(rows) > 1 and any(row.get(key) for row in rows for key in NAMES)):
        return ()
    calls: list[Call] = []
    for key in rows[0]:
        *noun, last = split_name(key) or ("",)
        if last not in ("id", "ids") or not noun or not any(row.get(key) for row in rows):
            continue
        pointer = Field(key, "id", False, tuple(noun), "", noun=singular(" ".join(noun)))
        source = find_source(pointer, lookup.kit.profiles, lookup.kit.given)
        call = lookup.list_call(source) if source else None
        if call and lookup.result_of(call) is None:
            calls.append(call)
    return tuple(calls)


@dataclass(frozen=True, slots=True)
class End:
    """The field of a link at which something stands."""

    key: str
    id: str


def find_end(
    clause: Clause, call: Call, rows: Sequence[Row], names: Mapping[str, str]
) -> End | None:
    """`what depends on X` asks for X at one end of a link: its field was said before X."""
    ids = [value for value in call.arguments.values() if isinstance(value, str) and value in names]
    if len(ids) != 1 or not rows:
        return None
    said = [singular(word.text.casefold()) for word in clause.words]
    name = singular(names[ids[0]].casefold())
    linked = [key for key in rows[0] if key.endswith("Id")]
    for key in linked:
        verb, *more = (singular(part) for part in split_name(key.removesuffix("Id")))
        if not more or verb not in said or name not in said:
            continue
        others = [one for one in linked if one != key and call.arguments.get(one) == ids[0]]
        behind = said.index(name) > said.index(verb)
        return End(key if behind else next(iter(others), key), ids[0])
    return None
