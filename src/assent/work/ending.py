"""How a job ended and what becomes of its row. Pure: `execution.py` acts on it."""

from dataclasses import dataclass
from datetime import timedelta
from enum import Enum
from typing import TypeAlias

from assent.errors import LeaseLost

RETRY_SECONDS = (1, 5, 30, 120, 600, 3600)
ERROR_LENGTH = 2000


class Stop(Enum):
    """Why a worker cancels a handler."""

    CANCEL = "a cancel was requested"
    LOST = "the lease was lost"
    SHUTDOWN = "the worker is stopping"


@dataclass(frozen=True, slots=True)
class Done:
    """The handler returned."""


@dataclass(frozen=True, slots=True)
class Cancelled:
    """The handler stopped because somebody asked for it."""


@dataclass(frozen=True, slots=True)
class Retry:
    """The handler failed: again later, or never again when the attempts are used up."""

    error: str


@dataclass(frozen=True, slots=True)
class Leave:
    """The row is somebody else's, or is about to be released with all others."""

    reason: str


Written: TypeAlias = Done | Cancelled | Retry
Ending: TypeAlias = Written | Leave


def decide_ending(stop: Stop | None, error: BaseException | None) -> Ending:
    if error is None:
        return Done()
    if isinstance(error, LeaseLost) or stop is Stop.LOST:
        return Leave(Stop.LOST.value)
    if stop is Stop.CANCEL:
        return Cancelled()
    if stop is Stop.SHUTDOWN:
        return Leave(stop.value)
    return Retry(describe_error(error))


def describe_error(error: BaseException) -> str:
    """Type and message, as text that Postgres takes."""
    message = str(error).replace("\0", "").encode(errors="replace").decode()
    name = type(error).__name__
    return f"{name}: {message}"[:ERROR_LENGTH] if message else name


def retry_delay(attempt: int) -> timedelta:
    return timedelta(seconds=RETRY_SECONDS[min(attempt, len(RETRY_SECONDS)) - 1])
