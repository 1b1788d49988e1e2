"""An empty database becomes a tenant with an admin and a workspace, once, whoever comes first."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from assent.db.database import Database, Db
from assent.errors import Conflict
from assent.identity.principal import Principal
from assent.identity.roles import ADMIN, set_built_in_roles
from assent.identity.rules import EVERYTHING
from assent.identity.sign_in import Link, make_link
from assent.identity.store import roles as role_store
from assent.identity.store import tenants as store
from assent.identity.store import users as user_store
from assent.identity.user import Membership, Tenant
from assent.ids import new_id

DEFAULT_TENANT = "default"
ADMIN_EMAIL = "admin@localhost"
LOCK = "SELECT pg_advisory_xact_lock(4707128)"


@dataclass(frozen=True, slots=True)
class FirstStart:
    """What was made: the first admin, who acts for the demo data, and their workspace."""

    admin: Principal
    workspace_id: UUID


async def start_first(
    db: Db, *, known_rules: Sequence[str], workspace: tuple[str, str]
) -> FirstStart | None:
    """Set an empty database up; `None` when it is not empty."""
    await db.execute(LOCK)
    if await store.count_tenants(db):
        return None
    tenant = await add_tenant(db, slug=DEFAULT_TENANT, name="Default", known_rules=known_rules)
    slug, name = workspace
    made = await store.insert_workspace(db, tenant.id, workspace_id=new_id(), slug=slug, name=name)
    if made is None:
        raise Conflict
    user_id = new_id()
    await user_store.insert_user(db, tenant.id, user_id=user_id, email=ADMIN_EMAIL, name="Admin")
    await give_role(db, tenant.id, user_id, ADMIN)
    admin = Principal(
        kind="user",
        id=user_id,
        tenant_id=tenant.id,
        name="Admin",
        rules=frozenset({EVERYTHING}),
    )
    return FirstStart(admin, made.id)


async def add_tenant(db: Db, *, slug: str, name: str, known_rules: Sequence[str]) -> Tenant:
    tenant = Tenant(id=new_id(), slug=slug, name=name)
    if not await store.insert_tenant(db, tenant):
        raise Conflict.at("slug", "Another tenant has this slug.")
    await set_built_in_roles(db, tenant.id, known_rules)
    return tenant


async def give_role(db: Db, tenant_id: UUID, user_id: UUID, slug: str) -> None:
    role = await role_store.find_by_slug(db, tenant_id, slug)
    if role is None:
        raise Conflict.at("role", f"There is no role {slug}.")
    await user_store.replace_memberships(db, tenant_id, user_id, [Membership(role_id=role.id)])


async def refresh_built_in_roles(database: Database, known_rules: Sequence[str]) -> None:
    """Let the built-in roles follow the plugins that are installed now."""
    async with database.transaction() as db:
        for tenant_id in await store.list_tenant_ids(db):
            await set_built_in_roles(db, tenant_id, known_rules)


async def make_first_link(database: Database, *, always: bool) -> Link | None:
    """A sign-in link for the first admin; unless `always`, only while nobody has signed in."""
    async with database.transaction() as db:
        if not always and await user_store.anybody_signed_in(db):
            return None
        admin = await user_store.find_first_admin(db)
        return await make_link(db, *admin, "sign_in") if admin else None
