"""Single sign-on with OpenID Connect: the authorization code flow with PKCE, state and nonce.

What must survive the trip to the provider travels in a sealed cookie, so any process can finish
what another began. Who comes back is matched by issuer and subject, then by verified address.
"""

import base64
import hmac
import json
import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Protocol, cast
from uuid import UUID

from assent.audit.entry import Actor
from assent.audit.record import record
from assent.db.database import Database, Db
from assent.errors import AssentError, OidcFailed, OidcUnknown
from assent.identity.sessions import SessionLimits, open_session
from assent.identity.store import roles as role_store
from assent.identity.store import tenants as tenant_store
from assent.identity.store import users as store
from assent.identity.store.sessions import Device
from assent.identity.tokens import new_token
from assent.identity.user import Membership
from assent.ids import new_id
from assent.settings import Settings
from assent.vault.vault import Vault

TRIP = timedelta(minutes=10)
SEAL = {"purpose": "oidc", "context": "trip"}

log = logging.getLogger("assent.oidc")


@dataclass(frozen=True, slots=True)
class Departure:
    url: str
    sealed: str
    lifetime: int


@dataclass(frozen=True, slots=True)
class Arrival:
    next_path: str
    session_token: str


@dataclass(frozen=True, slots=True)
class OidcClaims:
    """Who the provider says this is."""

    issuer: str
    subject: str
    verified_email: str | None
    name: str | None


class Provider(Protocol):
    """The other side; `oidc_provider.py` speaks to a real one."""

    async def build_url(self, *, state: str, nonce: str, verifier: str) -> str: ...
    async def redeem(self, code: str, *, verifier: str, nonce: str) -> OidcClaims: ...


class OidcClient:
    def __init__(
        self,
        provider: Provider,
        *,
        database: Database,
        vault: Vault,
        settings: Settings,
        clock: Callable[[], datetime],
    ) -> None:
        self._provider = provider
        self._database = database
        self._vault = vault
        self._settings = settings
        self._clock = clock

    async def depart(self, next_path: str) -> Departure:
        """Where to send the browser, and what it has to bring back."""
        secrets = {"state": new_token(), "nonce": new_token(), "verifier": new_token()}
        url = await self._provider.build_url(**secrets)
        trip = {
            **secrets,
            "next": next_path if is_own_path(next_path) else "/",
            "until": (self._clock() + TRIP).timestamp(),
        }
        sealed = self._vault.seal(json.dumps(trip).encode(), **SEAL)
        encoded = base64.urlsafe_b64encode(sealed).rstrip(b"=").decode()
        return Departure(url, encoded, int(TRIP.total_seconds()))

    async def arrive(
        self, sealed: str, query: Mapping[str, str], *, limits: SessionLimits, device: Device
    ) -> Arrival:
        """Check what came back and sign the person in."""
        trip = self._unseal(sealed)
        if not hmac.compare_digest(query.get("state", "").encode(), str(trip["state"]).encode()):
            raise OidcFailed
        if "code" not in query:
            log.info("The provider refused", extra={"error": query.get("error", "")[:100]})
            raise OidcFailed
        claims = await self._provider.redeem(
            query["code"], verifier=trip["verifier"], nonce=trip["nonce"]
        )
        async with self._database.transaction() as db:
            tenant_id, user_id = await self._find_person(db, claims)
            user = await store.find_user(db, tenant_id, user_id)
            if user is None or not user.active:
                raise OidcUnknown
            actor = Actor("user", user_id, user.name)
            await record(db, tenant_id, actor, edge="sign_in", action="identity.signInWithOidc")
            token = await open_session(db, tenant_id, user_id, limits=limits, device=device)
        return Arrival(trip["next"], token)

    def _unseal(self, sealed: str) -> dict[str, Any]:
        try:
            raw = base64.urlsafe_b64decode(sealed + "=" * (-len(sealed) % 4))
            trip = cast(dict[str, Any], json.loads(self._vault.open(raw, **SEAL)))
        except (ValueError, AssentError):
            raise OidcFailed from None
        if trip["until"] < self._clock().timestamp():
            raise OidcFailed("Single sign-on took too long. Try again.")
        return trip

    async def _find_person(self, db: Db, claims: OidcClaims) -> tuple[UUID, UUID]:
        known = await store.find_external(db, claims.issuer, claims.subject)
        if known:
            return known
        if claims.verified_email is None:
            raise OidcUnknown("The provider gave no verified e-mail address.")
        row = await store.find_by_email(db, claims.verified_email)
        if row:
            person = row["tenant_id"], row["id"]
        elif self._settings.oidc_create_people:
            person = await self._add_person(db, claims, claims.verified_email)
        else:
            raise OidcUnknown
        await store.insert_external(db, *person, issuer=claims.issuer, subject=claims.subject)
        return person

    async def _add_person(self, db: Db, claims: OidcClaims, email: str) -> tuple[UUID, UUID]:
        tenant = await tenant_store.find_tenant(db, self._settings.oidc_tenant)
        role = tenant and await role_store.find_by_slug(db, tenant.id, self._settings.oidc_role)
        if tenant is None or role is None:
            log.error("oidc_tenant or oidc_role names nothing that exists")
            raise OidcFailed
        user_id, name = new_id(), claims.name or email.partition("@")[0]
        await store.insert_user(db, tenant.id, user_id=user_id, email=email, name=name)
        await store.replace_memberships(db, tenant.id, user_id, [Membership(role_id=role.id)])
        return tenant.id, user_id


def is_own_path(path: str) -> bool:
    """Whether this is a path of ours, and not a way to another site."""
    return path.startswith("/") and not path.startswith(("//", "/\\")) and path.isprintable()
