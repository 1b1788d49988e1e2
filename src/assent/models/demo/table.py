"""Results as Markdown: a table, a list, or fields with their values. Pure.

Ids are shown only as the names they stand for. Whatever a result holds is shown as data: marks that
would change the layout are escaped, long texts are cut.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any, cast

from assent.models.demo.lexicon import singular
from assent.models.demo.resolve import NAMES, Row, list_rows, name_of
from assent.models.demo.state import Seen
from assent.models.demo.words import is_uuid, split_name, words_of

MOST_ROWS, MOST_COLUMNS, MOST_TEXT = 20, 5, 100
HIDDEN = words_of("id version createdAt updatedAt created_at updated_at workspaceId tenantId")
_SPECIAL = re.compile(r"([\\`*_{}\[\]<>|#!~])")


def collect_names(seen: Sequence[Seen]) -> dict[str, str]:
    """The names of all ids that lists have shown."""
    names: dict[str, str] = {}
    for one in seen:
        for row in list_rows(one.value) or ():
            if isinstance(row.get("id"), str) and any(row.get(key) for key in NAMES):
                names[row["id"]] = name_of(row)
    return names


def write_rows(rows: Sequence[Row], names: Mapping[str, str]) -> str:
    """A list where one column says all, else a table."""
    shown = rows[:MOST_ROWS]
    columns = _choose_columns(shown, names)
    if not columns:
        return "\n".join(f"- {write_value(name_of(row), names)}" for row in shown)
    if len(columns) == 1:
        return "\n".join(f"- {write_value(row.get(columns[0]), names)}" for row in shown)
    lines = [[write_label(column) for column in columns], ["---"] * len(columns)]
    lines += [[write_value(row.get(column), names) for column in columns] for row in shown]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def write_fields(row: Row, names: Mapping[str, str]) -> str:
    keys = [key for key in row if _says_something([row], key, names)]
    return "\n".join(f"- **{write_label(key)}:** {write_value(row[key], names)}" for key in keys)


def _choose_columns(rows: Sequence[Row], names: Mapping[str, str]) -> list[str]:
    keys = list(dict.fromkeys(key for row in rows for key in row))
    telling = [key for key in keys if _says_something(rows, key, names)]
    telling.sort(key=lambda key: NAMES.index(key) if key in NAMES[:3] else len(NAMES))
    return telling[:MOST_COLUMNS]


def _says_something(rows: Sequence[Row], key: str, names: Mapping[str, str]) -> bool:
    values = [row.get(key) for row in rows]
    if key in HIDDEN or key.startswith("_") or all(one in (None, "", [], {}) for one in values):
        return False
    return not any(_is_strange_id(one, names) for one in values)


def _is_strange_id(value: Any, names: Mapping[str, str]) -> bool:
    if isinstance(value, list):
        return any(_is_strange_id(one, names) for one in cast(list[Any], value))
    return isinstance(value, str) and is_uuid(value) and value not in names


def write_label(key: str) -> str:
    words = [word for word in split_name(key) if word not in ("id", "ids")] or [key]
    if split_name(key)[-1:] == ("ids",):
        words[-1] = f"{singular(words[-1])}s"
    return " ".join(words).capitalize()


def write_value(value: Any, names: Mapping[str, str]) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value is None:
        return ""
    if isinstance(value, list):
        return ", ".join(write_value(one, names) for one in cast(list[Any], value)[:MOST_ROWS])
    if isinstance(value, Mapping):
        given = cast(Mapping[str, Any], value)
        return ", ".join(f"{write_label(key)} {write_value(given[key], names)}" for key in given)
    return escape(names.get(str(value), str(value)))


def escape(text: str, most: int = MOST_TEXT) -> str:
    """As data in one line of Markdown."""
    plain = " ".join(text.split())
    short = plain if len(plain) <= most else f"{plain[: most - 1].rstrip()}…"
    return _SPECIAL.sub(r"\\\1", short)
