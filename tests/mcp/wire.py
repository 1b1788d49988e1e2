"""Plain requests to `/mcp`, for what the official clients never send."""

from typing import Any

import httpx2

from assent.testing import Client

MODERN = "2026-07-28"
BOTH = "application/json, text/event-stream"


class Wire:
    """One program with a key."""

    def __init__(self, client: Client) -> None:
        self.client = client

    async def ask(self, method: str, **params: Any) -> httpx2.Response:
        """A request of the newest revision, as it should be."""
        name = params.get("name", params.get("uri"))
        headers = {"mcp-protocol-version": MODERN, "mcp-method": method}
        return await self.post(
            request(method, **params), **headers, **({"mcp-name": name} if name else {})
        )

    async def call(self, tool: str, **arguments: Any) -> httpx2.Response:
        return await self.ask("tools/call", name=tool, arguments=arguments)

    async def ask_older(self, method: str, session: str | None, **params: Any) -> httpx2.Response:
        message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
        return await self.post(message, **({"mcp-session-id": session} if session else {}))

    async def introduce(self, version: str = "2025-11-25", **capabilities: Any) -> httpx2.Response:
        return await self.ask_older(
            "initialize",
            None,
            protocolVersion=version,
            capabilities=capabilities,
            clientInfo={"name": "plain", "version": "1"},
        )

    async def post(self, message: Any, **headers: str) -> httpx2.Response:
        return await self.client.post("/mcp", json=message, headers={"accept": BOTH} | headers)

    async def post_text(self, content: bytes, **headers: str) -> httpx2.Response:
        given = {"accept": BOTH, "content-type": "application/json"} | headers
        return await self.client.post("/mcp", content=content, headers=given)


def request(method: str, **params: Any) -> dict[str, Any]:
    meta = {
        "io.modelcontextprotocol/protocolVersion": MODERN,
        "io.modelcontextprotocol/clientCapabilities": {},
        **params.pop("_meta", {}),
    }
    return {"jsonrpc": "2.0", "id": 7, "method": method, "params": {**params, "_meta": meta}}


def find_error(response: httpx2.Response) -> tuple[int, int]:
    """The status, and the code of the error."""
    return response.status_code, response.json()["error"]["code"]
