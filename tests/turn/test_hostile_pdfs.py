"""PDFs that are made to hurt their reader, sent to a real server: it stays alive and small."""

import asyncio
import os
from collections.abc import AsyncGenerator
from pathlib import Path

import pytest
import pytest_asyncio

from assent.conversations.pdf import PdfReading
from assent.testing import Databases
from assent.testing.provider import end, stream, text
from tests.patience import wait_until
from tests.turn.hostile_pdfs import HOSTILE, SHOWN, build_long_contents, write_page, write_stream
from tests.turn.people import expect
from tests.turn.talk import Talk, open_talk

HONEST = write_page(write_stream(SHOWN))
MOST_GROWTH = 96 * 1024 * 1024
READS_ITSELF = {"endless table"}
"""Of these the reader gets all that there is."""


@pytest_asyncio.fixture(scope="module")
async def talk(databases: Databases) -> AsyncGenerator[Talk]:
    async with open_talk(databases) as opened:
        yield opened


def measure() -> int:
    """Bytes of memory that this process, and with it the server, has."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def list_readers() -> list[str]:
    """Processes that read a PDF at this moment for this one."""
    found: list[str] = []
    for one in Path("/proc").glob("[0-9]*"):
        try:
            command = (one / "cmdline").read_text()
            parent = (one / "stat").read_text().rpartition(")")[2].split()[1]
        except OSError:
            continue
        if "pdf_child" in command and parent == str(os.getpid()):
            found.append(one.name)
    return found


@pytest.mark.parametrize("kind", HOSTILE)
async def test_each_becomes_a_file_and_the_server_goes_on(talk: Talk, kind: str) -> None:
    content = HOSTILE[kind]()
    before = measure()
    answer = await talk.client.post("/api/files", files={"file": (f"{kind}.pdf", content)})
    file = expect(answer, 201)
    assert (file["mediaType"], file["size"]) == ("application/pdf", len(content))
    assert measure() - before < MOST_GROWTH
    assert not list_readers()
    conversation = await talk.open()
    talk.provider.script(stream(text("Well."), end()))
    said = await talk.say(conversation, "Read it.", fileIds=[file["id"]])
    assert said.text == "Well."
    sent = str(talk.provider.requests[-1].body["messages"][-1]["content"])
    assert len(sent) < 1_000 and f"{kind}.pdf" in sent
    assert ("Hello" in sent) == (kind in READS_ITSELF)
    expect(await talk.client.get("/healthz"), 200)


async def test_an_honest_one_among_many_is_read(talk: Talk) -> None:
    """They wait for each other, and nobody for ever."""
    hostile = [HOSTILE[kind]() for kind in ("cycle", "wide tree", "character bomb", "encrypted")]

    async def send(content: bytes) -> str:
        answer = await talk.client.post("/api/files", files={"file": ("a.pdf", content)})
        return expect(answer, 201)["id"]

    *_, honest = await asyncio.gather(*map(send, [*hostile, HONEST]))
    conversation = await talk.open()
    talk.provider.script(stream(text("Well."), end()))
    await talk.say(conversation, "Read it.", fileIds=[honest])
    assert "Hello" in str(talk.provider.requests[-1].body["messages"][-1]["content"])


async def test_one_that_takes_too_long_is_ended_with_its_process() -> None:
    hurried = PdfReading(seconds=0.01)
    assert await hurried.extract(build_long_contents()) is None
    assert not list_readers()


async def test_whoever_leaves_takes_the_process_along() -> None:
    reading = asyncio.create_task(PdfReading().extract(build_long_contents()))

    async def look() -> list[str]:
        return list_readers()

    await wait_until(look)
    reading.cancel()
    with pytest.raises(asyncio.CancelledError):
        await reading
    assert not list_readers()
