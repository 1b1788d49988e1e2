"""What is shared needs to know this much about the plugin whose resource has the timeline."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Generic, TypeVar
from uuid import UUID

from assent.bundled.timeline.values import Subject
from assent.plugins.api import Context, Work

S = TypeVar("S", bound=Subject)


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind(Generic[S]):
    """`resource` is as in its rules, `noun` as people say it, `page` where its pages begin, and
    `id_field` how callers name one.

    `load` gives one that the principal may see, and change where the context's rule is about that.
    """

    plugin: str
    resource: str
    noun: str
    id_field: str
    page: str
    load: Callable[[Context, UUID], Awaitable[S]]
    find_status: Callable[[S], str]
    deliver: Callable[[Work], Awaitable[None]]
