"""Programs on the wire that ask for changes: every byte of what they send is the test's own."""

from dataclasses import dataclass, field
from itertools import count
from typing import Any

import httpx2
from mcp_types import (
    CLIENT_CAPABILITIES_META_KEY,
    CLIENT_INFO_META_KEY,
    PROTOCOL_VERSION_META_KEY,
)

from assent.testing.client import open_trust
from tests.mcp.programs import REVISIONS

MODERN, REFERRING, OLDEST = REVISIONS
CAN_ASK: dict[str, Any] = {"elicitation": {"form": {}, "url": {}}}
CANNOT: dict[str, Any] = {"elicitation": {"form": {}}}
ACCEPT = {"decision": {"action": "accept"}}
INVALID_STATE = (-32602, "Invalid or expired requestState")
_numbers = count(1)


@dataclass(frozen=True, slots=True)
class Asker:
    """One program with its key; older ones introduce themselves with `begin` first."""

    url: str
    key: str
    revision: str = MODERN
    capabilities: dict[str, Any] = field(default_factory=lambda: dict(CAN_ASK))
    name: str = "tester"
    session: str | None = None

    async def begin(self) -> "Asker":
        if self.revision == MODERN:
            return self
        params = {
            "protocolVersion": self.revision,
            "capabilities": self.capabilities,
            "clientInfo": {"name": self.name, "version": "1"},
        }
        answer = await self.post("initialize", params)
        assert answer.json()["result"]["protocolVersion"] == self.revision
        session = answer.headers["mcp-session-id"]
        return Asker(self.url, self.key, self.revision, self.capabilities, self.name, session)

    async def post(self, method: str, params: dict[str, Any]) -> httpx2.Response:
        headers = {
            "authorization": f"Bearer {self.key}",
            "accept": "application/json, text/event-stream",
        }
        if self.revision == MODERN:
            params = {**params, "_meta": self._introduce()}
            headers |= {"mcp-protocol-version": MODERN, "mcp-method": method}
            headers |= {"mcp-name": params["name"]} if "name" in params else {}
        elif self.session is not None:
            headers |= {"mcp-protocol-version": self.revision, "mcp-session-id": self.session}
        body = {"jsonrpc": "2.0", "id": next(_numbers), "method": method, "params": params}
        async with httpx2.AsyncClient(timeout=60, verify=open_trust()) as client:
            return await client.post(f"{self.url}/mcp", json=body, headers=headers)

    def _introduce(self) -> dict[str, Any]:
        return {
            PROTOCOL_VERSION_META_KEY: MODERN,
            CLIENT_INFO_META_KEY: {"name": self.name, "version": "1"},
            CLIENT_CAPABILITIES_META_KEY: self.capabilities,
        }

    async def call(self, tool: str, given: dict[str, Any], **more: Any) -> dict[str, Any]:
        """The whole answer: with `result`, or with `error`."""
        params = {"name": tool, "arguments": given, **more}
        return (await self.post("tools/call", params)).json()

    async def again(
        self, tool: str, given: dict[str, Any], state: str, action: str = "accept"
    ) -> dict[str, Any]:
        answers = {"decision": {"action": action}}
        return await self.call(tool, given, requestState=state, inputResponses=answers)


def read_question(answer: dict[str, Any]) -> tuple[str, str]:
    """The page to decide on, and the state, of a request for input."""
    result = answer["result"]
    assert result["resultType"] == "input_required"
    asked = result["inputRequests"]["decision"]
    assert (asked["method"], asked["params"]["mode"]) == ("elicitation/create", "url")
    return asked["params"]["url"], result["requestState"]


def read_referral(answer: dict[str, Any]) -> str:
    """The page to decide on, of the error that older clients get."""
    assert answer["error"]["code"] == -32042
    [asked] = answer["error"]["data"]["elicitations"]
    assert asked["mode"] == "url"
    assert asked["url"].endswith(f"/decide/{asked['elicitationId']}")
    return asked["url"]


def read_told(answer: dict[str, Any]) -> dict[str, Any]:
    """What the program was told, of a result."""
    result = answer["result"]
    assert result.get("resultType", "complete") == "complete"
    return result["structuredContent"]


def read_fault(answer: dict[str, Any]) -> tuple[int, str]:
    return answer["error"]["code"], answer["error"]["message"]


def read_used(answer: dict[str, Any]) -> str:
    """The proposal of which a program reads that comes with a state a second time."""
    code, message = read_fault(answer)
    proposal_id = answer["error"]["data"]["proposalId"]
    assert (code, answer["error"]["data"]["reason"]) == (-32602, "used_request_state")
    assert f'ai.readProposal {{"proposalId": "{proposal_id}"}}' in message
    return proposal_id


def find_id(url: str) -> str:
    return url.rpartition("/")[2]
