"""Procedures for workspaces."""

from uuid import UUID

from assent.errors import Conflict, NotFound
from assent.identity.store import tenants as store
from assent.identity.user import Workspace
from assent.ids import new_id
from assent.plugins.administration.declaration import plugin
from assent.plugins.procedure import Context
from assent.value import Name, Page, PageQuery, Slug, Value, page_by_name, position_by_name


class WorkspaceRef(Value):
    workspace_id: UUID


class WorkspaceDraft(Value):
    slug: Slug
    name: Name


class WorkspaceChange(WorkspaceRef):
    name: Name


@plugin.procedure(
    rule="identity.workspace.read", effect="read", route="GET /workspaces", tenant_wide=True
)
async def list_workspaces(ctx: Context, query: PageQuery) -> Page[Workspace]:
    """List the tenant's workspaces by name."""
    rows = await store.list_workspaces(
        ctx.db, ctx.tenant_id, among=None, after=position_by_name(query), limit=query.limit + 1
    )
    return page_by_name(rows, query)


@plugin.procedure(
    rule="identity.workspace.manage",
    effect="mutate",
    route="POST /workspaces",
    tenant_wide=True,
)
async def add_workspace(ctx: Context, draft: WorkspaceDraft) -> Workspace:
    """Add a workspace."""
    workspace = await store.insert_workspace(
        ctx.db, ctx.tenant_id, workspace_id=new_id(), slug=draft.slug, name=draft.name
    )
    if workspace is None:
        raise Conflict.at("slug", "Another workspace has this slug.")
    return workspace


@plugin.procedure(
    rule="identity.workspace.manage",
    effect="mutate",
    route="PATCH /workspaces/{workspace_id}",
    tenant_wide=True,
)
async def change_workspace(ctx: Context, change: WorkspaceChange) -> Workspace:
    """Rename a workspace."""
    workspace = await store.update_workspace(
        ctx.db, ctx.tenant_id, change.workspace_id, change.name
    )
    if workspace is None:
        raise NotFound("There is no such workspace.")
    return workspace


@plugin.procedure(
    rule="identity.workspace.manage",
    effect="destructive",
    route="DELETE /workspaces/{workspace_id}",
    tenant_wide=True,
)
async def delete_workspace(ctx: Context, ref: WorkspaceRef) -> None:
    """Delete a workspace that holds nothing any more."""
    if not await store.delete_workspace(ctx.db, ctx.tenant_id, ref.workspace_id):
        raise NotFound("There is no such workspace.")
