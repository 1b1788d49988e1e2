"""A code with the tokens that came of it, and what becomes of whoever shows one. Pure."""

import base64
import hashlib
import hmac
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, TypeAlias
from uuid import UUID

from assent.audit.entry import Actor
from assent.identity.oauth.request import Fault, Terms, is_ours
from assent.identity.rules import EVERYTHING, holds, narrow

CODE_LIFETIME = timedelta(seconds=60)
ACCESS_LIFETIME = timedelta(hours=1)
REFRESH_LIFETIME = timedelta(days=30)
ACCESS_PREFIX = "ast_"
REFRESH_PREFIX = "asr_"

VERIFIER = re.compile(r"[A-Za-z0-9._~-]{43,128}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Family:
    """As it is while its row is locked. `allowed` is what the person allows the program now."""

    id: UUID
    tenant_id: UUID
    connection_id: UUID
    client_id: str
    client_name: str
    user_id: UUID
    user_name: str
    active: bool
    challenge: str
    redirect_uri: str
    resource: str
    scopes: tuple[str, ...]
    allowed: tuple[str, ...]
    is_used: bool
    is_over: bool

    @classmethod
    def from_row(cls, row: Mapping[str, Any]) -> "Family":
        lists: dict[str, Any] = {name: tuple(row[name]) for name in ("scopes", "allowed")}
        return cls(**{**row, **lists})

    @property
    def actor(self) -> Actor:
        return Actor("user", self.user_id, f"{self.user_name} via {self.client_name}")


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownCode:
    """What a program sends along with a code."""

    code: str
    client_id: str
    redirect_uri: str | None
    verifier: str
    resource: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownRefresh:
    """What a program sends along with a refresh token."""

    token: str
    client_id: str
    scope: str | None
    resource: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """A refresh token as it is stored."""

    id: UUID
    scopes: tuple[str, ...]
    is_used: bool
    is_over: bool

    @classmethod
    def from_row(cls, row: Mapping[str, Any]) -> "Kept":
        return cls(
            id=row["id"],
            scopes=tuple(row["scopes"]),
            is_used=row["is_used"],
            is_over=row["is_over"],
        )


@dataclass(frozen=True, slots=True)
class Issue:
    """New tokens with these scopes; a refresh token keeps those that the first one had."""

    scopes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Reused:
    """Shown a second time: somebody has it who should not, so the whole family ends."""


Verdict: TypeAlias = Issue | Reused | Fault

UNKNOWN = Fault("invalid_grant", "It is unknown, expired, used, revoked or another program's.")


def decide_redemption(family: Family, shown: ShownCode, own: str) -> Verdict:
    if family.client_id != shown.client_id:
        return UNKNOWN
    if family.is_used:
        return Reused()
    if family.is_over or not family.active:
        return UNKNOWN
    return next(_list_code_faults(family, shown, own), Issue(family.scopes))


def _list_code_faults(family: Family, shown: ShownCode, own: str) -> Iterator[Fault]:
    if shown.redirect_uri not in (None, family.redirect_uri):
        yield Fault("invalid_grant", "redirect_uri is not the one of the request before.")
    if not verify_challenge(shown.verifier, family.challenge):
        yield Fault("invalid_grant", "code_verifier does not fit the code_challenge.")
    if family.resource != own or not is_ours(shown.resource, own):
        yield Fault("invalid_target", f"resource must be {own}.")


def decide_refresh(family: Family, kept: Kept, shown: ShownRefresh, terms: Terms) -> Verdict:
    if family.client_id != shown.client_id:
        return UNKNOWN
    if kept.is_used:
        return Reused()
    if kept.is_over or not family.active:
        return UNKNOWN
    if family.resource != terms.resource or not is_ours(shown.resource, terms.resource):
        return Fault("invalid_target", f"resource must be {terms.resource}.")
    wanted = kept.scopes if shown.scope is None else terms.parse_scopes(shown.scope)
    if not wanted or not all(_includes(kept.scopes, rule) for rule in wanted):
        return Fault("invalid_scope", "A refresh gives no more than what was allowed.")
    return Issue(wanted)


def find_effective(scopes: tuple[str, ...], allowed: tuple[str, ...]) -> frozenset[str]:
    """What a token is good for: its own scopes, as far as the person still allows them."""
    return narrow(scopes, within=allowed)


def verify_challenge(verifier: str, challenge: str) -> bool:
    """By S256, the only method there is."""
    if not VERIFIER.fullmatch(verifier):
        return False
    digest = hashlib.sha256(verifier.encode()).digest()
    made = base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
    return hmac.compare_digest(made, challenge)


def _includes(scopes: tuple[str, ...], rule: str) -> bool:
    return EVERYTHING in scopes if rule == EVERYTHING else holds(scopes, rule)
