"""What checks contribute to `system.issues`: those that run and are not up."""

from collections.abc import Mapping, Sequence

from assent.bundled.catalog.api import SYSTEM_ISSUES, Severity, SystemIssue
from assent.bundled.healthcheck.declaration import READ, plugin
from assent.bundled.healthcheck.store.checks import list_failing
from assent.bundled.healthcheck.values import Check, Status
from assent.plugins.api import Context

SEVERITIES: Mapping[Status, Severity] = {"down": "critical", "degraded": "major"}


@plugin.contribute(SYSTEM_ISSUES, "healthcheck")
class FailingChecks:
    title = "Health checks"
    rule = READ

    async def find(self, ctx: Context) -> Sequence[SystemIssue]:
        failing = await list_failing(ctx.db, ctx.tenant_id, ctx.scope)
        return [issue for check in failing for issue in _describe(check)]


def _describe(check: Check) -> list[SystemIssue]:
    title = f"Check {check.name} is {check.status}: {check.reason}"
    return [
        SystemIssue(
            system_id=system_id,
            severity=SEVERITIES[check.status],
            title=title[:500],
            since=check.status_since,
            link=f"/p/healthcheck/checks/{check.id}",
        )
        for system_id in check.system_ids or [None]
    ]
