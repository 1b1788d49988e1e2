"""Values at the edge: texts, cursors, pages, and what Postgres cannot hold."""

import base64
from typing import Any
from uuid import UUID

import jsonschema_rs
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError

from assent.errors import UnknownCursor
from assent.value import (
    Email,
    Name,
    Named,
    PageQuery,
    Slug,
    Value,
    build_page,
    encode_cursor,
    page_by_name,
    parse_cursor,
    position_by_name,
    strip_unstorable,
)

ONE, TWO = UUID(int=1), UUID(int=2)


class Sample(Value):
    some_field: int = 0


def query(**fields: Any) -> PageQuery:
    return PageQuery.model_validate(fields)


def accepts(kind: object, text: str) -> bool:
    try:
        TypeAdapter[str](kind).validate_python(text)  # type: ignore[arg-type]
    except ValidationError:
        return False
    return True


def schema_accepts(kind: object, text: str) -> bool:
    schema: Any = TypeAdapter[str](kind).json_schema()  # type: ignore[arg-type]
    return jsonschema_rs.is_valid(schema, text)


@pytest.mark.parametrize(
    ("text", "good"),
    [
        ("a", True),
        ("two-words", True),
        ("a1-2b", True),
        ("a" * 60, True),
        ("a" * 61, False),
        ("", False),
        ("-a", False),
        ("a-", False),
        ("a--b", False),
        ("Large", False),
        ("with space", False),
        ("ä", False),
        ("a\n", False),
    ],
)
def test_slug(text: str, good: bool) -> None:
    assert accepts(Slug, text) is good
    assert schema_accepts(Slug, text) is good


@pytest.mark.parametrize(
    ("text", "good"),
    [
        ("admin@localhost", True),
        ("Ann.O'Neil+x@mail.example.com", True),
        (f"{'a' * 64}@example.com", True),
        (f"{'a' * 65}@example.com", False),
        (f"a@{'b' * 253}", False),
        ("nobody", False),
        ("@example.com", False),
        ("a@", False),
        ("a@b@c", False),
        ("a b@example.com", False),
        ("a@example..com", False),
        ("a@example.com\n", False),
        ("ä@example.com", False),
    ],
)
def test_email(text: str, good: bool) -> None:
    assert accepts(Email, text) is good
    assert schema_accepts(Email, text) is good


def test_an_address_is_kept_in_small_letters() -> None:
    assert TypeAdapter[str](Email).validate_python("Ann@Example.COM") == "ann@example.com"


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("Ann", "Ann"),
        ("  Ann\n", "Ann"),
        ("Zoë 日本", "Zoë 日本"),
        ("a\0b", "ab"),
        ("x" * 120, "x" * 120),
        ("x" * 120 + " ", "x" * 120),
        ("x" * 121, None),
        ("", None),
        (" \t\n", None),
        ("\0", None),
        ("\x01\x1f", None),
    ],
)
def test_name(text: str, kept: str | None) -> None:
    if kept is None:
        assert not accepts(Name, text)
        assert not schema_accepts(Name, text)
    else:
        assert TypeAdapter[str](Name).validate_python(text) == kept


@given(st.text(max_size=130))
def test_what_the_schema_allows_as_a_name_is_one(text: str) -> None:
    if schema_accepts(Name, text):
        assert accepts(Name, text)


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("a\0b", "ab"),
        ("\ud800x\udfff", "x"),
        (["\0", {"k\0": "\0v"}], ["", {"k": "v"}]),
        ({"deep": [[["\ud83d"]]]}, {"deep": [[[""]]]}),
        (1, 1),
        (None, None),
        ("😀", "😀"),
    ],
)
def test_strip_unstorable(given: Any, kept: Any) -> None:
    assert strip_unstorable(given) == kept


@given(st.lists(st.text(), min_size=1, max_size=3))
def test_cursors_come_back(position: list[str]) -> None:
    storable = tuple(strip_unstorable(position))
    assert parse_cursor(encode_cursor(storable), len(storable)) == storable


@pytest.mark.parametrize(
    "cursor",
    [
        "nonsense",
        "!",
        "ä",
        base64.urlsafe_b64encode(b"[" * 1400).decode(),
        encode_cursor(["one"]),
        encode_cursor(["one", "two", "three"]),
        encode_cursor([1, 2]),  # type: ignore[list-item]
        encode_cursor({"a": 1, "b": 2}),  # type: ignore[arg-type]
        encode_cursor("ab"),
        "bnVsbA",
    ],
)
def test_foreign_cursors_are_refused(cursor: str) -> None:
    with pytest.raises(UnknownCursor):
        parse_cursor(cursor, 2)


def test_no_cursor_is_the_beginning() -> None:
    assert parse_cursor(None, 2) is None
    assert position_by_name(query()) is None


def test_a_position_needs_an_id() -> None:
    with pytest.raises(UnknownCursor):
        position_by_name(query(cursor=encode_cursor(["name", "not an id"])))


@pytest.mark.parametrize(("count", "more"), [(0, False), (2, False), (3, True)])
def test_one_row_more_shows_that_there_is_more(count: int, more: bool) -> None:
    page = build_page([str(number) for number in range(count)], 2, lambda row: (row,))
    assert page.items == ["0", "1"][:count]
    assert page.next_cursor == (encode_cursor(["1"]) if more else None)


def test_pages_by_name_lead_on() -> None:
    rows = [Named(id=ONE, name="Ann"), Named(id=TWO, name="Bob")]
    page = page_by_name(rows, query(limit=1))
    assert position_by_name(query(cursor=page.next_cursor)) == ("Ann", ONE)


@pytest.mark.parametrize("limit", [0, 201, -1])
def test_limits_of_a_page(limit: int) -> None:
    with pytest.raises(ValidationError):
        query(limit=limit)


def test_values_are_frozen_camel_case_and_closed() -> None:
    sample = Sample(some_field=1)
    assert sample.model_dump(by_alias=True) == {"someField": 1}
    assert Sample.model_validate({"someField": 1}) == sample
    with pytest.raises(ValidationError):
        sample.some_field = 2  # type: ignore[misc]
    with pytest.raises(ValidationError):
        Sample.model_validate({"someField": 1, "other": 2})
