"""One request to `/mcp` from its body to its answer; the SDK runs the handler in between.

The SDK's own way over HTTP keeps sessions of older clients in the process. Here nothing is kept:
both generations of clients are served by one exchange, in whatever process it arrives.
"""

import logging
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from mcp.server.connection import Connection
from mcp.server.lowlevel import Server
from mcp.server.runner import serve_one
from mcp.server.streamable_http import REQUEST_CANCELLED
from mcp.shared.exceptions import MCPError
from mcp.shared.inbound import ERROR_CODE_HTTP_STATUS
from mcp_types import INTERNAL_ERROR, INVALID_PARAMS
from pydantic import ValidationError
from starlette.types import Receive, Scope, Send

from assent.actions.budget import Taken
from assent.errors import AssentError, TooMany, Unavailable
from assent.identity.principal import Principal
from assent.mcp_server.asking import Asking
from assent.mcp_server.cancelling import attending
from assent.mcp_server.departure import watching
from assent.mcp_server.exchange import Exchange
from assent.mcp_server.extension import BackChannel
from assent.mcp_server.message import Asked
from assent.mcp_server.parts import McpParts
from assent.mcp_server.progress import Progressing
from assent.mcp_server.session import SESSION_HEADER, seal_session

SERVER_ERROR = -32000
"""From the range that JSON-RPC leaves to servers: the HTTP status says what it is."""

log = logging.getLogger("assent.mcp")


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """Who asks with which program, as the request or the session says."""

    principal: Principal
    is_modern: bool
    version: str
    client_info: Any = None
    capabilities: Any = None
    session: str | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """The answer, with its status and its own headers where it is not streamed."""

    answer: Mapping[str, Any]
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict[str, str])


@dataclass(frozen=True, slots=True, kw_only=True)
class Answering:
    """Answers one request when it is called as an application."""

    server: Server[McpParts]
    parts: McpParts
    caller: Caller
    taken: Taken | None
    asked: Asked
    headers: Mapping[str, str]
    takes_events: bool
    back_channel: BackChannel | None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        exchange = Exchange(
            send,
            self.asked,
            self.headers,
            takes_events=self.takes_events,
            back_channel=self.back_channel,
        )
        caller, request_id = self.caller, self.asked.id
        outcome = Outcome(build_error(request_id, REQUEST_CANCELLED, "The request was cancelled."))
        async with watching(receive, exchange) as departure:
            with attending(
                self.parts,
                caller.principal,
                caller.session,
                request_id,
                give_up=departure.give_up,
            ):
                outcome = await self._run(exchange)
        if not departure.is_gone:
            await exchange.end(outcome.answer, status=outcome.status, headers=outcome.headers)

    async def _run(self, exchange: Exchange) -> Outcome:
        caller, asked = self.caller, self.asked
        connection = Connection.from_envelope(
            caller.version, caller.client_info, caller.capabilities
        )
        try:
            async with Progressing(exchange, asked.params) as tell:
                asking = Asking(
                    parts=self.parts, principal=caller.principal, taken=self.taken, tell=tell
                )
                exchange.carry(asking)
                result = await serve_one(
                    self.server,
                    exchange,
                    asked.method,
                    asked.params,
                    connection=connection,
                    lifespan_state=self.parts,
                )
        except Exception as error:  # noqa: BLE001 - told as one, and in the log
            return _explain(asked, error, is_modern=caller.is_modern)
        answer = {"jsonrpc": "2.0", "id": asked.id, "result": result}
        if asked.method != "initialize":
            return Outcome(answer)
        sealed = seal_session(self.parts.means.vault, caller.principal, connection)
        return Outcome(answer, headers={SESSION_HEADER: sealed} if sealed else {})


def build_error(request_id: Any, code: int, message: str, data: Any = None) -> dict[str, Any]:
    error = {"code": code, "message": message} | ({} if data is None else {"data": data})
    return {"jsonrpc": "2.0", "id": request_id, "error": error}


def _explain(asked: Asked, error: Exception, *, is_modern: bool) -> Outcome:
    """Older clients read an error only where the status is 200."""
    if isinstance(error, AssentError):
        return _explain_own(asked, error)
    code, message, data = _name_fault(error)
    status = ERROR_CODE_HTTP_STATUS.get(code, 200) if is_modern else 200
    return Outcome(build_error(asked.id, code, message, data), status)


def _explain_own(asked: Asked, error: AssentError) -> Outcome:
    answer = build_error(asked.id, SERVER_ERROR, error.message, {"code": error.code})
    if isinstance(error, TooMany):
        return Outcome(answer, 429, {"retry-after": str(error.retry_after)})
    if isinstance(error, Unavailable):
        return Outcome(answer, 503, {"retry-after": "1"})
    return Outcome(answer)


def _name_fault(error: Exception) -> tuple[int, str, Any]:
    if isinstance(error, MCPError):
        return error.code, error.message, error.data
    if isinstance(error, ValidationError):
        first = error.errors(include_url=False, include_input=False, include_context=False)[0]
        where = ".".join(str(step) for step in first["loc"])
        return INVALID_PARAMS, f"Invalid parameters: {where}: {first['msg']}.", None
    log.error("A request over MCP failed.", exc_info=error)
    return INTERNAL_ERROR, "Something went wrong on the server. The log has the details.", None
