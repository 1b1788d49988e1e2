"""Whether this process lives, whether it is ready, and what it measures."""

import hmac

from fastapi import APIRouter
from prometheus_client.exposition import CONTENT_TYPE_LATEST
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response

from assent import __version__
from assent.api.parts import Parts, PartsOf
from assent.api.problems import PROBLEM_RESPONSES
from assent.errors import AssentError, NotSignedIn
from assent.value import Value

router = APIRouter(tags=["Health"])


class Health(Value):
    status: str
    version: str


@router.head("/healthz", include_in_schema=False)
@router.get("/healthz", operation_id="healthz")
async def live() -> Health:
    """Answer as long as the process runs."""
    return Health(status="ok", version=__version__)


@router.head("/readyz", include_in_schema=False)
@router.get(
    "/readyz",
    operation_id="readyz",
    response_model=Health,
    responses={503: {"model": Health, "description": "Not ready"}},
)
async def ready(request: Request, parts: PartsOf) -> Response:
    """Answer 200 when the database answers too, and nobody has told this process to stop."""
    if request.app.state.leaving.is_set():
        return JSONResponse({"status": "leaving", "version": __version__}, 503)
    try:
        async with parts.database.reading() as db:
            await db.fetchval("SELECT 1")
    except (AssentError, OSError):
        return JSONResponse({"status": "no database", "version": __version__}, 503)
    return JSONResponse({"status": "ok", "version": __version__})


@router.get(
    "/metrics",
    operation_id="metrics",
    response_class=PlainTextResponse,
    responses={401: PROBLEM_RESPONSES[401]},
)
async def measure(request: Request, parts: PartsOf) -> Response:
    """Give measurements in Prometheus' text format."""
    _check_token(parts, request)
    body = await parts.monitor.render()
    return Response(body, headers={"content-type": CONTENT_TYPE_LATEST})


def _check_token(parts: Parts, request: Request) -> None:
    expected = parts.settings.metrics_token
    if expected is None:
        return
    given = request.headers.get("authorization", "").removeprefix("Bearer ")
    if not hmac.compare_digest(given.encode(), expected.get_secret_value().encode()):
        raise NotSignedIn("Send the metrics token as a bearer token.")
