"""A skill: a fragment of the prompt and a way to start, for turns it is chosen for. Pure."""

from typing import Annotated, Literal, TypeAlias
from uuid import UUID

from pydantic import Field

from assent.tools.taint import Taint, parse_taint
from assent.value import Name, Value, Version

LONGEST_PROMPT = 6_000
LONGEST_STARTER = 1_000
Origin: TypeAlias = Literal["built_in", "personal", "shared"]
Reach: TypeAlias = Literal["personal", "shared"]
SkillPrompt = Annotated[str, Field(min_length=1, max_length=LONGEST_PROMPT, pattern=r"\S")]
Starter = Annotated[str, Field(max_length=LONGEST_STARTER)]
Description = Annotated[str, Field(max_length=300)]


class Skill(Value):
    """`id` is a word for the built-in ones. `starter` is what may be said with it."""

    id: str
    origin: Origin
    name: str
    description: str
    prompt: str
    starter: str
    author_id: UUID | None = None
    author_name: str | None = None
    version: int = 1
    taint: list[dict[str, str]] = Field(
        default=[], description="Untrusted content it was written from."
    )

    @property
    def source(self) -> Taint:
        return parse_taint(self.taint)


class SkillRef(Value):
    skill_id: UUID


class SkillDraft(Value):
    name: Name
    description: Description = ""
    prompt: SkillPrompt
    starter: Starter = ""
    reach: Reach = "personal"


class SkillChange(SkillRef):
    """What is left out stays."""

    expected_version: Version | None = None
    name: Name | None = None
    description: Description | None = None
    prompt: SkillPrompt | None = None
    starter: Starter | None = None
