"""Paging through a result that was too large to show (SPEC T8). Pure.

Where to look is a path as the `_truncated` note has it; what is there comes piece by piece: the
elements of a list, the fields of an object or the characters of a text.
"""

from typing import Any, cast

from assent.tools.json_value import Path, Step, encode_path, json_kind, parse_path
from assent.tools.tool import ToolValidationError

_PAGED = {"array": "items", "object": "fields", "string": "text"}


def page_of(value: Any, *, path: str = "", offset: int = 0, limit: int = 50) -> dict[str, Any]:
    """Up to `limit` pieces of what is at the path; `nextOffset` is there while there are more."""
    found = _find_at(value, _read_path(path))
    kind = json_kind(found)
    if kind not in _PAGED:
        return {"path": path, "kind": kind, "value": found}
    if offset < 0 or limit < 1:
        raise ToolValidationError.at("offset", "Offset starts at 0, and limit at 1.")
    end, total = offset + limit, len(found)
    page: dict[str, Any] = {"path": path, "kind": kind, "total": total, "offset": offset}
    page[_PAGED[kind]] = _slice(found, offset, end)
    return page | ({"nextOffset": end} if end < total else {})


def _slice(value: Any, start: int, end: int) -> Any:
    if isinstance(value, dict):
        return dict(list(cast(dict[str, Any], value).items())[start:end])
    return value[start:end]


def _read_path(text: str) -> Path:
    try:
        return parse_path(text)
    except ValueError as error:
        raise ToolValidationError.at("path", f"{error}.") from None


def _find_at(value: Any, path: Path) -> Any:
    for number, step in enumerate(path):
        found, there = _step(value, step)
        if not there:
            raise ToolValidationError.at("path", _explain(value, path[:number], step))
        value = found
    return value


def _step(value: Any, step: Step) -> tuple[Any, bool]:
    if isinstance(value, dict):
        fields = cast(dict[str, Any], value)
        return fields.get(str(step)), str(step) in fields
    if isinstance(value, list) and isinstance(step, int):
        items = cast(list[Any], value)
        return (items[step], True) if step < len(items) else (None, False)
    return None, False


def _explain(value: Any, above: Path, step: Step) -> str:
    where = encode_path(above) or "the result"
    if isinstance(value, dict):
        names = ", ".join(encode_path((name,)) for name in list(cast(dict[str, Any], value))[:20])
        return f"There is no {step} in {where}. Its fields are: {names}."
    if isinstance(value, list):
        return f"There is no {step} in {where}. It has {len(cast(list[Any], value))} items."
    return f"There is nothing below {where}."
