"""Conversations as lists show them, and messages with how their runs ended. Pure."""

from typing import Literal, TypeAlias
from uuid import UUID

from assent.conversations.conversation import Conversation, StoredMessage
from assent.conversations.rating import Feedback
from assent.value import Value

Standing: TypeAlias = Literal["idle", "running", "waiting"]
Ending: TypeAlias = Literal["completed", "failed", "cancelled", "superseded"]


class SnippetPiece(Value):
    text: str
    is_match: bool


class ConversationLine(Conversation):
    """`unread`: an answer has been finished that its person has not read.

    `snippet` is where a search has found its words in what was said, in pieces, and `message_id`
    the message in which, or to which the file belongs.
    """

    status: Standing
    unread: bool
    snippet: list[SnippetPiece] | None = None
    message_id: UUID | None = None


class RunError(Value):
    code: str
    message: str


class FinishedMessage(StoredMessage):
    """`status` and `error` tell how the run ended that wrote it; a person's message has neither.

    `feedback` is what the person who looks thinks of it. `versions` counts how often a person's
    message was said, this one included.
    """

    status: Ending | None
    error: RunError | None
    feedback: Feedback | None
    versions: int = 1


class OlderVersion(Value):
    """What a person's message was before, with all that came of it."""

    number: int
    messages: list[FinishedMessage]
