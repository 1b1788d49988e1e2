"""What the cards show and rest on. Pure.

A card rests on the version of what it changes. One that only adds to a timeline rests on the title
and the status that it names, so that several for one subject can be applied one after the other.
"""

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from assent.bundled.timeline.kind import Kind, S
from assent.bundled.timeline.values import Edit, Subject
from assent.plugins.api import (
    Basis,
    FieldChange,
    Issue,
    Named,
    Page,
    ToolValidationError,
    find_changes,
)

SHARED_FIELDS = ("title", "description", "system_ids")
SYSTEMS = "systemIds"


@dataclass(frozen=True, slots=True)
class Edited:
    """The fields that change, as they are, and what becomes of them."""

    before: Mapping[str, Any]
    diff: tuple[FieldChange, ...]

    @property
    def fields(self) -> str:
        return " and ".join("systems" if one == SYSTEMS else one for one in self.before)


def on_version(kind: Kind[S], subject: S) -> Basis:
    return Basis(kind.resource, str(subject.id), subject.version)


def on_title(kind: Kind[S], subject: S) -> Basis:
    return Basis(f"{kind.resource}.title", str(subject.id), subject.title)


def on_standing(kind: Kind[S], subject: S, standing: str) -> Basis:
    return Basis(f"{kind.resource}.status", str(subject.id), standing)


def on_set(what: str, owner_id: UUID, members: Iterable[object]) -> Basis:
    """Rests on which members there are, whatever their order."""
    listed = "\n".join(sorted(map(str, members)))
    return Basis(what, str(owner_id), _digest(listed))


def on_address(kind: Kind[S], workspace_id: UUID, url: str) -> Basis:
    return Basis(f"{kind.plugin}.address", str(workspace_id), _digest(url))


def on_systems(systems: Iterable[Named]) -> tuple[Basis, ...]:
    bases = (Basis("catalog.system.name", str(one.id), one.name) for one in systems)
    return tuple(sorted(bases, key=lambda basis: basis.id))


def build_edit(
    subject: Subject, given: Edit, own_fields: tuple[str, ...], names: Mapping[UUID, str]
) -> Edited:
    """Lay what was said over the subject; raise when that changes nothing."""
    fields = {*SHARED_FIELDS, *own_fields}
    old = _order(subject.model_dump(mode="json", by_alias=True, include=fields))
    said = _order(given.model_dump(mode="json", by_alias=True, include=fields, exclude_none=True))
    diff = find_changes(old, {**old, **said})
    if not diff:
        issues = [Issue(field, "This is so already.") for field in said]
        raise ToolValidationError(issues or [Issue("", "Say what to change.")])
    changed = {str(change.path[0]) for change in diff}
    before = {field: value for field, value in old.items() if field in changed}
    shown = {str(one): name for one, name in names.items()}
    return Edited(before, tuple(_name(change, shown) for change in diff))


def show_subject(subject: Subject) -> dict[str, Any]:
    """For a model: what it is, without when the row was written."""
    return subject.model_dump(
        mode="json", by_alias=True, exclude={"version", "created_at", "updated_at"}
    )


def project_page(page: Page[Any]) -> dict[str, Any]:
    """A list for a model."""
    return {"items": [show_subject(one) for one in page.items], "nextCursor": page.next_cursor}


def _order(fields: dict[str, Any]) -> dict[str, Any]:
    if SYSTEMS in fields:
        fields[SYSTEMS] = sorted(set(fields[SYSTEMS]))
    return fields


def _name(change: FieldChange, names: Mapping[str, str]) -> FieldChange:
    if change.path[0] != SYSTEMS:
        return change
    return replace(
        change,
        before=names.get(change.before, change.before),
        after=names.get(change.after, change.after),
    )


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
