"""Logs: a whole story told to a real process at its most talkative, and no secret in its lines."""

import base64
import json
import logging
import signal
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

from assent.testing import Client, Databases, RunningServer
from assent.testing.oidc_provider import (
    CLIENT_ID,
    CLIENT_SECRET,
    LocalProvider,
    run_oidc_provider,
)
from tests.fault.server_process import ServerProcess
from tests.patience import wait_until
from tests.turn.people import expect
from tests.turn.sign_on import depart, visit

MASTER_KEY = "ab" * 32
METRICS_TOKEN = "metrics-token-for-tests"
PASSWORD = "a password that must not be seen"
WRONG = "a wrong password that must not be seen"


class Teller:
    """Tells the story and remembers every secret in it."""

    def __init__(self, url: str, provider: LocalProvider) -> None:
        self.url = url
        self.provider = provider
        basic = base64.b64encode(f"{CLIENT_ID}:{CLIENT_SECRET}".encode()).decode()
        self.secrets = {MASTER_KEY, METRICS_TOKEN, CLIENT_SECRET, basic, PASSWORD, WRONG}

    async def tell(self, token: str) -> None:
        self.secrets.add(token)
        async with Client(self.url) as admin, Client(self.url) as person:
            expect(await admin.get("/login", params={"token": token}), 303)
            self._remember(admin)
            await self._add_person(admin, person)
            await self._use_key(admin)
            await self._fail(admin, person)
            await self._sign_on(admin)
            metrics = {"authorization": f"Bearer {METRICS_TOKEN}"}
            assert (await person.get("/metrics", headers=metrics)).status_code == 200

    async def _add_person(self, admin: Client, person: Client) -> None:
        draft = {"email": "person@example.com", "name": "Person"}
        link = expect(await admin.post("/api/users", json=draft), 201)["link"]
        self.secrets.add(link.partition("reset=")[2])
        assert (await person.get(link.removeprefix(self.url))).status_code in (200, 503)
        await person.set_password(link, PASSWORD)
        self._remember(person)
        await person.sign_in(draft["email"], PASSWORD)
        self._remember(person)

    async def _use_key(self, admin: Client) -> None:
        draft = {"name": "robot", "rules": ["*"]}
        application = expect(await admin.post("/api/applications", json=draft), 201)
        url = f"/api/applications/{application['id']}/keys"
        key = expect(await admin.post(url), 201)["key"]
        self.secrets |= {key, key.removeprefix("ask_")}
        async with Client(self.url, key=key) as robot:
            expect(await robot.get("/api/p/catalog/systems"), 200)
            expect(await robot.delete("/api/users"), 405)

    async def _fail(self, admin: Client, person: Client) -> None:
        """Every way in which a secret comes to the wrong place."""
        for email, password in (("person@example.com", WRONG), (WRONG, WRONG)):
            login = {"email": email, "password": password}
            expect(await person.post("/api/auth/login", json=login), 401)
        change = {"currentPassword": WRONG, "newPassword": WRONG}
        expect(await person.put("/api/me/password", json=change), 422)
        misplaced = {"email": "a@example.com", "password": [WRONG], "token": WRONG}
        expect(await person.post("/api/auth/login", json=misplaced), 422)
        broken = f'{{"email": "a@example.com", "password": "{WRONG}'.encode()
        headers = {"content-type": "application/json"}
        expect(await person.post("/api/auth/login", content=broken, headers=headers), 422)
        made_up = "made-up-token-that-must-not-be-seen"
        self.secrets.add(made_up)
        expect(await admin.get("/login", params={"token": made_up}), 303)
        expect(await admin.get("/api/me", headers={"authorization": f"Bearer {made_up}"}), 401)
        expect(await admin.get("/api/me", headers={"cookie": f"assent_session={made_up}"}), 401)
        reset = {"token": made_up, "password": WRONG}
        expect(await admin.post("/api/auth/reset", json=reset), 410)

    async def _sign_on(self, admin: Client) -> None:
        self.provider.person = {
            "sub": "subject",
            "email": "person@example.com",
            "email_verified": True,
        }
        async with Client(self.url) as browser:
            back = await visit(await depart(browser))
            self.secrets |= {part.partition("=")[2] for part in back.partition("?")[2].split("&")}
            self.secrets.add(browser.cookies["assent_oidc"])
            expect(await browser.get(back), 303)
            self._remember(browser)

    def _remember(self, client: Client) -> None:
        self.secrets.add(client.cookies["assent_session"])


