"""Signing in: by password under a shared rate limit, and by one-time link."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal, TypeAlias
from uuid import UUID

from assent.audit.entry import Actor
from assent.audit.record import record
from assent.db.database import Database, Db
from assent.errors import Invalid, LinkUnusable, SignInFailed
from assent.identity.attempts import count_attempts, name_subject
from assent.identity.passwords import hash_password, needs_rehash, verify_password
from assent.identity.principal import Principal
from assent.identity.sessions import SessionLimits, open_session
from assent.identity.store import sessions as session_store
from assent.identity.store import users as user_store
from assent.identity.store.sessions import Device
from assent.identity.tokens import hash_token, new_token
from assent.ids import new_id

WINDOW = timedelta(minutes=15)
ADDRESS_FACTOR = 10
EMAIL_FACTOR = 20
SIGN_IN_LINK_LIFETIME = timedelta(hours=24)
PASSWORD_LINK_LIFETIME = timedelta(days=3)

Purpose: TypeAlias = Literal["sign_in", "password"]


@dataclass(frozen=True, slots=True)
class Link:
    token: str
    expires_at: datetime


async def sign_in_with_password(
    database: Database,
    *,
    email: str,
    password: str,
    attempts: int,
    limits: SessionLimits,
    device: Device,
) -> str:
    """Return the token of a new session. Unknown, inactive and wrong all look and last the same."""
    email = email.strip().lower()
    await _count_attempt(database, email=email, address=device.address, attempts=attempts)
    async with database.reading() as db:
        row = await user_store.find_by_email(db, email)
    password_hash = row["password_hash"] if row and row["active"] else None
    if not await verify_password(password, password_hash) or row is None:
        raise SignInFailed
    renewed = await hash_password(password) if needs_rehash(row["password_hash"]) else None
    async with database.transaction() as db:
        # Somebody may have changed the password since: then this sign-in must not undo it.
        if not await user_store.lock_password(db, row["tenant_id"], row["id"], password_hash):
            raise SignInFailed
        if renewed:
            await user_store.set_password(db, row["tenant_id"], row["id"], renewed)
        await _forgive_attempt(db, email=email, address=device.address)
        actor = Actor("user", row["id"], row["name"])
        await record(
            db, row["tenant_id"], actor, edge="sign_in", action="identity.signInWithPassword"
        )
        return await open_session(db, row["tenant_id"], row["id"], limits=limits, device=device)


async def sign_in_with_link(
    database: Database, token: str, *, limits: SessionLimits, device: Device
) -> str:
    """Use a sign-in link up and return the token of a new session."""
    async with database.transaction() as db:
        tenant_id, user_id = await _take_link(db, token, "sign_in")
        await _record_person(db, tenant_id, user_id, "identity.signInWithLink")
        return await open_session(db, tenant_id, user_id, limits=limits, device=device)


async def set_password_with_link(
    database: Database, token: str, password: str, *, limits: SessionLimits, device: Device
) -> str:
    """Use a password link up, set the password, end older sessions and sign the person in."""
    async with database.transaction() as db:
        tenant_id, user_id = await _take_link(db, token, "password")
        # Only now the costly hash: made-up links must not keep the processor busy.
        await user_store.set_password(db, tenant_id, user_id, await hash_password(password))
        await session_store.delete_others(db, tenant_id, user_id, keep=None)
        await _record_person(db, tenant_id, user_id, "identity.setPasswordWithLink")
        return await open_session(db, tenant_id, user_id, limits=limits, device=device)


async def change_password(
    database: Database, principal: Principal, *, current: str | None, new: str, attempts: int
) -> None:
    """Set one's own password: with the present one, if there is one; other sessions end."""
    tenant_id, user_id = principal.tenant_id, principal.id
    guesses = name_subject("present password", str(user_id))
    await count_attempts(database, [(guesses, attempts)], WINDOW)
    async with database.reading() as db:
        old_hash = await user_store.load_password(db, tenant_id, user_id)
    if old_hash is not None and not await verify_password(current or "", old_hash):
        raise Invalid.at("currentPassword", "This is not your present password.")
    new_hash = await hash_password(new)
    async with database.transaction() as db:
        await user_store.set_password(db, tenant_id, user_id, new_hash)
        await session_store.delete_others(db, tenant_id, user_id, keep=principal.session_id)
        await session_store.forget_links(db, tenant_id, user_id, "password")
        await session_store.forget_attempts(db, guesses)
        await record(db, tenant_id, principal.actor, edge="form", action="identity.changePassword")


async def make_link(db: Db, tenant_id: UUID, user_id: UUID, purpose: Purpose) -> Link:
    """Make a one-time link; an older password link of the person stops working."""
    token = new_token()
    if purpose == "password":
        await session_store.forget_links(db, tenant_id, user_id, purpose)
    expires_at = await session_store.insert_link(
        db,
        tenant_id,
        user_id,
        link_id=new_id(),
        purpose=purpose,
        token_hash=hash_token(token),
        lifetime=SIGN_IN_LINK_LIFETIME if purpose == "sign_in" else PASSWORD_LINK_LIFETIME,
    )
    return Link(token, expires_at)


async def _take_link(db: Db, token: str, purpose: Purpose) -> tuple[UUID, UUID]:
    taken = await session_store.take_link(db, hash_token(token), purpose)
    if taken is None:
        raise LinkUnusable
    return taken


async def _count_attempt(database: Database, *, email: str, address: str, attempts: int) -> None:
    """Count for the pair, the address and the e-mail; the last two catch spread-out guessing."""
    limits = [attempts, attempts * ADDRESS_FACTOR, attempts * EMAIL_FACTOR]
    subjects = _list_subjects(email, address)
    await count_attempts(database, zip(subjects, limits, strict=True), WINDOW)


async def _forgive_attempt(db: Db, *, email: str, address: str) -> None:
    """A success clears the pair; of the other counts it takes back only its own."""
    pair, *others = _list_subjects(email, address)
    for subject in sorted([pair, *others]):
        if subject == pair:
            await session_store.forget_attempts(db, subject)
        else:
            await session_store.forgive_attempt(db, subject)


def _list_subjects(email: str, address: str) -> list[bytes]:
    return [
        name_subject("pair", email, address),
        name_subject("address", address),
        name_subject("email", email),
    ]


async def _record_person(db: Db, tenant_id: UUID, user_id: UUID, action: str) -> None:
    user = await user_store.find_user(db, tenant_id, user_id)
    await record(
        db,
        tenant_id,
        Actor("user", user_id, user.name if user else ""),
        edge="sign_in",
        action=action,
    )
