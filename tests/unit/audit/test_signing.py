"""Heads: what is signed, by which key, and how one is written down."""

from dataclasses import replace
from uuid import UUID

import pytest

from assent.audit.head import KeptHead, parse_kept_head
from assent.audit.signing import Signing, Trust, parse_public_keys
from assent.errors import ConfigurationError
from assent.vault.keys import KeyRing
from tests.unit.audit.logs import KEY, OTHER_KEY, SIGNING, TENANT, sign

KEPT = KeptHead(TENANT, 12, b"\xab" * 32)


def test_the_signed_text() -> None:
    head = replace(sign(3, 2, b"\x01" * 32), key_id="k")
    assert head.signed_text.decode() == (
        'assent audit head 1\n{"entries":2,"keyId":"k","link":"' + "01" * 32 + '","position":3,'
        '"signedAt":"2026-01-02T03:05:00.000000Z","tenantId":"' + str(TENANT) + '"}'
    )


def test_a_key_gives_the_same_public_key_for_ever() -> None:
    assert SIGNING.list_public_keys() == {
        KEY.id: bytes.fromhex("2508d34403b517a020f2f2983a5378ac592de3d89933bc6e39a593d25bb292e0")
    }


def test_trust() -> None:
    head = sign(1, 1, bytes(32))
    ours, theirs = (
        Signing(lambda key=key: KeyRing(key)).list_public_keys() for key in (KEY, OTHER_KEY)
    )
    public_key, other = ours[KEY.id], theirs[OTHER_KEY.id]
    assert Trust(ours).judge(head) == "valid"
    assert Trust({}, (other, public_key)).judge(head) == "valid"
    assert Trust({KEY.id: other}).judge(head) == "forged"
    assert Trust(theirs).judge(head) == "unknown_key"
    assert Trust({}, (other,)).judge(head) == "unknown_key"
    for broken in (b"", b"x", bytes(64)):
        assert Trust(ours).judge(replace(head, signature=broken)) == "forged"
    assert Trust({KEY.id: b"short"}).judge(head) == "forged"


def test_the_present_key_signs_and_older_ones_still_count() -> None:
    rotated = Signing(lambda: KeyRing(OTHER_KEY, (KEY,)))
    assert sign(1, 1, bytes(32), rotated).key_id == OTHER_KEY.id
    assert Trust(rotated.list_public_keys()).judge(sign(1, 1, bytes(32))) == "valid"


def test_a_head_is_written_down_and_read_back() -> None:
    assert parse_kept_head(f" {str(KEPT).upper()}\n") == KEPT
    assert str(KEPT) == f"{UUID(int=7)}:12:{'ab' * 32}"


@pytest.mark.parametrize("text", ["", "x", f"{UUID(int=7)}:1:ab", f"{'-' * 36}:1:{'ab' * 32}"])
def test_what_is_no_head(text: str) -> None:
    with pytest.raises(ConfigurationError, match="is not a head"):
        parse_kept_head(text)


@pytest.mark.parametrize("text", ["", "ab", "x" * 64])
def test_what_is_no_public_key(text: str) -> None:
    with pytest.raises(ConfigurationError, match="is not a public key"):
        parse_public_keys([text])
    assert parse_public_keys(["AB" * 32]) == (b"\xab" * 32,)
