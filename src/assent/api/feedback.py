"""Routes for what people think of answers."""

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Path
from starlette.requests import Request

from assent.api.body import read_value
from assent.api.conversations import takes
from assent.api.parts import PartsOf
from assent.api.principal import Person
from assent.api.problems import PROBLEM_RESPONSES
from assent.conversations.feedback import give_feedback, take_back_feedback
from assent.conversations.rating import Feedback

router = APIRouter(prefix="/api/messages", tags=["Messages"], responses=PROBLEM_RESPONSES)

MessageId = Annotated[UUID, Path(alias="messageId")]


@router.put(
    "/{messageId}/feedback",
    operation_id="messages_rate",
    response_model=Feedback,
    openapi_extra=takes(Feedback),
)
async def rate(request: Request, parts: PartsOf, person: Person, message_id: MessageId) -> Feedback:
    """Rate an answer, with reasons and a comment; what was said of it before is replaced."""
    given = await read_value(request, Feedback)
    return await give_feedback(
        parts.database, person, message_id, given, scrubbing=parts.means.scrubbing
    )


@router.delete("/{messageId}/feedback", operation_id="messages_unrate", status_code=204)
async def unrate(parts: PartsOf, person: Person, message_id: MessageId) -> None:
    """Take one's rating back."""
    await take_back_feedback(parts.database, person, message_id)
