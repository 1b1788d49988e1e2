"""Where a tool's code finds the way out open: never inside a transaction that holds something."""

from typing import Any

import pytest

from assent.actions.run_tool import execute_read, preview_call
from assent.db.database import Database
from assent.plugins.procedure import Context
from assent.tools.tool import Preview, Result, Tool
from tests.store.actions.world import build_means
from tests.unit.tools.samples import build_principal, build_tool


async def say(ctx: Context, _given: Any) -> Result:
    return Result(ctx.http.is_open)


async def show(ctx: Context, _given: Any) -> Preview:
    return Preview(summary=str(ctx.http.is_open), creates={})


def build(effect: str, *, egress: bool, external: bool) -> Tool:
    return build_tool(
        "bank.look",
        effect=effect,
        egress=egress,
        external=external,
        rules=(),
        execute=say,
        dry_run=show,
    )


@pytest.mark.parametrize(
    ("egress", "external", "is_open"),
    [(False, False, False), (True, False, True), (False, True, True), (True, True, True)],
)
async def test_reads(database: Database, egress: bool, external: bool, is_open: bool) -> None:
    means = build_means(database)
    tool = build("read", egress=egress, external=external)
    assert (await execute_read(means, tool, build_principal(), {})).value is is_open


@pytest.mark.parametrize(
    ("effect", "egress", "external", "summary"),
    [
        ("read", True, False, "False"),
        ("read", True, True, "False"),
        ("mutate", False, False, "False"),
        ("mutate", True, False, "False"),
        ("mutate", True, True, "True"),
    ],
)
async def test_dry_runs(
    database: Database, effect: str, egress: bool, external: bool, summary: str
) -> None:
    """Before the decision nothing that the model wrote goes out; a change may look around."""
    means = build_means(database)
    tool = build(effect, egress=egress, external=external)
    assert (await preview_call(means, tool, build_principal(), {})).summary == summary


async def test_applying_in_our_own_database(database: Database) -> None:
    means = build_means(database)
    tool = build("mutate", egress=True, external=False)
    async with means.database.transaction() as db:
        assert not (await means.open_context(db, build_principal(), tool)).http.is_open
