"""Teams and grants: who owns a resource, and who else may see or change it."""

from collections.abc import Sequence
from uuid import UUID

from assent.db.database import Db
from assent.errors import Conflict, NotFound
from assent.identity.access import check_holds_grants
from assent.identity.principal import Level, Principal
from assent.identity.store import teams as store
from assent.identity.store import users as user_store
from assent.identity.user import Grant, Subject, Team
from assent.ids import new_id


async def load_team(db: Db, tenant_id: UUID, team_id: UUID) -> Team:
    team = await store.find_team(db, tenant_id, team_id)
    if team is None:
        raise NotFound("There is no such team.")
    return team


async def add_team(
    db: Db, by: Principal, *, slug: str, name: str, member_ids: Sequence[UUID]
) -> Team:
    team_id = new_id()
    if not await store.insert_team(db, by.tenant_id, team_id=team_id, slug=slug, name=name):
        raise Conflict.at("slug", "Another team has this slug.")
    await _set_members(db, by.tenant_id, team_id, member_ids)
    return await load_team(db, by.tenant_id, team_id)


async def change_team(
    db: Db, by: Principal, team_id: UUID, *, name: str | None, member_ids: Sequence[UUID] | None
) -> Team:
    """Rename it, or set its members: that only those can who hold what it was granted."""
    if not await store.lock_team(db, by.tenant_id, team_id):
        raise NotFound("There is no such team.")
    if name is not None:
        await store.rename_team(db, by.tenant_id, team_id, name)
    if member_ids is not None:
        await check_holds_grants(db, by, Subject(kind="team", id=team_id))
        await _set_members(db, by.tenant_id, team_id, member_ids)
    return await load_team(db, by.tenant_id, team_id)


async def remove_team(db: Db, by: Principal, team_id: UUID) -> None:
    await check_holds_grants(db, by, Subject(kind="team", id=team_id))
    if not await store.delete_team(db, by.tenant_id, team_id):
        raise NotFound("There is no such team.")


async def give_grant(
    db: Db, by: Principal, *, resource: tuple[str, UUID], subject: Subject, level: Level
) -> Grant:
    found = store.find_team if subject.kind == "team" else user_store.find_user
    if await found(db, by.tenant_id, subject.id) is None:
        raise Conflict.at("subject.id", f"There is no such {subject.kind}.")
    grant_id = await store.upsert_grant(
        db, by.tenant_id, grant_id=new_id(), resource=resource, subject=subject, level=level
    )
    return await load_grant(db, by.tenant_id, grant_id)


async def load_grant(db: Db, tenant_id: UUID, grant_id: UUID) -> Grant:
    grant = await store.find_grant(db, tenant_id, grant_id)
    if grant is None:
        raise NotFound("There is no such grant.")
    return grant


async def _set_members(db: Db, tenant_id: UUID, team_id: UUID, member_ids: Sequence[UUID]) -> None:
    found = await store.replace_members(db, tenant_id, team_id, member_ids)
    if found != set(member_ids):
        raise Conflict.at("memberIds", "Some of these people do not exist.")
