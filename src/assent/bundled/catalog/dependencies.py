"""Procedures for dependencies between systems."""

from uuid import UUID

from assent.bundled.catalog.checks import check_version
from assent.bundled.catalog.declaration import plugin
from assent.bundled.catalog.store import dependencies as store
from assent.bundled.catalog.store import systems as system_store
from assent.bundled.catalog.systems import get_system
from assent.bundled.catalog.values import (
    Dependency,
    DependencyChange,
    DependencyDraft,
    DependencyQuery,
    DependencyRef,
    SystemRef,
)
from assent.plugins.api import Conflict, Context, NotFound, Page, build_page, new_id

READ, MANAGE = "catalog.dependency.read", "catalog.dependency.manage"


@plugin.procedure(rule=READ, effect="read", route="GET /dependencies")
async def list_dependencies(ctx: Context, query: DependencyQuery) -> Page[Dependency]:
    """List dependencies, the oldest first."""
    rows = await store.list_dependencies(ctx.db, ctx.tenant_id, ctx.scope, query)
    return build_page(rows, query.limit, lambda dependency: (str(dependency.id),))


@plugin.procedure(rule=READ, effect="read", route="GET /dependencies/{dependency_id}")
async def get_dependency(ctx: Context, ref: DependencyRef) -> Dependency:
    """Show one dependency."""
    return await load_dependency(ctx, ref.dependency_id)


@plugin.procedure(rule=MANAGE, effect="mutate", route="POST /dependencies")
async def create_dependency(ctx: Context, draft: DependencyDraft) -> Dependency:
    """Say that one system depends on another of the same workspace."""
    if draft.system_id == draft.depends_on_id:
        raise Conflict.at("dependsOnId", "A system cannot depend on itself.")
    system = await ctx.call(get_system, SystemRef(system_id=draft.system_id))
    await ctx.check_workspace(system.workspace_id, path="systemId")
    known = await system_store.count_known(
        ctx.db, ctx.tenant_id, system.workspace_id, [draft.depends_on_id]
    )
    if not known:
        raise Conflict.at("dependsOnId", "There is no such system in this workspace.")
    dependency_id = new_id()
    if not await store.insert_dependency(
        ctx.db,
        ctx.tenant_id,
        dependency_id=dependency_id,
        workspace_id=system.workspace_id,
        draft=draft,
    ):
        raise Conflict.at("dependsOnId", "This dependency exists already.")
    await ctx.publish("catalog.dependency.created", {"dependencyId": str(dependency_id)})
    return await load_dependency(ctx, dependency_id)


@plugin.procedure(rule=MANAGE, effect="mutate", route="PATCH /dependencies/{dependency_id}")
async def update_dependency(ctx: Context, change: DependencyChange) -> Dependency:
    """Change a dependency's strength or note."""
    await store.lock_dependency(ctx.db, ctx.tenant_id, change.dependency_id)
    dependency = await load_dependency(ctx, change.dependency_id)
    check_version(dependency, change.expected_version)
    await store.update_dependency(
        ctx.db, ctx.tenant_id, dependency.id, strength=change.strength, note=change.note
    )
    await ctx.publish("catalog.dependency.updated", {"dependencyId": str(dependency.id)})
    return await load_dependency(ctx, dependency.id)


@plugin.procedure(rule=MANAGE, effect="destructive", route="DELETE /dependencies/{dependency_id}")
async def delete_dependency(ctx: Context, ref: DependencyRef) -> None:
    """Delete a dependency."""
    await store.lock_dependency(ctx.db, ctx.tenant_id, ref.dependency_id)
    dependency = await load_dependency(ctx, ref.dependency_id)
    await store.delete_dependency(ctx.db, ctx.tenant_id, dependency.id)
    await ctx.forget_grants(dependency.id)
    await ctx.publish("catalog.dependency.deleted", {"dependencyId": str(dependency.id)})


async def load_dependency(ctx: Context, dependency_id: UUID) -> Dependency:
    dependency = await store.find_dependency(ctx.db, ctx.tenant_id, dependency_id)
    if dependency is None:
        raise NotFound("There is no such dependency.")
    await ctx.check(workspace_id=dependency.workspace_id, resource_id=dependency.id)
    return dependency
