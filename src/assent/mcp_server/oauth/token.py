"""A program exchanges a code or a refresh token for tokens, and gives tokens up."""

from collections.abc import Mapping

from starlette.requests import Request
from starlette.responses import Response

from assent.errors import TooMany
from assent.identity.oauth.family import ShownCode, ShownRefresh
from assent.identity.oauth.limits import count_request, forgive_request
from assent.identity.oauth.redeem import Outcome, Tokens, redeem_code, refresh, revoke
from assent.identity.oauth.request import Fault
from assent.identity.oauth.scopes import encode_scopes
from assent.mcp_server.oauth.answers import answer, refuse, refuse_too_many
from assent.mcp_server.oauth.reading import read_address, read_form
from assent.mcp_server.parts import McpParts, read_parts

NEEDED = {
    "authorization_code": ("client_id", "code", "code_verifier"),
    "refresh_token": ("client_id", "refresh_token"),
}


async def exchange(request: Request) -> Response:
    parts, form = read_parts(request), await read_form(request)
    if isinstance(form, Fault):
        return refuse(form)
    fault = find_form_fault(form)
    if fault is not None:
        return refuse(fault)
    client_id, address = form["client_id"], read_address(request)
    database, most = parts.means.database, parts.settings.oauth_attempts
    try:
        await count_request(database, "token", client_id=client_id, address=address, most=most)
    except TooMany as error:
        return refuse_too_many(error)
    response, is_failure = await _respond(parts, form)
    if not is_failure:
        await forgive_request(database, "token", client_id=client_id, address=address)
    return response


async def _respond(parts: McpParts, form: Mapping[str, str]) -> tuple[Response, bool]:
    """The answer, and whether it counts against everybody who comes with this program from there.

    A connection that renews too often is slowed down by itself.
    """
    try:
        outcome = await _exchange(parts, form)
    except TooMany as error:
        return refuse_too_many(error), False
    if isinstance(outcome, Fault):
        return refuse(outcome), True
    return answer(encode_tokens(outcome)), False


async def give_up(request: Request) -> Response:
    """Revocation (RFC 7009): the answer is the same whether there was such a token or not."""
    parts, form = read_parts(request), await read_form(request)
    if isinstance(form, Fault):
        return refuse(form)
    if "token" not in form:
        return refuse(Fault("invalid_request", "token is missing."))
    address, client_id = read_address(request), form.get("client_id")
    database, most = parts.means.database, parts.settings.oauth_attempts
    try:
        await count_request(
            database, "revoke", client_id=client_id or "", address=address, most=most
        )
    except TooMany as error:
        return refuse_too_many(error)
    await revoke(database, form["token"], client_id)
    return answer({})


def find_form_fault(form: Mapping[str, str]) -> Fault | None:
    kind = form.get("grant_type")
    if kind is None:
        return Fault("invalid_request", "grant_type is missing.")
    if kind not in NEEDED:
        return Fault("unsupported_grant_type", f"grant_type must be one of {', '.join(NEEDED)}.")
    missing = [name for name in NEEDED[kind] if name not in form]
    return Fault("invalid_request", f"{missing[0]} is missing.") if missing else None


def encode_tokens(tokens: Tokens) -> dict[str, str | int]:
    return {
        "access_token": tokens.access,
        "token_type": "Bearer",
        "expires_in": tokens.expires_in,
        "refresh_token": tokens.refresh,
        "scope": encode_scopes(tokens.scopes),
    }


async def _exchange(parts: McpParts, form: Mapping[str, str]) -> Outcome:
    database, resource = parts.means.database, form.get("resource")
    if form["grant_type"] == "refresh_token":
        shown = ShownRefresh(
            token=form["refresh_token"],
            client_id=form["client_id"],
            scope=form.get("scope"),
            resource=resource,
        )
        return await refresh(database, shown, parts.terms, most=parts.settings.oauth_attempts)
    code = ShownCode(
        code=form["code"],
        client_id=form["client_id"],
        redirect_uri=form.get("redirect_uri"),
        verifier=form["code_verifier"],
        resource=resource,
    )
    return await redeem_code(database, code, parts.terms)
