"""Roles: named sets of rules. The built-in ones come with every tenant and follow the plugins."""

from collections.abc import Iterable, Sequence
from uuid import UUID

from assent.db.database import Db
from assent.errors import Conflict, NotFound
from assent.identity.access import check_may_give
from assent.identity.principal import Principal
from assent.identity.rules import EVERYTHING
from assent.identity.store import roles as store
from assent.identity.store import users as user_store
from assent.identity.user import Role
from assent.identity.users import check_admin_left
from assent.ids import new_id

ADMIN = "admin"


async def load_role(db: Db, tenant_id: UUID, role_id: UUID) -> Role:
    role = await store.find_role(db, tenant_id, role_id)
    if role is None:
        raise NotFound("There is no such role.")
    return role


async def add_role(
    db: Db, by: Principal, *, slug: str, name: str, rules: Sequence[str], known: Iterable[str]
) -> Role:
    check_rules_known(rules, known)
    check_may_give(by, rules, None)
    role = _role(slug, name, rules, built_in=False)
    if not await store.insert_role(db, by.tenant_id, role):
        raise Conflict.at("slug", "Another role has this slug.")
    return role


async def change_role(
    db: Db,
    by: Principal,
    role_id: UUID,
    *,
    name: str | None,
    rules: Sequence[str] | None,
    known: Iterable[str],
) -> Role:
    await user_store.lock_tenant(db, by.tenant_id)
    role = await load_role(db, by.tenant_id, role_id)
    if role.built_in:
        raise Conflict("Built-in roles stay as they are. Make a role of your own.")
    check_may_give(by, role.rules, None)
    if rules is not None:
        check_rules_known(rules, known)
        check_may_give(by, rules, None)
    unique = sorted(set(rules)) if rules is not None else None
    await store.update_role(db, by.tenant_id, role_id, name=name, rules=unique)
    await check_admin_left(db, by.tenant_id)
    return await load_role(db, by.tenant_id, role_id)


async def remove_role(db: Db, by: Principal, role_id: UUID) -> None:
    await user_store.lock_tenant(db, by.tenant_id)
    role = await load_role(db, by.tenant_id, role_id)
    if role.built_in:
        raise Conflict("Built-in roles cannot be deleted.")
    check_may_give(by, role.rules, None)
    await store.delete_role(db, by.tenant_id, role_id)
    await check_admin_left(db, by.tenant_id)


FOR_ADMINS = (
    "identity.",
    "audit.",
    "ai.agent.",
    "ai.approval.",
    "ai.credit.",
    "ai.egress.",
    "ai.integration.",
    "ai.usage.",
    "ai.webhook.",
    "ai.context.manage",
    "ai.correction.manage",
    "ai.document.manage",
    "ai.sharing.",
)
"""What operators do not get."""
PERSONAL = ("ai.memory.manage", "ai.skill.manage", "identity.program.manage")
"""What is about nothing but one's own chats and programs, and is for everybody."""


async def set_built_in_roles(db: Db, tenant_id: UUID, known: Iterable[str]) -> None:
    """Admins do everything; operators run things; viewers look. People's data is for admins."""
    operational = sorted(rule for rule in known if not rule.startswith(FOR_ADMINS))
    reading = [rule for rule in operational if rule.endswith(".read")]
    own = ["identity.application.manage"]
    personal = [rule for rule in known if rule in PERSONAL]
    for role in (
        _role(ADMIN, "Admin", [EVERYTHING], built_in=True),
        _role("operator", "Operator", operational + own + personal, built_in=True),
        _role("viewer", "Viewer", reading + personal, built_in=True),
    ):
        await store.upsert_built_in(db, tenant_id, role)


def check_rules_known(rules: Iterable[str], known: Iterable[str]) -> None:
    unknown = sorted(set(rules) - set(known) - {EVERYTHING})
    if unknown:
        raise Conflict.at("rules", f"There is no rule {', '.join(unknown)}.")


def _role(slug: str, name: str, rules: Iterable[str], *, built_in: bool) -> Role:
    return Role(
        id=new_id(), slug=slug, name=name, rules=sorted(set(rules)), built_in=built_in, members=0
    )
