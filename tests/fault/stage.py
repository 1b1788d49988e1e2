"""A stage for turns that lose their process: processes that drive them, and somebody who watches.

What a turn says is known in advance (`story.py`), so that its end can be checked whatever happened
on the way.
"""

import asyncio
import os
import signal
from collections import Counter
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from multiprocessing.process import BaseProcess
from typing import Any
from uuid import UUID

import httpx2

from assent.audit.entry import hash_arguments
from assent.runs.events import Abort, Failure, Finish, parse_event
from assent.runs.transcript import Part, Transcript, build_shown_parts
from assent.testing import Client, run_server
from assent.testing.provider import FakeProvider, run_provider
from tests.bank.accounts import count_effects
from tests.bank.desk import Desk, load_bank
from tests.fault.door_bench import Processes, move_client
from tests.fault.run_process import SETTINGS, drive
from tests.fault.story import Library, Story
from tests.store.work.steps import eventually
from tests.turn.people import expect, fetch, find_tenant

PATIENCE = 60
MANY_REQUESTS = 10_000
OWNERS = "SELECT owner FROM work WHERE kind = 'runs.drive' AND state = 'running'"
STORED = "SELECT parts FROM messages WHERE role = 'assistant' AND run_id = $1"
EXECUTED = """
SELECT run_id, encode(arguments_hash, 'hex') AS call FROM audit_entries
WHERE status = 'executed' AND run_id IS NOT NULL
"""
SPOKEN = "SELECT run_id FROM run_events GROUP BY run_id"
UNFINISHED = """
SELECT count(*) AS n FROM runs WHERE status IN ('queued', 'running')
"""


@dataclass(frozen=True, slots=True)
class Driver:
    """A process that drives turns."""

    process: BaseProcess
    url: str
    owners: frozenset[str]

    def signal(self, how: signal.Signals) -> None:
        assert self.process.pid is not None
        os.kill(self.process.pid, how)


@dataclass(slots=True)
class Stage:
    """Drivers, and a server in the test's own process that never drives anything."""

    desk: Desk
    provider: FakeProvider
    library: Library
    processes: Processes
    url: str
    settings: dict[str, Any] = field(default_factory=dict[str, Any])
    drivers: list[Driver] = field(default_factory=list[Driver])
    told: int = 0

    async def add_driver(self, **settings: Any) -> Driver:
        started = self.processes.start(drive, self.url, {**self.settings, **settings})
        said = await self.processes.first_word(*started)
        assert said is not None
        driver = Driver(started[0], said[0], frozenset(said[1]))
        self.drivers.append(driver)
        return driver

    def remove(self, driver: Driver) -> None:
        self.drivers.remove(driver)
        driver.process.join(PATIENCE)

    async def find_owner(self) -> Driver | None:
        for row in await fetch(self.desk.server, OWNERS):
            for driver in self.drivers:
                if str(row["owner"]) in driver.owners:
                    return driver
        return None

    async def wait_for_owner(self) -> Driver:
        found: list[Driver] = []

        async def is_there() -> bool:
            owner = await self.find_owner()
            found.extend([owner] if owner else [])
            return owner is not None

        await eventually(is_there, seconds=PATIENCE)
        return found[0]

    async def start_turn(self, *, pause: float = 0.01) -> "Turn":
        self.told += 1
        story = Story(f"story{self.told}", self.told * 10, await self.desk.open_account(), pause)
        self.library.stories[story.name] = story
        return Turn(self, story, *await self.ask_for(story.name))

    async def ask_for(self, name: str) -> tuple[str, UUID]:
        """The conversation and the run in which the story of that name is told."""
        client = self.desk.client
        draft = {"mode": "auto"}
        conversation = expect(await client.post("/api/conversations", json=draft), 201)["id"]
        url = f"/api/conversations/{conversation}"
        expect(await client.patch(url, json={"title": name}), 200)
        sent = {"message": {"text": f"Tell {name}."}}
        run = expect(await client.post(f"{url}/messages", json=sent), 202)["runId"]
        return conversation, UUID(run)


