"""Values that cross an edge: frozen, camelCase on the wire, unknown fields refused. Pure.

Also the few kinds of text that inputs are made of, so that a name means the same everywhere.
"""

import base64
import binascii
import json
import re
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Annotated, Any, Generic, TypeVar
from uuid import UUID

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field
from pydantic.alias_generators import to_camel

from assent.errors import UnknownCursor

T = TypeVar("T")
VISIBLE = r"[^\s\x00-\x1f\x7f-\x9f]"
UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
ESCAPED_NUL = "\\u0000"


class Value(BaseModel):
    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        alias_generator=to_camel,
        validate_by_alias=True,
        validate_by_name=True,
    )


Version = Annotated[int, Field(ge=0, le=2**31 - 1)]
"""Of something that is stored, as whoever changes it has seen it."""


class Nothing(Value):
    """The input of what takes none."""


class Page(Value, Generic[T]):
    """One page of a list; `next_cursor` leads to the following one."""

    items: list[T]
    next_cursor: str | None = None


class PageQuery(Value):
    cursor: str | None = Field(
        None, max_length=2000, description="`nextCursor` of the page before."
    )
    limit: int = Field(50, ge=1, le=200, description="Items on a page at the most.")


def strip_unstorable(value: Any) -> Any:
    """Drop what Postgres text cannot hold (NUL, lone surrogates), at any depth."""
    if isinstance(value, str):
        return UNSTORABLE.sub("", value)
    if isinstance(value, list):
        return [strip_unstorable(item) for item in value]  # pyright: ignore[reportUnknownVariableType]
    if isinstance(value, dict):
        return {strip_unstorable(key): strip_unstorable(item) for key, item in value.items()}  # pyright: ignore[reportUnknownVariableType]
    return value


def is_storable(text: str) -> bool:
    """Whether a value is surely free of that, by its JSON text: much faster than to look inside."""
    return ESCAPED_NUL not in text and (text.isascii() or not UNSTORABLE.search(text))


def tame_cell(text: str | None) -> str:
    """A text for a table: what a spreadsheet would take for a formula is told apart."""
    return f"'{text}" if text and text[0] in "=+-@\t\r" else text or ""


def _strip(value: object) -> object:
    return strip_unstorable(value).strip() if isinstance(value, str) else value


def _lower(value: str) -> str:
    return value.lower()


Name = Annotated[str, Field(min_length=1, max_length=120, pattern=VISIBLE), BeforeValidator(_strip)]
Slug = Annotated[str, Field(min_length=1, max_length=60, pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$")]
Text = Annotated[str, Field(max_length=10_000)]
Email = Annotated[
    str,
    Field(max_length=254, pattern=r"^[A-Za-z0-9._%+'-]{1,64}@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*$"),
    AfterValidator(_lower),
]


def build_page(rows: Sequence[T], limit: int, key: Callable[[T], tuple[str, ...]]) -> Page[T]:
    """Make a page from up to `limit + 1` rows; the extra one only shows that there is more."""
    items = list(rows[:limit])
    more = len(rows) > limit
    return Page[T](items=items, next_cursor=encode_cursor(key(items[-1])) if more else None)


def encode_cursor(position: Sequence[str]) -> str:
    return base64.urlsafe_b64encode(json.dumps(position).encode()).rstrip(b"=").decode()


def parse_cursor(cursor: str | None, length: int) -> tuple[str, ...] | None:
    """Read back a position of `length` strings."""
    if cursor is None:
        return None
    try:
        position = json.loads(base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))
    except (ValueError, binascii.Error, RecursionError):
        raise UnknownCursor from None
    if not (
        isinstance(position, list)
        and len(position) == length  # pyright: ignore[reportUnknownArgumentType]
        and all(isinstance(part, str) for part in position)  # pyright: ignore[reportUnknownVariableType]
    ):
        raise UnknownCursor
    return tuple(strip_unstorable(position))


class Named(Value):
    """What has an id and a name, and is listed by name."""

    id: UUID
    name: Name


N = TypeVar("N", bound=Named)


def page_by_name(rows: Sequence[N], query: PageQuery) -> Page[N]:
    return build_page(rows, query.limit, lambda item: (item.name, str(item.id)))


def position_by_name(query: PageQuery) -> tuple[str, UUID] | None:
    """Where a list that is ordered by name goes on."""
    position = parse_cursor(query.cursor, 2)
    return (position[0], parse_cursor_id(position[1])) if position else None


def parse_cursor_id(text: str) -> UUID:
    try:
        return UUID(text)
    except ValueError:
        raise UnknownCursor from None


def parse_cursor_time(text: str) -> datetime:
    try:
        return datetime.fromisoformat(text).astimezone(UTC)
    except (ValueError, OverflowError):
        raise UnknownCursor from None
