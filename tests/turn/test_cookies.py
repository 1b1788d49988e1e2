"""The session cookie under http and https, and whose word for https counts."""

import signal
from pathlib import Path

import httpx2
import pytest

from assent.testing import Client, Databases, RunningServer
from tests.fault.server_process import ServerProcess
from tests.turn.people import Tenant, expect, make_token

HTTPS = {"x-forwarded-proto": "https"}


async def open_link(
    shared: RunningServer, tenant: Tenant, *, headers: dict[str, str], local_address: str
) -> httpx2.Response:
    token = await make_token(shared, tenant.id, tenant.admin.id)
    transport = httpx2.AsyncHTTPTransport(local_address=local_address)
    async with httpx2.AsyncClient(transport=transport, base_url=shared.url) as client:
        return await client.get(f"/login?token={token}", headers=headers)


@pytest.mark.parametrize(
    ("headers", "local_address", "secure"),
    [
        pytest.param({}, "127.0.0.1", False, id="plain"),
        pytest.param(HTTPS, "127.0.0.1", True, id="https by a trusted proxy"),
        pytest.param(HTTPS, "127.0.0.2", False, id="https by anybody else"),
        pytest.param({"x-forwarded-proto": "http"}, "127.0.0.1", False, id="http by a proxy"),
        pytest.param({"x-forwarded-proto": "httpss"}, "127.0.0.1", False, id="nonsense"),
    ],
)
async def test_flags(
    shared: RunningServer, tenant: Tenant, headers: dict[str, str], local_address: str, secure: bool
) -> None:
    answer = await open_link(shared, tenant, headers=headers, local_address=local_address)
    cookie, *flags = answer.headers["set-cookie"].split("; ")
    name = cookie.partition("=")[0]
    assert name == ("__Host-assent_session" if secure else "assent_session")
    assert {"Path=/", "HttpOnly", "SameSite=Lax"} <= set(flags)
    assert ("Secure" in flags) is secure
    assert not any(flag.startswith("Domain") for flag in flags)
    assert ("strict-transport-security" in answer.headers) is secure


async def test_under_https_only_the_bound_cookie_counts(
    shared: RunningServer, tenant: Tenant
) -> None:
    answer = await open_link(shared, tenant, headers=HTTPS, local_address="127.0.0.1")
    token = answer.headers["set-cookie"].split(";")[0].partition("=")[2]
    async with Client(shared.url) as client:
        for name, status in (("__Host-assent_session", 200), ("assent_session", 401)):
            headers = {**HTTPS, "cookie": f"{name}={token}"}
            expect(await client.get("/api/me", headers=headers), status)
        out = {**HTTPS, "cookie": f"__Host-assent_session={token}"}
        gone = await client.post("/api/auth/logout", headers=out)
        assert gone.headers["set-cookie"].startswith("__Host-assent_session=; Path=/; Max-Age=0")
        assert "Secure" in gone.headers["set-cookie"]


async def test_whom_the_settings_trust(databases: Databases, tmp_path: Path) -> None:
    async with databases.copy() as database_url:
        server = ServerProcess(
            "serve",
            "--port",
            "0",
            folder=tmp_path,
            DATABASE_URL=database_url,
            ASSENT_MASTER_KEY="ab" * 32,
            ASSENT_TRUSTED_PROXIES="127.0.0.2, 10.0.0.0/8",
        )
        try:
            url, _ = server.wait_ready()
            for local_address, secure in (("127.0.0.2", True), ("127.0.0.1", False)):
                transport = httpx2.AsyncHTTPTransport(local_address=local_address)
                async with httpx2.AsyncClient(transport=transport) as client:
                    answer = await client.get(f"{url}/healthz", headers=HTTPS)
                assert ("strict-transport-security" in answer.headers) is secure
        finally:
            assert server.end(signal.SIGTERM) == 0
