"""Procedures for roles and the rules they are made of."""

from uuid import UUID

from assent.identity import roles
from assent.identity.store import roles as store
from assent.identity.user import Role, Rules
from assent.plugins.administration.declaration import plugin
from assent.plugins.procedure import Context
from assent.value import Name, Page, PageQuery, Slug, Value, page_by_name, position_by_name


class RoleRef(Value):
    role_id: UUID


class RoleDraft(Value):
    slug: Slug
    name: Name
    rules: Rules


class RoleChange(RoleRef):
    name: Name | None = None
    rules: Rules | None = None


@plugin.procedure(rule="identity.role.read", effect="read", route="GET /roles", tenant_wide=True)
async def list_roles(ctx: Context, query: PageQuery) -> Page[Role]:
    """List the tenant's roles by name."""
    rows = await store.list_roles(
        ctx.db, ctx.tenant_id, after=position_by_name(query), limit=query.limit + 1
    )
    return page_by_name(rows, query)


@plugin.procedure(
    rule="identity.role.manage", effect="mutate", route="POST /roles", tenant_wide=True
)
async def add_role(ctx: Context, draft: RoleDraft) -> Role:
    """Add a role."""
    return await roles.add_role(
        ctx.db,
        ctx.principal,
        slug=draft.slug,
        name=draft.name,
        rules=draft.rules,
        known=ctx.known_rules,
    )


@plugin.procedure(
    rule="identity.role.manage",
    effect="mutate",
    route="PATCH /roles/{role_id}",
    tenant_wide=True,
)
async def change_role(ctx: Context, change: RoleChange) -> Role:
    """Rename a role or change its rules. Built-in roles stay as they are."""
    return await roles.change_role(
        ctx.db,
        ctx.principal,
        change.role_id,
        name=change.name,
        rules=change.rules,
        known=ctx.known_rules,
    )


@plugin.procedure(
    rule="identity.role.manage",
    effect="destructive",
    route="DELETE /roles/{role_id}",
    tenant_wide=True,
)
async def delete_role(ctx: Context, ref: RoleRef) -> None:
    """Delete a role; whoever holds it loses its rules."""
    await roles.remove_role(ctx.db, ctx.principal, ref.role_id)
