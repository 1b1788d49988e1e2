"""Documents of programs: through the URL guard, within limits, kept for a while."""

import asyncio
import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import pytest
from aiohttp import web

from assent.identity.oauth import programs
from assent.net.policy import Limits
from assent.testing import Databases, RunningServer, run_server
from tests.patience import PATIENCE, wait_until
from tests.turn.oauth import CALLBACK, Lathe, Site, describe, open_lathe
from tests.turn.people import execute, fetch, number

FRESHNESS = """
SELECT extract(epoch FROM fresh_until - fetched_at)::int AS seconds, fault
FROM oauth_documents WHERE client_id = $1
"""


async def ask(server: RunningServer, client_id: str, redirect: str = CALLBACK) -> tuple[int, str]:
    """What becomes of a request of this program: its status, and where it leads or what it says."""
    async with open_lathe(server, client_id) as lathe:
        response = await lathe.authorize(lathe.build_request(redirect_uri=redirect))
        return response.status_code, response.headers.get("location", response.text)


async def check_refused(server: RunningServer, client_id: str, *words: str) -> str:
    status, text = await ask(server, client_id)
    assert status == 400, text
    for word in words:
        assert word in text
    return text


@pytest.mark.parametrize(
    "client_id",
    [
        "https://127.0.0.1/program.json",
        "https://10.0.0.1/program.json",
        "https://192.168.1.1/program.json",
        "https://169.254.169.254/latest/meta-data",
        "https://[::1]/program.json",
        "https://[fd00:ec2::254]/program.json",
        "https://[::ffff:127.0.0.1]/program.json",
        "https://localhost/program.json",
        "https://router.local/program.json",
        "https://0.0.0.0/program.json",
        "https://2130706433/program.json",
        "https://0x7f000001/program.json",
        "https://127.1/program.json",
        "https://example.com:22/program.json",
        "http://127.0.0.1:9/program.json",
        "http://example.com/program.json",
        "http://10.0.0.1/program.json",
        "https://user:secret@example.com/program.json",
        "https://example.com",
        "https://example.com/",
        "https://example.com/a/../program.json",
        "https://example.com/%2e%2e/program.json",
        "https://example.com/program.json#x",
        "https://exa mple.com/program.json",
        "file:///etc/passwd",
        "gopher://127.0.0.1/program.json",
        "lathe",
        "asc_made-up",
    ],
)
async def test_addresses_that_are_not_asked(
    workshop: RunningServer, documents: Site, client_id: str
) -> None:
    asked = len(documents.asked)
    text = await check_refused(workshop, client_id)
    assert "private" not in text
    assert "loopback" not in text
    assert len(documents.asked) == asked


async def test_an_open_door_is_for_its_port_alone(workshop: RunningServer, documents: Site) -> None:
    """The address of the documents is open here; where it is not, nothing is asked."""
    client_id = documents.publish()
    assert (await ask(workshop, client_id))[0] == 302
    await check_refused(workshop, client_id.replace("127.0.0.1", "localhost"))
    await check_refused(workshop, client_id.replace("127.0.0.1", "127.0.0.2"))


async def test_without_an_opening_nothing_inside_is_asked(
    databases: Databases, documents: Site
) -> None:
    client_id = documents.publish()
    asked = len(documents.asked)
    async with databases.copy() as url, run_server(url, background_work=False) as closed:
        await check_refused(closed, client_id, "could not be fetched")
    assert len(documents.asked) == asked


