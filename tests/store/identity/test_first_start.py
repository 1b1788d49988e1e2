"""The first start: however many processes come at once, one tenant, one admin, the same roles."""

import asyncio

from assent.db.database import Database
from assent.identity.first_start import (
    add_tenant,
    make_first_link,
    refresh_built_in_roles,
    start_first,
)
from assent.identity.store import roles as role_store
from assent.identity.user import Role
from assent.ids import new_id

RULES = ["identity.user.read", "shop.order.read", "shop.order.manage"]


async def start(database: Database) -> bool:
    async with database.transaction() as db:
        first = await start_first(db, known_rules=RULES, workspace=("main", "Main"))
        return first is not None


async def test_one_of_many_starts(database: Database) -> None:
    started = await asyncio.gather(*(start(database) for _ in range(8)))
    assert sum(started) == 1
    async with database.transaction() as db:
        for table in ("tenants", "users", "workspaces", "memberships"):
            assert await db.fetchval(f"SELECT count(*) FROM {table}") == 1
        assert await db.fetchval("SELECT count(*) FROM roles") == 3


async def test_the_link_is_printed_until_somebody_has_signed_in(database: Database) -> None:
    assert await make_first_link(database, always=True) is None
    await start(database)
    assert await make_first_link(database, always=False) is not None
    async with database.transaction() as db:
        await db.execute("UPDATE users SET last_seen_at = now()")
    assert await make_first_link(database, always=False) is None
    assert await make_first_link(database, always=True) is not None
    async with database.transaction() as db:
        await db.execute("UPDATE users SET active = false")
    assert await make_first_link(database, always=True) is None


async def test_built_in_roles_follow_the_plugins(database: Database) -> None:
    await start(database)
    async with database.transaction() as db:
        tenant = await add_tenant(db, slug="second", name="Second", known_rules=RULES)
        own = Role(
            id=new_id(),
            slug="own",
            name="Own",
            rules=["shop.order.read"],
            built_in=False,
            members=0,
        )
        await role_store.insert_role(db, tenant.id, own)
    await refresh_built_in_roles(database, ["identity.user.read", "shop.cart.read"])
    async with database.transaction() as db:
        listed = await role_store.list_roles(db, tenant.id, after=None, limit=10)
    assert {role.slug: role.rules for role in listed} == {
        "admin": ["*"],
        "operator": ["identity.application.manage", "shop.cart.read"],
        "viewer": ["shop.cart.read"],
        "own": ["shop.order.read"],
    }
