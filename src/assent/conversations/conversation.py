"""Conversations and their messages as values. Pure."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, TypeAlias
from uuid import UUID

from pydantic import Field

from assent.tools.gate import Mode
from assent.value import PageQuery, Value

Kind: TypeAlias = Literal["ai", "direct", "group", "task"]
TitleSource: TypeAlias = Literal["none", "fallback", "model", "person"]
Role: TypeAlias = Literal["user", "assistant"]


class Conversation(Value):
    """`workspace_id` is where it began, `active_workspace_id` where it is now."""

    id: UUID
    kind: Kind
    title: str
    title_source: TitleSource
    agent: str | None
    integration_id: UUID | None
    model: str | None
    mode: Mode
    workspace_id: UUID | None
    active_workspace_id: UUID | None
    created_at: datetime
    active_at: datetime
    archived_at: datetime | None


class ConversationDraft(Value):
    workspace_id: UUID | None = None
    agent: str | None = Field(None, max_length=60)
    integration_id: UUID | None = None
    model: str | None = Field(None, max_length=200)
    mode: Mode = "approve"


class ConversationChange(Value):
    """What is left out stays as it is."""

    title: str | None = Field(None, min_length=1, max_length=200)
    agent: str | None = Field(None, max_length=60)
    integration_id: UUID | None = None
    model: str | None = Field(None, max_length=200)
    mode: Mode | None = None
    active_workspace_id: UUID | None = None


class ConversationQuery(PageQuery):
    workspace_id: UUID | None = None
    kind: Kind | None = None
    agent: str | None = Field(None, max_length=60)
    q: str = Field("", max_length=200, description="Words of the title or of a message.")


class StoredMessage(Value):
    """A message with all its parts, those for the server alone included."""

    id: UUID
    seq: int
    role: Role
    author: str
    client_id: str | None
    content: str
    parts: list[dict[str, Any]]
    run_id: UUID | None
    created_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class NewMessage:
    """`author` is a person's id or an agent's slug."""

    id: UUID
    role: Role
    author: str
    content: str
    parts: list[dict[str, Any]]
    client_id: str | None = None
    run_id: UUID | None = None
