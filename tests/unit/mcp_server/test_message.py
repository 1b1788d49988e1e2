"""What a program sent, and which generation of the protocol it speaks."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.mcp_server.message import (
    Asked,
    Malformed,
    Message,
    Replied,
    Told,
    parse_message,
    speaks_modern,
)

BEGIN = {"jsonrpc": "2.0"}
META = {"_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28"}}
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
)
KEYS = st.sampled_from(["jsonrpc", "id", "method", "params", "result", "error"])


@pytest.mark.parametrize(
    ("parsed", "kind"),
    [
        (BEGIN | {"id": 1, "method": "a"}, Asked),
        (BEGIN | {"id": "x", "method": "a", "params": {}}, Asked),
        (BEGIN | {"id": 0, "method": "a", "params": None}, Asked),
        (BEGIN | {"method": "a"}, Told),
        (BEGIN | {"id": 1, "result": {}}, Replied),
        (BEGIN | {"id": 1, "error": {"code": 1, "message": "x"}}, Replied),
        (BEGIN | {"id": 1, "result": {}, "error": {}}, Malformed),
        (BEGIN | {"id": 1}, Malformed),
        (BEGIN | {"result": {}}, Malformed),
        (BEGIN | {"id": None, "method": "a"}, Malformed),
        (BEGIN | {"id": False, "method": "a"}, Malformed),
        (BEGIN | {"id": 1, "method": None}, Malformed),
        (BEGIN | {"id": 1, "method": "a", "params": "x"}, Malformed),
        (BEGIN | {"id": 1, "method": "a", "params": []}, Malformed),
        (BEGIN | {"method": "a", "params": ""}, Malformed),
        ({"id": 1, "method": "a"}, Malformed),
        ([], Malformed),
        ("x", Malformed),
    ],
)
def test_parse_message(parsed: Any, kind: type[Message]) -> None:
    assert type(parse_message(parsed)) is kind


@given(JSON | st.dictionaries(KEYS, JSON | st.just("2.0")))
def test_nothing_breaks_it(parsed: Any) -> None:
    message = parse_message(parsed)
    if isinstance(message, Asked | Told):
        assert isinstance(message.method, str)
        assert message.params is None or isinstance(message.params, dict)
    assert isinstance(speaks_modern(message, {}), bool)


@pytest.mark.parametrize(
    ("version", "method", "params", "modern"),
    [
        ("2026-07-28", "tools/list", {}, True),
        ("2031-01-01", "tools/list", {}, True),
        ("nonsense", "tools/list", {}, True),
        ("2025-11-25", "tools/list", META, False),
        ("2025-06-18", "tools/list", {}, False),
        (None, "tools/list", META, True),
        (None, "tools/list", {"_meta": {"progressToken": 1}}, False),
        (None, "tools/list", {"_meta": "x"}, False),
        (None, "tools/list", None, False),
        (None, "initialize", META, False),
    ],
)
def test_speaks_modern(version: str | None, method: str, params: Any, modern: bool) -> None:
    headers = {} if version is None else {"mcp-protocol-version": version}
    assert speaks_modern(Asked(1, method, params, {}), headers) is modern
