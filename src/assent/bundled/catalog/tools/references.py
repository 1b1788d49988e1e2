"""Loading what a call refers to, as whoever asks; an id that leads nowhere becomes feedback.

A missing right stays an error: no repair of the arguments would give it.
"""

from collections.abc import Awaitable, Callable, Generator, Iterable
from contextlib import contextmanager
from typing import TypeVar
from uuid import UUID

from assent.bundled.catalog.dependencies import list_dependencies
from assent.bundled.catalog.environments import get_environment
from assent.bundled.catalog.groups import get_group, load_group
from assent.bundled.catalog.systems import get_system, list_systems, load_system
from assent.bundled.catalog.tools.checks import check_together
from assent.bundled.catalog.values import (
    Dependency,
    DependencyQuery,
    Entry,
    Environment,
    EnvironmentRef,
    Group,
    GroupRef,
    NamedEntry,
    System,
    SystemQuery,
    SystemRef,
)
from assent.plugins.api import Context, Forbidden, Issue, NotFound, Page, ToolValidationError

E = TypeVar("E", bound=Entry)
N = TypeVar("N", bound=NamedEntry)
Read = Callable[[Context, UUID, str], Awaitable[N]]
PAGE = 200


@contextmanager
def feedback_at(path: str, kind: str) -> Generator[None]:
    """Turn "not found" into advice at this path of the arguments."""
    try:
        yield
    except NotFound:
        tool = f"catalog.list{kind.capitalize()}s"
        message = f"There is no such {kind}. Use {tool} to find the id."
        raise ToolValidationError([Issue(path, message)]) from None


async def open_system(ctx: Context, system_id: UUID) -> System:
    """The system that is to change, in the context of a tool that manages systems."""
    with feedback_at("systemId", "system"):
        return await load_system(ctx, system_id)


async def open_group(ctx: Context, group_id: UUID) -> Group:
    """The group that is to change, in the context of a tool that manages groups."""
    with feedback_at("groupId", "group"):
        return await load_group(ctx, group_id)


async def read_system(ctx: Context, system_id: UUID, path: str) -> System:
    with feedback_at(path, "system"):
        return await ctx.call(get_system, SystemRef(system_id=system_id))


async def read_group(ctx: Context, group_id: UUID, path: str) -> Group:
    with feedback_at(path, "group"):
        return await ctx.call(get_group, GroupRef(group_id=group_id))


async def read_environment(ctx: Context, environment_id: UUID, path: str) -> Environment:
    with feedback_at(path, "environment"):
        return await ctx.call(get_environment, EnvironmentRef(environment_id=environment_id))


async def read_all(
    ctx: Context, read: Read[N], ids: Iterable[UUID], *, path: str, workspace_id: UUID
) -> list[N]:
    """All that a list of ids refers to, each once; raise with every id that does not fit."""
    entries: dict[UUID, N] = {}
    issues: list[Issue] = []
    for index, one in enumerate(ids):
        try:
            entry = await read(ctx, one, f"{path}.{index}")
            check_together(entry, workspace_id, f"{path}.{index}")
        except ToolValidationError as error:
            issues += error.issues
        else:
            entries[entry.id] = entry
    if issues:
        raise ToolValidationError(issues)
    return list(entries.values())


async def find_all(ctx: Context, read: Read[N], ids: Iterable[UUID]) -> list[N]:
    """Those of them that the person may see."""
    entries: list[N] = []
    for one in ids:
        try:
            entries.append(await read(ctx, one, ""))
        except (ToolValidationError, Forbidden):
            continue
    return entries


async def find_members(ctx: Context, group: Group) -> list[System]:
    """The systems of a group that the person may see."""

    def list_page(cursor: str | None) -> Awaitable[Page[System]]:
        query = SystemQuery(group_id=group.id, limit=PAGE, cursor=cursor)
        return ctx.call(list_systems, query)

    return await _collect(list_page)


async def find_dependencies(ctx: Context, system: System) -> list[Dependency]:
    """The dependencies with the system at either end that the person may see."""

    def list_page(cursor: str | None) -> Awaitable[Page[Dependency]]:
        query = DependencyQuery(system_id=system.id, limit=PAGE, cursor=cursor)
        return ctx.call(list_dependencies, query)

    return await _collect(list_page)


async def _collect(list_page: Callable[[str | None], Awaitable[Page[E]]]) -> list[E]:
    """Every item of a list, or none for a person who may not see the list."""
    items: list[E] = []
    cursor = None
    while True:
        try:
            page = await list_page(cursor)
        except Forbidden:
            return []
        items += page.items
        cursor = page.next_cursor
        if cursor is None:
            return items
