"""Two real server processes behind a real nginx with the configuration in deploy/: whatever
happens to one of them, people come through.
"""

import asyncio
import signal
from collections.abc import AsyncGenerator
from dataclasses import dataclass, replace
from pathlib import Path

import httpx2
import pytest
import pytest_asyncio

from assent.identity.first_start import make_first_link
from assent.runs.events import TextPiece, parse_event
from assent.testing import Client, Databases
from tests.fault.fleet import Fleet, Proxy, run_fleet, run_nginx
from tests.fault.stage import (
    PATIENCE,
    Stage,
    follow_run,
    open_stage,
    read_frames,
    wait_until_over,
    wait_until_spoken,
)
from tests.fault.story import Dictation
from tests.turn.people import expect, fetch

SYSTEMS = "/api/p/catalog/systems"
LIST_SYSTEMS = "SELECT name FROM catalog.systems"


@dataclass(frozen=True, slots=True)
class Town:
    stage: Stage
    fleet: Fleet
    proxy: Proxy

    def open_client(self) -> Client:
        """The stage's person, through the proxy: the session is the same, its cookie's name not."""
        [token] = self.stage.desk.client.cookies.values()
        return self.proxy.open_client({"__Host-assent_session": token})

    async def restart(self, port: int, how: signal.Signals) -> None:
        await asyncio.to_thread(self.fleet.processes[port].end, how)
        await asyncio.to_thread(self.fleet.start(port).wait_ready)


@pytest_asyncio.fixture(scope="module")
async def town(
    databases: Databases, tmp_path_factory: pytest.TempPathFactory
) -> AsyncGenerator[Town]:
    folder: Path = tmp_path_factory.mktemp("town")
    async with databases.copy() as url, open_stage(url) as stage:
        with (
            run_fleet(url, folder, 2) as fleet,
            run_nginx(fleet.ports, folder / "nginx") as proxy,
        ):
            yield Town(stage, fleet, proxy)


async def test_the_address_without_encryption_leads_to_the_other(town: Town) -> None:
    async with Client(town.proxy.plain_url) as client:
        answer = await client.get("/p/catalog?a=b")
    assert answer.status_code == 308
    assert answer.headers["location"] == "https://127.0.0.1/p/catalog?a=b"


async def test_a_person_signs_in(town: Town) -> None:
    link = await make_first_link(town.stage.desk.server.database, always=True)
    assert link is not None
    async with town.proxy.open_client() as client:
        signed_in = await client.get(f"/login?token={link.token}")
        assert signed_in.status_code == 303
        [cookie] = signed_in.headers.get_list("set-cookie")
        assert cookie.startswith("__Host-assent_session=")
        assert "; Secure" in cookie
        own = {"origin": town.proxy.url}
        for _ in range(4):
            expect(await client.get("/api/me"), 200)
            assert (await client.post("/api/conversations", json={}, headers=own)).is_success
        foreign = {"origin": "https://evil.example"}
        expect(await client.post("/api/conversations", json={}, headers=foreign), 403)
        assert set(town.proxy.list_answers("/api/.*")) == set(town.fleet.ports)
    assert link.token not in (town.proxy.folder / "access.log").read_text()


async def test_sizes_are_the_servers_matter(town: Town) -> None:
    async with town.open_client() as client:
        body = {"title": "a" * 3_000_000}
        refused = await client.post("/api/conversations", json=body)
        assert expect(refused, 413)["code"] == "too_large"
        assert (await client.get("/metrics")).status_code == 404


async def test_words_arrive_while_the_answer_is_being_made(town: Town) -> None:
    """Each word is said only when the one before has arrived here."""
    told = Dictation("dictation1", words=40)
    town.stage.library.stories[told.name] = told
    _, run_id = await town.stage.ask_for(told.name)
    text = ""
    async with (
        asyncio.timeout(PATIENCE),
        town.open_client() as client,
        client.stream("GET", f"/api/runs/{run_id}/stream") as answer,
    ):
        async for _, data in read_frames(answer):
            if isinstance(event := parse_event(data), TextPiece):
                text += event.delta
                told.heard = text.count("word")
    assert told.heard == told.words


