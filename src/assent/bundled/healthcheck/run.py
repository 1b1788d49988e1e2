"""Running checks: due ones are handed out once, looked at by any worker, and settled once.

A due time is taken in the transaction that moves the check to its next one, and has one run. One
that was left by a worker that died comes back after its lease and is made up for, whether or not
the check has run since: the history has no hole.
"""

import asyncio
import logging
import time
from datetime import datetime, timedelta
from uuid import UUID

from assent.bundled.healthcheck.capability import (
    Capabilities,
    ProbeFailed,
    find_duration,
    find_expectations,
    minds_time,
)
from assent.bundled.healthcheck.checks import publish_changed
from assent.bundled.healthcheck.declaration import plugin
from assent.bundled.healthcheck.given import draft_of
from assent.bundled.healthcheck.installed import find_capabilities
from assent.bundled.healthcheck.latency import find_bucket
from assent.bundled.healthcheck.lateness import is_worth_it
from assent.bundled.healthcheck.outcome import (
    Outcome,
    decide_answered,
    decide_failed,
    decide_unchecked,
)
from assent.bundled.healthcheck.reach import Reach
from assent.bundled.healthcheck.secrets import reveal_secrets
from assent.bundled.healthcheck.store import checks as store
from assent.bundled.healthcheck.store import runs as run_store
from assent.bundled.healthcheck.store.runs import Timing
from assent.bundled.healthcheck.validate import read_collector, read_strategy
from assent.bundled.healthcheck.values import Check, CheckDraft
from assent.plugins.api import (
    BrokeOff,
    Context,
    DestinationRefused,
    Invalid,
    SandboxUnavailable,
    Tick,
    Unreachable,
    Value,
    Work,
)

MOST_AT_ONCE = 1000
PROBED = ("strategy", "collectors", "assertions", "reaches", "timeout_ms", "enabled")
log = logging.getLogger("assent.healthcheck")


@plugin.every(timedelta(seconds=1))
async def enqueue_due(ctx: Context, tick: Tick) -> None:
    """Hand out every check whose time has come."""
    for due in await store.take_due(ctx.db, ctx.tenant_id, now=ctx.now, limit=MOST_AT_ONCE):
        payload = {"checkId": str(due.check_id), "dueAt": due.due_at.isoformat()}
        await ctx.enqueue(run_check, payload)


@plugin.work
async def run_check(work: Work) -> None:
    """One run of one check."""
    due_at = datetime.fromisoformat(work.payload["dueAt"])
    async with work.transaction() as ctx:
        check = await _find_waiting(ctx, UUID(work.payload["checkId"]), due_at)
        known, inside = find_capabilities(ctx), ctx.settings.reach == "declared"
        secrets = await reveal_secrets(ctx, check, known) if check else {}
    if check is None:
        return
    http = work.http.within(check.reaches, inside=inside)
    reach = Reach(
        http=http,
        scripts=work.scripts.through(http),
        secrets=secrets,
        now=work.now,
        seconds=check.timeout_ms / 1000,
        origins=tuple(check.reaches),
    )
    began = time.perf_counter()
    outcome = await look(check, known, reach)
    took = round((time.perf_counter() - began) * 1000, 3)
    timing = Timing(due_at, work.now, took)
    async with work.finishing() as ctx:
        await settle(ctx, check, timing, outcome)


async def look(check: Check, known: Capabilities, reach: Reach) -> Outcome:
    """What a probe finds, whatever happens to it."""
    began = time.perf_counter()
    try:
        config = read_strategy(check.strategy, known).value
        strategy = known.strategies[check.strategy.kind]
        async with asyncio.timeout(None if minds_time(strategy) else reach.seconds):
            observed = await strategy.probe(reach, config)
        duration = find_duration(observed) or (time.perf_counter() - began) * 1000
        assertions = check.assertions or find_expectations(strategy)
        collected = collect(check, known, observed)
        return decide_answered(show(observed), collected, assertions, duration=duration)
    except TimeoutError:
        return decide_failed(f"There was no answer within {check.timeout_ms} ms.")
    except (Unreachable, BrokeOff) as error:
        return decide_failed(error.message)
    except ProbeFailed as error:
        return decide_failed(error.message, quotes=True)
    except (DestinationRefused, SandboxUnavailable, Invalid) as error:
        return decide_unchecked(error.message)
    except Exception as error:
        log.exception("The probe of check %s failed", check.id)
        return decide_unchecked(f"The probe itself failed: {type(error).__name__}.")


def collect(check: Check, known: Capabilities, observed: Value) -> dict[str, dict[str, object]]:
    """What every collector makes of what the strategy saw."""
    draft = CheckDraft.model_validate(draft_of(check))
    collected: dict[str, dict[str, object]] = {}
    for at, given in enumerate(draft.collectors):
        config = read_collector(draft, at, known).value
        collected[given.id] = show(known.collectors[given.kind].collect(observed, config))
    return collected


def show(result: Value) -> dict[str, object]:
    """A result as it is asserted and stored."""
    return result.model_dump(mode="json", by_alias=True)


async def settle(ctx: Context, check: Check, timing: Timing, outcome: Outcome) -> None:
    """Store a run and what follows from it, unless the check has become another one meanwhile."""
    await store.lock_check(ctx.db, ctx.tenant_id, check.id)
    present = await store.find_check(ctx.db, ctx.tenant_id, check.id)
    if present is None or not _is_same_probe(present, check):
        return
    if not await run_store.insert_run(ctx.db, ctx.tenant_id, check.id, timing, outcome):
        return
    await run_store.count_run(
        ctx.db,
        ctx.tenant_id,
        check.id,
        due_at=timing.due_at,
        status=outcome.status,
        bucket=find_bucket(timing.duration_ms) if outcome.answered else None,
    )
    if (
        await store.settle_check(
            ctx.db,
            ctx.tenant_id,
            check.id,
            outcome,
            due_at=timing.due_at,
            started_at=timing.started_at,
        )
        and present.status != outcome.status
    ):
        await publish_changed(ctx, present, after=outcome.status, reason=outcome.reason)


async def _find_waiting(ctx: Context, check_id: UUID, due_at: datetime) -> Check | None:
    """The check, unless it is gone or switched off, or nobody needs this run any more."""
    check = await store.find_check(ctx.db, ctx.tenant_id, check_id)
    if check is None or not check.enabled:
        return None
    if await run_store.has_run(ctx.db, ctx.tenant_id, check_id, due_at):
        return None
    if is_worth_it(check, due_at, now=ctx.now):
        return check
    is_overtaken = await run_store.has_later_run(ctx.db, ctx.tenant_id, check_id, due_at)
    return None if is_overtaken else check


def _is_same_probe(one: Check, other: Check) -> bool:
    return all(getattr(one, name) == getattr(other, name) for name in PROBED)
