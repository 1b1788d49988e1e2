"""What is wrong, in the order in which people want to hear it."""

from datetime import UTC, datetime, timedelta
from uuid import UUID, uuid4

from assent.bundled.catalog.issue import (
    FoundIssue,
    Severity,
    SystemIssue,
    group_issues,
    order_issues,
    tell_once,
)
from assent.bundled.catalog.values import System

NOW = datetime(2026, 3, 1, tzinfo=UTC)


def issue(
    severity: Severity, system_id: UUID | None = None, *, hours: int | None = 0
) -> FoundIssue:
    since = None if hours is None else NOW - timedelta(hours=hours)
    title = f"{severity} {hours}"
    return FoundIssue(
        source="test",
        system_id=system_id,
        severity=severity,
        title=title,
        since=since,
        until=None,
        link="",
    )


def system(name: str) -> System:
    return System(
        id=uuid4(),
        workspace_id=uuid4(),
        name=name,
        description="",
        version=1,
        created_at=NOW,
        updated_at=NOW,
        group_ids=[],
        environment_ids=[],
    )


def test_the_worst_and_longest_comes_first() -> None:
    given = [
        issue("info", hours=9),
        issue("major", hours=None),
        issue("major", hours=1),
        issue("critical"),
        issue("major", hours=3),
        issue("minor"),
    ]
    assert [one.title for one in order_issues(given)] == [
        "critical 0",
        "major 3",
        "major 1",
        "major None",
        "minor 0",
        "info 9",
    ]


def test_systems_come_by_their_worst_issue_then_by_how_many_they_have() -> None:
    quiet, busy, worst, twin = (system(name) for name in ("quiet", "busy", "worst", "Alike"))
    given = [
        issue("minor", quiet.id),
        issue("major", busy.id),
        issue("info", busy.id),
        issue("info", worst.id),
        issue("critical", worst.id),
        issue("major", twin.id),
    ]
    systems = {one.id: one for one in (quiet, busy, worst, twin)}
    grouped, elsewhere = group_issues(given, systems)
    assert [(one.name, one.severity, len(one.issues)) for one in grouped] == [
        ("worst", "critical", 2),
        ("busy", "major", 2),
        ("Alike", "major", 1),
        ("quiet", "minor", 1),
    ]
    assert grouped[0].issues[0].severity == "critical"
    assert elsewhere == []


def test_what_is_of_no_known_system_is_not_lost() -> None:
    given = [issue("info"), issue("major", uuid4())]
    grouped, elsewhere = group_issues(given, {})
    assert grouped == []
    assert [one.severity for one in elsewhere] == ["major", "info"]


def test_what_only_adds_to_another_issue_is_told_with_it() -> None:
    one, other = uuid4(), uuid4()

    def find(title: str, system_id: UUID | None, link: str, about: str = "") -> SystemIssue:
        return SystemIssue(
            system_id=system_id, severity="minor", title=title, link=link, about=about
        )

    told = tell_once(
        [
            ("checks", find("web is down", one, "/checks/1")),
            ("checks", find("web is down", other, "/checks/1")),
            ("anomalies", find("nobody looks at web", one, "/anomalies/1", "/checks/1")),
            ("anomalies", find("nobody looks at web", other, "/anomalies/1", "/checks/1")),
            ("anomalies", find("nobody looks at mail", one, "/anomalies/2", "/checks/2")),
            ("others", find("no page of its own", None, "")),
        ]
    )
    assert [(issue.title, issue.system_id, issue.also) for issue in told] == [
        ("web is down", one, ["nobody looks at web"]),
        ("web is down", other, ["nobody looks at web"]),
        ("nobody looks at mail", one, []),
        ("no page of its own", None, []),
    ]
