"""What tests add to the server: handlers, and a way to ask a client in the middle of a call.

Nothing in Assent has one, and no setting brings one in: the public conformance suite needs tools of
its own, and asks what stateless servers do not ask.
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

from mcp.server.lowlevel import Server

from assent.mcp_server.message import Replied
from assent.mcp_server.parts import McpParts

Write: TypeAlias = Callable[[Mapping[str, Any]], Awaitable[None]]
"""Sends a message to the client before the answer."""


class BackChannel(Protocol):
    async def ask(
        self, write: Write, method: str, params: Mapping[str, Any] | None
    ) -> dict[str, Any]: ...

    def settle(self, reply: Replied) -> None: ...


@dataclass(frozen=True, slots=True)
class Extension:
    add_handlers: Callable[[Server[McpParts]], None]
    back_channel: BackChannel | None = None
