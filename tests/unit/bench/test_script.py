"""What the fake provider is told, and what its words tell."""

import json

import pytest

from assent.bench.script import (
    FOREVER,
    MARK,
    Script,
    encode_word,
    find_thinking,
    list_sent,
    parse_script,
)


@pytest.mark.parametrize(
    "script",
    [
        Script(words=1),
        Script(words=20, delay=0.05, pace=0.02),
        Script(words=FOREVER, pace=0.1),
        Script(words=2000, pace=0.001, holds=True),
    ],
)
def test_a_script_travels_in_a_message(script: Script) -> None:
    history = [{"role": "user", "content": str(Script(words=7))}]
    messages = [*history, {"role": "user", "content": str(script)}]
    assert parse_script(json.dumps({"messages": messages, "tools": []}).encode()) == script


def test_without_a_script_there_is_none() -> None:
    assert parse_script(b'{"messages": [{"role": "user", "content": "Hello"}]}') is None


def test_words_tell_when_they_were_sent_however_they_were_joined() -> None:
    first, second = encode_word(12.25, 12.0), encode_word(13.5, None)
    data = b'data: {"delta":"' + first + second + b'"}\n\n'
    assert data.count(MARK) == 2
    assert find_thinking(data) == 0.25
    assert list_sent(data) == [12.25, 13.5]
    assert find_thinking(second) is None
