"""A check as a document of `assent apply -f`: the whole of it, created or brought up to date."""

from typing import Any
from uuid import UUID

from pydantic import ConfigDict

from assent.bundled.catalog.api import SystemQuery, list_systems
from assent.bundled.healthcheck.checks import add_check, load_check, replace_check
from assent.bundled.healthcheck.declaration import plugin
from assent.bundled.healthcheck.given import draft_of
from assent.bundled.healthcheck.judge import judge_new
from assent.bundled.healthcheck.store.checks import find_named, lock_check
from assent.plugins.api import Conflict, Context, Issue, Value

PAGE = 200


class CheckDocument(Value):
    """A check; `systems` names systems where `systemIds` would have their ids.

    Open, so that the validator alone says what does not belong there.
    """

    model_config = ConfigDict(extra="allow")

    systems: list[str] | None = None


@plugin.contribute("apply.document", "healthcheck")
class ApplyCheck:
    """Unlike an update, a document is the whole check: what it leaves out is as by default."""

    Draft = CheckDocument

    async def apply(self, ctx: Context, draft: CheckDocument) -> str:
        body = dict(draft.model_extra or {})
        if draft.systems is not None:
            body["systemIds"] = await _find_systems(ctx, body.get("workspaceId"), draft.systems)
        own_id = await _find_own(ctx, body)
        sound = await judge_new(ctx, body, own_id=own_id)
        if own_id is None:
            await add_check(ctx, sound)
            return "created"
        await lock_check(ctx.db, ctx.tenant_id, own_id)
        check = await load_check(ctx, own_id)
        if draft_of(check) == sound.draft.model_dump(mode="json", by_alias=True):
            return "unchanged"
        await replace_check(ctx, check, sound)
        return "updated"


async def _find_own(ctx: Context, body: dict[str, Any]) -> UUID | None:
    """The check of this name, if the document says enough to look for it."""
    name, workspace_id = body.get("name"), body.get("workspaceId")
    if not isinstance(name, str) or not isinstance(workspace_id, str):
        return None
    return await find_named(ctx.db, ctx.tenant_id, UUID(workspace_id), name.strip())


async def _find_systems(ctx: Context, workspace_id: Any, names: list[str]) -> list[str]:
    found: dict[str, str] = {}
    cursor = None
    while True:
        query = SystemQuery(workspace_id=UUID(str(workspace_id)), cursor=cursor, limit=PAGE)
        page = await ctx.call(list_systems, query)
        found |= {one.name.lower(): str(one.id) for one in page.items}
        cursor = page.next_cursor
        if cursor is None:
            break
    issues = [
        Issue(f"systems.{at}", f"There is no system {name} in this workspace.")
        for at, name in enumerate(names)
        if name.lower() not in found
    ]
    if issues:
        raise Conflict(issues=issues)
    return [found[name.lower()] for name in names]
