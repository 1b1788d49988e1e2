"""From a credential to a principal, with the rules that hold at this moment."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias
from uuid import UUID

from assent.audit.entry import Actor
from assent.db.database import Database, Db, Row
from assent.identity.principal import Principal
from assent.identity.rules import narrow
from assent.identity.sessions import SessionLimits, find_visit
from assent.identity.store import principals as store
from assent.identity.store.principals import Held, read_held
from assent.identity.tokens import KEY_PREFIX, hash_token

Find: TypeAlias = Callable[[Db, bytes], Awaitable[Sequence[Row]]]
"""Looks up a credential by its hash: a row for each membership of whoever it is of."""


@dataclass(frozen=True, slots=True)
class Authenticated:
    principal: Principal
    new_session_token: str | None = None


@dataclass(frozen=True, slots=True)
class Acting:
    """A principal, and the person who answers for them: themselves, or the owner."""

    principal: Principal
    owner_id: UUID


async def authenticate_session(
    database: Database, token: str, limits: SessionLimits
) -> Authenticated | None:
    async with database.connection() as db:
        visit = await find_visit(db, token, limits)
    if visit is None:
        return None
    person = build_person(
        visit.tenant_id, visit.user_id, visit.name, visit.held, session_id=visit.session_id
    )
    return Authenticated(person, visit.new_token)


async def authenticate_key(
    database: Database, key: str, find: Find = store.find_key
) -> Principal | None:
    """An application acts within its own rules, as far as its owner still holds them."""
    if not key.startswith(KEY_PREFIX):
        return None
    async with database.connection() as db:
        rows = await find(db, hash_token(key))
        if not rows:
            return None
        found = rows[0]
        if found["is_stale"]:
            await store.touch_key(db, found["tenant_id"], found["key_id"])
    return _build_application(found["tenant_id"], found["application_id"], rows)


async def find_acting(db: Db, tenant_id: UUID, actor: Actor) -> Acting | None:
    """The person or application with the rules of this moment, while they may act at all."""
    if actor.id is None or actor.kind == "service":
        return None
    if actor.kind == "application":
        rows = await store.find_application(db, tenant_id, actor.id)
        if not rows:
            return None
        application = _build_application(tenant_id, actor.id, rows)
        return Acting(application, rows[0]["owner_id"])
    rows = await store.find_person(db, tenant_id, actor.id)
    if not rows:
        return None
    name, held = rows[0]["name"], read_held(rows)
    return Acting(build_person(tenant_id, actor.id, name, held, session_id=None), actor.id)


async def load_person(
    db: Db, *, tenant_id: UUID, user_id: UUID, name: str, session_id: UUID | None
) -> Principal:
    held = await store.load_held(db, tenant_id, user_id)
    return build_person(tenant_id, user_id, name, held, session_id=session_id)


def build_person(
    tenant_id: UUID, user_id: UUID, name: str, held: Held, *, session_id: UUID | None
) -> Principal:
    return Principal(
        kind="user",
        id=user_id,
        tenant_id=tenant_id,
        name=name,
        rules=held.everywhere,
        workspace_rules=held.by_workspace,
        team_ids=held.team_ids,
        session_id=session_id,
    )


def _build_application(tenant_id: UUID, application_id: UUID, rows: Sequence[Row]) -> Principal:
    """Its teams are none: grants are for people."""
    rules, owned = rows[0]["rules"], read_held(rows)
    return Principal(
        kind="application",
        id=application_id,
        tenant_id=tenant_id,
        name=rows[0]["name"],
        rules=narrow(rules, within=owned.everywhere),
        workspace_rules={
            workspace_id: narrow(rules, within=held)
            for workspace_id, held in owned.by_workspace.items()
        },
    )
