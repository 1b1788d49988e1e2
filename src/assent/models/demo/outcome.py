"""What planning one clause can come to. Pure."""

from dataclasses import dataclass
from typing import TypeAlias

from assent.models.demo.ask import Question
from assent.models.demo.lookup import Call, Focus
from assent.models.demo.narrow import Keep
from assent.models.demo.profile import Profile
from assent.models.demo.state import Seen


@dataclass(frozen=True, slots=True)
class Need:
    calls: tuple[Call, ...]


@dataclass(frozen=True, slots=True)
class Ready:
    """The calls that do what was asked. `focus` is what they are about."""

    calls: tuple[Call, ...]
    profile: Profile
    focus: Focus | None = None
    unused: tuple[str, ...] = ()
    keep: Keep | None = None


@dataclass(frozen=True, slots=True)
class Ask:
    questions: tuple[Question, ...]


@dataclass(frozen=True, slots=True)
class Cannot:
    """`missing` where only a name leads nowhere, so that another tool may know it."""

    text: str
    missing: bool = False
    failure: Seen | None = None


Plan: TypeAlias = Need | Ready | Ask | Cannot
