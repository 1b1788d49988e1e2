"""Lists in pages."""

import pytest
from mcp.shared.exceptions import MCPError

from assent.mcp_server.paging import cut_page
from assent.value import encode_cursor


@pytest.mark.parametrize("length", [0, 1, 3, 4, 7])
def test_pages_are_the_whole_list_once(length: int) -> None:
    items, seen, cursor = list(range(length)), list[int](), None
    for _ in range(length + 1):
        page = cut_page("items", items, cursor, most=3)
        assert len(page["items"]) <= 3
        seen += page["items"]
        cursor = page.get("nextCursor")
        if cursor is None:
            break
    assert seen == items


@pytest.mark.parametrize(
    "cursor",
    ["", "x", "é", encode_cursor(("x",)), encode_cursor(("-1",)), encode_cursor(("99",)), "A" * 99],
)
def test_a_cursor_from_elsewhere_is_told(cursor: str) -> None:
    with pytest.raises(MCPError, match="cursor: ") as caught:
        cut_page("items", [1, 2], cursor)
    assert caught.value.code == -32602
