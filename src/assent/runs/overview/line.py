"""Conversations as lists show them, and messages with how their runs ended. Pure."""

from typing import Literal, TypeAlias

from assent.conversations.conversation import Conversation, StoredMessage
from assent.conversations.rating import Feedback
from assent.value import Value

Standing: TypeAlias = Literal["idle", "running", "waiting"]
Ending: TypeAlias = Literal["completed", "failed", "cancelled", "superseded"]


class ConversationLine(Conversation):
    """`unread`: an answer has been finished that its person has not read."""

    status: Standing
    unread: bool


class RunError(Value):
    code: str
    message: str


class FinishedMessage(StoredMessage):
    """`status` and `error` tell how the run ended that wrote it; a person's message has neither.

    `feedback` is what the person who looks thinks of it.
    """

    status: Ending | None
    error: RunError | None
    feedback: Feedback | None
