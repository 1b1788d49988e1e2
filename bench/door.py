"""What the door costs: a tool call that reads, and a change from its proposal to its application.

The limits in the same run and on the same durable Postgres: the SQL that the tool runs, alone, and
a transaction with one insert for each time that the door has to commit.
"""

import asyncio
import statistics
import tempfile
import time
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from uuid import UUID, uuid4

from assent.actions.apply import apply
from assent.actions.budget import Budget
from assent.actions.call import Proposed, Ran, ToolCall, call_tool
from assent.actions.decide import Decision, issue_token
from assent.actions.means import Means
from assent.actions.proposal import Place
from assent.bundled.catalog.store.systems import LIST
from assent.db.database import Database, open_database
from assent.db.embedded import EmbeddedPostgres
from assent.identity.principal import Principal
from assent.main import load_all_plugins, open_parts, prepare
from assent.settings import Settings
from assent.telemetry.telemetry import Telemetry
from assent.vault.master_key import open_key_source
from assent.vault.vault import Vault

ROUNDS = 300
AT_ONCE = 4
COMMITS = 4
"""The budget, the proposal, the token, the change."""

Deed = Callable[[int], Awaitable[object]]


class Office:
    """A person who proposes and applies, without HTTP in between."""

    def __init__(self, means: Means, person: Principal, system_ids: list[UUID]) -> None:
        self.means = means
        self.person = person
        self.system_ids = system_ids

    async def read(self, _number: int) -> None:
        answer = await call_tool(self.means, self._call("catalog.listSystems", {}))
        assert isinstance(answer, Ran)

    async def change(self, number: int) -> None:
        given = {
            "systemId": str(self.system_ids[number % len(self.system_ids)]),
            "description": str(uuid4()),
        }
        answer = await call_tool(self.means, self._call("catalog.updateSystem", given))
        assert isinstance(answer, Proposed)
        issued = await issue_token(self.means, self.person, answer.proposal.id)
        decision = Decision(self.person, answer.proposal.id, issued.token)
        assert (await apply(self.means, decision)).state == "applied"

    def _call(self, name: str, arguments: dict[str, object]) -> ToolCall:
        return ToolCall(
            name=name, arguments=arguments, principal=self.person, place=Place(edge="rest")
        )


class Limits:
    """The least that the database has to do for the same."""

    def __init__(self, database: Database, tenant_id: UUID) -> None:
        self.database = database
        self.tenant_id = tenant_id

    async def read(self, _number: int) -> None:
        arguments = [self.tenant_id, True, [], [], None, "", None, None, 51, None, None]
        async with self.database.connection() as db:
            await db.fetch(LIST, *arguments)

    async def change(self, _number: int) -> None:
        for _ in range(COMMITS):
            async with self.database.transaction() as db:
                await db.execute("INSERT INTO bench VALUES ($1)", uuid4())


async def measure(deed: Deed, *, at_once: int) -> tuple[float, float]:
    """The median and the 99th percentile of the time that one takes, in milliseconds."""
    times: list[float] = []

    async def work(lane: int) -> None:
        for _ in range(ROUNDS // at_once):
            started = time.perf_counter()
            await deed(lane)
            times.append(1000 * (time.perf_counter() - started))

    await asyncio.gather(*(work(lane) for lane in range(at_once)))
    return statistics.median(times), statistics.quantiles(times, n=100)[98]


async def compare(database: Database, settings: Settings) -> None:
    loaded = load_all_plugins(settings)
    vault = Vault(open_key_source(settings))
    await prepare(database, settings=settings, loaded=loaded, vault=vault, demo=True)
    async with open_parts(
        database, settings=settings, loaded=loaded, vault=vault, telemetry=Telemetry()
    ) as parts:
        await compare_with(database, parts.means)


async def compare_with(database: Database, given: Means) -> None:
    async with database.transaction() as db:
        await db.execute("CREATE TABLE bench (id uuid PRIMARY KEY)")
        tenant_id = await db.fetchval("SELECT id FROM tenants")
        user = await db.fetchrow("SELECT id, name FROM users")
        systems = await db.fetch("SELECT id FROM catalog.systems")
    assert user is not None
    person = Principal(
        kind="user",
        id=user["id"],
        tenant_id=tenant_id,
        name=user["name"],
        rules=frozenset({"*"}),
        session_id=uuid4(),
    )
    means = replace(given, budget=Budget(calls=60, window=timedelta(milliseconds=1)))
    office = Office(means, person, [row["id"] for row in systems])
    limits = Limits(database, tenant_id)
    for name, ours, limit in (
        ("read", office.read, limits.read),
        ("propose and apply", office.change, limits.change),
    ):
        for at_once in (1, AT_ONCE):
            await measure(limit, at_once=at_once)
            least, _ = await measure(limit, at_once=at_once)
            middle, worst = await measure(ours, at_once=at_once)
            print(
                f"{name:>18}, {at_once} at once: {middle:6.2f} ms (p99 {worst:6.2f}), "
                f"the limit {least:5.2f} ms, {middle / least:5.1f} times"
            )


async def run(url: str, folder: Path) -> None:
    settings = Settings.model_validate(
        {"data_dir": folder, "database_url": url, "master_key": "11" * 32}
    )
    database = await open_database(url, pool_size=10)
    try:
        await compare(database, settings)
    finally:
        await database.close()


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="assent-bench-", ignore_cleanup_errors=True) as folder:
        postgres = EmbeddedPostgres(Path(folder))
        try:
            asyncio.run(run(postgres.start().url, Path(folder)))
        finally:
            postgres.stop()


if __name__ == "__main__":
    main()
