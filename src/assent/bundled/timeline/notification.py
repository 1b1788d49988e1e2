"""A notification as a value, and when it is tried again. Pure."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import urlsplit
from uuid import UUID

PAUSES = tuple(
    timedelta(seconds=seconds) for seconds in (15, 60, 300, 1800, 3600, 3600 * 3, 3600 * 6)
)
"""Between one try and the next: an address that is away for half a day misses nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Letter:
    """What is sent, and where to. `tries` is how often that has been tried."""

    id: UUID
    subject_id: UUID
    update_id: UUID | None
    event: str
    url: str
    body: dict[str, Any]
    created_at: datetime
    tries: int = 0


def find_pause(tries: int) -> timedelta | None:
    """How long to wait after so many tries, or nothing when that was the last one."""
    return PAUSES[tries - 1] if tries <= len(PAUSES) else None


def find_origin(url: str) -> str:
    """Scheme, host and port: what may be shown of an address."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"
