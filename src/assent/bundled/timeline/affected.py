"""The systems that something affects, as whoever asks sees them in the catalog."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from uuid import UUID

from assent.bundled.catalog.api import Severity, System, SystemIssue, SystemRef, get_system
from assent.bundled.timeline.kind import Kind, S
from assent.plugins.api import Conflict, Context, Forbidden, Issue, NotFound


async def load_systems(
    ctx: Context, workspace_id: UUID, system_ids: Sequence[UUID], *, known: Iterable[UUID] = ()
) -> list[System]:
    """Those that were not known before; raise with every id that does not fit."""
    found: list[System] = []
    issues: list[Issue] = []
    past = set(known)
    for index, one in enumerate(system_ids):
        if one in past:
            continue
        try:
            system = await ctx.call(get_system, SystemRef(system_id=one))
        except NotFound:
            issues.append(Issue(f"systemIds.{index}", "There is no such system."))
            continue
        if system.workspace_id != workspace_id:
            message = f"{system.name} is in another workspace."
            issues.append(Issue(f"systemIds.{index}", message))
        found.append(system)
    if issues:
        raise Conflict(issues=issues)
    return found


async def find_names(ctx: Context, system_ids: Iterable[UUID]) -> Mapping[UUID, str]:
    """The names of those that the person may see and that are still there."""
    names: dict[UUID, str] = {}
    for one in system_ids:
        try:
            names[one] = (await ctx.call(get_system, SystemRef(system_id=one))).name
        except (NotFound, Forbidden):
            continue
    return names


def spread(
    kind: Kind[S],
    subject: S,
    *,
    severity: Severity,
    title: str,
    since: datetime,
    until: datetime | None = None,
) -> list[SystemIssue]:
    """An issue for each affected system, or one of no system."""
    link = f"{kind.page}/{subject.id}"
    return [
        SystemIssue(
            system_id=one, severity=severity, title=title, since=since, until=until, link=link
        )
        for one in subject.system_ids or [None]
    ]
