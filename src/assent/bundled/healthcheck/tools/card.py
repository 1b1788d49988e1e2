"""What the cards of health checks show and rest on."""

from collections.abc import Generator
from contextlib import contextmanager
from typing import Any
from uuid import UUID

from assent.bundled.healthcheck.checks import load_check
from assent.bundled.healthcheck.given import draft_of
from assent.bundled.healthcheck.judge import find_systems
from assent.bundled.healthcheck.validate import Sound
from assent.bundled.healthcheck.values import Check
from assent.plugins.api import Basis, Conflict, Context, Invalid, NotFound, ToolValidationError

KIND = "healthcheck.check"
OWN_SERVERS, NOTHING = "the name servers of this machine", "nothing outside"


@contextmanager
def feedback() -> Generator[None]:
    """What the validator finds, told to the model with the same paths and words."""
    try:
        yield
    except (Invalid, Conflict) as error:
        raise ToolValidationError(error.issues) from None


async def open_check(ctx: Context, check_id: UUID) -> Check:
    """The check that is to change, in the context of a tool that manages checks."""
    try:
        return await load_check(ctx, check_id)
    except NotFound:
        told = "There is no such check. Use healthcheck.status to find the id."
        raise ToolValidationError.at("checkId", told) from None


def on_version(check: Check) -> Basis:
    return Basis(KIND, str(check.id), check.version)


async def show_sound(ctx: Context, sound: Sound) -> tuple[dict[str, Any], tuple[Basis, ...]]:
    """A check for people: systems by name, and every place that its runs reach."""
    shown = sound.draft.model_dump(mode="json", by_alias=True, exclude={"workspace_id", "egress"})
    systems, basis = await _name_systems(ctx, sound.draft.system_ids)
    return _write(shown, systems, list(sound.reaches)), basis


async def show_check(ctx: Context, check: Check) -> dict[str, Any]:
    """The same for a check that is there."""
    shown = draft_of(check)
    systems, _ = await _name_systems(ctx, check.system_ids)
    del shown["workspaceId"], shown["egress"]
    return _write(shown, systems, check.reaches)


async def _name_systems(ctx: Context, ids: list[UUID]) -> tuple[list[str], tuple[Basis, ...]]:
    found = await find_systems(ctx, ids)
    names = [found[one].name if one in found else str(one) for one in ids]
    basis = tuple(
        Basis("catalog.system.name", str(one.id), one.name)
        for one in sorted(found.values(), key=lambda system: system.id)
    )
    return names, basis


def _write(shown: dict[str, Any], systems: list[str], reaches: list[str]) -> dict[str, Any]:
    del shown["systemIds"]
    nowhere = OWN_SERVERS if shown["strategy"]["kind"] == "dns" else NOTHING
    return {**shown, "systems": systems, "destinations": reaches or [nowhere]}
