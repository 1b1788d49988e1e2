"""Objectives as they stand: counts of their checks' runs, as far as whoever asks may see them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from assent.bundled.catalog.api import READ as SYSTEM_READ
from assent.bundled.catalog.api import name_systems
from assent.bundled.healthcheck.api import READ as CHECK_READ
from assent.bundled.healthcheck.api import CheckTally, RunCount, tally_checks
from assent.bundled.slo.budget import Tally, unknown_budget, weigh_budget
from assent.bundled.slo.values import Budget, Objective, ObjectiveEntry
from assent.plugins.api import Context, MissingRule

RECENT = timedelta(hours=1)
NO_CHECKS = "Nothing that you may see checks this."
NO_RULE = "You may not see checks."


@dataclass(frozen=True, slots=True)
class Measured:
    """An objective, and the systems that it concerns."""

    objective: Objective
    system_ids: tuple[UUID, ...]


async def measure(ctx: Context, objectives: Sequence[ObjectiveEntry]) -> list[Objective]:
    return [one.objective for one in await measure_with_systems(ctx, objectives)]


async def measure_with_systems(
    ctx: Context, objectives: Sequence[ObjectiveEntry]
) -> list[Measured]:
    tallies = await _tally(ctx, objectives)
    names = await _name_systems(ctx, objectives)
    return [_measure(ctx, one, tallies, names) for one in objectives]


async def _tally(ctx: Context, objectives: Sequence[ObjectiveEntry]) -> list[CheckTally] | None:
    """Nothing at all for somebody who may not see any check."""
    since = {ctx.now - RECENT, *(_begin(ctx, one) for one in objectives)}

    async def look(inner: Context) -> list[CheckTally]:
        return await tally_checks(
            inner,
            check_ids={one.check_id for one in objectives if one.check_id},
            system_ids={one.system_id for one in objectives if one.system_id},
            since=since,
        )

    try:
        return await ctx.consult("healthcheck", rule=CHECK_READ, look=look)
    except MissingRule:
        return None


async def _name_systems(ctx: Context, objectives: Sequence[ObjectiveEntry]) -> Mapping[UUID, str]:
    wanted = {one.system_id for one in objectives if one.system_id}
    try:
        return await ctx.consult(
            "catalog", rule=SYSTEM_READ, look=lambda inner: name_systems(inner, wanted)
        )
    except MissingRule:
        return {}


def _measure(
    ctx: Context,
    objective: ObjectiveEntry,
    tallies: Sequence[CheckTally] | None,
    names: Mapping[UUID, str],
) -> Measured:
    checks = [one for one in tallies or () if _concerns(objective, one)]
    about = names.get(objective.system_id) if objective.system_id else _name(checks)
    budget = _weigh(ctx, objective, checks) if checks else _explain(tallies)
    systems = (objective.system_id,) if objective.system_id else _systems(checks)
    return Measured(Objective(**objective.model_dump(), about=about, budget=budget), systems)


def _weigh(ctx: Context, objective: ObjectiveEntry, checks: Sequence[CheckTally]) -> Budget:
    window = _add(checks, _begin(ctx, objective))
    return weigh_budget(objective.target, window, _add(checks, ctx.now - RECENT))


def _explain(tallies: Sequence[CheckTally] | None) -> Budget:
    return unknown_budget(NO_RULE if tallies is None else NO_CHECKS)


def _add(checks: Sequence[CheckTally], since: datetime) -> Tally:
    counts = [one.counts.get(since, RunCount()) for one in checks]
    return Tally(sum(one.runs for one in counts), sum(one.failed for one in counts))


def _begin(ctx: Context, objective: ObjectiveEntry) -> datetime:
    return ctx.now - timedelta(days=objective.window_days)


def _concerns(objective: ObjectiveEntry, check: CheckTally) -> bool:
    return check.check_id == objective.check_id or objective.system_id in check.system_ids


def _name(checks: Sequence[CheckTally]) -> str | None:
    return checks[0].name if checks else None


def _systems(checks: Sequence[CheckTally]) -> tuple[UUID, ...]:
    return checks[0].system_ids if checks else ()
