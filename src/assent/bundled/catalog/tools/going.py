"""What goes along when a system or a group is deleted, for the card: by name, and all of it.

What the person may not see is named by its id where they know that already, and counted otherwise.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from uuid import UUID

from assent.bundled.catalog.store.dependencies import list_of_system
from assent.bundled.catalog.tools.card import KINDS, on_names, on_set, on_version
from assent.bundled.catalog.tools.references import (
    find_all,
    find_dependencies,
    find_members,
    read_environment,
    read_group,
    read_system,
)
from assent.bundled.catalog.values import Dependency, Group, NamedEntry, System
from assent.plugins.api import Basis, Context


@dataclass(frozen=True, slots=True)
class Going:
    """Names for the card, and what they rest on."""

    names: tuple[str, ...]
    basis: tuple[Basis, ...]


async def find_going_with_system(ctx: Context, system: System) -> Going:
    groups = await find_all(ctx, read_group, system.group_ids)
    environments = await find_all(ctx, read_environment, system.environment_ids)
    depending = await _find_depending(ctx, system)
    grants = await _find_grants(ctx, system)
    return Going(
        names=(
            *depending.names,
            *_name("membership in group", system.group_ids, groups),
            *_name("link to environment", system.environment_ids, environments),
            *grants.names,
        ),
        basis=(*depending.basis, *on_names(groups), *on_names(environments), *grants.basis),
    )


async def find_going_with_group(ctx: Context, group: Group) -> Going:
    members = await find_members(ctx, group)
    grants = await _find_grants(ctx, group)
    return Going(
        names=(*_name("membership of system", group.system_ids, members), *grants.names),
        basis=(*on_names(members), *grants.basis),
    )


async def _find_depending(ctx: Context, system: System) -> Going:
    every = await list_of_system(ctx.db, ctx.tenant_id, system.id)
    seen = await find_dependencies(ctx, system)
    others = {end for one in seen for end in (one.system_id, one.depends_on_id)} - {system.id}
    ends = await find_all(ctx, read_system, sorted(others))
    names = {end.id: end.name for end in (system, *ends)}
    hidden = _count(len(every) - len(seen), "dependency", "dependencies")
    return Going(
        names=(
            *(_describe(one, names) for one in seen),
            *(f"{count}, not visible to whoever asks" for count in hidden),
        ),
        basis=(*map(on_version, every), *on_names(ends)),
    )


async def _find_grants(ctx: Context, entry: NamedEntry) -> Going:
    """Who holds them is shown to those who manage access, and not here."""
    kind = KINDS[type(entry)]
    grants = [f"{one.id} {one.level}" for one in await ctx.list_grants(entry.id)]
    names = tuple(f"{count} of access to it" for count in _count(len(grants), "grant", "grants"))
    return Going(names, (on_set(f"{kind}.grants", entry.id, grants),))


def _name(what: str, ids: Iterable[UUID], seen: Sequence[NamedEntry]) -> list[str]:
    names = {entry.id: entry.name for entry in seen}
    return [f"{what} {name}" for name in sorted(names.get(one, str(one)) for one in ids)]


def _describe(one: Dependency, names: dict[UUID, str]) -> str:
    system, target = (names.get(end, str(end)) for end in (one.system_id, one.depends_on_id))
    return f"dependency {system} → {target} ({one.strength})"


def _count(number: int, one: str, many: str) -> list[str]:
    return [f"{number} {one if number == 1 else many}"] if number else []
