"""Two workers run the same checks, and one of them is killed in the middle of it."""

import asyncio
import re
import signal
from collections import Counter
from collections.abc import AsyncGenerator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest_asyncio

from assent.testing import Databases, RunningServer, run_server
from tests.fault.server_process import ServerProcess
from tests.patience import wait_until
from tests.turn.health import Clinic, Patient, run_patient
from tests.turn.people import execute, fetch, find_tenant

KEY = "cd" * 32
CHECKS = 10
INTERVAL = 10
"""Long enough that a run waits for the patient until its worker is killed, on any machine."""
SHORTEST = 5
ROUNDS = 3
WORKS = """
SELECT id, owner, state, payload ->> 'checkId' AS check_id, payload ->> 'dueAt' AS due_at
FROM work WHERE kind = 'work:healthcheck:run_check'
"""
RUNS = "SELECT check_id::text, due_at, started_at FROM healthcheck.runs ORDER BY due_at"
EXPIRE = "UPDATE work SET lease_until = now() WHERE id = ANY ($1::uuid[])"
PATH = re.compile(r"GET /(\d+)/status ")


@dataclass(slots=True)
class Ward:
    """Checks of one patient, and the workers that look after it."""

    clinic: Clinic
    patient: Patient
    folder: Path
    url: str
    interval: int = INTERVAL
    lease: int = 120
    """So long that nobody takes anything over before it is told to."""
    checks: dict[str, int] = field(default_factory=dict[str, int])
    workers: list[ServerProcess] = field(default_factory=list[ServerProcess])

    async def add_worker(self) -> ServerProcess:
        worker = ServerProcess(
            "worker",
            "--database-url",
            self.url,
            folder=self.folder,
            ASSENT_MASTER_KEY=KEY,
            ASSENT_LEASE_SECONDS=str(self.lease),
        )
        self.workers.append(worker)
        await asyncio.to_thread(worker.wait_for, "Working")
        return worker

    async def list_works(self) -> list[dict[str, Any]]:
        return await fetch(self.clinic.server, WORKS)

    async def list_runs(self) -> list[tuple[str, str]]:
        rows = await fetch(self.clinic.server, RUNS)
        return [(row["check_id"], row["due_at"].isoformat()) for row in rows]

    def count_asked(self) -> Counter[int]:
        found = (PATH.match(head) for head in self.patient.asked)
        return Counter(int(one[1]) for one in found if one)


@pytest_asyncio.fixture
async def ward(databases: Databases, tmp_path: Path) -> AsyncGenerator[Ward]:
    settings = {"background_work": False, "master_key": KEY}
    async with (
        databases.copy() as url,
        run_server(url, **settings) as server,
        run_patient() as patient,
    ):
        # Too few places in one process for all checks, so that both have some.
        (tmp_path / "assent.toml").write_text(f"plugin_concurrency = {CHECKS - 2}\n")
        ward = Ward(await build_clinic(server), patient, tmp_path, url)
        try:
            yield ward
        finally:
            for worker in ward.workers:
                if worker.process.poll() is None:
                    worker.end(signal.SIGKILL)


async def build_clinic(server: RunningServer) -> Clinic:
    tenant = await find_tenant(server)
    return Clinic(server, tenant.admin.client, str(tenant.workspace_id))


async def fill(ward: Ward) -> None:
    for number in range(CHECKS):
        times = {"intervalSeconds": ward.interval, "timeoutMs": ward.interval * 1000}
        check = await ward.clinic.add(f"{ward.patient.url}/{number}", **times)
        ward.checks[check["id"]] = number


