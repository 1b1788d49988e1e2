"""Routes about oneself: who I am, my password, my sessions."""

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Path
from pydantic import Field

from assent.api.parts import Parts, PartsOf
from assent.api.principal import Person
from assent.api.problems import PROBLEM_RESPONSES
from assent.identity.passwords import LONGEST, SHORTEST
from assent.identity.principal import Principal
from assent.identity.profile import rename_self
from assent.identity.rules import describe
from assent.identity.sessions import Session, end_other_sessions, end_session, list_sessions
from assent.identity.sign_in import change_password
from assent.identity.store.teams import list_teams_of
from assent.identity.store.tenants import list_workspaces, load_tenant
from assent.identity.user import Tenant
from assent.identity.users import load_user
from assent.value import Name, Page, Slug, Value

WORKSPACE_LIMIT = 500

router = APIRouter(prefix="/api", tags=["Me"], responses=PROBLEM_RESPONSES)


class NamedThing(Value):
    id: UUID
    slug: Slug
    name: Name


class Me(Value):
    """The signed-in person. `rules` hold everywhere, `workspaceRules` in one workspace."""

    id: UUID
    name: Name
    email: str
    has_password: bool
    tenant: Tenant
    workspaces: list[NamedThing]
    teams: list[NamedThing]
    rules: list[str]
    workspace_rules: dict[UUID, list[str]]


class Rename(Value):
    name: Name


class PasswordChange(Value):
    current_password: str | None = Field(None, max_length=LONGEST)
    new_password: str = Field(min_length=SHORTEST, max_length=LONGEST)


class KnownRule(Value):
    rule: str
    title: str
    plugin: str


class Revoked(Value):
    revoked: int


@router.get("/me", operation_id="me_get")
async def get_me(parts: PartsOf, person: Person) -> Me:
    """Tell who is signed in and what they may do."""
    return await load_me(parts, person)


@router.patch("/me", operation_id="me_rename")
async def change_me(parts: PartsOf, person: Person, change: Rename) -> Me:
    """Change one's own name."""
    await rename_self(parts.database, person, change.name)
    return await load_me(parts, person)


@router.put("/me/password", status_code=204, operation_id="me_password")
async def set_password(parts: PartsOf, person: Person, change: PasswordChange) -> None:
    """Set one's own password; other sessions end."""
    await change_password(
        parts.database,
        person,
        current=change.current_password,
        new=change.new_password,
        attempts=parts.settings.sign_in_attempts,
    )


@router.get("/rules", operation_id="rules_list")
async def get_rules(parts: PartsOf, _person: Person) -> Page[KnownRule]:
    """List every rule that a role or an application can have."""
    return Page[KnownRule](
        items=[
            KnownRule(rule=rule, title=describe(rule), plugin=rule.split(".")[0])
            for rule in sorted(parts.loaded.rules)
        ]
    )


@router.get("/sessions", operation_id="sessions_list")
async def get_sessions(parts: PartsOf, person: Person) -> Page[Session]:
    """List one's own sessions, the latest used first."""
    return Page[Session](items=await list_sessions(parts.database, person, parts.limits))


@router.delete("/sessions/{sessionId}", status_code=204, operation_id="sessions_end")
async def delete_session(
    parts: PartsOf, person: Person, session_id: Annotated[UUID, Path(alias="sessionId")]
) -> None:
    """End one of one's own sessions."""
    await end_session(parts.database, person, session_id)


@router.post("/sessions/revoke-others", operation_id="sessions_end_others")
async def revoke_others(parts: PartsOf, person: Person) -> Revoked:
    """End all of one's own sessions but this one."""
    return Revoked(revoked=await end_other_sessions(parts.database, person))


async def load_me(parts: Parts, person: Principal) -> Me:
    async with parts.database.reading() as db:
        user = await load_user(db, person.tenant_id, person.id)
        workspaces = await list_workspaces(
            db,
            person.tenant_id,
            among=None if person.rules else list(person.workspace_rules),
            after=None,
            limit=WORKSPACE_LIMIT,
        )
        teams = await list_teams_of(db, person.tenant_id, person.id)
        tenant = await load_tenant(db, person.tenant_id)
    return Me(
        id=user.id,
        name=user.name,
        email=user.email,
        has_password=user.has_password,
        tenant=tenant,
        workspaces=[NamedThing(id=w.id, slug=w.slug, name=w.name) for w in workspaces],
        teams=[NamedThing(id=t.id, slug=t.slug, name=t.name) for t in teams],
        rules=sorted(person.rules),
        workspace_rules={key: sorted(rules) for key, rules in person.workspace_rules.items()},
    )
