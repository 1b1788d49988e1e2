"""Master keys: how they are written, named and kept in order."""

import base64

import pytest

from assent.errors import ConfigurationError
from assent.vault.keys import KeyRing, MasterKey, parse_key_ring, parse_master_key

SECRET = bytes(range(224, 256))
OTHER = bytes(range(32))


@pytest.mark.parametrize(
    "text",
    [
        SECRET.hex(),
        SECRET.hex().upper(),
        f"  {SECRET.hex()}\n",
        base64.b64encode(SECRET).decode(),
        base64.urlsafe_b64encode(SECRET).decode(),
        base64.urlsafe_b64encode(SECRET).decode().rstrip("="),
    ],
)
def test_hex_and_base64(text: str) -> None:
    assert parse_master_key(text).secret == SECRET


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("", "has 0 bytes"),
        (SECRET.hex()[:-2], "has 46 bytes"),
        (base64.b64encode(SECRET[:31]).decode(), "has 31 bytes"),
        ("z" * 64, "is neither hex nor base64"),
        ("correct horse battery staple", "is neither hex nor base64"),
        ("ä" * 43, "is neither hex nor base64"),
    ],
)
def test_faulty_keys(text: str, what: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        parse_master_key(text)
    assert caught.value.message == (
        f"The master key {what}; it must be 32 bytes in hex (64 digits) or base64."
    )


def test_what_was_written_is_read() -> None:
    assert parse_master_key(MasterKey(SECRET).encode()) == MasterKey(SECRET)


def test_a_key_shows_only_its_id() -> None:
    key = MasterKey(SECRET)
    assert len(key.id) == 16
    assert key.id != MasterKey(OTHER).id
    assert repr(key) == f"MasterKey({key.id})"
    assert SECRET.hex() not in repr(KeyRing(key))


def test_the_first_key_seals_and_all_open() -> None:
    ring = parse_key_ring([SECRET.hex(), OTHER.hex()])
    assert ring.current == MasterKey(SECRET)
    assert ring.find(MasterKey(SECRET).id) == MasterKey(SECRET)
    assert ring.find(MasterKey(OTHER).id) == MasterKey(OTHER)
    assert ring.find("0" * 16) is None
