"""Codes and refresh tokens become tokens, once. What is shown twice ends its whole family.

Whoever comes with one locks the family's row first: of any number at once, one gets tokens.
"""

import math
from dataclasses import dataclass
from typing import TypeAlias

from assent.audit.record import record
from assent.db.database import Database, Db
from assent.errors import TooMany
from assent.identity.oauth.family import (
    ACCESS_LIFETIME,
    ACCESS_PREFIX,
    REFRESH_LIFETIME,
    REFRESH_PREFIX,
    UNKNOWN,
    Family,
    Issue,
    Reused,
    ShownCode,
    ShownRefresh,
    decide_redemption,
    decide_refresh,
    find_effective,
)
from assent.identity.oauth.limits import WINDOW
from assent.identity.oauth.request import Fault, Terms
from assent.identity.oauth.store import families as store
from assent.identity.oauth.store.families import NewToken
from assent.identity.tokens import hash_token, new_token
from assent.ids import new_id


@dataclass(frozen=True, slots=True, kw_only=True)
class Tokens:
    """The only time that they are known."""

    access: str
    refresh: str
    expires_in: int
    scopes: frozenset[str]


Outcome: TypeAlias = Tokens | Fault


async def redeem_code(database: Database, shown: ShownCode, terms: Terms) -> Outcome:
    async with database.transaction() as db:
        family = await store.lock_by_code(db, hash_token(shown.code))
        if family is None:
            return UNKNOWN
        verdict = decide_redemption(family, shown, terms.resource)
        if isinstance(verdict, Issue):
            await store.use_code(db, family.tenant_id, family.id)
            return await _issue(db, family, verdict.scopes, keeping=family.scopes)
        return await _refuse(db, family, verdict, "identity.refuseUsedCode")


async def refresh(database: Database, shown: ShownRefresh, terms: Terms, *, most: int) -> Outcome:
    """Raise TooMany, and leave the token as it is, where there were `most` of them just now."""
    token_hash = hash_token(shown.token)
    async with database.transaction() as db:
        found = await store.lock_by_token(db, token_hash)
        if found is None:
            return UNKNOWN
        family = found[0]
        kept = await store.load_refresh(db, family.tenant_id, token_hash)
        if kept is None:
            return UNKNOWN
        verdict = decide_refresh(family, kept, shown, terms)
        if isinstance(verdict, Issue):
            await _check_pace(db, family, most)
            await store.use_refresh(db, family.tenant_id, kept.id)
            return await _issue(db, family, verdict.scopes, keeping=kept.scopes)
        return await _refuse(db, family, verdict, "identity.refuseUsedRefreshToken")


async def revoke(database: Database, token: str, client_id: str | None) -> None:
    """A refresh token ends its whole family, an access token itself; others' nothing."""
    token_hash = hash_token(token)
    async with database.transaction() as db:
        found = await store.lock_by_token(db, token_hash)
        if found is None or client_id not in (None, found[0].client_id):
            return
        family, kind = found
        if kind == "refresh":
            await store.delete_family(db, family.tenant_id, family.id)
        else:
            await store.delete_token(db, family.tenant_id, token_hash)
        await _record(db, family, "identity.revokeToken")


async def _issue(
    db: Db, family: Family, scopes: tuple[str, ...], *, keeping: tuple[str, ...]
) -> Tokens:
    access, fresh = new_token(ACCESS_PREFIX), new_token(REFRESH_PREFIX)
    for kind, token, held, lifetime in (
        ("access", access, scopes, ACCESS_LIFETIME),
        ("refresh", fresh, keeping, REFRESH_LIFETIME),
    ):
        new = NewToken(
            id=new_id(), kind=kind, token_hash=hash_token(token), scopes=held, lifetime=lifetime
        )
        await store.insert_token(db, family.tenant_id, family.id, new)
    return Tokens(
        access=access,
        refresh=fresh,
        expires_in=int(ACCESS_LIFETIME.total_seconds()),
        scopes=find_effective(scopes, family.allowed),
    )


async def _check_pace(db: Db, family: Family, most: int) -> None:
    """A program renews its token about once an hour; one that does nothing else must wait."""
    left = REFRESH_LIFETIME - WINDOW
    count, wait = await store.count_newest(db, family.tenant_id, family.id, left=left)
    if count >= most:
        raise TooMany(max(1, math.ceil(wait)), "Renewed too often. Wait, then try again.")


async def _refuse(db: Db, family: Family, verdict: Reused | Fault, action: str) -> Fault:
    if isinstance(verdict, Fault):
        return verdict
    await store.delete_family(db, family.tenant_id, family.id)
    await _record(db, family, action)
    return UNKNOWN


async def _record(db: Db, family: Family, action: str) -> None:
    await record(
        db,
        family.tenant_id,
        family.actor,
        edge="mcp",
        action=action,
        effect="destructive",
        arguments={"connectionId": str(family.connection_id)},
    )
