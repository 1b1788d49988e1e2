"""What a story takes from a request by what an earlier step has shown: a row, an object. Pure."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from assent.models.demo.ask import CHOSEN, MOST_OPTIONS, Question
from assent.models.demo.profile import Field, follow, read_fields
from assent.models.demo.resolve import Row
from assent.models.demo.words import fold
from assent.tools.json_schema import find_faults

ADDRESS = "uri"
MANY = ("texts", "choices", "ids")


@dataclass(frozen=True, slots=True)
class Spotted:
    """A row, and the words by which it was mentioned; none where it was not."""

    row: Row
    said: str = ""


def spot_row(
    rows: Sequence[Row], names: Sequence[str], request: str, otherwise: str
) -> Spotted | None:
    text = fold(re.sub(r"https?://\S+", " ", request))
    mentions = [
        Spotted(row, name)
        for row in rows
        for name in _list_names(row, names)
        if re.search(rf"(?<!\w){re.escape(fold(name))}(?!\w)", text)
    ]
    if mentions:
        return max(mentions, key=lambda one: len(one.said))
    plain = (row for row in rows if otherwise in (row.get(name) for name in names))
    return next((Spotted(row) for row in plain), None)


def _list_names(row: Row, names: Sequence[str]) -> Iterator[str]:
    for name in names:
        if isinstance(value := row.get(name), str) and value:
            yield value


def leave_out(words: str, said: str) -> str:
    """Words without those by which something was mentioned."""
    gone = set(fold(said).split())
    return " ".join(word for word in words.split() if fold(word) not in gone)


def fill_object(
    schema: Mapping[str, Any], known: Mapping[str, Any], *, key: str, about: str
) -> dict[str, Any] | tuple[Question, ...]:
    """The object, or the questions for what is missing of it.

    Answers are known by `key` and the name of the field. One that does not fit is asked for again.
    """
    filled: dict[str, Any] = {}
    missing: list[Question] = []
    url = known.get("url")
    for field in read_fields(schema, about):
        if not field.required:
            continue
        part = follow(cast(Mapping[str, Any], schema["properties"])[field.name], schema)
        asked = f"{key}_{field.name}"
        if part.get("format") == ADDRESS and url is not None:
            filled[field.name], url = url, None
            continue
        value = _parse(field, known.get(asked))
        if value is None or find_faults(part, value):
            missing.append(_ask(field, asked, part, about))
        else:
            filled[field.name] = value
    return tuple(missing) if missing else filled


def _ask(field: Field, key: str, part: Mapping[str, Any], about: str) -> Question:
    verb = "are" if field.kind in MANY else "is"
    text = f"What {verb} the {field.label} of the {about}?"
    if field.kind == "flag":
        text = f"{field.label.capitalize()}?"
    hint = str(part.get("description", "")).strip()
    options = ("Yes", "No") if field.kind == "flag" else field.options[:MOST_OPTIONS]
    chosen = field.kind in CHOSEN and len(options) > 1
    kind = "choice" if chosen else ("number" if field.kind == "number" else "text")
    return Question(key, f"{text} {hint}".strip(), kind, options if chosen else ())


def _parse(field: Field, said: Any) -> Any:
    """An answer as the field wants it; `None` where it cannot be read."""
    if not isinstance(said, str) or not said.strip():
        return None
    text = said.strip()
    if field.kind == "number":
        return _parse_number(text)
    if field.kind == "flag":
        return {"yes": True, "no": False}.get(fold(text))
    if field.kind in MANY:
        return [one.strip() for one in text.split(",") if one.strip()]
    return text


def _parse_number(text: str) -> int | float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return int(number) if number.is_integer() else number
