"""A program sends a person's browser here. Who it is comes first; then the page asks the person.

Nothing is sent to an address that the program has not shown to be its own; every other answer goes
there, with our name on it.
"""

from urllib.parse import urlencode

from pydantic import ValidationError
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from assent.errors import ClientRefused, TooMany, describe_wait
from assent.identity.oauth.limits import count_request
from assent.identity.oauth.programs import check_redirect, load_program
from assent.identity.oauth.request import PASSED_ON, Ask, Fault, find_fault
from assent.mcp_server.oauth.answers import NO_STORE
from assent.mcp_server.oauth.fault_page import Wrong, build_fault_page
from assent.mcp_server.oauth.reading import read_address, read_once
from assent.mcp_server.parts import McpParts, read_parts

CONSENT_PAGE = "/connect"


async def authorize(request: Request) -> Response:
    parts = read_parts(request)
    given = read_once(request.query_params.multi_items())
    if isinstance(given, Fault):
        return show_fault(parts, "request", detail=given.description)
    try:
        ask = Ask.model_validate({name: given[name] for name in PASSED_ON if name in given})
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False)[0]
        return show_fault(parts, "request", detail=f"{first['loc'][0]}: {first['msg']}.")
    try:
        await _check_program(parts, ask, read_address(request))
    except ClientRefused as error:
        return show_fault(parts, error.reason, client_id=ask.client_id, detail=error.message)
    except TooMany as error:
        return show_too_many(parts, error)
    fault = find_fault(ask, parts.terms)
    if fault is not None:
        return RedirectResponse(ask.refuse(parts.terms, fault), 302, headers=NO_STORE)
    query = urlencode(ask.model_dump(exclude_none=True))
    return RedirectResponse(f"{CONSENT_PAGE}?{query}", 302, headers=NO_STORE)


def show_fault(parts: McpParts, wrong: Wrong, *, client_id: str = "", detail: str) -> Response:
    """For what must not be sent on: nobody has shown that the address is the program's."""
    page = build_fault_page(wrong, parts.stylesheets, client_id=client_id, detail=detail)
    return HTMLResponse(page, 400, headers=NO_STORE)


def show_too_many(parts: McpParts, error: TooMany) -> Response:
    page = build_fault_page("too_many", parts.stylesheets, wait=describe_wait(error.retry_after))
    headers = {**NO_STORE, "retry-after": str(error.retry_after)}
    return HTMLResponse(page, 429, headers=headers)


async def _check_program(parts: McpParts, ask: Ask, address: str) -> None:
    await count_request(
        parts.means.database,
        "authorize",
        client_id=ask.client_id,
        address=address,
        most=parts.settings.oauth_attempts,
    )
    web = parts.means.procedures.outside.http.opened()
    program = await load_program(
        parts.means.database, web, ask.client_id, parts.settings.oauth_schemes
    )
    check_redirect(program, ask.redirect_uri)
