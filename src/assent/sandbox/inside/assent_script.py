"""What a script can use besides Python's own library: `from assent_script import Script`.

This file is put beside the script in the sandbox. The only way out from there is the channel: one
line asks, one line answers, and Assent decides which addresses are reached.
"""

import base64
import fcntl
import json
import os
import socket
import threading
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

LOCK = Path("/tmp/.channel")  # noqa: S108 - in the sandbox it is the script's own


class HttpError(Exception):
    """The request was refused, or no whole answer came; `code` says which."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


@dataclass(frozen=True)
class Response:
    """What came back. `truncated`: the body went on, and only its beginning is here."""

    status: int
    reason: str
    headers: dict[str, str]
    body: bytes
    truncated: bool
    seconds: float

    @property
    def text(self) -> str:
        return self.body.decode("utf-8", "replace")

    def json(self) -> Any:
        return json.loads(self.body)


class Http:
    """One request at a time; redirects are not followed."""

    def __init__(self, channel: "Channel") -> None:
        self._channel = channel

    def get(self, url: str, headers: dict[str, str] | None = None) -> Response:
        return self.request("GET", url, headers)

    def head(self, url: str, headers: dict[str, str] | None = None) -> Response:
        return self.request("HEAD", url, headers)

    def post(
        self,
        url: str,
        body: "bytes | str | dict[str, Any] | list[Any]" = b"",
        headers: dict[str, str] | None = None,
    ) -> Response:
        return self.request("POST", url, headers, body)

    def request(
        self,
        method: str,
        url: str,
        headers: dict[str, str] | None = None,
        body: "bytes | str | dict[str, Any] | list[Any]" = b"",
    ) -> Response:
        """A body that is neither bytes nor text goes as JSON."""
        sent = dict(headers or {})
        if isinstance(body, (dict, list)):
            sent.setdefault("content-type", "application/json")
            body = json.dumps(body)
        content = body.encode() if isinstance(body, str) else body
        told = self._channel.ask(
            {
                "do": "http",
                "method": method,
                "url": url,
                "headers": sent,
                "body": base64.b64encode(content).decode(),
            }
        )
        if "error" in told:
            raise HttpError(told["error"]["code"], told["error"]["message"])
        return Response(
            status=told["status"],
            reason=told["reason"],
            headers=told["headers"],
            body=base64.b64decode(told["body"]),
            truncated=told["truncated"],
            seconds=told["seconds"],
        )


class Channel:
    """Asked by one at a time, in all threads and processes of the script."""

    def __init__(self) -> None:
        self._mutex = threading.Lock()
        self._socket = socket.socket(fileno=os.dup(int(os.environ["ASSENT_CHANNEL"])))

    def ask(self, question: dict[str, Any]) -> dict[str, Any]:
        with self._mutex, LOCK.open("a") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            self._socket.sendall(json.dumps(question).encode() + b"\n")
            line = b""
            while not line.endswith(b"\n"):
                piece = self._socket.recv(65536)
                if not piece:
                    raise HttpError("broke_off", "Nobody listens any more.")
                line += piece
            return json.loads(line)


@dataclass(frozen=True)
class Script:
    """What `run` is given."""

    config: dict[str, Any]
    context: dict[str, Any]
    env: dict[str, str]
    http: Http = field(repr=False)
