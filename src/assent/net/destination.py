"""A destination that an admin allows: an origin to which tools send data without a card. Pure."""

from datetime import datetime
from typing import Annotated
from uuid import UUID

from pydantic import Field

from assent.value import Value

Tool = Annotated[str, Field(pattern=r"^[a-z][a-z0-9]*\.[a-z][A-Za-z0-9]*$", max_length=120)]


class DestinationDraft(Value):
    """`origin` is scheme, host and port; without a `tool` it counts for every tool."""

    origin: str = Field(
        min_length=1, max_length=300, description="Such as https://status.example.com."
    )
    tool: Tool | None = None
    note: str = Field("", max_length=500, description="What it is for.")


class Destination(Value):
    id: UUID
    origin: str
    tool: str | None
    note: str
    added_by_name: str
    added_at: datetime
