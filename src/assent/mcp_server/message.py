"""What a program sent: one JSON-RPC message, and which generation of the protocol it speaks. Pure.

Between 2024-11-05 and 2025-11-25 a client introduces itself once, with `initialize`; since
2026-07-28 each request says who asks and what they can.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias, cast

from mcp_types import INVALID_REQUEST, PROTOCOL_VERSION_META_KEY, RequestId
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS

VERSION_HEADER = "mcp-protocol-version"


@dataclass(frozen=True, slots=True)
class Asked:
    """A request: it gets an answer."""

    id: RequestId
    method: str
    params: Mapping[str, Any] | None
    whole: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Told:
    """A notification: it is taken note of."""

    method: str
    params: Mapping[str, Any] | None


@dataclass(frozen=True, slots=True)
class Replied:
    """The answer to something that the server has asked."""

    id: RequestId
    whole: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Malformed:
    """JSON, but no message. `id` is that of the message as far as it has one."""

    id: RequestId | None
    code: int
    sentence: str


Message: TypeAlias = Asked | Told | Replied | Malformed


def parse_message(parsed: Any) -> Message:
    if isinstance(parsed, list):
        return _refuse(None, "Send one message at a time: batches are not taken.")
    if not isinstance(parsed, dict):
        return _refuse(None, "Send one JSON-RPC message as a JSON object.")
    whole = cast(dict[str, Any], parsed)
    request_id = _read_id(whole.get("id"))
    fault = _find_fault(whole, request_id)
    if fault is not None:
        return _refuse(request_id, fault)
    if "method" not in whole:
        return _read_reply(whole, request_id)
    method, params = whole["method"], whole.get("params")
    return Told(method, params) if request_id is None else Asked(request_id, method, params, whole)


def _read_id(value: object) -> RequestId | None:
    return value if isinstance(value, str | int) and not isinstance(value, bool) else None


def _find_fault(whole: Mapping[str, Any], request_id: RequestId | None) -> str | None:
    if whole.get("jsonrpc") != "2.0":
        return 'jsonrpc: this must be "2.0".'
    if "id" in whole and request_id is None:
        return "id: this must be a string or an integer."
    if not isinstance(whole.get("method", ""), str):
        return "method: this must be a string."
    if not isinstance(whole.get("params"), dict | None):
        return "params: this must be an object."
    return None


def speaks_modern(message: Message, headers: Mapping[str, str]) -> bool:
    """Whether the request stands by itself. A version that nobody knows is refused as such a one.

    The body counts where the header is missing, so that whoever forgot it is told.
    """
    version = headers.get(VERSION_HEADER)
    if version is not None:
        return version not in HANDSHAKE_PROTOCOL_VERSIONS
    if not isinstance(message, Asked) or message.method == "initialize":
        return False
    meta = (message.params or {}).get("_meta")
    return isinstance(meta, dict) and PROTOCOL_VERSION_META_KEY in meta


def _read_reply(whole: dict[str, Any], request_id: RequestId | None) -> Message:
    if request_id is None or ("result" in whole) == ("error" in whole):
        return _refuse(request_id, "method: this is missing.")
    return Replied(request_id, whole)


def _refuse(request_id: RequestId | None, sentence: str) -> Malformed:
    return Malformed(request_id, INVALID_REQUEST, sentence)
