"""People, what they belong to and what they were given, as values. Pure."""

from datetime import datetime
from typing import Annotated, Literal
from uuid import UUID

from pydantic import Field

from assent.identity.principal import Level
from assent.identity.rules import RULE_OR_EVERYTHING
from assent.value import Email, Named, Slug, Value

Rule = Annotated[str, Field(max_length=200, pattern=RULE_OR_EVERYTHING)]
Rules = Annotated[list[Rule], Field(max_length=500)]
Ids = Annotated[list[UUID], Field(max_length=500)]


class Tenant(Named):
    slug: Slug


class Workspace(Named):
    slug: Slug
    created_at: datetime


class Membership(Value):
    """A role that a person holds: in one workspace, or everywhere when it is null."""

    role_id: UUID
    workspace_id: UUID | None = None


Memberships = Annotated[list[Membership], Field(max_length=200)]


class User(Named):
    email: Email
    active: bool
    has_password: bool
    created_at: datetime
    last_seen_at: datetime | None
    memberships: list[Membership]


class Role(Named):
    slug: Slug
    rules: list[Rule]
    built_in: bool
    members: int


class Team(Named):
    slug: Slug
    member_ids: list[UUID]


class Subject(Value):
    """Whom a grant is for."""

    kind: Literal["team", "user"]
    id: UUID


class NamedSubject(Subject):
    name: str


class Grant(Value):
    """A grant adds to what roles give, for one resource.

    `own` also keeps everybody else but admins from changing it.
    """

    id: UUID
    resource_kind: str
    resource_id: UUID
    subject: NamedSubject
    level: Level
