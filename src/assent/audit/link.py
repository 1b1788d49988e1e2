"""What chains the audit log: an entry as fixed bytes, and the hash that ties it to the one before.

Pure. docs/audit.md describes both for those who check an export with a program of their own.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

DOMAIN = b"assent audit link 1\n"
START = bytes(32)
"""The link before the first entry."""

_ENCODER = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False)

Content: TypeAlias = Mapping[str, str | None]
"""Every column of an entry but its place and link, as text under its name on the wire."""


@dataclass(frozen=True, slots=True)
class Linked:
    """An entry in its place."""

    position: int
    link: bytes
    content: Content

    @property
    def id(self) -> str | None:
        return self.content.get("id")


def encode_content(content: Content) -> bytes:
    """Canonical JSON (RFC 8785). What is empty is left out, so that columns can be added."""
    present = {name: value for name, value in content.items() if value is not None}
    return encode_canonical(present)


def encode_canonical(value: Mapping[str, object]) -> bytes:
    return _ENCODER.encode(value).encode("utf-8", "surrogatepass")


def extend(link: bytes, content: Content) -> bytes:
    """The link of the entry that follows this link."""
    return hashlib.sha256(DOMAIN + link + encode_content(content)).digest()
