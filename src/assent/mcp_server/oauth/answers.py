"""What the addresses of OAuth answer with: JSON that nobody keeps, or a page for people."""

from collections.abc import Mapping
from html import escape
from typing import Any

from starlette.responses import HTMLResponse, JSONResponse, Response

from assent.errors import TooMany
from assent.identity.oauth.request import Fault

NO_STORE = {"cache-control": "no-store", "pragma": "no-cache"}

PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Not connected</title></head>
<body><h1>This program was not connected</h1><p>{sentence}</p>
<p>Close this page and begin again in the program. If it stays so, tell whoever makes it.</p>
</body></html>
"""


def answer(body: Mapping[str, Any], status: int = 200) -> Response:
    return JSONResponse(dict(body), status, headers=NO_STORE)


def refuse(fault: Fault, status: int = 400, headers: Mapping[str, str] | None = None) -> Response:
    body = {"error": fault.error, "error_description": fault.description}
    return JSONResponse(body, status, headers={**NO_STORE, **(headers or {})})


def refuse_too_many(error: TooMany) -> Response:
    fault = Fault("temporarily_unavailable", error.message)
    return refuse(fault, 429, {"retry-after": str(error.retry_after)})


def show_fault(sentence: str, status: int = 400, retry_after: int | None = None) -> Response:
    """For what must not be sent on: nobody has shown that the address is the program's."""
    headers = dict(NO_STORE)
    if retry_after is not None:
        headers["retry-after"] = str(retry_after)
    return HTMLResponse(PAGE.format(sentence=escape(sentence)), status, headers=headers)