async def test_redirects_are_not_followed(workshop: RunningServer, documents: Site) -> None:
    there = documents.publish()
    path = f"/moved/{number()}"
    client_id = f"{documents.origin}{path}"
    for status in (301, 302, 307, 308):
        documents.put(path, describe(client_id), status=status, headers={"location": there})
        await execute(workshop, "DELETE FROM oauth_documents")
        asked = len(documents.asked)
        await check_refused(workshop, client_id, "could not be fetched")
        assert documents.asked[asked:] == [path]


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"client_id": "https://lathe.example.com/other.json"}, "names another client_id"),
    ({"client_id": None}, "names another client_id"),
    ({"redirect_uris": []}, "at least 1 item"),
    ({"redirect_uris": "http://127.0.0.1/"}, "valid list"),
    ({"redirect_uris": [7]}, "string"),
    ({"redirect_uris": ["javascript:alert(1)"]}, "javascript:"),
    ({"redirect_uris": ["data:text/html,x"]}, "data:"),
    ({"redirect_uris": ["http://lathe.example.com/"]}, "https://"),
    ({"redirect_uris": ["strange://back"]}, "strange:"),
    ({"redirect_uris": ["https://a@b.example.com/"]}, "user name"),
    ({"redirect_uris": ["https://lathe.example.com/#x"]}, "fragment"),
    ({"redirect_uris": [f"{CALLBACK}{one}" for one in range(21)]}, "at most 20"),
    ({"token_endpoint_auth_method": "client_secret_post"}, "no secret"),
    ({"token_endpoint_auth_method": "private_key_jwt"}, "no secret"),
    ({"grant_types": ["client_credentials"]}, "authorization_code"),
    ({"response_types": ["token"]}, "authorization_code"),
    ({"client_name": 7}, "string"),
]


@pytest.mark.parametrize(("changed", "words"), WRONG)
async def test_documents_that_do_not_hold(
    workshop: RunningServer, documents: Site, changed: dict[str, Any], words: str
) -> None:
    await check_refused(workshop, documents.publish(**changed), words)


@pytest.mark.parametrize(
    ("body", "headers", "status"),
    [
        (b"<html>", {"content-type": "text/html"}, 200),
        (b"{}", {"content-type": "text/plain"}, 200),
        (b"{", {"content-type": "application/json"}, 200),
        (b"[" * 8000, {"content-type": "application/json"}, 200),
        (b"[]", {"content-type": "application/json"}, 200),
        (b"null", {"content-type": "application/json"}, 200),
        (b"\xff\xfe\x00", {"content-type": "application/json"}, 200),
        (b"", {"content-type": "application/json"}, 204),
        (None, {"content-type": "application/json"}, 404),
        (None, {"content-type": "application/json"}, 500),
    ],
)
async def test_what_is_no_document(
    workshop: RunningServer,
    documents: Site,
    body: bytes | None,
    headers: dict[str, str],
    status: int,
) -> None:
    path = f"/programs/{number()}"
    client_id = f"{documents.origin}{path}"
    sent = json.dumps(describe(client_id)).encode() if body is None else body
    documents.pages[path] = web.Response(body=sent, headers=headers, status=status)
    await check_refused(workshop, client_id)


async def test_a_document_that_is_too_large(workshop: RunningServer, documents: Site) -> None:
    await check_refused(workshop, documents.publish(padding="x" * 16 * 1024), "too large")
    assert (await ask(workshop, documents.publish(padding="x" * 15 * 1024)))[0] == 302


