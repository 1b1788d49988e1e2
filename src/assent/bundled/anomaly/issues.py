"""What anomalies contribute to `system.issues`: those that nobody looks after.

That a check fails is what the check itself reports; this only adds that nobody has acknowledged it.
"""

from collections.abc import Sequence

from assent.bundled.anomaly.anomalies import READ
from assent.bundled.anomaly.declaration import plugin
from assent.bundled.anomaly.store import list_unseen
from assent.bundled.catalog.api import SYSTEM_ISSUES, SystemIssue
from assent.plugins.api import Context


@plugin.contribute(SYSTEM_ISSUES, "anomaly")
class Unacknowledged:
    title = "Anomalies"
    rule = READ

    async def find(self, ctx: Context) -> Sequence[SystemIssue]:
        return [
            SystemIssue(
                system_id=system_id,
                severity="minor",
                title=f"Nobody has acknowledged that {one.check_name} is {one.worst}",
                since=one.opened_at,
                link=f"/p/anomaly/anomalies/{one.id}",
                about=f"/p/healthcheck/checks/{one.check_id}",
            )
            for one in await list_unseen(ctx.db, ctx.tenant_id, ctx.scope)
            for system_id in one.system_ids or [None]
        ]
