from typing import Any

import pytest

from assent.models.demo.resolve import is_cut, list_rows, match_name, name_of

ROWS = [
    {"id": str(n), "name": name}
    for n, name in enumerate(["web", "Web", "billing", "mail-in", "mail-out"])
]


@pytest.mark.parametrize(
    ("name", "kind", "found"),
    [
        ("web", "exact", ["web"]),
        ("WEB", "many", ["web", "Web"]),
        ("Billing", "exact", ["billing"]),
        ("biling", "close", ["billing"]),
        ("mail", "many", ["mail-in", "mail-out"]),
        ("mail in", "close", ["mail-in"]),
        ("3", "exact", ["mail-in"]),
        ("xy", "none", []),
        ("orders", "none", []),
    ],
)
def test_match_name(name: str, kind: str, found: list[str]) -> None:
    match = match_name([name], ROWS)
    assert (match.kind, [name_of(row) for row in match.rows]) == (kind, found)


def test_the_likeliest_reading_wins() -> None:
    rows = [{"name": "order"}, {"name": "order system"}]
    assert match_name(["order", "order system"], rows).rows == (rows[0],)


@pytest.mark.parametrize(
    ("value", "rows"),
    [
        ({"items": [{"a": 1}], "nextCursor": None}, [{"a": 1}]),
        ([{"a": 1}, {"_truncated": {}}], [{"a": 1}]),
        ({"recipes": [{"a": 1}], "total": 1}, [{"a": 1}]),
        ({"id": 1, "name": "x", "tags": ["y"]}, None),
        ("text", None),
        ({"items": []}, []),
    ],
)
def test_list_rows(value: Any, rows: list[Any] | None) -> None:
    assert list_rows(value) == rows


@pytest.mark.parametrize(
    ("value", "cut"),
    [
        ({"items": [], "nextCursor": "x"}, True),
        ({"items": [], "_truncated": {}}, True),
        ([{"_truncated": {}}], True),
        ([], False),
        ({"items": [], "nextCursor": None}, False),
    ],
)
def test_is_cut(value: Any, cut: bool) -> None:
    assert is_cut(value) is cut
