"""What objectives contribute to `system.issues`: budgets that are gone, or going fast."""

from collections.abc import Sequence

from assent.bundled.catalog.api import SYSTEM_ISSUES, Severity, SystemIssue
from assent.bundled.slo.declaration import plugin
from assent.bundled.slo.measure import Measured, measure_with_systems
from assent.bundled.slo.objectives import READ
from assent.bundled.slo.store import list_all
from assent.bundled.slo.values import Objective, State
from assent.plugins.api import Context

SEVERITIES: dict[State, Severity] = {"exhausted": "major", "burning": "major"}


@plugin.contribute(SYSTEM_ISSUES, "slo")
class Budgets:
    title = "Error budgets"
    rule = READ

    async def find(self, ctx: Context) -> Sequence[SystemIssue]:
        objectives = await list_all(ctx.db, ctx.tenant_id, ctx.scope)
        measured = await measure_with_systems(ctx, objectives)
        return [issue for one in measured for issue in _describe(one)]


def _describe(measured: Measured) -> list[SystemIssue]:
    objective = measured.objective
    if objective.budget.state not in SEVERITIES:
        return []
    return [
        SystemIssue(
            system_id=system_id,
            severity=SEVERITIES[objective.budget.state],
            title=_say(objective),
            link=f"/p/slo/objectives/{objective.id}",
        )
        for system_id in measured.system_ids or [None]
    ]


def _say(objective: Objective) -> str:
    budget = objective.budget
    if budget.state == "exhausted":
        return (
            f"Objective {objective.name} is missed: {budget.attained} % of {objective.target} % "
            f"in {objective.window_days} days"
        )
    return f"The error budget of {objective.name} burns {budget.burn} times too fast"
