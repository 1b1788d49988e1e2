"""An audit entry as a value. Pure: the arguments themselves never get here, only their hash."""

import hashlib
import json
from dataclasses import dataclass
from typing import Literal, TypeAlias
from uuid import UUID

_ENCODER = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False, default=str)

Edge: TypeAlias = Literal["form", "command", "sign_in", "work", "chat", "headless", "rest", "mcp"]
Effect: TypeAlias = Literal["read", "mutate", "destructive"]
Status: TypeAlias = Literal[
    "executed",
    "refused",
    "failed",
    "proposed",
    "approved",
    "applying",
    "applied",
    "outcome_unknown",
    "declined",
    "expired",
    "voided",
    "superseded",
]


@dataclass(frozen=True, slots=True)
class Actor:
    """Who acted, as the log names them."""

    kind: Literal["user", "application", "service"]
    id: UUID | None
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Trace:
    """What an entry belongs to."""

    conversation_id: UUID | None = None
    run_id: UUID | None = None
    proposal_id: UUID | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One thing that happened. `decider` is who decided, where that was not the actor alone."""

    tenant_id: UUID
    edge: Edge
    action: str
    effect: Effect
    status: Status
    actor: Actor
    arguments_hash: bytes
    decider: Actor | None = None
    trace: Trace = Trace()


def hash_arguments(arguments: object) -> bytes:
    """SHA-256 of the canonical JSON form: sorted keys, no spaces, UTF-8."""
    canonical = _ENCODER.encode(arguments)
    return hashlib.sha256(canonical.encode("utf-8", "surrogatepass")).digest()
