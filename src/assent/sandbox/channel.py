"""The only way out of the sandbox: a line asks, a line answers.

A script asks for a request over HTTP, which Assent makes under the policy it was given, or hands in
its result. Whatever else comes, too long or no JSON, ends the conversation.
"""

import asyncio
import base64
import binascii
import json
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from socket import socket
from typing import Any, TypeAlias, cast

from assent.errors import AssentError
from assent.net.exchange import Request, Response

LONGEST_LINE = 2 * 1024 * 1024
MOST_REQUESTS = 100

Fetch: TypeAlias = Callable[[Request], Awaitable[Response]]


@dataclass(slots=True)
class Talk:
    """What a script has asked for. `result` is what it handed in last, if it did."""

    fetch: Fetch
    requests: int = 0
    result: Any = None
    has_result: bool = False

    async def serve(self, ours: socket) -> None:
        """Answer until the other end is closed."""
        reader, writer = await asyncio.open_unix_connection(sock=ours, limit=LONGEST_LINE)
        try:
            while line := await reader.readline():
                writer.write(json.dumps(await self._answer(line)).encode() + b"\n")
                await writer.drain()
        except (ValueError, ConnectionError):
            return
        finally:
            writer.transport.abort()

    async def _answer(self, line: bytes) -> Mapping[str, Any]:
        asked: Any = json.loads(line)
        if not isinstance(asked, dict):
            raise ValueError("not an object")
        question = cast("dict[str, Any]", asked)
        match question.get("do"):
            case "result":
                self.result, self.has_result = question.get("value"), True
                return {}
            case "http":
                return await self._request(question)
            case _:
                return _refuse("invalid", "Nothing is known by this name.")

    async def _request(self, question: Mapping[str, Any]) -> Mapping[str, Any]:
        self.requests += 1
        if self.requests > MOST_REQUESTS:
            return _refuse("too_many", f"A script makes at most {MOST_REQUESTS} requests.")
        try:
            request = _read_request(question)
        except (KeyError, TypeError, ValueError, binascii.Error) as error:
            return _refuse("invalid", f"This cannot be sent: {error}")
        began = time.monotonic()
        try:
            response = await self.fetch(request)
        except AssentError as error:
            return _refuse(error.code, error.message)
        return {
            "status": response.status,
            "reason": response.reason,
            "headers": dict(response.headers),
            "body": base64.b64encode(response.body).decode(),
            "truncated": response.truncated,
            "seconds": round(time.monotonic() - began, 4),
        }


def _read_request(question: Mapping[str, Any]) -> Request:
    return Request(
        url=str(question["url"]),
        method=question["method"],
        headers={str(name): str(value) for name, value in dict(question["headers"]).items()},
        body=base64.b64decode(question["body"], validate=True),
    )


def _refuse(code: str, message: str) -> Mapping[str, Any]:
    return {"error": {"code": code, "message": message}}
