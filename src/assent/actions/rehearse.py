"""A dry run in the middle of a transaction that goes on: read-only, and undone whatever it did."""

from typing import Any

from assent.actions import store
from assent.actions.run_tool import dry_run
from assent.db.database import Db, savepoint
from assent.plugins.procedure import Context
from assent.tools.tool import Preview, Tool


class _Rehearsed(Exception):
    """Carries the preview out of the savepoint that must not stay."""

    def __init__(self, preview: Preview) -> None:
        self.preview = preview


async def rehearse(db: Db, tool: Tool, ctx: Context, given: Any) -> Preview:
    try:
        async with savepoint(db, opening=store.ONLY_READ):
            raise _Rehearsed(await dry_run(tool, ctx, given))
    except _Rehearsed as rehearsed:
        return rehearsed.preview
