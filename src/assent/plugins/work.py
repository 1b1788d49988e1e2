"""Work of a plugin: a function that may wait for others, under a lease.

It runs outside of any transaction and opens its own, each of them fenced: once somebody else has
taken the work over, nothing more that this attempt does is kept.
"""

from collections.abc import Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeAlias
from uuid import UUID

from assent.net.web import Web
from assent.plugins.outside import Outside
from assent.plugins.procedure import Context
from assent.sandbox.scripts import Scripts

Opener: TypeAlias = Callable[[], AbstractAsyncContextManager[Context]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """What the function is given. It may come again after a crash: `attempt` counts from 1."""

    id: UUID
    tenant_id: UUID
    attempt: int
    payload: Mapping[str, Any]
    now: datetime
    outside: Outside
    transaction: Opener
    """A fenced transaction, as the plugin's service."""
    finishing: Opener
    """The same, and it ends the work: what is written in it happens once."""

    @property
    def http(self) -> Web:
        return self.outside.http

    @property
    def scripts(self) -> Scripts:
        return self.outside.scripts


WorkHandler: TypeAlias = Callable[[Work], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class PluginWork:
    plugin: str
    handler: WorkHandler

    @property
    def name(self) -> str:
        return getattr(self.handler, "__name__", repr(self.handler))

    @property
    def kind(self) -> str:
        """Its name in the queue."""
        return f"work:{self.plugin}:{self.name}"
