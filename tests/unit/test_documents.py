"""Documents in files are read as JSON would be, and what is unclear in them is refused."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.documents import read_documents
from assent.errors import Invalid

json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53), 2**53)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(blacklist_categories=["Cs", "Cc"])),
    lambda below: (
        st.lists(below, max_size=3)
        | st.dictionaries(st.text(st.characters(blacklist_categories=["Cs", "Cc"])), below)
    ),
    max_leaves=8,
)


def read(text: str) -> list[dict[str, Any]]:
    return [one.body for one in read_documents(text, where="f.yaml")]


def test_several_documents_know_where_they_stand() -> None:
    found = read_documents("kind: a\nname: x\n---\n---\nkind: b\n", where="f.yaml")
    assert [(one.where, one.kind, one.name) for one in found] == [
        ("f.yaml, document 1", "a", "x"),
        ("f.yaml, document 2", "b", ""),
    ]


@given(st.dictionaries(st.text(st.characters(blacklist_categories=["Cs", "Cc"])), json_values))
def test_json_means_the_same(body: dict[str, Any]) -> None:
    assert read(json.dumps(body)) == [body]


def test_dates_stay_texts_and_anchors_work() -> None:
    text = "kind: a\nday: 2026-01-02\nbase: &b {x: 1}\nmore: {<<: *b, y: 2}\n"
    assert read(text) == [
        {"kind": "a", "day": "2026-01-02", "base": {"x": 1}, "more": {"x": 1, "y": 2}}
    ]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "There is no document in it."),
        ("- a\n- b\n", "A document is an object with `kind`."),
        ("kind: a\nkind: b\n", "line 2: kind stands there twice"),
        ('{"kind": "a", "kind": "b"}', "a key stands there twice"),
        ('{"kind": "a", "x": NaN}', "There is a number in it that JSON does not know."),
        ("kind: a\nyes: 1\n", "line 2: True is not a text, put it in quotes"),
        ("kind: [a\n", "This is not YAML or JSON"),
        ("kind: a\nx: .nan\n", "There is a number in it that JSON does not know."),
        ("kind: !!python/object:os.system a\n", "could not determine a constructor"),
    ],
)
def test_what_is_unclear_is_refused(text: str, told: str) -> None:
    with pytest.raises(Invalid) as refused:
        read(text)
    (issue,) = refused.value.issues
    assert issue.path == "f.yaml"
    assert told in issue.message
