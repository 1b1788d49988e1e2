"""Signing heads and checking their signatures: Ed25519 under keys derived from the master keys.

The private keys exist in memory only. Knows no table.
"""

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Literal, Protocol, TypeAlias

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from assent.audit.head import Head
from assent.errors import ConfigurationError

PURPOSE = b"audit head signature, Ed25519"
PUBLIC_KEY = re.compile(r"[0-9a-f]{64}")

Verdict: TypeAlias = Literal["valid", "forged", "unknown_key"]


class Secret(Protocol):
    """A master key."""

    @property
    def id(self) -> str: ...
    @property
    def secret(self) -> bytes: ...


class Ring(Protocol):
    """The master key that signs now, and the older ones."""

    @property
    def current(self) -> Secret: ...
    @property
    def previous(self) -> Collection[Secret]: ...


class Signing:
    """Signs with the present master key. `ring` is asked each time: keys change while we run."""

    def __init__(self, ring: Callable[[], Ring]) -> None:
        self._ring = ring

    def sign(self, head: Head) -> Head:
        """The same head with the present key's id and signature."""
        key = self._ring().current
        named = replace(head, key_id=key.id)
        return replace(named, signature=_derive(key).sign(named.signed_text))

    def list_public_keys(self) -> dict[str, bytes]:
        ring = self._ring()
        return {
            key.id: _derive(key).public_key().public_bytes_raw()
            for key in (ring.current, *ring.previous)
        }


@dataclass(frozen=True, slots=True)
class Trust:
    """The public keys that are believed: some known by id, others given by hand."""

    by_id: Mapping[str, bytes]
    others: tuple[bytes, ...] = ()

    def judge(self, head: Head) -> Verdict:
        named = self.by_id.get(head.key_id)
        if any(_fits(key, head) for key in (*([named] if named else []), *self.others)):
            return "valid"
        return "forged" if named else "unknown_key"


def parse_public_keys(texts: Iterable[str]) -> tuple[bytes, ...]:
    keys: list[bytes] = []
    for text in texts:
        if PUBLIC_KEY.fullmatch(text.strip().lower()) is None:
            raise ConfigurationError(f"{text!r} is not a public key: 64 hexadecimal digits.")
        keys.append(bytes.fromhex(text.strip()))
    return tuple(keys)


def _derive(key: Secret) -> Ed25519PrivateKey:
    derivation = HKDF(hashes.SHA256(), length=32, salt=None, info=PURPOSE)
    return Ed25519PrivateKey.from_private_bytes(derivation.derive(key.secret))


def _fits(public_key: bytes, head: Head) -> bool:
    try:
        Ed25519PublicKey.from_public_bytes(public_key).verify(head.signature, head.signed_text)
    except (InvalidSignature, ValueError):
        return False
    return True
