"""A clinic for tests of health checks: a patient that answers as told, and who looks after it."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from assent.testing import Client, RunningServer
from tests.patience import wait_until
from tests.turn.people import expect, number

CHECKS = "/api/p/healthcheck/checks"


@dataclass(slots=True)
class Patient:
    """A web server on this machine: how it answers is what its fields say at that moment."""

    url: str = ""
    status: int = 200
    body: bytes = b'{"checks": [{"status": "ok"}]}'
    headers: dict[str, str] = field(default_factory=lambda: {"Content-Type": "application/json"})
    held: asyncio.Event | None = None
    asked: list[str] = field(default_factory=list[str])

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode()
            self.asked.append(head)
            if self.held is not None:
                await self.held.wait()
            lines = [f"{name}: {value}" for name, value in self.headers.items()]
            lines.append(f"Content-Length: {len(self.body)}")
            text = f"HTTP/1.1 {self.status} Told\r\n" + "\r\n".join(lines) + "\r\n\r\n"
            writer.write(text.encode() + self.body)
            await writer.drain()
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()


@asynccontextmanager
async def run_patient() -> AsyncGenerator[Patient]:
    patient = Patient()
    server = await asyncio.start_server(patient.answer, "127.0.0.1", 0)
    patient.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    try:
        yield patient
    finally:
        server.close()


def build_check(workspace_id: object, url: str, **fields: Any) -> dict[str, Any]:
    return {
        "workspaceId": str(workspace_id),
        "name": f"check-{number()}",
        "strategy": {"kind": "http", "config": {"url": f"{url}/status"}},
        "intervalSeconds": 5,
        "timeoutMs": 5000,
        **fields,
    }


@dataclass(frozen=True, slots=True)
class Clinic:
    server: RunningServer
    client: Client
    workspace_id: str

    async def add(self, url: str, **fields: Any) -> dict[str, Any]:
        body = build_check(self.workspace_id, url, **fields)
        return expect(await self.client.post(CHECKS, json=body), 201)

    async def change(self, check_id: str, status: int = 200, **fields: Any) -> dict[str, Any]:
        return expect(await self.client.patch(f"{CHECKS}/{check_id}", json=fields), status)

    async def get(self, check_id: str) -> dict[str, Any]:
        return expect(await self.client.get(f"{CHECKS}/{check_id}"), 200)

    async def list_runs(self, check_id: str, **query: Any) -> list[dict[str, Any]]:
        answer = await self.client.get(f"{CHECKS}/{check_id}/runs", params=query)
        return expect(answer, 200)["items"]

    async def wait_for_status(self, check_id: str, status: str) -> dict[str, Any]:
        async def look() -> dict[str, Any] | None:
            check = await self.get(check_id)
            return check if check["status"] == status and check["lastRunAt"] else None

        return await wait_until(look)

    async def wait_for_runs(self, check_id: str, count: int) -> list[dict[str, Any]]:
        async def look() -> list[dict[str, Any]] | None:
            runs = await self.list_runs(check_id)
            return runs if len(runs) >= count else None

        return await wait_until(look)
