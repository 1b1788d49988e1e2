"""Facts by key, on four levels, of which the nearer one counts (SPEC H8). Pure."""

from collections.abc import Iterable, Mapping
from typing import Annotated, Any, Literal, TypeAlias, cast
from uuid import UUID

from pydantic import AfterValidator, BeforeValidator, Field

from assent.tools.json_value import encode_json
from assent.value import Value, Version, strip_unstorable

LARGEST = 8_000
"""Characters of all facts of one level, as JSON."""
MOST = 50
Level: TypeAlias = Literal["tenant", "workspace", "user"]


def check_facts(facts: dict[str, Any]) -> dict[str, Any]:
    if len(encode_json(facts)) > LARGEST:
        raise ValueError(f"They may have {LARGEST:,} characters at the most.")
    return facts


Key = Annotated[str, Field(min_length=1, max_length=60, pattern=r"^\S(.*\S)?$")]
Facts = Annotated[
    dict[Key, Any],
    Field(max_length=MOST),
    BeforeValidator(strip_unstorable),
    AfterValidator(check_facts),
]


class ContextQuery(Value):
    workspace_id: UUID | None = None


class LevelFacts(Value):
    facts: dict[str, Any]
    version: int = Field(description="0 while nothing was ever set.")


class BusinessContext(Value):
    """Each level as it is, and all together as the assistant is told."""

    platform: dict[str, Any]
    tenant: LevelFacts
    workspace: LevelFacts | None
    user: LevelFacts
    merged: dict[str, Any]


class OwnFacts(Value):
    facts: Facts
    expected_version: Version | None = None


class SharedFacts(OwnFacts):
    """Of the tenant, or of one workspace."""

    workspace_id: UUID | None = None


def merge_facts(levels: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """From the farthest to the nearest: objects key by key, everything else replaced whole."""
    merged: dict[str, Any] = {}
    for level in levels:
        for key, value in level.items():
            before = merged.get(key)
            if isinstance(before, dict) and isinstance(value, dict):
                nested = [cast(dict[str, Any], before), cast(dict[str, Any], value)]
                merged[key] = merge_facts(nested)
            else:
                merged[key] = value
    return merged
