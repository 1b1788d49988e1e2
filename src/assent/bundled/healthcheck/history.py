"""Procedures for what checks have seen: their runs and the figures of those."""

from datetime import timedelta

from assent.bundled.healthcheck.checks import load_check
from assent.bundled.healthcheck.declaration import READ, plugin
from assent.bundled.healthcheck.figures import (
    add_hours,
    build_points,
    count_statuses,
    find_availability,
)
from assent.bundled.healthcheck.latency import add_counts, measure, read_percentiles
from assent.bundled.healthcheck.store import runs as store
from assent.bundled.healthcheck.values import Run, RunQuery, RunStats, StatsQuery
from assent.plugins.api import Context, Page, build_page, parse_cursor, parse_cursor_time

MOST_COUNTED = 20_000
"""Runs that are looked at one by one; where there are more, their hours are."""


@plugin.procedure(rule=READ, effect="read", route="GET /checks/{check_id}/runs")
async def list_runs(ctx: Context, query: RunQuery) -> Page[Run]:
    """List the runs of a check, the newest first."""
    check = await load_check(ctx, query.check_id)
    position = parse_cursor(query.cursor, 1)
    rows = await store.list_runs(
        ctx.db,
        ctx.tenant_id,
        check.id,
        before=parse_cursor_time(position[0]) if position else None,
        status=query.status,
        limit=query.limit + 1,
    )
    return build_page(rows, query.limit, lambda run: (run.due_at.isoformat(),))


@plugin.procedure(rule=READ, effect="read", route="GET /checks/{check_id}/stats")
async def get_run_stats(ctx: Context, query: StatsQuery) -> RunStats:
    """Show how available a check was and how long its runs took."""
    check = await load_check(ctx, query.check_id)
    span = timedelta(hours=query.hours)
    since, until = ctx.now - span, ctx.now
    hours = await store.list_hours(ctx.db, ctx.tenant_id, check.id, since=since, until=until)
    counts, percentiles = add_hours(hours), read_percentiles(add_counts(h.buckets for h in hours))
    exact = counts.runs <= MOST_COUNTED and span <= timedelta(days=ctx.settings.keep_days)
    if exact:
        runs = await store.list_durations(
            ctx.db, ctx.tenant_id, check.id, since=since, until=until, limit=MOST_COUNTED
        )
        counts = count_statuses(status for status, _ in runs)
        percentiles = measure([took for _, took in runs if took is not None])
    return RunStats(
        check_id=check.id,
        since=since,
        until=until,
        source="runs" if exact else "hours",
        counts=counts,
        availability=find_availability(counts),
        percentiles=percentiles,
        points=build_points(hours, span=span),
    )
