"""What a person thinks of an answer, as a value (SPEC C14). Pure."""

from typing import Literal, TypeAlias

from pydantic import Field

from assent.value import Value

Rating: TypeAlias = Literal["up", "down"]
Reason: TypeAlias = Literal[
    "correct",
    "complete",
    "clear",
    "wrong",
    "incomplete",
    "unclear",
    "ignored",
    "unwanted",
    "slow",
    "other",
]


class Feedback(Value):
    rating: Rating
    reasons: list[Reason] = Field([], max_length=10)
    comment: str = Field("", max_length=2_000)
