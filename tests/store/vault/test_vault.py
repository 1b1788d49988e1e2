"""Sealing and opening, and where the keys for it come from."""

import base64
import os
import secrets
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import pytest
from pydantic import SecretStr

from assent.errors import ConfigurationError, SealBroken
from assent.settings import Settings
from assent.vault.keys import KeyRing, MasterKey, parse_key_ring, parse_master_key
from assent.vault.master_key import (
    KeySource,
    new_master_key,
    open_key_source,
    write_key_file,
)
from assent.vault.vault import HEADER_BYTES, Vault

PLAIN = "a secret with ünicode".encode()
PLACE = {"purpose": "secret", "context": "tenant/row"}


def open_vault(current: MasterKey, *previous: MasterKey) -> Vault:
    return Vault(KeySource(KeyRing(current, previous), None))


@pytest.mark.parametrize("plain", [b"", b"x", PLAIN, os.urandom(100_000)])
def test_what_is_sealed_opens(plain: bytes) -> None:
    vault = open_vault(new_master_key())
    sealed = vault.seal(plain, **PLACE)
    assert vault.open(sealed, **PLACE) == plain
    assert vault.seal(plain, **PLACE) != sealed
    assert len(plain) < 16 or plain not in sealed


@pytest.mark.parametrize(
    "place",
    [
        {"purpose": "other", "context": "tenant/row"},
        {"purpose": "secret", "context": "tenant/other"},
        {"purpose": "secret", "context": ""},
        {"purpose": "", "context": "secrettenant/row"},
    ],
)
def test_elsewhere_it_does_not_open(place: dict[str, str]) -> None:
    vault = open_vault(new_master_key())
    sealed = vault.seal(PLAIN, **PLACE)
    with pytest.raises(SealBroken):
        vault.open(sealed, **place)


def test_not_one_bit_can_be_changed() -> None:
    vault = open_vault(new_master_key())
    sealed = vault.seal(PLAIN, **PLACE)
    for position in range(len(sealed)):
        altered = bytearray(sealed)
        altered[position] ^= 1
        with pytest.raises(SealBroken):
            vault.open(bytes(altered), **PLACE)


@pytest.mark.parametrize("length", [*range(HEADER_BYTES + 17), -1])
def test_a_part_does_not_open(length: int) -> None:
    vault = open_vault(new_master_key())
    sealed = vault.seal(PLAIN, **PLACE)
    with pytest.raises(SealBroken):
        vault.open(sealed[:length], **PLACE)
    with pytest.raises(SealBroken):
        vault.open(sealed + b"\0", **PLACE)


def test_older_keys_open_and_never_seal() -> None:
    old, new = new_master_key(), new_master_key()
    sealed = open_vault(old).seal(PLAIN, **PLACE)
    both = open_vault(new, old)
    assert both.open(sealed, **PLACE) == PLAIN
    with pytest.raises(SealBroken):
        open_vault(old).open(both.seal(PLAIN, **PLACE), **PLACE)
    with pytest.raises(SealBroken):
        open_vault(new).open(sealed, **PLACE)


@pytest.mark.parametrize(
    "encode",
    [
        bytes.hex,
        lambda raw: raw.hex().upper(),
        lambda raw: base64.b64encode(raw).decode(),
        lambda raw: base64.urlsafe_b64encode(raw).decode().rstrip("="),
        lambda raw: f"  {raw.hex()}\n",
    ],
)
def test_ways_to_write_a_key(encode: object) -> None:
    raw = bytes(range(224, 256))
    assert callable(encode)
    assert parse_master_key(encode(raw)).secret == raw


@pytest.mark.parametrize(
    "text",
    [
        "",
        "short",
        "0" * 63,
        "g" * 64,
        "0" * 128,
        "a b c",
        "ä" * 44,
        base64.b64encode(b"x" * 31).decode(),
    ],
)
def test_what_is_no_key_is_refused_without_showing_it(text: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        parse_master_key(text)
    assert not text or text not in caught.value.message


def test_a_key_never_shows_itself() -> None:
    key = new_master_key()
    ring = parse_key_ring([key.encode()])
    for shown in (repr(key), str(key), repr(ring), key.id):
        assert key.secret.hex() not in shown
    assert key.id in repr(key)


def test_a_running_server_picks_a_new_key_up(tmp_path: Path) -> None:
    old, new = new_master_key(), new_master_key()
    path = tmp_path / "keys" / "master.key"
    write_key_file(path, [old])
    vault = Vault(open_key_source(Settings(master_key_file=path)))
    before = vault.seal(PLAIN, **PLACE)
    write_key_file(path, [new, old])
    assert vault.keys.ring().current == new
    assert vault.open(before, **PLACE) == PLAIN
    write_key_file(path, [new])
    with pytest.raises(SealBroken):
        vault.open(before, **PLACE)


@pytest.mark.parametrize("content", ["", "\n\n", "nonsense\n", "\x00\x01"])
def test_a_spoilt_key_file_is_named(tmp_path: Path, content: str) -> None:
    path = tmp_path / "master.key"
    path.write_text(content)
    with pytest.raises(ConfigurationError):
        open_key_source(Settings(master_key_file=path)).ring()
    path.unlink()
    with pytest.raises(ConfigurationError, match=str(path)):
        open_key_source(Settings(master_key_file=path)).ring()


def test_beside_the_embedded_postgres_a_key_is_made_once(tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path / "data")
    first = open_key_source(settings)
    assert first.path == tmp_path / "data" / "master.key"
    assert first.path.stat().st_mode & 0o777 == 0o600
    assert open_key_source(settings).ring() == first.ring()
    assert [entry.name for entry in first.path.parent.iterdir()] == ["master.key"]


def test_of_many_first_starts_one_key_counts(tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path / "data")
    together = Barrier(8)

    def start(_number: int) -> KeyRing:
        together.wait()
        return open_key_source(settings).ring()

    with ThreadPoolExecutor(8) as pool:
        rings = list(pool.map(start, range(8)))
    assert {ring.current.id for ring in rings} == {open_key_source(settings).ring().current.id}
    assert [entry.name for entry in (tmp_path / "data").iterdir()] == ["master.key"]


def test_with_an_outside_database_the_key_must_be_given() -> None:
    url = SecretStr("postgresql://somewhere/db")
    with pytest.raises(ConfigurationError, match="ASSENT_MASTER_KEY"):
        open_key_source(Settings(database_url=url))
    given = Settings(database_url=url, master_key=SecretStr(secrets.token_hex(32)))
    assert open_key_source(given).path is None


def test_older_keys_from_the_environment() -> None:
    old, new = new_master_key(), new_master_key()
    settings = Settings(
        master_key=SecretStr(new.encode()), previous_master_keys=(SecretStr(old.encode()),)
    )
    assert open_key_source(settings).ring() == KeyRing(new, (old,))
