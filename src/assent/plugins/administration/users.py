"""Procedures for people."""

from datetime import datetime
from uuid import UUID

from pydantic import Field

from assent.identity import users
from assent.identity.sign_in import Link
from assent.identity.store import users as store
from assent.identity.user import Memberships, User
from assent.plugins.administration.declaration import plugin
from assent.plugins.procedure import Context
from assent.value import Email, Name, Page, PageQuery, Value, page_by_name, position_by_name


class UserQuery(PageQuery):
    q: str = Field("", max_length=200, description="Part of a name or an e-mail address.")


class UserRef(Value):
    user_id: UUID


class UserDraft(Value):
    email: Email
    name: Name
    memberships: Memberships = []


class UserChange(UserRef):
    name: Name | None = None
    email: Email | None = None
    active: bool | None = None
    memberships: Memberships | None = None


class PasswordLink(Value):
    """A one-time address at which the person sets a password. Hand it over yourself."""

    link: str
    link_expires_at: datetime


class AddedUser(PasswordLink):
    user: User


@plugin.procedure(rule="identity.user.read", effect="read", route="GET /users", tenant_wide=True)
async def list_users(ctx: Context, query: UserQuery) -> Page[User]:
    """List the tenant's people by name."""
    rows = await store.list_users(
        ctx.db, ctx.tenant_id, search=query.q, after=position_by_name(query), limit=query.limit + 1
    )
    return page_by_name(rows, query)


@plugin.procedure(
    rule="identity.user.read", effect="read", route="GET /users/{user_id}", tenant_wide=True
)
async def get_user(ctx: Context, ref: UserRef) -> User:
    """Show one person."""
    return await users.load_user(ctx.db, ctx.tenant_id, ref.user_id)


@plugin.procedure(
    rule="identity.user.manage", effect="mutate", route="POST /users", tenant_wide=True
)
async def add_user(ctx: Context, draft: UserDraft) -> AddedUser:
    """Add a person; the answer holds the link with which they set a password."""
    user, link = await users.add_user(
        ctx.db,
        ctx.principal,
        email=draft.email,
        name=draft.name,
        memberships=draft.memberships,
    )
    return AddedUser.model_validate({"user": user, **_address(ctx, link)})


@plugin.procedure(
    rule="identity.user.manage",
    effect="mutate",
    route="PATCH /users/{user_id}",
    tenant_wide=True,
)
async def change_user(ctx: Context, change: UserChange) -> User:
    """Change a person's name or address, give or take roles, or let them in or out."""
    return await users.change_user(
        ctx.db,
        ctx.principal,
        change.user_id,
        name=change.name,
        email=change.email,
        active=change.active,
        memberships=change.memberships,
    )


@plugin.procedure(
    rule="identity.user.manage",
    effect="mutate",
    route="POST /users/{user_id}/reset-link",
    tenant_wide=True,
)
async def make_reset_link(ctx: Context, ref: UserRef) -> PasswordLink:
    """Make a link with which the person sets a new password."""
    link = await users.make_password_link(ctx.db, ctx.principal, ref.user_id)
    return PasswordLink.model_validate(_address(ctx, link))


def _address(ctx: Context, link: Link) -> dict[str, str | datetime]:
    return {
        "link": f"{ctx.public_url}/login?reset={link.token}",
        "link_expires_at": link.expires_at,
    }
