"""From a credential to a principal, with the rules that hold at this moment."""

from dataclasses import dataclass
from uuid import UUID

from assent.audit.entry import Actor
from assent.db.database import Database, Db, Row
from assent.identity.principal import Principal
from assent.identity.rules import narrow
from assent.identity.sessions import SessionLimits, find_visit
from assent.identity.store import principals as store
from assent.identity.store.principals import HeldRules
from assent.identity.tokens import KEY_PREFIX, hash_token


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
        principal = await load_person(
            db,
            tenant_id=visit.tenant_id,
            user_id=visit.user_id,
            name=visit.name,
            session_id=visit.session_id,
        )
    return Authenticated(principal, visit.new_token)


async def authenticate_key(database: Database, key: str) -> Authenticated | None:
    """An application acts within its own rules, as far as its owner still holds them."""
    if not key.startswith(KEY_PREFIX):
        return None
    async with database.connection() as db:
        row = await store.find_key(db, hash_token(key))
        if row is None:
            return None
        if row["is_stale"]:
            await store.touch_key(db, row["tenant_id"], row["key_id"])
        return Authenticated(
            await _load_application(db, row["tenant_id"], row["application_id"], row)
        )


async def find_acting(db: Db, tenant_id: UUID, actor: Actor) -> Acting | None:
    """The person or application with the rules of this moment, while they may act at all."""
    if actor.id is None:
        return None
    row = await store.find_acting(db, tenant_id, actor.kind, actor.id)
    if row is None:
        return None
    if row["kind"] == "application":
        principal = await _load_application(db, tenant_id, actor.id, row)
    else:
        principal = await load_person(
            db, tenant_id=tenant_id, user_id=actor.id, name=row["name"], session_id=None
        )
    return Acting(principal, row["owner_id"])


async def load_person(
    db: Db, *, tenant_id: UUID, user_id: UUID, name: str, session_id: UUID | None
) -> Principal:
    held = await store.load_rules(db, tenant_id, user_id)
    return Principal(
        kind="user",
        id=user_id,
        tenant_id=tenant_id,
        name=name,
        rules=held.everywhere,
        workspace_rules=held.by_workspace,
        team_ids=await store.list_team_ids(db, tenant_id, user_id),
        session_id=session_id,
    )


async def _load_application(db: Db, tenant_id: UUID, application_id: UUID, row: Row) -> Principal:
    owned = await store.load_rules(db, tenant_id, row["owner_id"])
    return Principal(
        kind="application",
        id=application_id,
        tenant_id=tenant_id,
        name=row["name"],
        rules=narrow(row["rules"], within=owned.everywhere),
        workspace_rules=_narrow_each(row["rules"], owned),
    )


def _narrow_each(rules: list[str], owned: HeldRules) -> dict[UUID, frozenset[str]]:
    return {
        workspace_id: narrow(rules, within=held)
        for workspace_id, held in owned.by_workspace.items()
    }
