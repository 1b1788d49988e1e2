"""Arguments are repaired where they can only have meant one thing, and never guessed."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.runs.events import drop_forbidden
from assent.runs.repair import DEEPEST, parse_arguments
from assent.value import strip_unstorable
from tests.unit.tools.samples import json_texts, json_values

objects = st.dictionaries(json_texts, json_values, max_size=3).filter(
    lambda value: drop_forbidden(value) == value
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", {}),
        ("  \n ", {}),
        ("{}", {}),
        ("null", {}),
        ('""', {}),
        ("```json\n```", {}),
        ('{"a": 1}', {"a": 1}),
        ('{"a": 12345678901234567890}', {"a": 12345678901234567890}),
        ('{"a": "one\ntwo\t"}', {"a": "one\ntwo\t"}),
        ('{"a": 1,}', {"a": 1}),
        ('{"a": [1, 2, ], }', {"a": [1, 2]}),
        ('{"a": 1', {"a": 1}),
        ('{"a": {"b": [1, {"c": 2', {"a": {"b": [1, {"c": 2}]}}),
        ('{"a": {"b": []}', {"a": {"b": []}}),
        ('{"name": "billing', {"name": "billing"}),
        ('{"names": ["billing", "shop', {"names": ["billing", "shop"]}),
        ('{"a": "say \\"hi\\"', {"a": 'say "hi"'}),
        ('```json\n{"a": 1}\n```', {"a": 1}),
        ('```\n{"a": 1}', {"a": 1}),
        ("```json {'a': 1,} ```", {"a": 1}),
        ("{'a': 'b', 'c': [True, False, None]}", {"a": "b", "c": [True, False, None]}),
        ("{'a': 'it\\'s', 'b': 'say \"hi\"'}", {"a": "it's", "b": 'say "hi"'}),
        ("{'a': 'C:\\\\temp\\n', 'b': '\\u00e4'}", {"a": "C:\\temp\n", "b": "ä"}),
        ('{"a": "it\'s", \'b\': 1}', {"a": "it's", "b": 1}),
        ('{"a": NaN}', {"a": None}),
        ('{"a": [NaN, 1]}', {"a": [None, 1]}),
        ('"{\\"a\\": 1}"', {"a": 1}),
        (json.dumps(json.dumps('{"a": 1,}')), {"a": 1}),
        (json.dumps("```json\n{'a': 1}\n```"), {"a": 1}),
        ('{"a": "NaN, True, {\'x\': 1,}"}', {"a": "NaN, True, {'x': 1,}"}),
        ('{"a": "\\u0000x\\ud800"}', {"a": "x"}),
        ('{"a": "},", }', {"a": "},"}),
    ],
)
def test_is_read(text: str, expected: dict[str, Any]) -> None:
    assert parse_arguments(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "[]",
        "1",
        "true",
        "hello",
        '"hello"',
        '{"a": 1} and more',
        'Here you are: {"a": 1}',
        '{"a": 1}{"b": 2}',
        '{"a": 1}}',
        '{"a": 1,',
        '{"a": ',
        '{"a"',
        '{"a',
        '{"a": tr',
        '{"a": -',
        '{"a": 1.',
        '{"a": "billing}',
        '{"a": ["billing]}',
        '{"a": "billing, "b": 1}',
        '{"a": "b\\',
        '{"a": "b\\u00',
        '{"a": [1, 2}',
        '{"a": 1, , "b": 2}',
        '{"a": [,]}',
        '{"a": 1 "b": 2}',
        '{"a" 1}',
        "{'a': 'it's'}",
        "{'a': 'b",
        "{a: 1}",
        '{"a": Infinity}',
        '{"a": 1e999}',
        '{"a": undefined}',
        '{"a": nan}',
        '{"__proto__": {"a": 1}}',
        '{"a": {"\\u005f_proto__": 1}}',
        '{"constructor": {"prototype": 1}}',
        '{"a":' * 2000,
        '{"a":' * (DEEPEST + 1) + "1" + "}" * (DEEPEST + 1),
        json.dumps(json.dumps(json.dumps(json.dumps({"a": 1})))),
    ],
)
def test_is_not_guessed(text: str) -> None:
    assert parse_arguments(text) is None


@pytest.mark.parametrize("text", ["", "  ", '{"a": 1', '{"a": "b', '{"a": {"b": 1}', "```\n"])
def test_nothing_is_added_to_an_answer_that_was_cut(text: str) -> None:
    assert parse_arguments(text, is_cut=True) is None


@pytest.mark.parametrize("text", ['{"a": 1}', '{"a": 1,}', "{'a': 1}", '```\n{"a": 1}'])
def test_what_is_whole_is_read_in_an_answer_that_was_cut(text: str) -> None:
    assert parse_arguments(text, is_cut=True) == {"a": 1}


@given(objects, st.booleans(), st.integers(0, 2), st.sampled_from([None, 2]))
def test_json_means_what_it_says(
    value: dict[str, Any], is_cut: bool, times: int, indent: int | None
) -> None:
    text = json.dumps(value, indent=indent)
    for _ in range(times):
        text = json.dumps(text)
    assert parse_arguments(text, is_cut=is_cut) == strip_unstorable(value)


@given(objects.filter(bool), st.data())
def test_a_beginning_is_never_read_as_something_that_was_not_there(
    value: dict[str, Any], data: st.DataObject
) -> None:
    text = json.dumps(strip_unstorable(value))
    cut = data.draw(st.integers(1, len(text) - 1))
    assert parse_arguments(text[:cut], is_cut=True) is None
    read = parse_arguments(text[:cut])
    if read is not None:
        assert list(read) == list(json.loads(text))[: len(read)]


@given(st.text("{}[]\"'\\,:`jsonNaTrue01 \n", max_size=40), st.booleans())
def test_never_raises(text: str, is_cut: bool) -> None:
    parse_arguments(text, is_cut=is_cut)
