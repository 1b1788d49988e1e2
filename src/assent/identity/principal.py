"""Who is asking, as a frozen value, and where a rule holds for them. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias
from uuid import UUID

from assent.audit.entry import Actor
from assent.errors import MissingRule, NotFound
from assent.identity.rules import EVERYTHING, holds, narrow

Kind: TypeAlias = Literal["user", "application", "service"]
Level: TypeAlias = Literal["read", "manage", "own"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Client:
    """A program that a person has connected, and how much of what they may do it may.

    `id` is the connection: one person's consent to one program. The name is what the program
    calls itself; `host` is where it says who it is, shown to be its own only if `verified`.
    """

    id: UUID
    name: str
    scopes: frozenset[str]
    host: str | None = None
    verified: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Principal:
    """A person, an application with a key, or a part of Assent itself.

    `rules` hold everywhere in the tenant, `workspace_rules` in one workspace. `session_id` is
    set for a person who came with a browser session, `client` for one for whom a program came.
    """

    kind: Kind
    id: UUID
    tenant_id: UUID
    name: str
    rules: frozenset[str] = frozenset()
    workspace_rules: Mapping[UUID, frozenset[str]] = field(
        default_factory=dict[UUID, frozenset[str]]
    )
    team_ids: frozenset[UUID] = frozenset()
    session_id: UUID | None = None
    client: Client | None = None

    @property
    def is_person(self) -> bool:
        return self.kind == "user" and self.session_id is not None

    @property
    def is_admin(self) -> bool:
        return EVERYTHING in self.rules

    def enters(self, workspace_id: UUID) -> bool:
        """Whether the principal has anything to do in the workspace."""
        return bool(self.rules) or workspace_id in self.workspace_rules

    def may_be_granted(self, rule: str) -> bool:
        """Whether grants count for this rule: they are people's, within what a program got."""
        return self.kind == "user" and (self.client is None or holds(self.client.scopes, rule))

    @property
    def actor(self) -> Actor:
        name = f"{self.name} via {self.client.name}" if self.client else self.name
        return Actor(self.kind, self.id, name)


def act_through(person: Principal, client: Client) -> Principal:
    """The person as far as the program may act for them; never with their session."""
    return replace(
        person,
        rules=narrow(client.scopes, within=person.rules),
        workspace_rules={
            workspace_id: narrow(client.scopes, within=rules)
            for workspace_id, rules in person.workspace_rules.items()
        },
        session_id=None,
        client=client,
    )


@dataclass(frozen=True, slots=True)
class Scope:
    """Where one rule holds: everywhere, in some workspaces, and for single resources by grant."""

    rule: str
    everywhere: bool
    workspace_ids: frozenset[UUID]
    resource_ids: frozenset[UUID]

    @property
    def is_empty(self) -> bool:
        return not (self.everywhere or self.workspace_ids or self.resource_ids)

    def covers(self, *, workspace_id: UUID, resource_id: UUID | None = None) -> bool:
        return (
            self.everywhere
            or workspace_id in self.workspace_ids
            or (resource_id is not None and resource_id in self.resource_ids)
        )


def find_scope(principal: Principal, rule: str, granted: frozenset[UUID]) -> Scope:
    """`granted` are the resources for which grants give this rule's level to the principal."""
    return Scope(
        rule=rule,
        everywhere=holds(principal.rules, rule),
        workspace_ids=frozenset(
            workspace_id
            for workspace_id, rules in principal.workspace_rules.items()
            if holds(rules, rule)
        ),
        resource_ids=granted,
    )


def check_rule(principal: Principal, rule: str) -> None:
    """Raise unless the principal holds the rule everywhere in the tenant."""
    if not holds(principal.rules, rule):
        raise MissingRule(rule)


def check_covers(
    reading: Scope, changing: Scope | None, *, workspace_id: UUID, resource_id: UUID
) -> None:
    """Raise "not found" for what one may not see, and name the rule for what one may not change."""
    if not reading.covers(workspace_id=workspace_id, resource_id=resource_id):
        raise NotFound
    if changing and not changing.covers(workspace_id=workspace_id, resource_id=resource_id):
        raise MissingRule(changing.rule)
