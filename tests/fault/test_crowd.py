"""Many followers at real servers over real TCP: those who read get all of it, those who do not are
held cheaply and not for ever, and those who vanish leave nothing.
"""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from uuid import UUID

import pytest

from assent.runs.events import HEARTBEAT
from assent.testing import Databases
from assent.testing.provider import Scripted, end, stream, text
from tests.fault.crowd import Idlers, Watched, encode_get, many_files, read_all
from tests.fault.door_bench import move_client
from tests.fault.fleet import Fleet, run_fleet
from tests.fault.run_process import SETTINGS
from tests.patience import wait_until
from tests.turn.people import expect, fetch
from tests.turn.talk import Streamed, Talk, open_talk, parse_stream

FOLLOWERS = "assent_followers"
PAGES = "assent_event_followers"
BUSY = 'assent_database_connections{state="busy"}'
BEGUN, *REST = [
    [f"{number} ".ljust(4000, "𝄞") for number in range(first, first + 60)]
    for first in (0, 60, 120, 180)
]
"""As much as one answer may have, in characters of four bytes, and three that go on from it."""
HELD_BYTES = 800_000
"""For each who does not read: far less than there is to read, and than memory keeps of it."""
UNREAD_SECONDS = 10
SILENT = Scripted((*stream(text("Well, ")).steps[:-1], *(b": still here\n\n", 1.0) * 600))
OTHER_FILES = 20
"""Connections to the database and of those who only ask."""
RUN = "SELECT conversation_id, status FROM runs WHERE id = $1"


@dataclass(frozen=True, slots=True)
class Scene:
    """A server process that people follow at; `talk` is for everything else."""

    talk: Talk
    fleet: Fleet
    server: Watched

    @property
    def port(self) -> int:
        return self.fleet.ports[0]

    async def start(self, *answers: Scripted) -> UUID:
        """A turn in a conversation of its own."""
        self.talk.provider.script(*answers)
        url = f"/api/conversations/{await self.talk.open()}/messages"
        sent = {"message": {"text": "Talk"}}
        return UUID(expect(await self.talk.client.post(url, json=sent), 202)["runId"])

    async def wait_for_text(self, run_id: UUID, words: str) -> None:
        [row] = await fetch(self.talk.server, RUN, run_id)
        await self.talk.wait_for_text(str(row["conversation_id"]), words)

    async def find_status(self, run_id: UUID) -> str:
        [row] = await fetch(self.talk.server, RUN, run_id)
        return row["status"]

    def ask_for(self, run_id: UUID) -> bytes:
        return encode_get(self.talk.client, f"/api/runs/{run_id}/stream")

    async def read(self, run_id: UUID) -> Streamed:
        pieces = [one async for one in read_all(self.port, self.ask_for(run_id))]
        return parse_stream(b"".join(pieces).decode())

    async def digest(self, run_id: UUID) -> str:
        """What a follower got, heartbeats aside, in few bytes."""
        found = sha256()
        async for piece in read_all(self.port, self.ask_for(run_id)):
            found.update(piece if piece != HEARTBEAT else b"")
        return found.hexdigest()

    async def talk_once(self) -> Streamed:
        return await self.read(await self.start(stream(text("Hello."), end())))

    async def gather(self, run_id: UUID, each: int) -> list[Idlers]:
        """Twice so many followers of the run, and twice so many open pages."""
        requests = [self.ask_for(run_id), encode_get(self.talk.client, "/api/events")] * 2
        crowds = [Idlers() for _ in requests]
        for idlers, request in zip(crowds, requests, strict=True):
            await idlers.join(self.port, request, each)
        for gauge in (FOLLOWERS, PAGES):
            await self.server.wait_for(gauge, 2 * each)
        return crowds

    async def wait_until_alone(self, files: int) -> None:
        """Until nobody follows anything, and no connection of theirs is left."""
        for gauge in (FOLLOWERS, PAGES):
            await self.server.wait_for(gauge, 0)

        async def look() -> bool:
            return self.server.files < files + OTHER_FILES

        await wait_until(look)


