"""A database edited by hand is found out, whichever column it was."""

from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest
import pytest_asyncio

from assent.audit.check import verify_lines
from assent.audit.export import read_items
from assent.audit.head import KeptHead
from assent.audit.lines import encode_line
from assent.audit.report import Report
from assent.audit.seal import Sealer
from assent.audit.store import find_last_head
from assent.db.database import Database
from assent.ids import new_id
from tests.store.audit.steps import SIGNING, add_entries, list_faults, verify
from tests.store.work.steps import execute, fetch

COLUMNS = {
    "id": "gen_random_uuid()",
    "tenant_id": "gen_random_uuid()",
    "occurred_at": "occurred_at + interval '1 microsecond'",
    "edge": "'mcp'",
    "action": "action || ' '",
    "effect": "'read'",
    "status": "'refused'",
    "principal_kind": "'service'",
    "principal_id": "NULL",
    "principal_name": "'Somebody else'",
    "arguments_hash": "sha256('other')",
    "decider_kind": "'service'",
    "decider_id": "principal_id",
    "decider_name": "NULL",
    "conversation_id": "NULL",
    "run_id": "conversation_id",
    "proposal_id": "gen_random_uuid()",
    "position": "4711",
    "link": "sha256('other')",
}
LIST_COLUMNS = "SELECT column_name FROM information_schema.columns WHERE table_name = $1"


@pytest_asyncio.fixture
async def tenant_id(database: Database) -> UUID:
    """Somebody with six entries under three heads."""
    made = new_id()
    for _ in range(3):
        await add_entries(database, made, 2)
        await Sealer(database, SIGNING).seal_all()
    return made


async def test_every_column_is_covered(database: Database) -> None:
    rows = await fetch(database, LIST_COLUMNS, "audit_entries")
    assert {row["column_name"] for row in rows} == set(COLUMNS)


@pytest.mark.parametrize("column", COLUMNS)
async def test_a_changed_column(database: Database, tenant_id: UUID, column: str) -> None:
    statement = f"UPDATE audit_entries SET {column} = {COLUMNS[column]} WHERE position = 3"
    await execute(database, statement)
    expected = {
        "tenant_id": [("removed", 3, 3)],
        "position": [("removed", 3, 3), ("unsigned", 4711, 4711)],
    }
    faults = list_faults(await verify(database, tenant_id))
    assert faults == expected.get(column, [("changed", 3, 3)])


@pytest.mark.parametrize(
    "moment", ["'infinity'", "'-infinity'", "'4000-01-01 BC'", "'200000-01-01'"]
)
async def test_a_moment_that_no_program_writes(
    database: Database, tenant_id: UUID, moment: str
) -> None:
    await execute(database, f"UPDATE audit_entries SET occurred_at = {moment} WHERE position = 2")
    assert list_faults(await verify(database, tenant_id)) == [("changed", 2, 2)]


async def test_the_same_moment_before_christ(database: Database, tenant_id: UUID) -> None:
    statement = """
    UPDATE audit_entries SET occurred_at = CAST(
        to_char(occurred_at AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS.US') || '+00 BC'
        AS timestamptz)
    WHERE position = 2
    """
    await execute(database, statement)
    assert list_faults(await verify(database, tenant_id)) == [("changed", 2, 2)]


STATEMENTS = {
    "a removed entry": ("DELETE FROM audit_entries WHERE position = 4", [("removed", 4, 4)]),
    "a removed batch": (
        "DELETE FROM audit_entries WHERE position IN (3, 4)",
        [("removed", 3, 4)],
    ),
    "an entry taken out of the chain": (
        "UPDATE audit_entries SET position = NULL, link = NULL WHERE position = 4",
        [("removed", 4, 4)],
    ),
    "a removed head": ("DELETE FROM audit_heads WHERE position = 4", [("head", 3, 6)]),
    "a later head": (
        "UPDATE audit_heads SET signed_at = signed_at + interval '1 day' WHERE position = 2",
        [("head", 2, 2)],
    ),
    "the last heads removed": (
        "DELETE FROM audit_heads WHERE position > 2",
        [("unsigned", 3, 6)],
    ),
}


@pytest.mark.parametrize("what", STATEMENTS)
async def test_rows_that_were_touched(database: Database, tenant_id: UUID, what: str) -> None:
    statement, expected = STATEMENTS[what]
    await execute(database, statement)
    assert list_faults(await verify(database, tenant_id)) == expected


async def test_a_log_cut_back_is_found_with_a_kept_head(
    database: Database, tenant_id: UUID
) -> None:
    async with database.transaction(read_only=True) as db:
        head = await find_last_head(db, tenant_id)
    assert head is not None
    kept = [KeptHead(tenant_id, head.position, head.link)]
    assert (await verify(database, tenant_id, kept=kept)).is_sound
    await execute(database, "DELETE FROM audit_heads WHERE position > 2")
    await execute(database, "DELETE FROM audit_entries WHERE position > 2")
    assert (await verify(database, tenant_id)).is_sound
    assert list_faults(await verify(database, tenant_id, kept=kept)) == [("cut_off", 3, 6)]
    await add_entries(database, tenant_id, 4)
    await Sealer(database, SIGNING).seal_all()
    assert list_faults(await verify(database, tenant_id, kept=kept)) == [("kept_head", 6, 6)]


async def export(database: Database, tenant_id: UUID, since: datetime | None = None) -> list[str]:
    async with database.transaction(read_only=True, isolation="repeatable_read") as db:
        items = read_items(db, {tenant_id: "log"}, keys=SIGNING.list_public_keys(), since=since)
        return [encode_line(item) async for item in items]


async def test_an_export_from_a_moment_on(database: Database, tenant_id: UUID) -> None:
    def check(lines: list[str]) -> Report:
        return verify_lines(lines, (), ())

    moments = await fetch(
        database, "SELECT occurred_at FROM audit_entries WHERE tenant_id = $1 ORDER BY 1", tenant_id
    )
    for index, after in ((0, 0), (1, 0), (2, 2), (5, 4)):
        report = check(await export(database, tenant_id, moments[index]["occurred_at"]))
        [(_, log)] = report.logs
        assert (report.is_sound, log.after, log.through) == (True, after, 6)
    await add_entries(database, tenant_id, 1)
    later = datetime.now(UTC) + timedelta(days=1)
    [(_, log)] = check(await export(database, tenant_id, later)).logs
    assert (log.findings, log.after, log.unsealed) == ((), 6, 1)
    lines = await export(database, tenant_id, moments[2]["occurred_at"])
    without_start = [line for line in lines if '"position":2,' not in line]
    assert len(without_start) == len(lines) - 1
    assert not check(without_start).is_sound
