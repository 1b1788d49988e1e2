"""What health checks contribute to what is wrong right now: those that fail."""

from collections.abc import Sequence

from assent.bundled.catalog.api import SYSTEM_ISSUES, Severity, SystemIssue
from assent.bundled.healthcheck.declaration import READ, plugin
from assent.bundled.healthcheck.store import checks as store
from assent.bundled.healthcheck.values import Check, CheckQuery, Status
from assent.plugins.api import Context

MOST = 200
LONGEST = 500
SEVERITIES: dict[Status, Severity] = {"down": "major", "degraded": "minor"}


@plugin.contribute(SYSTEM_ISSUES, "healthcheck")
class FailingChecks:
    title = "Health checks"
    rule = READ

    async def find(self, ctx: Context) -> Sequence[SystemIssue]:
        failing: list[Check] = []
        for status in SEVERITIES:
            query = CheckQuery(status=status, cursor=None, limit=MOST)
            failing += await store.list_checks(ctx.db, ctx.tenant_id, ctx.scope, query)
        return [
            SystemIssue(
                system_id=system_id,
                severity=SEVERITIES[one.status],
                title=_describe(one),
                since=one.status_since,
                link=f"/p/healthcheck/checks/{one.id}",
                quotes=one.quotes,
            )
            for one in failing
            for system_id in one.system_ids or [None]
        ]


def _describe(check: Check) -> str:
    reason = f": {check.reason.rstrip('.')}" if check.reason else ""
    return f"Health check {check.name} is {check.status}{reason}"[:LONGEST]