@dataclass
class Tarpit:
    """Sends one byte of a document, and then nothing more until it lets go."""

    port: int = 0
    waiting: int = 0
    held: list[asyncio.StreamWriter] = field(default_factory=list[asyncio.StreamWriter])

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n{")
        self.waiting += 1
        self.held.append(writer)
        await reader.read()
        writer.close()

    def let_go(self) -> None:
        for writer in self.held:
            writer.close()

    async def has(self, count: int) -> bool:
        return self.waiting == count


@asynccontextmanager
async def open_tarpit() -> AsyncGenerator[Tarpit]:
    tarpit = Tarpit()
    listening = await asyncio.start_server(tarpit.answer, "127.0.0.1", 0)
    tarpit.port = listening.sockets[0].getsockname()[1]
    try:
        yield tarpit
    finally:
        listening.close()


@asynccontextmanager
async def open_beside(
    databases: Databases, tarpit: Tarpit, **settings: Any
) -> AsyncGenerator[RunningServer]:
    opening = [f"127.0.0.1:{tarpit.port}"]
    async with (
        databases.copy() as url,
        run_server(url, background_work=False, inside_hosts=opening, **settings) as server,
    ):
        yield server


async def test_a_document_that_does_not_come(
    databases: Databases, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(programs, "LIMITS", Limits(seconds=0.3, connecting=0.2))
    async with open_tarpit() as tarpit, open_beside(databases, tarpit) as server:
        await check_refused(server, f"http://127.0.0.1:{tarpit.port}/program.json")
    assert tarpit.waiting == 1


async def test_no_connection_is_held_while_a_document_is_fetched(
    databases: Databases, monkeypatch: pytest.MonkeyPatch
) -> None:
    """More slow documents than the pool has connections: all are asked for, others are served."""
    long = PATIENCE * 2
    monkeypatch.setattr(programs, "LIMITS", Limits(seconds=long, connecting=long))
    async with open_tarpit() as tarpit, open_beside(databases, tarpit, pool_size=2) as server:
        origin = f"http://127.0.0.1:{tarpit.port}"
        slow = [asyncio.create_task(ask(server, f"{origin}/{one}")) for one in range(8)]
        await wait_until(lambda: tarpit.has(len(slow)))
        client = await server.open_client()
        assert (await client.get("/readyz")).status_code == 200
        assert not any(task.done() for task in slow)
        tarpit.let_go()
        assert {status for status, _ in await asyncio.gather(*slow)} == {400}


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        (None, 3600),
        ("max-age=600", 600),
        ("max-age=1", 300),
        ("no-store", 3600),
        ("public, max-age=99999999", 86_400),
    ],
)
async def test_how_long_a_document_is_kept(
    workshop: RunningServer, documents: Site, header: str | None, seconds: int
) -> None:
    client_id = documents.publish()
    path = client_id.removeprefix(documents.origin)
    headers = {"cache-control": header} if header else {}
    documents.put(path, describe(client_id), headers=headers)
    for _ in range(3):
        assert (await ask(workshop, client_id))[0] == 302
    assert documents.asked.count(path) == 1
    [row] = await fetch(workshop, FRESHNESS, client_id)
    assert row == {"seconds": seconds, "fault": None}
    age = "UPDATE oauth_documents SET fresh_until = now() WHERE client_id = $1"
    await execute(workshop, age, client_id)
    assert (await ask(workshop, client_id))[0] == 302
    assert documents.asked.count(path) == 2


async def test_a_fault_is_kept_for_a_moment(workshop: RunningServer, documents: Site) -> None:
    client_id = documents.publish(redirect_uris=["javascript:x"])
    path = client_id.removeprefix(documents.origin)
    for _ in range(3):
        await check_refused(workshop, client_id, "javascript:")
    assert documents.asked.count(path) == 1
    [row] = await fetch(workshop, FRESHNESS, client_id)
    assert row["seconds"] == 60
    documents.put(path, describe(client_id))
    age = "UPDATE oauth_documents SET fresh_until = now() WHERE client_id = $1"
    await execute(workshop, age, client_id)
    assert (await ask(workshop, client_id))[0] == 302


async def test_redirects_that_are_never_used_are_left_out(
    workshop: RunningServer, documents: Site
) -> None:
    uris = ["javascript:alert(1)", "cursor://anysphere.cursor-mcp/oauth/callback", CALLBACK]
    client_id = documents.publish(redirect_uris=uris)
    assert (await ask(workshop, client_id, uris[1]))[0] == 302
    assert (await ask(workshop, client_id, uris[2]))[0] == 302
    assert (await ask(workshop, client_id, uris[0]))[0] == 400


async def test_a_name_is_one_plain_line(
    workshop: RunningServer, documents: Site, lathe: Lathe
) -> None:
    name = "Lathe\u202e\n\n  of\tshops\u200b" + "x" * 500
    lathe.client_id = documents.publish(client_name=name, client_uri="javascript:alert(1)")
    await lathe.ask()
    [row] = await fetch(
        workshop, "SELECT program FROM oauth_documents WHERE client_id = $1", lathe.client_id
    )
    assert row["program"]["name"].startswith("Lathe of shops x")
    assert len(row["program"]["name"]) == 80
    assert row["program"]["uri"] is None