@dataclass(frozen=True, slots=True)
class Turn:
    stage: Stage
    story: Story
    conversation: str
    run_id: UUID

    async def list_stored_calls(self) -> set[str]:
        """Hashes of the calls whose results are stored now."""
        [row] = await fetch(self.stage.desk.server, STORED, self.run_id)
        return {
            hash_arguments(part["input"]).hex()
            for part in row["parts"]
            if part.get("state") == "output-available"
        }

    async def check(self, *followers: list[Part]) -> None:
        """It ended as if nothing had happened, for everybody."""
        desk = self.stage.desk
        view = expect(await desk.client.get(f"/api/conversations/{self.conversation}"), 200)
        assert view["status"] == "idle"
        url = f"/api/conversations/{self.conversation}/messages"
        [_, answer] = expect(await desk.client.get(url), 200)["items"]
        texts = [part["text"].strip() for part in answer["parts"] if part["type"] == "text"]
        assert "\n\n".join(texts) == self.story.text
        states = [part["state"] for part in answer["parts"] if part["type"] == "dynamic-tool"]
        assert states == ["output-available"] * 4
        assert await count_effects(desk.server.database, self.story.account_id) == 1
        for parts in followers:
            assert build_shown_parts(parts) == answer["parts"]


@asynccontextmanager
async def open_stage(url: str, **settings: Any) -> AsyncGenerator[Stage]:
    """With the bank's tools and a provider that tells stories; `settings` are for all processes."""
    library = Library()
    async with run_provider() as provider:
        provider.script(*[library.answer] * MANY_REQUESTS)
        given = {**SETTINGS, "background_work": False, **settings}
        with Processes() as processes:
            async with run_server(url, loaded=load_bank(), **given) as server:
                desk = Desk(server, await find_tenant(server))
                draft = {
                    "name": "Fake",
                    "baseUrl": provider.url,
                    "key": "k",
                    "defaultModel": "fake",
                    "classifier": False,
                }
                expect(await desk.client.post("/api/admin/integrations", json=draft), 201)
                yield Stage(desk, provider, library, processes, url, settings)


async def follow(turn: Turn, find_url: Callable[[], str]) -> list[Part]:
    """At whatever server, until there is an end."""
    person = turn.stage.desk.client
    return await follow_run(turn.run_id, lambda: move_client(person, find_url()))


async def follow_run(run_id: UUID, open_client: Callable[[], Client]) -> list[Part]:
    """As the page does it: when a response ends, on from the last event with another."""
    seen = Transcript()
    last: str | None = None
    while True:
        headers = {"last-event-id": last} if last else {}
        try:
            async with (
                open_client() as client,
                client.stream("GET", f"/api/runs/{run_id}/stream", headers=headers) as answer,
            ):
                if answer.status_code >= 500:
                    await asyncio.sleep(0.05)
                    continue
                assert answer.status_code == 200
                async for event_id, data in read_frames(answer):
                    event = parse_event(data)
                    seen.apply(event)
                    last = event_id
                    if isinstance(event, Finish | Abort | Failure):
                        return seen.parts
        except httpx2.TransportError:
            await asyncio.sleep(0.05)


async def read_frames(answer: httpx2.Response) -> AsyncGenerator[tuple[str, bytes]]:
    event_id = ""
    async for line in answer.aiter_lines():
        name, _, value = line.partition(": ")
        if name == "id":
            event_id = value
        elif name == "data" and value != "[DONE]":
            yield event_id, value.encode()


async def count_executions(stage: Stage) -> Counter[tuple[UUID, str]]:
    rows = await fetch(stage.desk.server, EXECUTED)
    return Counter((row["run_id"], row["call"]) for row in rows)


async def wait_until_spoken(stage: Stage, turns: list[Turn]) -> None:
    async def have_spoken() -> bool:
        spoken: set[UUID] = {row["run_id"] for row in await fetch(stage.desk.server, SPOKEN)}
        return all(one.run_id in spoken for one in turns)

    await eventually(have_spoken, seconds=PATIENCE)


async def wait_until_over(stage: Stage) -> None:
    async def is_over() -> bool:
        [row] = await fetch(stage.desk.server, UNFINISHED)
        return row["n"] == 0

    await eventually(is_over, seconds=PATIENCE)


async def load_answer(turn: Turn) -> Any:
    url = f"/api/conversations/{turn.conversation}/messages"
    return expect(await turn.stage.desk.client.get(url), 200)["items"]
