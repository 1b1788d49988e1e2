"""Procedures for objectives."""

from uuid import UUID

from assent.bundled.catalog.api import SystemRef, get_system
from assent.bundled.healthcheck.api import CheckRef, get_check
from assent.bundled.slo import store
from assent.bundled.slo.declaration import plugin
from assent.bundled.slo.measure import measure
from assent.bundled.slo.values import (
    Objective,
    ObjectiveChange,
    ObjectiveDraft,
    ObjectiveEntry,
    ObjectiveQuery,
    ObjectiveRef,
)
from assent.plugins.api import (
    Changed,
    Conflict,
    Context,
    Event,
    NotFound,
    Page,
    new_id,
    page_by_name,
)

READ, MANAGE = "slo.objective.read", "slo.objective.manage"


@plugin.procedure(rule=READ, effect="read", route="GET /objectives")
async def list_objectives(ctx: Context, query: ObjectiveQuery) -> Page[Objective]:
    """List objectives by name, each with what is left of its error budget."""
    page = page_by_name(await store.list_objectives(ctx.db, ctx.tenant_id, ctx.scope, query), query)
    return Page[Objective](items=await measure(ctx, page.items), next_cursor=page.next_cursor)


@plugin.procedure(rule=READ, effect="read", route="GET /objectives/{objective_id}")
async def get_objective(ctx: Context, ref: ObjectiveRef) -> Objective:
    """Show one objective with what is left of its error budget."""
    return await _show(ctx, await load_objective(ctx, ref.objective_id))


@plugin.procedure(rule=MANAGE, effect="mutate", route="POST /objectives")
async def create_objective(ctx: Context, draft: ObjectiveDraft) -> Objective:
    """Set an objective for a system or for a check."""
    workspace_id, _ = await find_about(ctx, draft)
    await ctx.check_workspace(workspace_id, path=path_of(draft))
    objective_id = new_id()
    fields = {**draft.model_dump(), "workspace_id": workspace_id}
    if not await store.insert_objective(ctx.db, ctx.tenant_id, objective_id, fields):
        raise name_taken()
    await ctx.publish("slo.objective.created", {"objectiveId": str(objective_id)})
    return await _show(ctx, await load_objective(ctx, objective_id))


@plugin.procedure(rule=MANAGE, effect="mutate", route="PATCH /objectives/{objective_id}")
async def update_objective(ctx: Context, change: ObjectiveChange) -> Objective:
    """Change an objective; what is left out stays as it is."""
    await store.lock_objective(ctx.db, ctx.tenant_id, change.objective_id)
    objective = await load_objective(ctx, change.objective_id)
    if change.expected_version not in (None, objective.version):
        raise Changed(f"This is at version {objective.version} by now. Load it again.")
    if not await store.update_objective(ctx.db, ctx.tenant_id, change):
        raise name_taken()
    await ctx.publish("slo.objective.updated", {"objectiveId": str(objective.id)})
    return await _show(ctx, await load_objective(ctx, objective.id))


@plugin.procedure(rule=MANAGE, effect="destructive", route="DELETE /objectives/{objective_id}")
async def delete_objective(ctx: Context, ref: ObjectiveRef) -> None:
    """Delete an objective; what it is about stays."""
    await store.lock_objective(ctx.db, ctx.tenant_id, ref.objective_id)
    objective = await load_objective(ctx, ref.objective_id)
    await store.delete_objective(ctx.db, ctx.tenant_id, objective.id)
    await ctx.forget_grants(objective.id)
    await ctx.publish("slo.objective.deleted", {"objectiveId": str(objective.id)})


@plugin.on("catalog.system.deleted")
async def follow_system(ctx: Context, event: Event) -> None:
    await _drop_of(ctx, UUID(event.payload["systemId"]))


@plugin.on("healthcheck.check.deleted")
async def follow_check(ctx: Context, event: Event) -> None:
    await _drop_of(ctx, UUID(event.payload["checkId"]))


async def load_objective(ctx: Context, objective_id: UUID) -> ObjectiveEntry:
    objective = await store.find_objective(ctx.db, ctx.tenant_id, objective_id)
    if objective is None:
        raise NotFound("There is no such objective.")
    await ctx.check(workspace_id=objective.workspace_id, resource_id=objective.id)
    return objective


async def find_about(ctx: Context, draft: ObjectiveDraft) -> tuple[UUID, str]:
    """The workspace and the name of what a new objective is about, as whoever asks sees it."""
    if (draft.system_id is None) == (draft.check_id is None):
        raise Conflict.at("systemId", "Name either a system or a check.")
    try:
        if draft.system_id is not None:
            found = await ctx.call(get_system, SystemRef(system_id=draft.system_id))
        else:
            found = await ctx.call(get_check, CheckRef(check_id=_given(draft.check_id)))
    except NotFound as error:
        raise Conflict.at(path_of(draft), error.message) from None
    return found.workspace_id, found.name


def path_of(draft: ObjectiveDraft) -> str:
    return "systemId" if draft.check_id is None else "checkId"


def name_taken() -> Conflict:
    return Conflict.at("name", "Another objective in this workspace has this name.")


async def _show(ctx: Context, objective: ObjectiveEntry) -> Objective:
    return (await measure(ctx, [objective]))[0]


async def _drop_of(ctx: Context, about_id: UUID) -> None:
    for objective_id in await store.delete_objectives_of(ctx.db, ctx.tenant_id, about_id):
        await ctx.forget_grants(objective_id)
        await ctx.publish("slo.objective.deleted", {"objectiveId": str(objective_id)})


def _given(check_id: UUID | None) -> UUID:
    if check_id is None:
        raise ValueError("Asked for the check of an objective without one.")
    return check_id
