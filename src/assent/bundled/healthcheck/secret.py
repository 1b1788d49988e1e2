"""Secrets of a workspace that scripts name, by their names. Pure."""

from typing import Annotated
from uuid import UUID

from pydantic import Field, StringConstraints

from assent.plugins.api import Named, Value

SHORTEST_SECRET, LONGEST_SECRET = 8, 4000
SecretName = Annotated[
    str, StringConstraints(pattern=r"^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$", max_length=60)
]


class SecretDraft(Value):
    """A secret of a workspace; scripts name it as `__SECRET_NAME__`."""

    workspace_id: UUID
    name: SecretName
    value: Annotated[str, Field(min_length=SHORTEST_SECRET, max_length=LONGEST_SECRET)]


class SecretQuery(Value):
    workspace_id: UUID


class SecretRef(Value):
    secret_id: UUID


class KeptSecret(Named):
    """A secret by its name: the value is never shown again."""

    workspace_id: UUID


class SecretList(Value):
    items: list[KeptSecret]
