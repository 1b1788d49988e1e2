"""Whether a check can be what somebody wants it to be, here and now.

Everything that changes a check comes by here: the form's procedures, the tools' dry runs and
`assent apply -f`. The validator is asked first, then the workspace, its systems and its names.
"""

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from assent.bundled.catalog.api import System, SystemRef, get_system
from assent.bundled.healthcheck.given import merge
from assent.bundled.healthcheck.installed import find_capabilities
from assent.bundled.healthcheck.secrets import check_secrets
from assent.bundled.healthcheck.store.checks import find_named
from assent.bundled.healthcheck.validate import Sound, read_check
from assent.bundled.healthcheck.values import Check
from assent.plugins.api import Conflict, Context, Forbidden, Invalid, Issue, NotFound

NO_SYSTEM = "There is no such system in this workspace."
STAYS = "A check stays in its workspace."


async def judge_new(ctx: Context, given: Mapping[str, Any], *, own_id: UUID | None = None) -> Sound:
    """Raise Invalid or Conflict with every issue that was found.

    `own_id` is the check whose place it is to take, name and all.
    """
    sound = read_check(given, find_capabilities(ctx))
    await ctx.check_workspace(sound.draft.workspace_id)
    await check_secrets(ctx, sound)
    await _check_systems(ctx, sound, known=())
    await _check_name(ctx, sound, own_id=own_id)
    return sound


async def judge_change(ctx: Context, check: Check, body: Mapping[str, Any]) -> Sound:
    """The same for a check that is there: the change laid over it is judged like a new one."""
    sound = read_check(merge(check, body), find_capabilities(ctx))
    if sound.draft.workspace_id != check.workspace_id:
        raise Invalid.at("workspaceId", STAYS)
    await check_secrets(ctx, sound)
    await _check_systems(ctx, sound, known=check.system_ids)
    await _check_name(ctx, sound, own_id=check.id)
    return sound


async def find_systems(ctx: Context, ids: Sequence[UUID]) -> dict[UUID, System]:
    """Those of them that whoever asks may see."""
    found: dict[UUID, System] = {}
    for one in ids:
        try:
            found[one] = await ctx.call(get_system, SystemRef(system_id=one))
        except (NotFound, Forbidden):
            continue
    return found


async def _check_systems(ctx: Context, sound: Sound, *, known: Sequence[UUID]) -> None:
    """Those that were there before are not asked about: not everybody may see them."""
    new = [one for one in sound.draft.system_ids if one not in known]
    found = await find_systems(ctx, new)
    issues = [
        Issue(f"systemIds.{at}", NO_SYSTEM)
        for at, one in enumerate(sound.draft.system_ids)
        if one in new and (one not in found or found[one].workspace_id != sound.draft.workspace_id)
    ]
    if issues:
        raise Conflict(issues=issues)


async def _check_name(ctx: Context, sound: Sound, *, own_id: UUID | None) -> None:
    draft = sound.draft
    taken = await find_named(ctx.db, ctx.tenant_id, draft.workspace_id, draft.name)
    if taken not in (None, own_id):
        raise name_taken()


def name_taken() -> Conflict:
    return Conflict.at("name", "Another check in this workspace has this name.")
