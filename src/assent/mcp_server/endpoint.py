"""`/mcp`: who asks, whether it is a request at all, and which generation of the protocol it is.

What is wrong with a request is said here, before anything of it is done.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from mcp.server.lowlevel import Server
from mcp.server.streamable_http import check_accept_headers
from mcp.shared.inbound import (
    ERROR_CODE_HTTP_STATUS,
    InboundLadderRejection,
    classify_inbound_request,
    find_duplicated_routing_header,
    unsupported_protocol_version_rejection,
)
from mcp_types import (
    DEFAULT_NEGOTIATED_VERSION,
    HEADER_MISMATCH,
    INVALID_REQUEST,
    PARSE_ERROR,
    RequestId,
)
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp

from assent.errors import CrossSite
from assent.identity.principal import Principal
from assent.mcp_server.answer import SERVER_ERROR, Answering, Caller, build_error
from assent.mcp_server.bearer import challenge, find_caller
from assent.mcp_server.cancelling import take_note
from assent.mcp_server.exchange import encode
from assent.mcp_server.extension import BackChannel
from assent.mcp_server.message import (
    VERSION_HEADER,
    Asked,
    Malformed,
    Message,
    Replied,
    Told,
    parse_message,
    speaks_modern,
)
from assent.mcp_server.origin import is_let_in
from assent.mcp_server.parts import McpParts, read_parts
from assent.mcp_server.session import SESSION_HEADER, open_session
from assent.mcp_server.step_up import find_more_to_ask
from assent.telemetry import names
from assent.tools.json_text import NotJson, TooDeep, parse_json

JSON = "application/json"
CALLS = b'"tools/call"'
"""In the body of a request that calls a tool, as clients write it; the door counts all others."""


class Refused(Exception):
    """The request goes no further."""

    def __init__(self, response: Response) -> None:
        super().__init__()
        self.response = response


@dataclass(frozen=True, slots=True)
class Endpoint:
    server: Server[McpParts]
    back_channel: BackChannel | None

    async def answer(self, request: Request) -> ASGIApp:
        try:
            return await self._answer(request)
        except Refused as refused:
            return refused.response

    async def _answer(self, request: Request) -> ASGIApp:
        parts = read_parts(request)
        _check_origin(parts, request.headers)
        body = await request.body() if request.method == "POST" else b""
        admitted = await find_caller(parts, request.headers, calls=CALLS in body)
        if admitted is None:
            return challenge(parts, request.headers)
        principal = admitted.principal
        request.scope[names.PRINCIPAL_KIND] = principal.kind
        if request.method != "POST":
            return Response(status_code=405, headers={"allow": "POST"})
        takes_events = _check_media_types(request)
        message = _parse_body(body)
        if speaks_modern(message, request.headers):
            caller = _meet_modern(message, request, principal)
        else:
            caller = _meet_older(message, request.headers, parts, principal)
        if isinstance(message, Replied):
            self._settle(message)
        if isinstance(message, Told):
            await take_note(parts, principal, caller.session, message)
        if not isinstance(message, Asked):
            return Response(status_code=202)
        more = await find_more_to_ask(parts, admitted, message)
        if more is not None:
            return more
        return Answering(
            server=self.server,
            parts=parts,
            caller=caller,
            taken=admitted.taken,
            asked=message,
            headers=request.headers,
            takes_events=takes_events,
            back_channel=None if caller.is_modern else self.back_channel,
        )

    def _settle(self, reply: Replied) -> None:
        if self.back_channel is None:
            raise _refuse(reply.id, INVALID_REQUEST, "Nothing was asked.")
        self.back_channel.settle(reply)


def find_reader(request: Request) -> str | None:
    """The site whose page asks, if it may read the answer."""
    origin = request.headers.get("origin")
    return origin if origin and _is_let_in(read_parts(request), request.headers) else None


def _is_let_in(parts: McpParts, headers: Mapping[str, str]) -> bool:
    return is_let_in(
        headers.get("origin"),
        host=headers.get("host", ""),
        public_url=parts.settings.public_url,
        listed=parts.settings.mcp_origins,
    )


def _check_origin(parts: McpParts, headers: Mapping[str, str]) -> None:
    if not _is_let_in(parts, headers):
        raise _refuse(None, INVALID_REQUEST, CrossSite().message, status=403)


def _check_media_types(request: Request) -> bool:
    """Whether the client also takes a stream of events."""
    if request.headers.get("content-type", "").split(";")[0].strip().lower() != JSON:
        raise _refuse(None, INVALID_REQUEST, f"Send JSON: content-type {JSON}.", status=415)
    takes_json, takes_events = check_accept_headers(request)
    if not takes_json:
        sentence = f"Accept {JSON}, and text/event-stream for what comes before an answer."
        raise _refuse(None, INVALID_REQUEST, sentence, status=406)
    return takes_events


def _parse_body(body: bytes) -> Message:
    try:
        message = parse_message(parse_json(body))
    except (NotJson, TooDeep) as error:
        raise _refuse(None, PARSE_ERROR, type(error).__doc__ or "") from None
    if isinstance(message, Malformed):
        raise _refuse(message.id, message.code, message.sentence)
    return message


def _meet_modern(message: Message, request: Request, principal: Principal) -> Caller:
    """Each request says who asks. What is no request is taken note of, and nothing comes of it."""
    headers = request.headers
    if isinstance(message, Replied):
        raise _refuse(message.id, INVALID_REQUEST, "Nothing was asked.")
    duplicated = find_duplicated_routing_header(headers.items())
    if duplicated is not None:
        raise _refuse(None, HEADER_MISMATCH, f"{duplicated}: send this header once.")
    if not isinstance(message, Asked):
        version = headers.get(VERSION_HEADER, "")
        unsupported = unsupported_protocol_version_rejection(version)
        if unsupported is not None:
            raise _reject(None, unsupported)
        return Caller(principal=principal, is_modern=True, version=version)
    trimmed = {name: value.strip() for name, value in headers.items()}
    route = classify_inbound_request(message.whole, headers=trimmed)
    if isinstance(route, InboundLadderRejection):
        raise _reject(message.id, route)
    return Caller(
        principal=principal,
        is_modern=True,
        version=route.protocol_version,
        client_info=route.client_info,
        capabilities=route.client_capabilities,
    )


def _meet_older(
    message: Message, headers: Mapping[str, str], parts: McpParts, principal: Principal
) -> Caller:
    """By its session; one who comes without is served, but nothing is known of what it can."""
    version = headers.get(VERSION_HEADER, DEFAULT_NEGOTIATED_VERSION)
    sealed = headers.get(SESSION_HEADER)
    if sealed is None or (isinstance(message, Asked) and message.method == "initialize"):
        return Caller(principal=principal, is_modern=False, version=version)
    session = open_session(parts.means.vault, principal, sealed)
    if session is None:
        request_id = message.id if isinstance(message, Asked | Replied) else None
        sentence = "There is no such session. Begin again with initialize."
        raise _refuse(request_id, SERVER_ERROR, sentence, status=404)
    return Caller(
        principal=principal,
        is_modern=False,
        version=session.version,
        client_info=session.client_info,
        capabilities=session.capabilities,
        session=sealed,
    )


def _reject(request_id: RequestId | None, rejection: InboundLadderRejection) -> Refused:
    return _refuse(request_id, rejection.code, rejection.message, data=rejection.data)


def _refuse(
    request_id: RequestId | None,
    code: int,
    sentence: str,
    *,
    status: int | None = None,
    data: Any = None,
) -> Refused:
    body = encode(build_error(request_id, code, sentence, data))
    found = status or ERROR_CODE_HTTP_STATUS.get(code, 400)
    return Refused(Response(body, found, media_type=JSON))
