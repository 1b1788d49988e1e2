"""What is wrong right now: every source of every plugin is asked, as whoever asks.

A source is a class that a plugin contributes to `system.issues`. It runs under its own plugin's
rule and in a savepoint, so that one that fails or dawdles takes nothing from the others.
"""

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import dataclass, field
from inspect import iscoroutinefunction
from typing import Protocol
from uuid import UUID

from pydantic import Field

from assent.bundled.catalog.declaration import plugin
from assent.bundled.catalog.issue import (
    Checked,
    FoundIssue,
    Inaccessible,
    IssueReport,
    SystemIssue,
    Unchecked,
    group_issues,
    is_quoting,
    tell_once,
)
from assent.bundled.catalog.store.systems import count_visible, list_visible
from assent.bundled.catalog.systems import READ, load_system
from assent.bundled.catalog.values import System
from assent.plugins.api import (
    AssentError,
    Context,
    Contribution,
    MissingRule,
    PluginError,
    Result,
    Value,
)

POINT = "system.issues"
SOURCE_SECONDS = 5

log = logging.getLogger("assent.catalog")


class IssueSource(Protocol):
    """What a plugin contributes: a title for people, the rule it takes to look, and the look."""

    title: str
    rule: str

    async def find(self, ctx: Context) -> Sequence[SystemIssue]:
        """What is wrong now and may be seen where `ctx.scope` says."""
        ...


class IssueQuery(Value):
    system_id: UUID | None = Field(default=None, description="Only what concerns this system.")


@dataclass(slots=True)
class _Findings:
    issues: list[tuple[str, SystemIssue]] = field(default_factory=list[tuple[str, SystemIssue]])
    checked: list[Checked] = field(default_factory=list[Checked])
    could_not_check: list[Unchecked] = field(default_factory=list[Unchecked])
    not_accessible: list[Inaccessible] = field(default_factory=list[Inaccessible])


def check_source(contribution: Contribution) -> None:
    """Raise unless this is the class of an `IssueSource`."""
    source = contribution.value
    for name in ("title", "rule"):
        if not isinstance(getattr(source, name, None), str):
            raise PluginError(f"the class needs `{name}`, a text.")
    if not (isinstance(source, type) and iscoroutinefunction(getattr(source, "find", None))):
        raise PluginError("write a class with `async def find(self, ctx)`.")
    if not contribution.value.rule.endswith(".read"):
        raise PluginError("its rule must end in .read.")


plugin.extension(POINT, check=check_source)


@plugin.procedure(rule=READ, effect="read", route="GET /issues")
async def list_issues(ctx: Context, query: IssueQuery) -> IssueReport:
    """Everything that is wrong right now, by system, the worst first."""
    only = await load_system(ctx, query.system_id) if query.system_id else None
    found = await _ask_all(ctx)
    issues = tell_once(found.issues)
    if only is not None:
        issues = [one for one in issues if one.system_id == only.id]
    systems, elsewhere = group_issues(issues, await _find_systems(ctx, issues))
    seen = 1 if only else await count_visible(ctx.db, ctx.tenant_id, ctx.scope)
    return IssueReport(
        systems=systems,
        elsewhere=elsewhere,
        without_issues=seen - len(systems),
        checked=found.checked,
        could_not_check=found.could_not_check,
        not_accessible=found.not_accessible,
    )


async def _ask_all(ctx: Context) -> _Findings:
    findings = _Findings()
    for name, contribution in ctx.contributions(POINT).items():
        source: IssueSource = contribution.value()
        try:
            async with asyncio.timeout(SOURCE_SECONDS):
                issues = await ctx.consult(contribution.plugin, rule=source.rule, look=source.find)
        except MissingRule as error:
            findings.not_accessible.append(
                Inaccessible(source=name, title=source.title, rule=error.rule)
            )
        except Exception as error:  # noqa: BLE001 - whatever a source raises is its failure
            reason = _explain(name, error)
            findings.could_not_check.append(
                Unchecked(source=name, title=source.title, reason=reason)
            )
        else:
            findings.checked.append(Checked(source=name, title=source.title))
            findings.issues += [(name, one) for one in issues]
    return findings


def _explain(name: str, error: Exception) -> str:
    if isinstance(error, TimeoutError):
        return f"It gave no answer within {SOURCE_SECONDS} seconds."
    if isinstance(error, AssentError) and not isinstance(error, PluginError):
        return error.message
    log.error("The source %s of issues failed.", name, exc_info=error)
    return "It failed."


async def _find_systems(ctx: Context, issues: Sequence[FoundIssue]) -> dict[UUID, System]:
    wanted = {one.system_id for one in issues if one.system_id is not None}
    rows = await list_visible(ctx.db, ctx.tenant_id, ctx.scope, sorted(wanted)) if wanted else []
    return {system.id: system for system in rows}


@plugin.tool("system.issues", effect="read", rules=[READ], output_trust="mixed")
class WhatIsWrong:
    """Find everything that is wrong right now, from every source, by system, the worst first.

    Sources are failing checks, open incidents, exhausted error budgets and what else is
    contributed. Ask this first when somebody wants to know whether all is well. Say which sources
    `couldNotCheck` and `notAccessible` name: about those nothing is known. With `systemId` only
    what concerns that system; find the id with catalog.listSystems.
    """

    title = "What is wrong"
    Input = IssueQuery
    examples = ("What is wrong right now?",)

    async def execute(self, ctx: Context, given: IssueQuery) -> Result:
        report = await ctx.call(list_issues, given)
        shown = report.model_dump(mode="json", by_alias=True)
        return Result(shown, trust="mixed" if is_quoting(report) else "trusted")
