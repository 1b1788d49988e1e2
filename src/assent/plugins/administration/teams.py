"""Procedures for teams, and for what teams and people were granted on single resources."""

from typing import Annotated
from uuid import UUID

from pydantic import Field

from assent.errors import Conflict, Forbidden
from assent.identity import teams
from assent.identity.access import check_owner, load_scope
from assent.identity.principal import Level
from assent.identity.store import teams as store
from assent.identity.user import Grant, Ids, Subject, Team
from assent.plugins.administration.declaration import plugin
from assent.plugins.procedure import Context
from assent.value import Name, Page, PageQuery, Slug, Value, page_by_name, position_by_name

ResourceKind = Annotated[str, Field(max_length=100, pattern=r"^[a-z][a-z0-9]*\.[a-z][a-z0-9]*$")]


class TeamRef(Value):
    team_id: UUID


class TeamDraft(Value):
    slug: Slug
    name: Name
    member_ids: Ids = []


class TeamChange(TeamRef):
    name: Name | None = None
    member_ids: Ids | None = None


class ResourceQuery(Value):
    resource_kind: ResourceKind
    resource_id: UUID


class GrantDraft(ResourceQuery):
    subject: Subject
    level: Level


class GrantRef(Value):
    grant_id: UUID


@plugin.procedure(rule="identity.team.read", effect="read", route="GET /teams", tenant_wide=True)
async def list_teams(ctx: Context, query: PageQuery) -> Page[Team]:
    """List the tenant's teams by name."""
    rows = await store.list_teams(
        ctx.db, ctx.tenant_id, after=position_by_name(query), limit=query.limit + 1
    )
    return page_by_name(rows, query)


@plugin.procedure(
    rule="identity.team.manage", effect="mutate", route="POST /teams", tenant_wide=True
)
async def add_team(ctx: Context, draft: TeamDraft) -> Team:
    """Add a team."""
    return await teams.add_team(
        ctx.db, ctx.principal, slug=draft.slug, name=draft.name, member_ids=draft.member_ids
    )


@plugin.procedure(
    rule="identity.team.manage",
    effect="mutate",
    route="PATCH /teams/{team_id}",
    tenant_wide=True,
)
async def change_team(ctx: Context, change: TeamChange) -> Team:
    """Rename a team or set its members."""
    return await teams.change_team(
        ctx.db, ctx.principal, change.team_id, name=change.name, member_ids=change.member_ids
    )


@plugin.procedure(
    rule="identity.team.manage",
    effect="destructive",
    route="DELETE /teams/{team_id}",
    tenant_wide=True,
)
async def delete_team(ctx: Context, ref: TeamRef) -> None:
    """Delete a team together with its grants."""
    await teams.remove_team(ctx.db, ctx.principal, ref.team_id)


@plugin.procedure(rule="identity.team.read", effect="read", route="GET /grants", tenant_wide=True)
async def list_grants(ctx: Context, query: ResourceQuery) -> Page[Grant]:
    """List who was granted what on one resource."""
    grants = await store.list_grants(
        ctx.db,
        ctx.tenant_id,
        resource_kind=query.resource_kind,
        resource_id=query.resource_id,
    )
    return Page(items=grants)


@plugin.procedure(
    rule="identity.team.manage", effect="mutate", route="PUT /grants", tenant_wide=True
)
async def give_grant(ctx: Context, draft: GrantDraft) -> Grant:
    """Grant a team or a person something on one resource; replaces what they had."""
    if f"{draft.resource_kind}.manage" not in ctx.known_rules:
        raise Conflict.at("resourceKind", "There is no such kind of resource.")
    await _check_may_grant(ctx, draft.resource_kind, draft.resource_id)
    return await teams.give_grant(
        ctx.db,
        ctx.principal,
        resource=(draft.resource_kind, draft.resource_id),
        subject=draft.subject,
        level=draft.level,
    )


@plugin.procedure(
    rule="identity.team.manage",
    effect="destructive",
    route="DELETE /grants/{grant_id}",
    tenant_wide=True,
)
async def revoke_grant(ctx: Context, ref: GrantRef) -> None:
    """Take a grant back."""
    grant = await teams.load_grant(ctx.db, ctx.tenant_id, ref.grant_id)
    await _check_may_grant(ctx, grant.resource_kind, grant.resource_id)
    await store.delete_grant(ctx.db, ctx.tenant_id, ref.grant_id)


async def _check_may_grant(ctx: Context, kind: str, resource_id: UUID) -> None:
    """Whoever hands out a resource must be able to change it themselves."""
    scope = await load_scope(ctx.db, ctx.principal, f"{kind}.manage")
    if not scope.everywhere and resource_id not in scope.resource_ids:
        raise Forbidden(f"This needs {kind}.manage, everywhere or for this resource.")
    await check_owner(ctx.db, ctx.principal, kind, resource_id)
