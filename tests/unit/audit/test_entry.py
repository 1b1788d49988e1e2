"""The hash that stands for arguments in the audit log."""

import hashlib
from uuid import UUID

import pytest

from assent.audit.entry import hash_arguments


@pytest.mark.parametrize(
    ("arguments", "canonical"),
    [
        ({}, "{}"),
        ({"b": 1, "a": [1, 2]}, '{"a":[1,2],"b":1}'),
        ({"name": "Zoë"}, '{"name":"Zoë"}'),
        ({"id": UUID(int=1)}, '{"id":"00000000-0000-0000-0000-000000000001"}'),
        (None, "null"),
    ],
)
def test_hash_of_the_canonical_form(arguments: object, canonical: str) -> None:
    assert hash_arguments(arguments) == hashlib.sha256(canonical.encode()).digest()


def test_the_order_of_keys_does_not_matter() -> None:
    assert hash_arguments({"a": 1, "b": 2}) == hash_arguments({"b": 2, "a": 1})


def test_a_lone_surrogate_has_a_hash() -> None:
    assert len(hash_arguments({"name": "\ud800"})) == 32