async def test_one_of_two_workers_is_killed(ward: Ward) -> None:
    await fill(ward)
    victim, _ = await ward.add_worker(), await ward.add_worker()
    await wait_for_all(ward)
    left = await kill_in_the_middle(ward, victim)
    assert left

    later = {one["check_id"]: one["due_at"] for one in left}

    async def went_on() -> bool:
        runs = await ward.list_runs()
        return all(any(c == check and due > at for c, due in runs) for check, at in later.items())

    await wait_until(went_on)
    works = {one["id"]: one for one in await ward.list_works()}
    assert {works[one["id"]]["state"] for one in left} == {"running"}, "nobody waited for them"

    await execute(ward.clinic.server, EXPIRE, [one["id"] for one in left])

    await wait_for_works(ward, left)
    await asyncio.to_thread(ward.workers[1].end, signal.SIGTERM)
    await check_books(ward, left)


async def test_one_after_another_is_killed_at_the_shortest_interval(ward: Ward) -> None:
    """With leases as they are by default, longer than the interval: nobody is told anything."""
    ward.interval, ward.lease = SHORTEST, 10
    await fill(ward)
    for _ in range(2):
        await ward.add_worker()
    await wait_for_all(ward)
    left: list[dict[str, Any]] = []
    for _ in range(ROUNDS):
        left += await kill_in_the_middle(ward, ward.workers[-2])
        await ward.add_worker()
    await wait_for_works(ward, left)
    for worker in ward.workers[-2:]:
        await asyncio.to_thread(worker.end, signal.SIGTERM)
    await check_books(ward, left)


async def wait_for_all(ward: Ward) -> None:
    async def all_ran() -> bool:
        return set(ward.checks) == {check for check, _ in await ward.list_runs()}

    await wait_until(all_ran)


async def wait_for_works(ward: Ward, left: list[dict[str, Any]]) -> None:
    async def taken_over() -> bool:
        works = {one["id"]: one for one in await ward.list_works()}
        return all(works[one["id"]]["state"] == "done" for one in left)

    await wait_until(taken_over)


async def kill_in_the_middle(ward: Ward, victim: ServerProcess) -> list[dict[str, Any]]:
    """Kill one while both wait for the patient; what it held is left behind."""
    ward.patient.held = asyncio.Event()

    async def both_busy() -> list[dict[str, Any]] | None:
        running = [one for one in await ward.list_works() if one["state"] == "running"]
        return running if len({one["owner"] for one in running}) == 2 else None

    held = {one["id"] for one in await wait_until(both_busy)}
    await asyncio.to_thread(victim.end, signal.SIGKILL)
    owners = Counter(one["owner"] for one in await ward.list_works() if one["id"] in held)
    ward.patient.held.set()
    ward.patient.held = None

    async def others_done() -> list[dict[str, Any]] | None:
        works = [one for one in await ward.list_works() if one["id"] in held]
        running = [one for one in works if one["state"] == "running"]
        return running if len({one["owner"] for one in running}) == 1 else None

    left = await wait_until(others_done)
    assert len(left) <= max(owners.values())
    return left


async def check_books(ward: Ward, left: list[dict[str, Any]]) -> None:
    """Every due time that was handed out has its one run, and none is missing in between."""
    runs = await ward.list_runs()
    assert len(runs) == len(set(runs))
    done = [
        parse((one["check_id"], one["due_at"]))
        for one in await ward.list_works()
        if one["state"] == "done"
    ]
    assert sorted(done) == sorted(parse(one) for one in runs)
    assert {parse((one["check_id"], one["due_at"])) for one in left} <= set(done)
    asked = ward.count_asked()
    for check, number in ward.checks.items():
        due = [datetime.fromisoformat(at) for one, at in runs if one == check]
        gaps = {later - earlier for earlier, later in pairwise(due)}
        assert gaps == {timedelta(seconds=ward.interval)}, "no gap beyond one interval"
        lost = sum(one["check_id"] == check for one in left)
        assert len(due) <= asked[number] <= len(due) + lost, "no due time was looked at twice"


def parse(one: tuple[str, str]) -> tuple[str, str]:
    check, due_at = one
    return check, due_at.replace("Z", "+00:00")
