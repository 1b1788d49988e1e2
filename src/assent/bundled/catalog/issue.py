"""What is wrong with systems now, as values: what sources find, and the report of it. Pure."""

import math
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Literal, TypeAlias
from uuid import UUID

from pydantic import Field

from assent.bundled.catalog.values import System
from assent.plugins.api import Value

Severity: TypeAlias = Literal["critical", "major", "minor", "info"]
WORST_FIRST: tuple[Severity, ...] = ("critical", "major", "minor", "info")


class SystemIssue(Value):
    """One thing that is wrong now, as a source finds it.

    What concerns several systems is found once for each of them, what concerns none has no
    `system_id`. `since` is missing where nobody knows, `until` where no end is planned. `link` is
    the page that tells more, such as `/p/incident/incidents/ID`. `about` is the link of what this
    only adds a fact to: where another source tells of that, both are one issue. `quotes` says that
    the title has words that outsiders may have written, such as what a server answered.
    """

    system_id: UUID | None
    severity: Severity
    title: str = Field(max_length=500)
    since: datetime | None = None
    until: datetime | None = None
    link: str = ""
    about: str = ""
    quotes: bool = False


class FoundIssue(Value):
    """An issue and the source that found it; `also` is what other sources add to it."""

    source: str
    system_id: UUID | None
    severity: Severity
    title: str
    since: datetime | None
    until: datetime | None
    link: str
    quotes: bool = False
    also: list[str] = []


class SystemIssues(Value):
    """A system with what is wrong with it, the worst first."""

    system_id: UUID
    name: str
    workspace_id: UUID
    severity: Severity
    issues: list[FoundIssue]


class Unchecked(Value):
    """A source that was asked and gave no answer."""

    source: str
    title: str
    reason: str


class Inaccessible(Value):
    """A source that was not asked, because whoever asks lacks its rule."""

    source: str
    title: str
    rule: str


class Checked(Value):
    source: str
    title: str


class IssueReport(Value):
    """Everything wrong that could be found, and what could not be looked at.

    `elsewhere` holds what concerns no system, or one that may not be seen.
    """

    systems: list[SystemIssues]
    elsewhere: list[FoundIssue]
    without_issues: int
    checked: list[Checked]
    could_not_check: list[Unchecked]
    not_accessible: list[Inaccessible]


def tell_once(found: Sequence[tuple[str, SystemIssue]]) -> list[FoundIssue]:
    """What all sources found, by source: what only adds to another issue is told with it."""
    links = {one.link for _, one in found if one.link and not one.about}
    also: dict[str, list[str]] = {}
    for _, one in found:
        if one.about in links and one.title not in also.setdefault(one.about, []):
            also[one.about].append(one.title)
    return [
        FoundIssue(source=source, **one.model_dump(exclude={"about"}), also=also.get(one.link, []))
        for source, one in found
        if one.about not in links
    ]


def is_quoting(report: IssueReport) -> bool:
    """Whether words of outsiders may stand in it."""
    issues = [*report.elsewhere, *(one for system in report.systems for one in system.issues)]
    return any(one.quotes for one in issues)


def order_issues(issues: Iterable[FoundIssue]) -> list[FoundIssue]:
    """The worst first, among equals the one that lasts longest."""
    return sorted(issues, key=_urgency)


def group_issues(
    issues: Sequence[FoundIssue], systems: Mapping[UUID, System]
) -> tuple[list[SystemIssues], list[FoundIssue]]:
    """By system, the worst first; and those of no system that is known here."""
    by_system: dict[UUID, list[FoundIssue]] = {}
    elsewhere: list[FoundIssue] = []
    for one in order_issues(issues):
        if one.system_id is not None and one.system_id in systems:
            by_system.setdefault(one.system_id, []).append(one)
        else:
            elsewhere.append(one)
    grouped = [
        SystemIssues(
            system_id=system_id,
            name=systems[system_id].name,
            workspace_id=systems[system_id].workspace_id,
            severity=found[0].severity,
            issues=found,
        )
        for system_id, found in by_system.items()
    ]
    return sorted(grouped, key=_badness), elsewhere


def _urgency(one: FoundIssue) -> tuple[int, float, str, str]:
    began = one.since.timestamp() if one.since else math.inf
    return WORST_FIRST.index(one.severity), began, one.source, one.title


def _badness(system: SystemIssues) -> tuple[int, int, str]:
    return WORST_FIRST.index(system.severity), -len(system.issues), system.name.lower()
