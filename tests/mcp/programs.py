"""Programs that use our tools: the official Python client, and plain requests for what it hides."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import httpx2
from mcp import Client as Program
from mcp.client.streamable_http import streamable_http_client

from assent.testing import Client
from assent.testing.client import open_trust
from tests.turn.people import expect

REVISIONS = ("2026-07-28", "2025-11-25", "2025-06-18")


async def make_key(admin: Client, *rules: str) -> str:
    draft = {"name": "robot", "rules": list(rules)}
    application = expect(await admin.post("/api/applications", json=draft), 201)
    return expect(await admin.post(f"/api/applications/{application['id']}/keys"), 201)["key"]


class Aged(httpx2.AsyncHTTPTransport):
    """Has the client ask for an older revision than it would: the rest it negotiates itself."""

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        body = request.content.replace(b"2025-11-25", b"2025-06-18")
        if b'"initialize"' not in body:
            return await super().handle_async_request(request)
        return await super().handle_async_request(
            httpx2.Request(request.method, request.url, headers=request.headers, content=body)
        )


@asynccontextmanager
async def open_program(
    url: str, key: str, revision: str = REVISIONS[0], **given: Any
) -> AsyncGenerator[Program]:
    transport = Aged() if revision == "2025-06-18" else None
    mode = "auto" if revision == REVISIONS[0] else "legacy"
    async with (
        httpx2.AsyncClient(
            headers={"authorization": f"Bearer {key}"},
            transport=transport,
            timeout=30,
            verify=open_trust(),
        ) as http,
        Program(streamable_http_client(f"{url}/mcp", http_client=http), mode=mode, **given) as one,
    ):
        yield one