async def test_a_follower_goes_on_at_either_process(town: Town) -> None:
    """It hangs up after every other word; nothing is missing and nothing comes twice."""
    told = Dictation("dictation2", words=30)
    town.stage.library.stories[told.name] = told
    _, run_id = await town.stage.ask_for(told.name)
    path, last, text, numbers = f"/api/runs/{run_id}/stream", "", "", list[int]()
    async with asyncio.timeout(PATIENCE), town.open_client() as client:
        while told.heard < told.words:
            headers = {"last-event-id": last} if last else {}
            before = told.heard
            async with client.stream("GET", path, headers=headers) as answer:
                async for event_id, data in read_frames(answer):
                    last = event_id
                    numbers.append(int(event_id.rpartition(":")[2]))
                    if isinstance(event := parse_event(data), TextPiece):
                        text += event.delta
                        told.heard = text.count("word")
                    if told.heard >= before + 2:
                        break
    assert numbers == list(range(1, len(numbers) + 1))
    assert set(town.proxy.list_answers(path)) == set(town.fleet.ports)


async def test_a_process_is_killed_in_the_middle_of_its_streams(town: Town) -> None:
    """It drives and sends all of them, for it was alone when they began."""
    first, second = town.fleet.ports
    await asyncio.to_thread(town.fleet.processes[second].end, signal.SIGKILL)
    turns = [await town.stage.start_turn(pause=0.5) for _ in range(4)]
    async with asyncio.TaskGroup() as group:
        seen = [group.create_task(follow_run(one.run_id, town.open_client)) for one in turns]
        await asyncio.to_thread(town.fleet.start(second).wait_ready)
        await wait_until_spoken(town.stage, turns)
        for one in turns:
            town.stage.library.stories[one.story.name] = replace(one.story, pause=0.01)
        await asyncio.to_thread(town.fleet.processes[first].end, signal.SIGKILL)
    await wait_until_over(town.stage)
    for one, parts in zip(turns, seen, strict=True):
        await one.check(parts.result())
    await asyncio.to_thread(town.fleet.start(first).wait_ready)


async def test_a_rolling_restart_is_not_noticed(town: Town) -> None:
    """One process after the other, under load: no request fails, and every turn ends once."""
    over = asyncio.Event()
    failures: list[str] = []
    made: list[str] = []
    turns = [await town.stage.start_turn(pause=0.3) for _ in range(4)]
    async with asyncio.TaskGroup() as group:
        seen = [group.create_task(follow_run(one.run_id, town.open_client)) for one in turns]
        for person in range(4):
            group.create_task(load(town, person, over, made, failures))
        first, last = town.fleet.ports
        await town.restart(first, signal.SIGTERM)
        for one in turns:
            town.stage.library.stories[one.story.name] = replace(one.story, pause=0.01)
        await town.restart(last, signal.SIGTERM)
        over.set()
    assert failures == []
    await wait_until_over(town.stage)
    for one, parts in zip(turns, seen, strict=True):
        await one.check(parts.result())
    rows = await fetch(town.stage.desk.server, LIST_SYSTEMS)
    assert sorted(row["name"] for row in rows) == sorted(made) != []


async def load(
    town: Town, person: int, over: asyncio.Event, made: list[str], failures: list[str]
) -> None:
    """Read and change things as fast as they are answered."""
    number = 0
    async with town.open_client() as client:
        while not over.is_set():
            number += 1
            name = f"system-{person}-{number}"
            draft = {"workspaceId": str(town.stage.desk.tenant.workspace_id), "name": name}
            try:
                system = expect(await client.post(SYSTEMS, json=draft), 201)
                made.append(name)
                url = f"{SYSTEMS}/{system['id']}"
                expect(await client.get(url), 200)
                changed = {"description": "changed", "expectedVersion": system["version"]}
                expect(await client.patch(url, json=changed), 200)
            except (httpx2.TransportError, AssertionError) as failure:
                failures.append(repr(failure))
