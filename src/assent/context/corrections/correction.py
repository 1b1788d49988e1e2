"""A correction: what the assistant got wrong, or what was learned, for every prompt. Pure."""

from datetime import datetime
from typing import Annotated, Literal, TypeAlias
from uuid import UUID

from pydantic import Field

from assent.value import Value

LONGEST = 1_000
CorrectionText = Annotated[str, Field(min_length=1, max_length=LONGEST, pattern=r"\S")]
Kind: TypeAlias = Literal["correction", "learning"]


class CorrectionRef(Value):
    correction_id: UUID


class CorrectionDraft(Value):
    text: CorrectionText = Field(description="What is true or to be done, in a sentence or two.")
    kind: Kind = "correction"


class Correction(Value):
    id: UUID
    kind: Kind
    text: str
    author_name: str
    added_at: datetime
    taint: list[dict[str, str]] = Field(description="Untrusted content it was written from.")
