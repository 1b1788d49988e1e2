"""Checks that dry runs share: what a procedure would refuse is told before a card is made."""

from collections.abc import Awaitable, Callable
from uuid import UUID

from assent.bundled.catalog.checks import name_taken
from assent.bundled.catalog.values import Draft, NamedEntry
from assent.plugins.api import Conflict, Context, Db, Issue, ToolValidationError

FindNamed = Callable[[Db, UUID, UUID, str], Awaitable[UUID | None]]


async def check_place(ctx: Context, workspace_id: UUID) -> str:
    """Raise unless the tool's rule holds in the workspace; return the workspace's name."""
    try:
        return (await ctx.check_workspace(workspace_id)).name
    except Conflict as error:
        raise ToolValidationError(error.issues) from None


async def check_name(
    ctx: Context, draft: Draft, find_named: FindNamed, *, kind: str, own_id: UUID | None = None
) -> None:
    """Raise when another of its kind in the workspace has this name."""
    taken = await find_named(ctx.db, ctx.tenant_id, draft.workspace_id, draft.name)
    if taken not in (None, own_id):
        raise ToolValidationError(name_taken(kind).issues)


def check_together(entry: NamedEntry, workspace_id: UUID, path: str) -> None:
    if entry.workspace_id != workspace_id:
        raise ToolValidationError([Issue(path, f"{entry.name} is in another workspace.")])
