"""The tools that propose a check and change one."""

from collections.abc import Mapping
from typing import Any

from assent.bundled.healthcheck.checks import create_check, update_check
from assent.bundled.healthcheck.declaration import MANAGE, plugin
from assent.bundled.healthcheck.given import FormChange, GivenChange, GivenCheck, reverse
from assent.bundled.healthcheck.judge import judge_change, judge_new
from assent.bundled.healthcheck.scripts.trial import find_trial
from assent.bundled.healthcheck.tools.card import (
    feedback,
    on_version,
    open_check,
    show_check,
    show_sound,
)
from assent.bundled.healthcheck.values import Check
from assent.plugins.api import (
    Basis,
    Context,
    Inverse,
    Preview,
    Result,
    ToolValidationError,
    find_changes,
)

STAYS_INSIDE = frozenset({"name", "description", "systemIds"})
"""What can change without a run going anywhere else or sending anything else."""


def show_changed(check: Check) -> dict[str, Any]:
    return {
        "id": str(check.id),
        "name": check.name,
        "status": check.status,
        "enabled": check.enabled,
        "reaches": check.reaches,
    }


@plugin.tool("healthcheck.propose", effect="mutate", rules=[MANAGE], egress=True)
class ProposeCheck:
    """Propose a new health check, which then runs by itself at its interval.

    Look with healthcheck.status whether there is one already. Find out with
    healthcheck.listCapabilities and healthcheck.getCapabilitySchema what `strategy.config`,
    collectors and assertions may hold: configurations are checked strictly. An assertion names a
    result field of the strategy (`statusCode`), `durationMs`, or `collectorId.field`. A script has
    to be tried with healthcheck.testScript, and the same bytes proposed. The card names every place
    that the runs will reach.
    """

    title = "Propose a health check"
    Input = GivenCheck
    examples = ("Create a health check for our website",)

    async def dry_run(self, ctx: Context, given: GivenCheck) -> Preview:
        with feedback():
            sound = await judge_new(ctx, given.body)
            workspace = await ctx.check_workspace(sound.draft.workspace_id)
        trial = await find_trial(ctx, sound.draft.strategy)
        shown, basis = await show_sound(ctx, sound)
        every = sound.draft.interval_seconds
        return Preview(
            summary=f"Create health check {sound.draft.name} in workspace {workspace.name}, "
            f"every {every} seconds",
            creates={"workspace": workspace.name, **shown, **trial},
            basis=(Basis("workspace.name", str(workspace.id), workspace.name), *basis),
        )

    async def execute(self, ctx: Context, given: GivenCheck) -> Result:
        return Result(show_changed(await ctx.call(create_check, given)))

    def inverse(self, given: GivenCheck, value: Mapping[str, Any]) -> Inverse:
        return Inverse("healthcheck.delete", {"checkId": value["id"]})


@plugin.tool("healthcheck.update", effect="mutate", rules=[MANAGE], egress=True)
class UpdateCheck:
    """Change a health check: send its id and only the fields that change.

    What is left out stays. A strategy of the same kind keeps what its `config` leaves out; lists
    such as `assertions` are replaced whole. The result is checked like a new check. To switch one
    off for a while set `enabled` to false.
    """

    title = "Change a health check"
    Input = GivenChange

    def egress_of(self, given: GivenChange) -> bool:
        off = {"enabled"} if given.body.get("enabled") is False else set[str]()
        return not (STAYS_INSIDE | off).issuperset(given.body)

    async def dry_run(self, ctx: Context, given: GivenChange) -> Preview:
        check = await open_check(ctx, given.check_id)
        with feedback():
            sound = await judge_change(ctx, check, given.body)
        shown, basis = await show_sound(ctx, sound)
        before = await show_check(ctx, check)
        if not find_changes(before, shown):
            raise ToolValidationError.at("checkId", "Nothing would change.")
        trial = await find_trial(ctx, sound.draft.strategy, check)
        diff = find_changes(before, {**shown, **trial})
        return Preview(
            summary=f"Change health check {check.name}{_say_reach(given, shown)}",
            diff=diff,
            basis=(on_version(check), *basis),
        )

    async def execute(self, ctx: Context, given: GivenChange) -> Result:
        check = await open_check(ctx, given.check_id)
        body = FormChange(check_id=check.id, expected_version=check.version, **given.body)
        changed = await ctx.call(update_check, body)
        return Result({**show_changed(changed), "before": reverse(check, changed, given.body)})

    def inverse(self, given: GivenChange, value: Mapping[str, Any]) -> Inverse | None:
        if not value["before"]:
            return None
        arguments = {"checkId": str(given.check_id), **value["before"]}
        return Inverse("healthcheck.update", arguments)


def _say_reach(given: GivenChange, shown: Mapping[str, Any]) -> str:
    """Whoever switches a check on is told where it goes, which nothing else on the card says."""
    if given.body.get("enabled") is not True:
        return ""
    return f", which reaches {', '.join(shown['destinations'])}"
