"""People: add, change, hand over a link. Rights are given only by those who hold them."""

from collections.abc import Sequence
from uuid import UUID

from assent.db.database import Db
from assent.errors import Conflict, Issue, NotFound
from assent.identity.access import check_holds_grants, check_may_give
from assent.identity.principal import Principal
from assent.identity.sign_in import Link, make_link
from assent.identity.store import principals as principal_store
from assent.identity.store import roles as role_store
from assent.identity.store import sessions as session_store
from assent.identity.store import tenants as tenant_store
from assent.identity.store import users as store
from assent.identity.user import Membership, Subject, User
from assent.ids import new_id


async def load_user(db: Db, tenant_id: UUID, user_id: UUID) -> User:
    user = await store.find_user(db, tenant_id, user_id)
    if user is None:
        raise NotFound("There is no such person.")
    return user


async def add_user(
    db: Db, by: Principal, *, email: str, name: str, memberships: Sequence[Membership]
) -> tuple[User, Link]:
    """Add a person and make the link with which they set their password."""
    user_id = new_id()
    if not await store.insert_user(db, by.tenant_id, user_id=user_id, email=email, name=name):
        raise Conflict.at("email", "This e-mail address is taken.")
    await _give(db, by, user_id, memberships)
    link = await make_link(db, by.tenant_id, user_id, "password")
    return await load_user(db, by.tenant_id, user_id), link


async def change_user(
    db: Db,
    by: Principal,
    user_id: UUID,
    *,
    name: str | None = None,
    email: str | None = None,
    active: bool | None = None,
    memberships: Sequence[Membership] | None = None,
) -> User:
    await store.lock_tenant(db, by.tenant_id)
    await _check_in_charge(db, by, user_id)
    if email is not None:
        await _check_free(db, email, user_id)
    await store.update_user(db, by.tenant_id, user_id, name=name, active=active, email=email)
    if memberships is not None:
        await _give(db, by, user_id, memberships)
    if active is False:
        await session_store.delete_others(db, by.tenant_id, user_id, keep=None)
    await check_admin_left(db, by.tenant_id)
    return await load_user(db, by.tenant_id, user_id)


async def make_password_link(db: Db, by: Principal, user_id: UUID) -> Link:
    await _check_in_charge(db, by, user_id)
    return await make_link(db, by.tenant_id, user_id, "password")


async def check_admin_left(db: Db, tenant_id: UUID) -> None:
    if await store.count_admins(db, tenant_id) == 0:
        raise Conflict("This would leave nobody who may do everything.")


async def _give(db: Db, by: Principal, user_id: UUID, memberships: Sequence[Membership]) -> None:
    for position, membership in enumerate(memberships):
        role = await role_store.find_role(db, by.tenant_id, membership.role_id)
        if role is None:
            raise _unknown(position, "roleId", "role")
        if membership.workspace_id is not None and not await tenant_store.find_workspace(
            db, by.tenant_id, membership.workspace_id
        ):
            raise _unknown(position, "workspaceId", "workspace")
        check_may_give(by, role.rules, membership.workspace_id)
    await store.replace_memberships(db, by.tenant_id, user_id, memberships)


async def _check_in_charge(db: Db, by: Principal, user_id: UUID) -> None:
    """A person can be changed by those who hold all that the person holds."""
    await load_user(db, by.tenant_id, user_id)
    held = await principal_store.load_held(db, by.tenant_id, user_id)
    check_may_give(by, held.everywhere, None)
    for workspace_id, rules in held.by_workspace.items():
        check_may_give(by, rules, workspace_id)
    await check_holds_grants(db, by, Subject(kind="user", id=user_id))


async def _check_free(db: Db, email: str, user_id: UUID) -> None:
    row = await store.find_by_email(db, email)
    if row is not None and row["id"] != user_id:
        raise Conflict.at("email", "This e-mail address is taken.")


def _unknown(position: int, field: str, what: str) -> Conflict:
    return Conflict(issues=[Issue(f"memberships.{position}.{field}", f"There is no such {what}.")])
