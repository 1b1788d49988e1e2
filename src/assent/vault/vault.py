"""Seal and open bytes: AES-256-GCM under a key derived from the master key for one purpose.

What is sealed is bound to its context (a row's id, say): moved elsewhere it does not open.
Knows no table.
"""

import os
from functools import lru_cache

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from assent.errors import SealBroken
from assent.vault.keys import MasterKey
from assent.vault.master_key import KeySource

VERSION = b"\x01"
KEY_ID_BYTES = 8
NONCE_BYTES = 12
HEADER_BYTES = len(VERSION) + KEY_ID_BYTES + NONCE_BYTES


class Vault:
    def __init__(self, keys: KeySource) -> None:
        self.keys = keys
        self.failures = 0
        """How often something could not be opened."""

    def seal(self, plaintext: bytes, *, purpose: str, context: str) -> bytes:
        key = self.keys.ring().current
        header = VERSION + bytes.fromhex(key.id)
        nonce = os.urandom(NONCE_BYTES)
        sealed = _cipher(key, purpose).encrypt(nonce, plaintext, header + context.encode())
        return header + nonce + sealed

    def open(self, sealed: bytes, *, purpose: str, context: str) -> bytes:
        opened = self.find_opened(sealed, purpose=purpose, context=context)
        if opened is None:
            self.failures += 1
            raise SealBroken
        return opened

    def find_opened(self, sealed: bytes, *, purpose: str, context: str) -> bytes | None:
        """For what somebody hands back and may have made up: that is no failure of ours."""
        header, nonce = sealed[: 1 + KEY_ID_BYTES], sealed[1 + KEY_ID_BYTES : HEADER_BYTES]
        key = self.keys.ring().find(key_id_of(sealed))
        if header[:1] != VERSION or len(nonce) != NONCE_BYTES or key is None:
            return None
        try:
            return _cipher(key, purpose).decrypt(
                nonce, sealed[HEADER_BYTES:], header + context.encode()
            )
        except InvalidTag:
            return None


def key_id_of(sealed: bytes) -> str:
    """The id of the master key that sealed this."""
    return sealed[1 : 1 + KEY_ID_BYTES].hex()


@lru_cache(64)
def _cipher(key: MasterKey, purpose: str) -> AESGCM:
    """Deriving it takes longer than what it is for."""
    derivation = HKDF(hashes.SHA256(), length=32, salt=None, info=f"assent {purpose}".encode())
    return AESGCM(derivation.derive(key.secret))
