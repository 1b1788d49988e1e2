"""A head: the signed statement of how far a tenant's log goes and what its last link is. Pure."""

import re
from dataclasses import dataclass
from uuid import UUID

from assent.audit.link import encode_canonical
from assent.errors import ConfigurationError

DOMAIN = b"assent audit head 1\n"
KEPT = re.compile(r"([0-9a-f-]{36}):([0-9]{1,18}):([0-9a-f]{64})")


@dataclass(frozen=True, slots=True, kw_only=True)
class Head:
    """`entries` is how many entries this head covers beyond the head before it."""

    tenant_id: UUID
    position: int
    entries: int
    link: bytes
    signed_at: str
    key_id: str
    signature: bytes = b""

    @property
    def signed_text(self) -> bytes:
        return DOMAIN + encode_canonical(
            {
                "entries": self.entries,
                "keyId": self.key_id,
                "link": self.link.hex(),
                "position": self.position,
                "signedAt": self.signed_at,
                "tenantId": str(self.tenant_id),
            }
        )


@dataclass(frozen=True, slots=True)
class KeptHead:
    """What somebody wrote down about a head, to hold the log against it later."""

    tenant_id: UUID
    position: int
    link: bytes

    def __str__(self) -> str:
        return f"{self.tenant_id}:{self.position}:{self.link.hex()}"


def parse_kept_head(text: str) -> KeptHead:
    match = KEPT.fullmatch(text.strip().lower())
    try:
        if match is not None:
            return KeptHead(UUID(match[1]), int(match[2]), bytes.fromhex(match[3]))
    except ValueError:
        pass
    raise ConfigurationError(
        f"{text!r} is not a head. `assent audit head` prints one: tenant, position and link "
        "with colons between them."
    )
