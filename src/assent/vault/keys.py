"""Master keys as values: parsing, key ids and the ring of keys. Pure."""

import base64
import binascii
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from assent.errors import ConfigurationError

KEY_BYTES = 32


@dataclass(frozen=True, slots=True, repr=False)
class MasterKey:
    secret: bytes

    @property
    def id(self) -> str:
        """Names the key without telling anything of it."""
        return hashlib.sha256(b"assent master key id" + self.secret).hexdigest()[:16]

    def encode(self) -> str:
        return self.secret.hex()

    def __repr__(self) -> str:
        return f"MasterKey({self.id})"


@dataclass(frozen=True, slots=True)
class KeyRing:
    """The key that seals, and the older ones that only open."""

    current: MasterKey
    previous: tuple[MasterKey, ...] = ()

    def find(self, key_id: str) -> MasterKey | None:
        return next((key for key in (self.current, *self.previous) if key.id == key_id), None)


def parse_master_key(text: str) -> MasterKey:
    """Read 32 bytes written in hex or base64."""
    compact = text.strip()
    try:
        if len(compact) == KEY_BYTES * 2:
            return MasterKey(bytes.fromhex(compact))
        padded = compact + "=" * (-len(compact) % 4)
        secret = base64.b64decode(padded.replace("-", "+").replace("_", "/"), validate=True)
    except (ValueError, binascii.Error) as error:
        raise ConfigurationError(_shape("is neither hex nor base64")) from error
    if len(secret) != KEY_BYTES:
        raise ConfigurationError(_shape(f"has {len(secret)} bytes"))
    return MasterKey(secret)


def parse_key_ring(keys: Sequence[str]) -> KeyRing:
    parsed = [parse_master_key(key) for key in keys]
    return KeyRing(parsed[0], tuple(parsed[1:]))


def _shape(what: str) -> str:
    return f"The master key {what}; it must be {KEY_BYTES} bytes in hex (64 digits) or base64."