@pytest.fixture
def processes() -> Generator[list[ServerProcess]]:
    started: list[ServerProcess] = []
    yield started
    for process in started:
        process.end(signal.SIGTERM)


@pytest.mark.parametrize("log_format", ["json", "text"])
async def test_a_whole_story_leaves_no_secret_in_the_log(
    databases: Databases, tmp_path: Path, processes: list[ServerProcess], log_format: str
) -> None:
    async with databases.copy() as database_url, run_oidc_provider() as provider:
        server = ServerProcess(
            "serve",
            "--port",
            "0",
            folder=tmp_path,
            DATABASE_URL=database_url,
            ASSENT_MASTER_KEY=MASTER_KEY,
            ASSENT_METRICS_TOKEN=METRICS_TOKEN,
            ASSENT_LOG_LEVEL="debug",
            ASSENT_LOG_FORMAT=log_format,
            ASSENT_OIDC_ISSUER=provider.issuer,
            ASSENT_OIDC_CLIENT_ID=CLIENT_ID,
            ASSENT_OIDC_CLIENT_SECRET=CLIENT_SECRET,
        )
        processes.append(server)
        url, token = server.wait_ready()
        assert token
        teller = Teller(url, provider)
        await teller.tell(token)
        assert server.end(signal.SIGTERM) == 0
        printed = ("Open ", "Stopped.")
        lines = [line for line in server.output().splitlines() if not line.startswith(printed)]
        log = "\n".join(lines)
        assert "POST /api/auth/login 401" in log
        assert "GET /api/auth/oidc/callback 303" in log
        assert len(teller.secrets) >= 15
        assert [secret for secret in teller.secrets if secret in log] == []
        assert "Traceback" not in log
        if log_format == "json":
            assert all(isinstance(json.loads(line), dict) for line in lines)


def break_down(*_arguments: object, **_options: object) -> None:
    raise RuntimeError("the inner workings")


async def read_log(caplog: pytest.LogCaptureFixture, request_id: str, lines: int) -> list[Any]:
    """The lines about one request; the last is written when the answer is already out."""

    async def look() -> list[Any] | None:
        found = [one for one in caplog.records if vars(one).get("request_id") == request_id]
        return found if len(found) >= lines else None

    return await wait_until(look)


async def test_an_unforeseen_error_is_logged_with_the_request_id(
    shared: RunningServer, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    admin = await shared.open_admin()
    monkeypatch.setattr("assent.api.me.load_user", break_down)
    with caplog.at_level(logging.INFO, "assent.http"):
        answer = await admin.get("/api/me", headers={"x-request-id": "find-me"})
        unexpected, summary = await read_log(caplog, "find-me", lines=2)
    assert answer.status_code == 500
    assert unexpected.levelname == "ERROR"
    assert "the inner workings" in str(unexpected.exc_info[1])
    assert summary.levelname == "WARNING"
    assert summary.getMessage() == "GET /api/me 500"
    assert summary.ms >= 0


@pytest.mark.parametrize("path", ["/a%0aINFO%20forged", "/a%1b[2J", "/a%0d%0ab"])
async def test_an_address_cannot_forge_a_line(
    shared: RunningServer, caplog: pytest.LogCaptureFixture, path: str
) -> None:
    client = await shared.open_client()
    with caplog.at_level(logging.INFO, "assent.http"):
        await client.get(path, headers={"x-request-id": "find-me"})
        [record] = await read_log(caplog, "find-me", lines=1)
    assert record.getMessage().isprintable()
