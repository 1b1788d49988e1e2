"""Browser sessions: opened, rotated, listed, ended. Tokens are opaque; only hashes are stored."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from assent.audit.record import record
from assent.db.database import Database, Db, Row
from assent.errors import NotFound
from assent.identity.principal import Principal
from assent.identity.store import sessions as store
from assent.identity.store.principals import Held, read_held
from assent.identity.store.sessions import Device
from assent.identity.tokens import hash_token, new_token
from assent.ids import new_id
from assent.settings import Settings
from assent.value import Value


class Session(Value):
    id: UUID
    current: bool
    created_at: datetime
    last_seen_at: datetime
    expires_at: datetime
    user_agent: str
    address: str


@dataclass(frozen=True, slots=True)
class SessionLimits:
    """How long sessions last and how many a person may have."""

    idle: timedelta
    lifetime: timedelta
    rotation: timedelta
    per_person: int

    @classmethod
    def from_settings(cls, settings: Settings) -> "SessionLimits":
        return cls(
            idle=timedelta(hours=settings.session_idle_hours),
            lifetime=timedelta(hours=settings.session_lifetime_hours),
            rotation=timedelta(minutes=settings.session_rotation_minutes),
            per_person=settings.sessions_per_person,
        )


@dataclass(frozen=True, slots=True)
class Visit:
    """A session that a request came with, and what its person holds at this moment.

    `new_token` is set when it was just rotated.
    """

    session_id: UUID
    tenant_id: UUID
    user_id: UUID
    name: str
    held: Held
    new_token: str | None = None


async def open_session(
    db: Db, tenant_id: UUID, user_id: UUID, *, limits: SessionLimits, device: Device
) -> str:
    """Start a session and return its token, the only time that it is known."""
    token, session_id = new_token(), new_id()
    await store.insert_session(
        db,
        tenant_id,
        user_id,
        session_id=session_id,
        token_hash=hash_token(token),
        lifetime=limits.lifetime,
        device=device,
    )
    await store.touch_session(db, tenant_id, session_id, with_current=False)
    await store.trim_sessions(db, tenant_id, user_id, keep=limits.per_person)
    return token


async def find_visit(db: Db, token: str, limits: SessionLimits) -> Visit | None:
    """Recognise a session by its token; note that it was used; rotate it when due."""
    token_hash = hash_token(token)
    rows = await store.find_session(db, token_hash, idle=limits.idle, rotation=limits.rotation)
    if not rows:
        return None
    row = rows[0]
    if row["is_stale"] or row["is_first_use"]:
        await store.touch_session(db, row["tenant_id"], row["id"], with_current=row["is_current"])
    fresh = await _rotate(db, row, token_hash) if row["is_due"] else None
    held = read_held(rows)
    return Visit(row["id"], row["tenant_id"], row["user_id"], row["name"], held, fresh)


async def list_sessions(
    database: Database, principal: Principal, limits: SessionLimits
) -> list[Session]:
    async with database.reading() as db:
        rows = await store.list_sessions(db, principal.tenant_id, principal.id, idle=limits.idle)
    return [Session(current=row["id"] == principal.session_id, **row) for row in rows]


async def end_session(database: Database, principal: Principal, session_id: UUID) -> None:
    async with database.transaction() as db:
        if not await store.delete_session(db, principal.tenant_id, principal.id, session_id):
            raise NotFound
        await record(
            db,
            principal.tenant_id,
            principal.actor,
            edge="form",
            action="identity.endSession",
            arguments={"sessionId": str(session_id)},
        )


async def end_other_sessions(database: Database, principal: Principal) -> int:
    async with database.transaction() as db:
        await record(
            db,
            principal.tenant_id,
            principal.actor,
            edge="form",
            action="identity.endOtherSessions",
        )
        return await store.delete_others(
            db, principal.tenant_id, principal.id, keep=principal.session_id
        )


async def _rotate(db: Db, row: Row, old_hash: bytes) -> str | None:
    token = new_token()
    won = await store.rotate_session(
        db, row["tenant_id"], row["id"], old_hash=old_hash, new_hash=hash_token(token)
    )
    return token if won else None
