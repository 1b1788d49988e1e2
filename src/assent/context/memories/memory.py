"""A memory as a value, and which two say nearly the same. Pure."""

from collections.abc import Iterable
from datetime import datetime
from typing import Annotated, Literal, TypeAlias
from uuid import UUID

from pydantic import Field

from assent.context.docs.page import Page
from assent.context.docs.words import list_words
from assent.tools.taint import Taint, parse_taint
from assent.value import PageQuery, Value, Version

LONGEST_TEXT = 2_000
LONGEST_HINT = 200
NEARLY = 0.6
"""Two memories are the same when they share this part of all their words, endings aside."""

MemoryText = Annotated[str, Field(min_length=1, max_length=LONGEST_TEXT, pattern=r"\S")]
Hint = Annotated[str, Field(max_length=LONGEST_HINT)]
Reach: TypeAlias = Literal["personal", "shared"]


class MemoryRef(Value):
    memory_id: UUID


class Memory(Value):
    """`hint` says when it is of use. One about a system is for those who see the system."""

    id: UUID
    reach: Reach
    text: str
    hint: str
    always_apply: bool
    system_id: UUID | None
    system_name: str | None
    author_id: UUID
    author_name: str
    updated_at: datetime
    version: int
    taint: list[dict[str, str]] = Field(description="Untrusted content it was written from.")

    @property
    def source(self) -> Taint:
        return parse_taint(self.taint)

    @property
    def page(self) -> Page:
        """As something that can be searched."""
        about = " ".join(one for one in (self.hint, self.system_name) if one)
        return Page(str(self.id), about, "", self.text)


class MemoryDraft(Value):
    text: MemoryText
    hint: Hint = ""
    always_apply: bool = False
    reach: Reach = "personal"
    system_id: UUID | None = None


class MemoryChange(MemoryRef):
    """What is left out stays. Whose it is, and which system it is about, stays anyway."""

    expected_version: Version | None = None
    text: MemoryText | None = None
    hint: Hint | None = None
    always_apply: bool | None = None


class MemoryQuery(PageQuery):
    q: str = Field("", max_length=200, description="Words, or part of one.")
    reach: Reach | None = None
    system_id: UUID | None = None


def is_trusted(memory: Memory, reader_id: UUID) -> bool:
    """The reader's own words, or those of one who may put something into everybody's prompt."""
    if memory.source.is_tainted:
        return False
    return memory.author_id == reader_id or (memory.reach == "shared" and memory.always_apply)


def find_near(text: str, memories: Iterable[Memory]) -> Memory | None:
    """The one that says nearly the same, if there is one: the nearest, then the newest."""
    words = frozenset(list_words(text))
    ranked = sorted(
        ((_share(words, frozenset(list_words(one.text))), one) for one in memories),
        key=lambda pair: (-pair[0], -pair[1].updated_at.timestamp(), str(pair[1].id)),
    )
    return ranked[0][1] if ranked and ranked[0][0] >= NEARLY else None


def _share(one: frozenset[str], other: frozenset[str]) -> float:
    """What they have in common, of all that they have; two that say nothing are not the same."""
    return len(one & other) / len(one | other) if one | other else 0.0
