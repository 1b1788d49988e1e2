"""Procedures for checks."""

from uuid import UUID

from assent.bundled.healthcheck.declaration import MANAGE, READ, plugin
from assent.bundled.healthcheck.given import FormChange, GivenCheck
from assent.bundled.healthcheck.judge import judge_change, judge_new, name_taken
from assent.bundled.healthcheck.store import checks as store
from assent.bundled.healthcheck.store.sources import remember_source
from assent.bundled.healthcheck.validate import Sound
from assent.bundled.healthcheck.values import Check, CheckQuery, CheckRef
from assent.plugins.api import Changed, Context, Event, NotFound, Page, new_id, page_by_name


@plugin.procedure(rule=READ, effect="read", route="GET /checks")
async def list_checks(ctx: Context, query: CheckQuery) -> Page[Check]:
    """List checks by name, each with how it stands."""
    rows = await store.list_checks(ctx.db, ctx.tenant_id, ctx.scope, query)
    return page_by_name(rows, query)


@plugin.procedure(rule=READ, effect="read", route="GET /checks/{check_id}")
async def get_check(ctx: Context, ref: CheckRef) -> Check:
    """Show one check."""
    return await load_check(ctx, ref.check_id)


@plugin.procedure(rule=MANAGE, effect="mutate", route="POST /checks")
async def create_check(ctx: Context, given: GivenCheck) -> Check:
    """Add a check to a workspace; it runs for the first time at once."""
    return await add_check(ctx, await judge_new(ctx, given.body))


@plugin.procedure(rule=MANAGE, effect="mutate", route="PATCH /checks/{check_id}")
async def update_check(ctx: Context, change: FormChange) -> Check:
    """Change a check; what is left out stays. It runs again at once."""
    await store.lock_check(ctx.db, ctx.tenant_id, change.check_id)
    check = await load_check(ctx, change.check_id)
    if change.expected_version not in (None, check.version):
        raise Changed(f"This is at version {check.version} by now. Load it again.")
    return await replace_check(ctx, check, await judge_change(ctx, check, change.body))


@plugin.procedure(rule=MANAGE, effect="destructive", route="DELETE /checks/{check_id}")
async def delete_check(ctx: Context, ref: CheckRef) -> None:
    """Delete a check with all its runs."""
    await store.lock_check(ctx.db, ctx.tenant_id, ref.check_id)
    check = await load_check(ctx, ref.check_id)
    await store.delete_check(ctx.db, ctx.tenant_id, check.id)
    await ctx.forget_grants(check.id)
    await ctx.publish("healthcheck.check.deleted", {"checkId": str(check.id)})


@plugin.on("catalog.system.deleted")
async def leave_system(ctx: Context, event: Event) -> None:
    await store.forget_system(ctx.db, ctx.tenant_id, UUID(event.payload["systemId"]))


async def add_check(ctx: Context, sound: Sound) -> Check:
    """Add what was judged."""
    check_id = new_id()
    if not await store.insert_check(ctx.db, ctx.tenant_id, check_id, sound, next_run_at=ctx.now):
        raise name_taken()
    await ctx.publish("healthcheck.check.created", {"checkId": str(check_id)})
    return await load_check(ctx, check_id)


async def replace_check(ctx: Context, check: Check, sound: Sound) -> Check:
    """Make a check, whose row is locked, what was judged."""
    if check.strategy != sound.draft.strategy:
        await remember_source(ctx.db, ctx.tenant_id, check.id, at=ctx.now)
    if not await store.update_check(ctx.db, ctx.tenant_id, check.id, sound, next_run_at=ctx.now):
        raise name_taken()
    if check.enabled and not sound.draft.enabled:
        await _rest(ctx, check)
    await ctx.publish("healthcheck.check.updated", {"checkId": str(check.id)})
    return await load_check(ctx, check.id)


async def load_check(ctx: Context, check_id: UUID) -> Check:
    """Load a check that the principal may see, and change if the procedure changes things."""
    check = await store.find_check(ctx.db, ctx.tenant_id, check_id)
    if check is None:
        raise NotFound("There is no such check.")
    await ctx.check(workspace_id=check.workspace_id, resource_id=check.id)
    return check


async def _rest(ctx: Context, check: Check) -> None:
    """Nobody looks at it any more, so nothing is known about it."""
    await store.rest_check(ctx.db, ctx.tenant_id, check.id, at=ctx.now)
    if check.status != "unknown":
        await publish_changed(ctx, check, after="unknown", reason="It was switched off.")


async def publish_changed(ctx: Context, check: Check, *, after: str, reason: str) -> None:
    await ctx.publish(
        "healthcheck.check.changed",
        {
            "checkId": str(check.id),
            "workspaceId": str(check.workspace_id),
            "systemIds": [str(one) for one in check.system_ids],
            "name": check.name,
            "from": check.status,
            "to": after,
            "reason": reason,
            "at": ctx.now.isoformat(),
        },
    )
