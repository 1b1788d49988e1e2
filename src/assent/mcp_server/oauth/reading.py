"""Reading requests of programs: parameters that are there once, forms, JSON, network addresses."""

import json
from collections import Counter
from collections.abc import Sequence
from urllib.parse import parse_qsl

from starlette.requests import Request

from assent.errors import TooLarge
from assent.identity.oauth.request import Fault
from assent.value import strip_unstorable

LONGEST = 64 * 1024
MOST = 50


def read_once(pairs: Sequence[tuple[str, str]]) -> dict[str, str] | Fault:
    """Empty ones count as not given; nothing may be given twice."""
    repeated = [name for name, count in Counter(name for name, _ in pairs).items() if count > 1]
    if repeated:
        return Fault("invalid_request", f"{repeated[0]} must be given once.")
    return {name: strip_unstorable(value) for name, value in pairs if value}


async def read_form(request: Request) -> dict[str, str] | Fault:
    if _media_type(request) != "application/x-www-form-urlencoded":
        return Fault("invalid_request", "Send application/x-www-form-urlencoded.")
    body = await _read_body(request)
    if body is None:
        return Fault("invalid_request", "The request is too large.")
    try:
        pairs = parse_qsl(body.decode(), keep_blank_values=True, max_num_fields=MOST)
    except ValueError:
        return Fault("invalid_request", "The body is not a form.")
    return read_once(pairs)


async def read_json(request: Request) -> object | Fault:
    if _media_type(request) != "application/json":
        return Fault("invalid_client_metadata", "Send application/json.")
    body = await _read_body(request)
    if body is None:
        return Fault("invalid_client_metadata", "The request is too large.")
    try:
        return strip_unstorable(json.loads(body))
    except (ValueError, RecursionError):
        return Fault("invalid_client_metadata", "The body is not JSON.")


def read_address(request: Request) -> str:
    return request.client.host if request.client else ""


async def _read_body(request: Request) -> bytes | None:
    """Nothing where it is too long."""
    received = bytearray()
    try:
        async for chunk in request.stream():
            received += chunk
            if len(received) > LONGEST:
                return None
    except TooLarge:
        return None
    return bytes(received)


def _media_type(request: Request) -> str:
    return request.headers.get("content-type", "").split(";")[0].strip().lower()
