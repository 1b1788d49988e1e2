"""The canonical form of an entry and its link, as docs/audit.md describes them."""

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.audit.link import START, encode_content, extend
from tests.unit.audit.logs import make_content

contents = st.dictionaries(st.sampled_from(tuple(make_content(1))), st.none() | st.text())


@pytest.mark.parametrize(
    ("content", "canonical"),
    [
        ({"id": "1", "edge": "rest"}, '{"edge":"rest","id":"1"}'),
        ({"id": "1", "runId": None}, '{"id":"1"}'),
        ({"actorName": 'Zoë "\\ \n\x01\x7f'}, '{"actorName":"Zoë \\"\\\\ \\n\\u0001\x7f"}'),
        ({}, "{}"),
    ],
)
def test_the_canonical_form(content: dict[str, str | None], canonical: str) -> None:
    assert encode_content(content) == canonical.encode()


def test_a_known_link() -> None:
    """Written down once: entries that were sealed must keep their links for ever."""
    canonical = b'{"action":"a.b","id":"1"}'
    link = extend(START, {"id": "1", "action": "a.b", "runId": None})
    assert link == hashlib.sha256(b"assent audit link 1\n" + bytes(32) + canonical).digest()
    assert link.hex() == "2b86b9796a8fd9a9e77fd4f3efc3fedcc3914600f133078e39e44cc02213dabc"


@given(contents, contents)
def test_different_entries_have_different_bytes(
    one: dict[str, str | None], other: dict[str, str | None]
) -> None:
    def drop_empty(content: dict[str, str | None]) -> dict[str, str | None]:
        return {name: value for name, value in content.items() if value is not None}

    assert (encode_content(one) == encode_content(other)) == (drop_empty(one) == drop_empty(other))


def test_a_lone_surrogate_in_a_file_has_bytes_too() -> None:
    assert encode_content({"id": "\ud800"}) != encode_content({"id": "?"})
