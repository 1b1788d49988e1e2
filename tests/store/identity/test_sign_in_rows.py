"""Rows behind signing in: links taken once, attempts counted exactly, sessions rotated once."""

import asyncio
from datetime import timedelta
from uuid import UUID

import pytest

from assent.db.database import Database
from assent.errors import LinkUnusable, TooMany
from assent.identity.first_start import make_first_link, start_first
from assent.identity.sessions import SessionLimits, find_visit, open_session
from assent.identity.sign_in import sign_in_with_link, sign_in_with_password
from assent.identity.store import sessions as store
from assent.identity.store.sessions import Device
from assent.identity.tokens import hash_token, new_token
from assent.settings import Settings

LIMITS = SessionLimits.from_settings(Settings())
DEVICE = Device(user_agent="test", address="192.0.2.1")
WINDOW = timedelta(minutes=15)


@pytest.fixture
async def admin(database: Database) -> tuple[UUID, UUID]:
    """Tenant and person."""
    async with database.transaction() as db:
        first = await start_first(db, known_rules=["a.b.read"], workspace=("main", "Main"))
    assert first is not None
    return first.admin.tenant_id, first.admin.id


async def test_one_of_many_takes_a_link(database: Database, admin: tuple[UUID, UUID]) -> None:
    link = await make_first_link(database, always=True)
    assert link is not None
    taken = await asyncio.gather(
        *(sign_in_with_link(database, link.token, limits=LIMITS, device=DEVICE) for _ in range(10)),
        return_exceptions=True,
    )
    assert sum(isinstance(one, str) for one in taken) == 1
    assert sum(isinstance(one, LinkUnusable) for one in taken) == 9


async def test_attempts_are_counted_exactly(database: Database) -> None:
    async def count() -> int:
        async with database.transaction() as db:
            return (await store.count_attempt(db, b"subject", WINDOW))[0]

    counts = await asyncio.gather(*(count() for _ in range(50)))
    assert sorted(counts) == list(range(1, 51))
    async with database.transaction() as db:
        await store.forgive_attempt(db, b"subject")
        assert await store.count_attempt(db, b"subject", WINDOW) == (50, 15 * 60)
        await store.forget_attempts(db, b"subject")
        assert (await store.count_attempt(db, b"subject", WINDOW))[0] == 1
        for _ in range(3):
            await store.forgive_attempt(db, b"subject")
        assert (await store.count_attempt(db, b"subject", WINDOW))[0] == 1


async def test_attempts_from_all_sides_do_not_deadlock(database: Database) -> None:
    """Each attempt locks three rows; pairs of addresses and e-mails cross in every order."""

    async def attempt(email: str, address: str) -> None:
        with pytest.raises(TooMany):
            await sign_in_with_password(
                database,
                email=email,
                password="x",
                attempts=0,
                limits=LIMITS,
                device=Device(user_agent="", address=address),
            )

    names = [f"n{number}" for number in range(6)]
    await asyncio.gather(*(attempt(one, other) for one in names for other in names))
    async with database.transaction() as db:
        assert await db.fetchval("SELECT sum(count) FROM sign_in_attempts") == 36 * 3


async def test_a_session_is_rotated_by_one(database: Database, admin: tuple[UUID, UUID]) -> None:
    async with database.transaction() as db:
        token = await open_session(db, *admin, limits=LIMITS, device=DEVICE)
        await db.execute("UPDATE sessions SET rotated_at = now() - interval '1 day'")

    async def visit() -> str | None:
        async with database.connection() as db:
            found = await find_visit(db, token, LIMITS)
        assert found is not None
        return found.new_token

    fresh = [one for one in await asyncio.gather(*(visit() for _ in range(10))) if one]
    assert len(fresh) == 1


async def test_only_what_is_over_is_purged(database: Database, admin: tuple[UUID, UUID]) -> None:
    tenant_id, user_id = admin
    async with database.transaction() as db:
        tokens = [
            await open_session(db, tenant_id, user_id, limits=LIMITS, device=DEVICE)
            for _ in range(3)
        ]
        expired, idle, _live = map(hash_token, tokens)
        change = "UPDATE sessions SET {} WHERE token_hash = $1"
        await db.execute(change.format("expires_at = now() - interval '1 s'"), expired)
        await db.execute(change.format("last_seen_at = now() - interval '8 days'"), idle)
        for number, lifetime in enumerate((timedelta(seconds=-1), timedelta(hours=1))):
            await store.insert_link(
                db,
                tenant_id,
                user_id,
                link_id=UUID(int=number),
                purpose="sign_in",
                token_hash=hash_token(new_token()),
                lifetime=lifetime,
            )
        await store.count_attempt(db, b"old", timedelta(seconds=-1))
        await store.count_attempt(db, b"new", WINDOW)
        await store.purge(db, idle=LIMITS.idle)
        assert await db.fetchval("SELECT array_agg(token_hash) FROM sessions") == [_live]
        assert await db.fetchval("SELECT array_agg(id) FROM links") == [UUID(int=1)]
        assert await db.fetchval("SELECT array_agg(subject) FROM sign_in_attempts") == [b"new"]
