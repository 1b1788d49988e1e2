"""Tools for roles: under the manage rule, and always proposed (SPEC G5)."""

import hashlib
from uuid import UUID

from assent.errors import Conflict, NotFound
from assent.identity import roles
from assent.identity.access import check_may_give
from assent.identity.store import roles as store
from assent.identity.user import Role
from assent.plugins.administration.declaration import plugin
from assent.plugins.administration.roles import (
    RoleChange,
    RoleDraft,
    RoleRef,
    add_role,
    change_role,
    delete_role,
    list_roles,
)
from assent.plugins.procedure import Context
from assent.tools.diff import find_changes
from assent.tools.json_value import encode_json
from assent.tools.tool import Basis, Preview, Result, ToolValidationError

MANAGE = "identity.role.manage"

plugin.project(
    list_roles,
    tool="identity.listRoles",
    title="List roles",
    description="List the tenant's roles with their access rules and ids.",
    phase="build",
)


@plugin.tool(
    "identity.createRole", effect="mutate", rules=[MANAGE], phase="build", always_asks=True
)
class CreateRole:
    """Add a role: a name for a set of access rules, such as catalog.system.read."""

    title = "Create a role"
    Input = RoleDraft

    async def dry_run(self, ctx: Context, given: RoleDraft) -> Preview:
        if await store.find_by_slug(ctx.db, ctx.tenant_id, given.slug) is not None:
            raise ToolValidationError.at("slug", "Another role has this slug.")
        _check_rules(ctx, given.rules)
        shown = given.model_dump(mode="json", by_alias=True)
        return Preview(summary=f"Create the role {given.name}", creates=shown)

    async def execute(self, ctx: Context, given: RoleDraft) -> Result:
        made = await ctx.call(add_role, given)
        return Result({"roleId": str(made.id), "slug": made.slug})


@plugin.tool(
    "identity.updateRole", effect="mutate", rules=[MANAGE], phase="build", always_asks=True
)
class UpdateRole:
    """Rename a role, or set all of its rules anew. Built-in roles stay as they are."""

    title = "Change a role"
    Input = RoleChange

    async def dry_run(self, ctx: Context, given: RoleChange) -> Preview:
        present = await _load_own(ctx, given.role_id)
        _check_rules(ctx, given.rules or [])
        said = given.model_dump(mode="json", exclude={"role_id"}, exclude_none=True)
        diff = find_changes(present.model_dump(mode="json", include=set(said)), said)
        if not diff:
            raise ToolValidationError.at("", "Say what to change: name, rules.")
        return Preview(summary=f"Change the role {present.name}", diff=diff, basis=(_on(present),))

    async def execute(self, ctx: Context, given: RoleChange) -> Result:
        changed = await ctx.call(change_role, given)
        return Result({"roleId": str(changed.id), "slug": changed.slug})


@plugin.tool("identity.deleteRole", effect="destructive", rules=[MANAGE], phase="build")
class DeleteRole:
    """Delete a role; whoever holds it loses its rules."""

    title = "Delete a role"
    Input = RoleRef

    async def dry_run(self, ctx: Context, given: RoleRef) -> Preview:
        present = await _load_own(ctx, given.role_id)
        held = (
            f"what it gives to {present.members} {'person' if present.members == 1 else 'people'}"
        )
        return Preview(
            summary=f"Delete the role {present.name}",
            removes=(f"role {present.name}", *([held] if present.members else [])),
            basis=(_on(present),),
        )

    async def execute(self, ctx: Context, given: RoleRef) -> Result:
        await ctx.call(delete_role, given)
        return Result({"deleted": True})


async def _load_own(ctx: Context, role_id: UUID) -> Role:
    """One that may be changed, by somebody who holds all that it gives."""
    try:
        role = await roles.load_role(ctx.db, ctx.tenant_id, role_id)
    except NotFound as error:
        raise ToolValidationError.at("roleId", error.message) from None
    if role.built_in:
        raise ToolValidationError.at("roleId", "Built-in roles stay as they are.")
    check_may_give(ctx.principal, role.rules, None)
    return role


def _check_rules(ctx: Context, rules: list[str]) -> None:
    try:
        roles.check_rules_known(rules, ctx.known_rules)
    except Conflict as error:
        raise ToolValidationError(error.issues) from None
    check_may_give(ctx.principal, rules, None)


def _on(role: Role) -> Basis:
    said = encode_json([role.name, sorted(role.rules), role.members])
    return Basis("identity.role", str(role.id), hashlib.sha256(said.encode()).hexdigest())
