"""The tools for objectives: what they change is shown first, as one card each."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from pydantic import Field

from assent.bundled.slo.declaration import plugin
from assent.bundled.slo.objectives import (
    MANAGE,
    create_objective,
    delete_objective,
    find_about,
    get_objective,
    list_objectives,
    load_objective,
    name_taken,
    path_of,
    update_objective,
)
from assent.bundled.slo.store import find_named
from assent.bundled.slo.values import (
    ObjectiveChange,
    ObjectiveDraft,
    ObjectiveEntry,
    ObjectiveRef,
    Percent,
    WindowDays,
)
from assent.plugins.api import (
    Basis,
    Conflict,
    Context,
    Inverse,
    Issue,
    Name,
    NotFound,
    Preview,
    Result,
    Text,
    ToolValidationError,
    find_changes,
)

FIELDS = ("name", "description", "target", "window_days")
PERCENT = "Percentage of runs that must not fail, such as 99.9."
DAYS = "Over how many days back from now it is measured."

plugin.project(
    list_objectives,
    tool="slo.list",
    title="List objectives",
    description="List objectives for availability, each with its target, what was attained in its "
    "window, the share of its error budget that is left (`left`, below zero when it is overspent) "
    "and how fast it burns. `state` is met, burning, exhausted or unknown.",
    examples=["How much error budget is left?"],
)
plugin.project(
    get_objective,
    tool="slo.get",
    title="Show an objective",
    description="Show one objective with what was attained and what is left of its error budget. "
    "Find its id with slo.list.",
)


class NewObjective(ObjectiveDraft):
    system_id: UUID | None = Field(
        None, description="`id` from catalog.listSystems: all checks of this system count."
    )
    check_id: UUID | None = Field(None, description="`id` of one check from healthcheck.status.")
    target: Percent = Field(description=PERCENT)
    window_days: WindowDays = Field(30, description=DAYS)


class ObjectiveUpdate(ObjectiveRef):
    objective_id: UUID = Field(description="`id` from slo.list.")
    name: Name | None = None
    description: Text | None = None
    target: Percent | None = Field(None, description=PERCENT)
    window_days: WindowDays | None = Field(None, description=DAYS)


class OldObjective(ObjectiveRef):
    objective_id: UUID = Field(description="`id` from slo.list.")


@plugin.tool("slo.create", effect="mutate", rules=[MANAGE])
class CreateObjective:
    """Set an objective for the availability of a system or of one check: exactly one of both."""

    Input = NewObjective
    title = "Set an objective"
    examples = ("Set an objective of 99.9 % for checkout",)

    async def dry_run(self, ctx: Context, given: NewObjective) -> Preview:
        try:
            workspace_id, about = await find_about(ctx, given)
            workspace = await ctx.check_workspace(workspace_id, path=path_of(given))
        except Conflict as error:
            raise ToolValidationError(error.issues) from None
        await _check_name(ctx, given.name, workspace_id)
        kind = "system" if given.check_id is None else "check"
        return Preview(
            summary=f"Set an objective of {given.target} % for {kind} {about}",
            creates={
                "workspace": workspace.name,
                kind: about,
                **_texts(given),
            },
            basis=(Basis(f"slo.{kind}.name", str(given.system_id or given.check_id), about),),
        )

    async def execute(self, ctx: Context, given: NewObjective) -> Result:
        return Result(_show(await ctx.call(create_objective, given)))

    def inverse(self, given: NewObjective, value: Mapping[str, Any]) -> Inverse:
        return Inverse("slo.delete", {"objectiveId": value["id"]})


@plugin.tool("slo.update", effect="mutate", rules=[MANAGE])
class UpdateObjective:
    """Change an objective's name, description, target or window; what you leave out stays."""

    Input = ObjectiveUpdate
    title = "Change an objective"

    async def dry_run(self, ctx: Context, given: ObjectiveUpdate) -> Preview:
        objective = await _open(ctx, given)
        after = {**_texts(objective), **_said(given)}
        diff = find_changes(_texts(objective), after)
        if not diff:
            raise ToolValidationError([Issue("", "This is how it is already.")])
        if given.name is not None:
            await _check_name(ctx, given.name, objective.workspace_id, own_id=objective.id)
        return Preview(
            summary=f"Change objective {objective.name}", diff=diff, basis=(_on_version(objective),)
        )

    async def execute(self, ctx: Context, given: ObjectiveUpdate) -> Result:
        objective = await _open(ctx, given)
        change = ObjectiveChange(
            **given.model_dump(exclude_none=True), expected_version=objective.version
        )
        changed = await ctx.call(update_objective, change)
        before = {key: value for key, value in _texts(objective).items() if key in _said(given)}
        return Result({**_show(changed), "before": before})

    def inverse(self, given: ObjectiveUpdate, value: Mapping[str, Any]) -> Inverse:
        return Inverse("slo.update", {"objectiveId": str(given.objective_id), **value["before"]})


@plugin.tool("slo.delete", effect="destructive", rules=[MANAGE])
class DeleteObjective:
    """Delete an objective. What it is about, and its history of runs, stays."""

    Input = OldObjective
    title = "Delete an objective"

    async def dry_run(self, ctx: Context, given: OldObjective) -> Preview:
        objective = await _open(ctx, given)
        grants = await ctx.list_grants(objective.id)
        going = (f"{len(grants)} grants of access to it",) if grants else ()
        return Preview(
            summary=f"Delete objective {objective.name}",
            removes=(f"objective {objective.name}", *going),
            basis=(
                _on_version(objective),
                *(Basis("slo.objective.grant", str(one.id), one.level) for one in grants),
            ),
        )

    async def execute(self, ctx: Context, given: OldObjective) -> Result:
        objective = await _open(ctx, given)
        await ctx.call(delete_objective, given)
        return Result({"deleted": {"id": str(objective.id), "name": objective.name}})


async def _open(ctx: Context, given: ObjectiveRef) -> ObjectiveEntry:
    try:
        return await load_objective(ctx, given.objective_id)
    except NotFound:
        message = "There is no such objective. Use slo.list to find the id."
        raise ToolValidationError([Issue("objectiveId", message)]) from None


async def _check_name(
    ctx: Context, name: str, workspace_id: UUID, *, own_id: UUID | None = None
) -> None:
    if await find_named(ctx.db, ctx.tenant_id, workspace_id, name) not in (None, own_id):
        raise ToolValidationError(name_taken().issues)


def _texts(one: ObjectiveEntry | ObjectiveDraft) -> dict[str, Any]:
    return one.model_dump(include=set(FIELDS), by_alias=True)


def _said(given: ObjectiveUpdate) -> dict[str, Any]:
    return given.model_dump(include=set(FIELDS), by_alias=True, exclude_none=True)


def _on_version(objective: ObjectiveEntry) -> Basis:
    return Basis("slo.objective", str(objective.id), objective.version)


def _show(objective: ObjectiveEntry) -> dict[str, Any]:
    hidden = {"version", "created_at", "updated_at", "budget"}
    return objective.model_dump(mode="json", by_alias=True, exclude=hidden)
