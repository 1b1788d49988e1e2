"""What incidents contribute to what is wrong right now."""

from collections.abc import Sequence

from assent.bundled.catalog.api import SYSTEM_ISSUES, SystemIssue
from assent.bundled.incident import store
from assent.bundled.incident.declaration import READ, plugin
from assent.bundled.incident.kind import INCIDENT
from assent.bundled.timeline.api import spread
from assent.plugins.api import Context

MOST = 200


@plugin.contribute(SYSTEM_ISSUES, "incident")
class OpenIncidents:
    title = "Open incidents"
    rule = READ

    async def find(self, ctx: Context) -> Sequence[SystemIssue]:
        open_ones = await store.list_open(ctx.db, ctx.tenant_id, ctx.scope, limit=MOST)
        return [
            issue
            for one in open_ones
            for issue in spread(
                INCIDENT,
                one,
                severity=one.severity,
                title=f"Incident, {one.status}: {one.title}",
                since=one.started_at,
            )
        ]
