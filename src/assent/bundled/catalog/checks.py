"""Checks that several procedures of the catalog share."""

from collections.abc import Awaitable, Callable, Sequence
from uuid import UUID

from assent.bundled.catalog.values import Entry
from assent.plugins.api import Changed, Conflict, Context, Db

CountKnown = Callable[[Db, UUID, UUID, Sequence[UUID]], Awaitable[int]]


def check_version(entry: Entry, expected: int | None) -> None:
    if expected is not None and expected != entry.version:
        raise Changed(f"This is at version {entry.version} by now. Load it again.")


async def check_same_workspace(
    ctx: Context, count_known: CountKnown, *, workspace_id: UUID, path: str, ids: Sequence[UUID]
) -> None:
    if await count_known(ctx.db, ctx.tenant_id, workspace_id, ids) != len(set(ids)):
        raise Conflict.at(path, "Not all of these exist in this workspace.")


def name_taken(what: str) -> Conflict:
    return Conflict.at("name", f"Another {what} in this workspace has this name.")
