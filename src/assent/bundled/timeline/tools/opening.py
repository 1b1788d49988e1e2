"""How dry runs begin: what is to change is opened, what a procedure would refuse is told."""

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, ClassVar
from uuid import UUID

from assent.bundled.timeline.kind import Kind, S
from assent.bundled.timeline.notification import find_origin
from assent.bundled.timeline.notify import load_address
from assent.bundled.timeline.tools.card import on_address
from assent.bundled.timeline.values import Ref
from assent.plugins.api import (
    Basis,
    Conflict,
    Context,
    FieldChange,
    Invalid,
    Issue,
    NotFound,
    Procedure,
    ToolValidationError,
)


class SubjectTool:
    """`procedure` makes the change, as the form does; `undo` is the tool that takes it back."""

    kind: ClassVar[Kind[Any]]
    procedure: ClassVar[Procedure[Any, Any]]
    undo: ClassVar[str] = ""


@dataclass(frozen=True, slots=True)
class Destination:
    """Where a call would also send what it says: for the card, and what that rests on."""

    shown: str | None = None
    basis: tuple[Basis, ...] = ()

    @property
    def diff(self) -> tuple[FieldChange, ...]:
        return (FieldChange("added", ("notifies",), after=self.shown),) if self.shown else ()


@contextmanager
def feedback(path: str = "") -> Generator[None]:
    """Turn what is wrong with the arguments into advice; `path` is where "not found" belongs."""
    try:
        yield
    except (Conflict, Invalid) as error:
        raise ToolValidationError(error.issues or [Issue(path, error.message)]) from None
    except NotFound as error:
        raise ToolValidationError([Issue(path, error.message)]) from None


async def open_subject(ctx: Context, kind: Kind[S], given: Ref) -> S:
    """What is to change, in the context of a tool that manages such things."""
    try:
        return await kind.load(ctx, given.subject_id)
    except NotFound:
        message = f"There is no such {kind.noun}. Use {kind.plugin}.list to find the id."
        raise ToolValidationError([Issue(kind.id_field, message)]) from None


async def find_destination(
    ctx: Context, kind: Kind[S], workspace_id: UUID, *, notify: bool
) -> Destination:
    if not notify:
        return Destination()
    url = await load_address(ctx, kind, workspace_id)
    return Destination(find_origin(url), (on_address(kind, workspace_id, url),))
