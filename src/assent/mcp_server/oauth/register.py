"""Programs without a document of their own register here, where the operator lets them."""

from starlette.requests import Request
from starlette.responses import Response

from assent.errors import ClientRefused, Conflict, TooMany
from assent.identity.oauth.limits import count_registration
from assent.identity.oauth.program import Program
from assent.identity.oauth.programs import register_program
from assent.identity.oauth.request import Fault
from assent.mcp_server.oauth.answers import answer, refuse, refuse_too_many
from assent.mcp_server.oauth.reading import read_address, read_json
from assent.mcp_server.parts import read_parts

OFF = Fault(
    "access_denied", "Programs do not register here; they are known by a document of their own."
)


async def register(request: Request) -> Response:
    parts = read_parts(request)
    database, settings = parts.means.database, parts.settings
    if not settings.oauth_registration:
        return refuse(OFF, 403)
    try:
        await count_registration(
            database, address=read_address(request), most=settings.oauth_registrations
        )
        given = await read_json(request)
        if isinstance(given, Fault):
            return refuse(given)
        program = await register_program(database, given, settings.oauth_schemes)
    except TooMany as error:
        return refuse_too_many(error)
    except ClientRefused as error:
        return refuse(explain(error))
    except Conflict as error:
        return refuse(Fault("temporarily_unavailable", error.message), 503)
    return answer(describe_program(program), 201)


def explain(error: ClientRefused) -> Fault:
    field = error.issues[0].path if error.issues else ""
    code = "invalid_redirect_uri" if field == "redirect_uris" else "invalid_client_metadata"
    return Fault(code, f"{field}: {error.message}" if field else error.message)


def describe_program(program: Program) -> dict[str, object]:
    """What was registered, which may be less than what was asked for: nobody has a secret here."""
    described: dict[str, object] = {
        "client_id": program.client_id,
        "client_name": program.name,
        "redirect_uris": program.redirect_uris,
        "token_endpoint_auth_method": "none",
        "grant_types": ["authorization_code", "refresh_token"],
        "response_types": ["code"],
    }
    return described | ({"client_uri": program.uri} if program.uri else {})
