"""What the cards of the catalog show and rest on. Pure.

A card rests on the version of what it changes, and on the name of what it only names: a group that
gets another member in the meantime is still the group that the card speaks of.
"""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from assent.bundled.catalog.tools.inputs import NewTexts
from assent.bundled.catalog.values import (
    Dependency,
    Draft,
    Entry,
    Environment,
    Group,
    NamedEntry,
    System,
)
from assent.plugins.api import Basis, FieldChange, Issue, ToolValidationError, find_changes

KINDS: Mapping[type[Entry], str] = {
    System: "catalog.system",
    Group: "catalog.group",
    Environment: "catalog.environment",
    Dependency: "catalog.dependency",
}


@dataclass(frozen=True, slots=True)
class Edit:
    """An entry's texts as they would be, and the ones that change as they are."""

    draft: Draft
    before: Mapping[str, str]
    diff: tuple[FieldChange, ...]

    @property
    def fields(self) -> str:
        return " and ".join(self.before)


def on_version(entry: Entry) -> Basis:
    """Rests on everything about the entry, its links included."""
    return Basis(KINDS[type(entry)], str(entry.id), entry.version)


def on_name(entry: NamedEntry) -> Basis:
    return Basis(f"{KINDS[type(entry)]}.name", str(entry.id), entry.name)


def on_names(entries: Iterable[NamedEntry]) -> tuple[Basis, ...]:
    return tuple(sorted(map(on_name, entries), key=lambda basis: basis.id))


def on_workspace(workspace_id: UUID, name: str) -> Basis:
    return Basis("workspace.name", str(workspace_id), name)


def on_set(kind: str, owner_id: UUID, members: Iterable[object]) -> Basis:
    """Rests on which members there are, whatever their order."""
    listed = "\n".join(sorted(map(str, members)))
    return Basis(kind, str(owner_id), hashlib.sha256(listed.encode()).hexdigest())


def build_edit(entry: NamedEntry, given: NewTexts) -> Edit:
    """Lay the new texts over the entry; raise when that changes nothing."""
    old = {"name": entry.name, "description": entry.description}
    said = given.model_dump(include=set(old), exclude_none=True)
    draft = Draft(workspace_id=entry.workspace_id, **{**old, **said})
    diff = find_changes(old, draft.model_dump(include=set(old)))
    if not diff:
        issues = [Issue(field, f"This is its {field} already.") for field in said]
        raise ToolValidationError(issues or [Issue("", "Say what to change: name, description.")])
    changed = {str(change.path[0]) for change in diff}
    return Edit(draft, {field: text for field, text in old.items() if field in changed}, diff)


def compare_links(
    field: str, before: Sequence[UUID], after: Sequence[UUID], names: Mapping[UUID, str]
) -> tuple[FieldChange, ...]:
    """The links that come and go, by name, or by id where the name may not be seen."""
    shown = {str(one): name for one, name in names.items()}
    changes = find_changes(
        {field: [str(one) for one in sorted(before)]}, {field: [str(one) for one in sorted(after)]}
    )
    return tuple(
        replace(
            change,
            before=shown.get(change.before, change.before),
            after=shown.get(change.after, change.after),
        )
        for change in changes
    )


def show_names(entries: Iterable[NamedEntry]) -> list[str]:
    return [entry.name for entry in entries]


def show_entry(entry: NamedEntry) -> dict[str, Any]:
    """An entry for a model: what it is, without when it was made."""
    return entry.model_dump(
        mode="json", by_alias=True, exclude={"version", "created_at", "updated_at"}
    )


def show_edited(entry: NamedEntry, edit: Edit) -> dict[str, Any]:
    """What an update gives back: `before` takes it back."""
    texts = {"name": entry.name, "description": entry.description}
    return {"id": str(entry.id), **texts, "before": dict(edit.before)}
