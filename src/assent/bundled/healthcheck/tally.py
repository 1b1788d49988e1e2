"""Counts of many checks over several times at once, for plugins that weigh them.

To be asked under the rule that lets one read checks: only those in `ctx.scope` are counted.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from assent.bundled.healthcheck.store import tally as store
from assent.plugins.api import Context


@dataclass(frozen=True, slots=True)
class RunCount:
    """Runs that ended up, degraded or down, and those of them that were down."""

    runs: int = 0
    failed: int = 0


@dataclass(frozen=True, slots=True)
class CheckTally:
    """A check, and its counts by the beginning of each time that was asked for."""

    check_id: UUID
    name: str
    system_ids: tuple[UUID, ...]
    counts: Mapping[datetime, RunCount] = field(default_factory=dict[datetime, RunCount])


async def tally_checks(
    ctx: Context,
    *,
    check_ids: Collection[UUID],
    system_ids: Collection[UUID],
    since: Collection[datetime],
) -> list[CheckTally]:
    """These checks and those of these systems, counted by whole hours from each time until now."""
    rows = await store.list_checks(
        ctx.db,
        ctx.tenant_id,
        ctx.scope,
        check_ids=sorted(check_ids),
        system_ids=sorted(system_ids),
    )
    counted = await store.count_runs(
        ctx.db, ctx.tenant_id, [row["id"] for row in rows], sorted(since)
    )
    counts: dict[UUID, dict[datetime, RunCount]] = {}
    for one in counted:
        of_check = counts.setdefault(one["check_id"], {})
        of_check[one["since"]] = RunCount(one["runs"], one["failed"])
    return [
        CheckTally(row["id"], row["name"], tuple(row["system_ids"]), counts.get(row["id"], {}))
        for row in rows
    ]
