"""Lists in pages, so that no answer is longer than a client takes."""

from collections.abc import Sequence
from typing import Any

from mcp.shared.exceptions import MCPError
from mcp_types import INVALID_PARAMS

from assent.errors import UnknownCursor
from assent.value import encode_cursor, parse_cursor

PAGE = 200


def cut_page(
    kind: str, items: Sequence[Any], cursor: str | None, most: int = PAGE
) -> dict[str, Any]:
    """The result of a list. The cursor is how many came before: what is listed hardly changes."""
    start = _read_start(cursor, len(items))
    page: dict[str, Any] = {kind: list(items[start : start + most]), "resultType": "complete"}
    following = start + most
    return page | (
        {"nextCursor": encode_cursor((str(following),))} if following < len(items) else {}
    )


def _read_start(cursor: str | None, length: int) -> int:
    try:
        position = parse_cursor(cursor, 1)
        start = int(position[0]) if position else 0
    except (UnknownCursor, ValueError):
        start = -1
    if not 0 <= start <= length:
        raise MCPError(INVALID_PARAMS, f"cursor: {UnknownCursor().message}")
    return start
