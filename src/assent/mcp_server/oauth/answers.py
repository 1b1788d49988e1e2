"""What the addresses of OAuth answer programs with: JSON that nobody keeps."""

from collections.abc import Mapping
from typing import Any

from starlette.responses import JSONResponse, Response

from assent.errors import TooMany
from assent.identity.oauth.request import Fault

NO_STORE = {"cache-control": "no-store", "pragma": "no-cache"}


def answer(body: Mapping[str, Any], status: int = 200) -> Response:
    return JSONResponse(dict(body), status, headers=NO_STORE)


def refuse(fault: Fault, status: int = 400, headers: Mapping[str, str] | None = None) -> Response:
    body = {"error": fault.error, "error_description": fault.description}
    return JSONResponse(body, status, headers={**NO_STORE, **(headers or {})})


def refuse_too_many(error: TooMany) -> Response:
    fault = Fault("temporarily_unavailable", error.message)
    return refuse(fault, 429, {"retry-after": str(error.retry_after)})
