"""What maintenance contributes to what is wrong right now: a system that is worked on may fail."""

from collections.abc import Sequence

from assent.bundled.catalog.api import SYSTEM_ISSUES, SystemIssue
from assent.bundled.maintenance import store
from assent.bundled.maintenance.declaration import READ, plugin
from assent.bundled.maintenance.kind import WINDOW
from assent.bundled.timeline.api import spread
from assent.plugins.api import Context

MOST = 200


@plugin.contribute(SYSTEM_ISSUES, "maintenance")
class RunningWindows:
    title = "Maintenance in progress"
    rule = READ

    async def find(self, ctx: Context) -> Sequence[SystemIssue]:
        running = await store.list_running(
            ctx.db, ctx.tenant_id, ctx.scope, now=ctx.now, limit=MOST
        )
        return [
            issue
            for one in running
            for issue in spread(
                WINDOW,
                one,
                severity="info",
                title=f"Maintenance: {one.title}",
                since=one.starts_at,
                until=one.ends_at,
            )
        ]
