"""Paging through a full result."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.tools.artifact import page_of
from assent.tools.tool import ToolValidationError

RESULT = {
    "items": [{"id": 1, "log": "abcdef"}, {"id": 2, "log": ""}],
    "a.b": {"x": 1, "y": 2},
    "7": None,
}


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (
            {"path": "items", "limit": 1},
            {
                "path": "items",
                "kind": "array",
                "total": 2,
                "offset": 0,
                "items": RESULT["items"][:1],
                "nextOffset": 1,
            },
        ),
        (
            {"path": "items.0.log", "offset": 4, "limit": 2},
            {"path": "items.0.log", "kind": "string", "total": 6, "offset": 4, "text": "ef"},
        ),
        (
            {"path": '"a.b"', "offset": 1},
            {"path": '"a.b"', "kind": "object", "total": 2, "offset": 1, "fields": {"y": 2}},
        ),
        ({"path": "items.1.id"}, {"path": "items.1.id", "kind": "integer", "value": 2}),
        ({"path": "7"}, {"path": "7", "kind": "null", "value": None}),
    ],
)
def test_pages(given: dict[str, Any], expected: dict[str, Any]) -> None:
    assert page_of(RESULT, **given) == expected


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"path": "items.5"}, "There is no 5 in items. It has 2 items."),
        ({"path": "items.name"}, "There is no name in items. It has 2 items."),
        ({"path": "items.0.nmae"}, "There is no nmae in items.0. Its fields are: id, log."),
        (
            {"path": "nothing"},
            'There is no nothing in the result. Its fields are: items, "a.b", "7".',
        ),
        ({"path": "items.0.log.1"}, "There is nothing below items.0.log."),
        ({"path": "items..0"}, "not a path like items.0.name"),
        ({"path": "items", "offset": -1}, "Offset starts at 0"),
        ({"path": "items", "limit": 0}, "limit at 1"),
    ],
)
def test_what_is_not_there(given: dict[str, Any], message: str) -> None:
    with pytest.raises(ToolValidationError, match=r"path|offset") as caught:
        page_of(RESULT, **given)
    assert message in caught.value.message


@given(
    st.lists(st.integers(), max_size=20)
    | st.text(max_size=20)
    | st.dictionaries(st.text(), st.integers(), max_size=20),
    st.integers(1, 7),
)
def test_all_pages_together_are_the_whole(value: Any, limit: int) -> None:
    pieces, offset = [], 0
    while offset is not None:
        page = page_of(value, offset=offset, limit=limit)
        found = next(page[word] for word in ("items", "text", "fields") if word in page)
        assert len(found) <= limit
        pieces += list(found.items() if isinstance(found, dict) else found)
        offset = page.get("nextOffset")
    assert pieces == list(value.items() if isinstance(value, dict) else value)