@asynccontextmanager
async def open_scene(databases: Databases, folder: Path, *, drives: bool) -> AsyncGenerator[Scene]:
    """The server drives turns itself, or follows those of a worker."""
    shared = {
        key: value for key, value in SETTINGS.items() if key not in ("demo_pace", "tool_calls")
    }
    async with open_talk(databases, background_work=False, **shared) as talk:
        with run_fleet(
            talk.server.database.url,
            folder,
            1,
            ASSENT_BACKGROUND_WORK=str(drives).lower(),
            ASSENT_UNREAD_SECONDS=str(UNREAD_SECONDS),
            ASSENT_LEASE_SECONDS="10",
        ) as fleet:
            if not drives:
                await asyncio.to_thread(fleet.add_worker)
            [(port, process)] = fleet.processes.items()
            async with move_client(talk.client, f"http://127.0.0.1:{port}") as client:
                yield Scene(talk, fleet, Watched(client, process.pid))


@pytest.mark.parametrize("drives", [True, False], ids=["of its own run", "of another's run"])
async def test_half_of_two_hundred_followers_read_nothing(
    databases: Databases, tmp_path: Path, drives: bool
) -> None:
    async with open_scene(databases, tmp_path, drives=drives) as scene:
        server, may_go_on = scene.server, asyncio.Event()
        begun = (*stream(text(*BEGUN)).steps[:-1], may_go_on, *stream(end("length")).steps)
        rest = [stream(text(*part), end("length")) for part in REST[:-1]]
        run_id = await scene.start(Scripted(begun), *rest, stream(text(*REST[-1]), end()))
        await scene.wait_for_text(run_id, BEGUN[-1][:8])
        files, staying, vanishing = server.files, Idlers(), Idlers()
        async with asyncio.TaskGroup() as group:
            readers = [group.create_task(scene.digest(run_id)) for _ in range(100)]
            await server.wait_for(FOLLOWERS, 100)
            memory = server.memory
            for idlers in (staying, vanishing):
                await idlers.join(scene.port, scene.ask_for(run_id), 50)
            await server.wait_for(FOLLOWERS, 200)
            await server.wait_for(BUSY, 0)
            may_go_on.set()
        assert server.memory - memory < 100 * HELD_BYTES
        assert await scene.find_status(run_id) == "completed"
        assert (await scene.read(run_id)).text == "".join(sum(REST, BEGUN))
        assert {one.result() for one in readers} == {await scene.digest(run_id)}
        vanishing.vanish()
        await scene.wait_until_alone(files)
        staying.close()
        assert (await scene.talk_once()).text == "Hello."


@pytest.mark.parametrize(
    ("count", "drives"),
    [
        (1000, False),
        pytest.param(10_000, True, marks=pytest.mark.deep),
        pytest.param(10_000, False, marks=pytest.mark.deep),
    ],
)
async def test_idle_followers_vanish_at_once(
    databases: Databases, tmp_path: Path, count: int, drives: bool
) -> None:
    """What is freed stays with the process for the next ones: so they come three times."""
    with many_files(count):
        async with open_scene(databases, tmp_path, drives=drives) as scene:
            run_id = await scene.start(SILENT)
            await scene.wait_for_text(run_id, "Well")
            files, memory = scene.server.files, [scene.server.memory]
            for _ in range(3):
                crowds = await scene.gather(run_id, count // 4)
                memory.append(scene.server.memory)
                for one in crowds[:2]:
                    one.vanish()
                for one in crowds[2:]:
                    one.leave()
                await scene.wait_until_alone(files)
                for one in crowds[2:]:
                    one.close()
            nobody, first, _, third = memory
            assert third - first < (first - nobody) / 4, memory
            assert await scene.find_status(run_id) == "running"
            assert (await scene.talk_once()).text == "Hello."
