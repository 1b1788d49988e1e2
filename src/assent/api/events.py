"""What changes while a page is open: conversations, titles, dots, cards.

A page keeps one of these open, for all its tabs: a browser has six connections for each server.
"""

from collections.abc import AsyncGenerator

from fastapi import APIRouter
from starlette.responses import Response

from assent.api.parts import PartsOf
from assent.api.principal import Person
from assent.api.problems import PROBLEM_RESPONSES
from assent.api.sse import EventStream
from assent.identity.principal import Principal
from assent.runs.audience import Audience
from assent.runs.events import HEARTBEAT
from assent.runs.notice import Notice

router = APIRouter(prefix="/api", tags=["Events"], responses=PROBLEM_RESPONSES)

HEARTBEAT_SECONDS = 15.0
IS_JSON = {"responses": {"200": {"content": {"text/event-stream": {"schema": {"type": "object"}}}}}}
"""FastAPI takes whatever is not sent as JSON for a text."""


@router.get(
    "/events",
    operation_id="events_follow",
    status_code=200,
    response_class=EventStream,
    responses={200: {"model": Notice, "description": "Each message holds one of these."}},
    openapi_extra=IS_JSON,
)
async def follow(parts: PartsOf, person: Person) -> Response:
    """Follow what changes for the signed-in person. `hello` means: ask for everything again."""
    return EventStream(_tell(parts.studio.audience, person))


async def _tell(audience: Audience, person: Principal) -> AsyncGenerator[bytes]:
    with audience.following(person) as follower:
        while (notices := await follower.read(HEARTBEAT_SECONDS)) is not None:
            yield b"".join(map(_encode, notices)) or HEARTBEAT


def _encode(notice: Notice) -> bytes:
    return b"data: %b\n\n" % notice.model_dump_json(by_alias=True).encode()
