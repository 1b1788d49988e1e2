"""Fields of a tool's input that a person types into the card, and nobody else ever sees. Pure.

An author declares `key: Secret = None`. Models and programs are not shown the field and cannot fill
it; whoever assents types the value, which goes to the vault, and the tool gets a reference to it.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, TypeAlias
from uuid import UUID

from pydantic import Field

MARK = "x-secret"

Secret: TypeAlias = Annotated[UUID | None, Field(json_schema_extra={MARK: True})]


@dataclass(frozen=True, slots=True)
class SecretField:
    """`name` is the one on the wire."""

    name: str
    title: str


def find_secret_fields(schema: Mapping[str, Any]) -> tuple[SecretField, ...]:
    fields = schema.get("properties", {})
    return tuple(
        SecretField(name, field.get("description") or _read_name(name))
        for name, field in fields.items()
        if field.get(MARK)
    )


def _read_name(name: str) -> str:
    """`adminKey` reads as "Admin key"."""
    return re.sub(r"(?<!^)(?=[A-Z])", " ", name).capitalize()


def leave_out(schema: Mapping[str, Any], fields: tuple[SecretField, ...]) -> dict[str, Any]:
    """The schema as models and programs see it."""
    hidden = {field.name for field in fields}
    shown = {name: one for name, one in schema["properties"].items() if name not in hidden}
    return {**schema, "properties": shown}
