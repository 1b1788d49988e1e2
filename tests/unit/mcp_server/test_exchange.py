"""Answers as bytes: whatever a value holds, it comes through."""

import json

import pytest

from assent.mcp_server.exchange import encode, encode_alone

VALUES: dict[str, object] = {
    "plain": {"id": 1, "result": {"items": [{"name": "billing", "size": 1.5, "gone": None}]}},
    "other scripts": {"text": "Überprüfung 検査 🙂"},
    "quotes and ends of lines": {"text": 'a "b" \\ \n\r\t\u2028 \x00'},
    "a lone surrogate": {"text": "\ud800"},
    "a very large number": {"number": 2**70},
}


@pytest.mark.parametrize("name", VALUES)
def test_an_answer_is_the_same_in_both_forms(name: str) -> None:
    message = {"jsonrpc": "2.0", "value": VALUES[name]}
    assert json.loads(encode_alone(message)) == message
    assert json.loads(encode(message)) == message


def test_an_event_is_one_line_of_ascii() -> None:
    told = encode({"text": "検査\u2028\x85\n"})
    assert told.isascii()
    assert len(told.splitlines()) == 1
