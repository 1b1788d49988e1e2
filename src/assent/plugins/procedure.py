"""A procedure, and the context it runs in, as values.

One definition is route, authorization, schema and code. What runs it is `run.py`.
"""

import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Generic, Literal, Protocol, TypeAlias, TypeVar
from uuid import UUID

from assent.audit.entry import Effect
from assent.db.database import Db
from assent.identity.principal import Level, Principal, Scope
from assent.net.web import Web
from assent.plugins.extension import Contribution
from assent.plugins.outside import Outside, Shown
from assent.sandbox.scripts import Scripts
from assent.tools.part import Progress
from assent.tools.taint import CLEAN, Taint
from assent.value import Named, Value

In = TypeVar("In", bound=Value)
Out = TypeVar("Out")
Method: TypeAlias = Literal["GET", "POST", "PUT", "PATCH", "DELETE"]
Handler: TypeAlias = Callable[["Context", In], Awaitable[Out]]
Look: TypeAlias = Callable[["Context"], Awaitable[Out]]
Tell: TypeAlias = Callable[[Progress], None]
Deed: TypeAlias = Callable[[Any], Awaitable[None]]
"""A function that was declared as work; it gets a `Work`."""

PATH_FIELD = re.compile(r"\{([a-z_]+)\}")


@dataclass(frozen=True, slots=True)
class HeldGrant:
    id: UUID
    level: Level


@dataclass(frozen=True, slots=True)
class Route:
    method: Method
    path: str

    @property
    def path_fields(self) -> tuple[str, ...]:
        return tuple(PATH_FIELD.findall(self.path))


@dataclass(frozen=True, slots=True, kw_only=True)
class Access:
    """Who may call a procedure: the rule, the effect, and whether a role in a workspace counts.

    What `calls_out` waits for others, and so runs outside of any transaction.
    """

    rule: str
    effect: Effect
    tenant_wide: bool = False
    calls_out: bool = False


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Procedure(Generic[In, Out]):
    """Each is itself only: what it takes and gives need not be comparable."""

    plugin: str
    name: str
    description: str
    access: Access
    route: Route
    input: type[In]
    output: Any
    handler: Handler[In, Out]

    @property
    def action(self) -> str:
        """Its name in the audit log: `catalog.createSystem`."""
        head, *tail = self.name.split("_")
        return f"{self.plugin}.{head}{''.join(word.capitalize() for word in tail)}"


class Runtime(Protocol):
    """What a context reaches beyond its own transaction's SQL; `run.py` implements it."""

    @property
    def public_url(self) -> str: ...
    @property
    def known_rules(self) -> Sequence[str]: ...
    @property
    def program_rules(self) -> Sequence[str]: ...
    def contributions(self, point: str) -> Mapping[str, Contribution]: ...
    def find_procedure(self, action: str) -> "Procedure[Any, Any] | None": ...
    async def call(self, ctx: "Context", procedure: Procedure[In, Out], given: In) -> Out: ...
    async def answer(self, ctx: "Context", procedure: Procedure[In, Out], given: In) -> Out: ...
    async def consult(self, ctx: "Context", plugin: str, rule: str, look: "Look[Out]") -> Out: ...
    async def check(self, ctx: "Context", *, workspace_id: UUID, resource_id: UUID) -> None: ...
    async def check_workspace(self, ctx: "Context", workspace_id: UUID, path: str) -> Named: ...
    async def list_grants(self, ctx: "Context", resource_id: UUID) -> Sequence[HeldGrant]: ...
    async def forget_grants(self, ctx: "Context", resource_id: UUID) -> None: ...
    async def publish(self, ctx: "Context", topic: str, payload: Mapping[str, Any]) -> None: ...
    async def scrub(self, ctx: "Context", value: Any) -> Any: ...
    async def enqueue(self, ctx: "Context", work: "Deed", asked: "Asked") -> UUID: ...
    async def find_evidence(self, ctx: "Context", kind: str, digest: str) -> Shown | None: ...
    async def keep_secret(self, ctx: "Context", name: str, value: str) -> UUID: ...
    async def reveal_secret(self, ctx: "Context", secret_id: UUID) -> str: ...
    async def replace_secret(self, ctx: "Context", secret_id: UUID, value: str) -> None: ...
    async def forget_secret(self, ctx: "Context", secret_id: UUID) -> None: ...


def tell_nobody(progress: Progress) -> None:
    """Where nobody follows what a tool does."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What work is about, what it waits behind, and when it may begin."""

    payload: Mapping[str, Any]
    key: str | None
    after: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Occasion:
    """What belongs to one call: its key where it changes something outside, and who follows it.

    `taint` is what was in the context of the model that prepared it.
    """

    idempotency_key: UUID | None = None
    tell: Tell = tell_nobody
    taint: Taint = CLEAN


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """What a plugin's code is given.

    `scope` says where the procedure's rule holds for the principal: a list is filtered by it, and
    every single resource goes through `check`. `db` runs in a transaction that others end.
    """

    principal: Principal
    scope: Scope
    db: Db
    settings: Any
    now: datetime
    runtime: Runtime
    outside: Outside
    occasion: Occasion = Occasion()

    @property
    def http(self) -> Web:
        """The way out, for the `execute` of tools that call out, and for work."""
        return self.outside.http

    @property
    def scripts(self) -> Scripts:
        """Scripts that nobody vouches for, open where `http` is."""
        return self.outside.scripts

    @property
    def idempotency_key(self) -> UUID | None:
        """For a change outside: the same for every attempt at the same decided change."""
        return self.occasion.idempotency_key

    @property
    def tenant_id(self) -> UUID:
        return self.principal.tenant_id

    @property
    def public_url(self) -> str:
        """The address that people open, for links."""
        return self.runtime.public_url

    @property
    def known_rules(self) -> Sequence[str]:
        """Every rule of every plugin."""
        return self.runtime.known_rules

    @property
    def program_rules(self) -> Sequence[str]:
        """Those that programs over MCP have a use for."""
        return self.runtime.program_rules

    def progress(self, progress: Progress) -> None:
        """Show how far a read has come to those who follow it in a chat; others hear nothing.

        It may be told as often as one likes: people see the newest a few times in a second.
        """
        self.occasion.tell(progress)

    async def call(self, procedure: Procedure[In, Out], given: In) -> Out:
        """Call another procedure as the same principal; its rule is checked again."""
        return await self.runtime.call(self, procedure, given)

    async def consult(self, plugin: str, *, rule: str, look: Look[Out]) -> Out:
        """Let another plugin's contribution look, as the same principal and under its own rule.

        It has that plugin's settings and a savepoint of its own: a statement of its that fails
        spoils nothing here.
        """
        return await self.runtime.consult(self, plugin, rule, look)

    async def check(self, *, workspace_id: UUID, resource_id: UUID) -> None:
        """Raise "not found" for what they may not see, and name the rule for what not change."""
        await self.runtime.check(self, workspace_id=workspace_id, resource_id=resource_id)

    async def check_workspace(self, workspace_id: UUID, *, path: str = "workspaceId") -> Named:
        """The workspace; raise unless it exists and the procedure's rule holds in it."""
        return await self.runtime.check_workspace(self, workspace_id, path)

    async def list_grants(self, resource_id: UUID) -> Sequence[HeldGrant]:
        """The grants of a resource of the rule's kind: how many, and whether one has changed.

        Whom they are for is shown to those who manage access, and not here.
        """
        return await self.runtime.list_grants(self, resource_id)

    async def forget_grants(self, resource_id: UUID) -> None:
        """Remove the grants of a resource that is being deleted."""
        await self.runtime.forget_grants(self, resource_id)

    async def publish(self, topic: str, payload: Mapping[str, Any]) -> None:
        """Tell subscribers, if and only if this transaction commits."""
        await self.runtime.publish(self, topic, payload)

    async def scrub(self, value: Any) -> Any:
        """Without credentials, at any depth: for what is kept to be read later."""
        return await self.runtime.scrub(self, value)

    async def enqueue(
        self,
        work: Deed,
        payload: Mapping[str, Any],
        *,
        key: str | None = None,
        after: datetime | timedelta | None = None,
    ) -> UUID:
        """Ask for work of this plugin, if and only if this transaction commits.

        Work with the same key is done one at a time, in the order in which it was asked for.
        """
        begins = self.now + after if isinstance(after, timedelta) else after
        return await self.runtime.enqueue(self, work, Asked(payload=payload, key=key, after=begins))

    async def find_evidence(self, kind: str, digest: str) -> Shown | None:
        """What a read of the same principal has shown of this in the last day, if it has."""
        return await self.runtime.find_evidence(self, kind, digest)

    def contributions(self, point: str) -> Mapping[str, Contribution]:
        """What all plugins have added to an extension point, by name."""
        return self.runtime.contributions(point)

    def find_procedure(self, action: str) -> Procedure[Any, Any] | None:
        """One of another plugin by its name in the audit log, if that plugin is there."""
        return self.runtime.find_procedure(action)

    async def keep_secret(self, name: str, value: str) -> UUID:
        """Seal a secret and return the reference to store instead of it."""
        return await self.runtime.keep_secret(self, name, value)

    async def reveal_secret(self, secret_id: UUID) -> str:
        return await self.runtime.reveal_secret(self, secret_id)

    async def replace_secret(self, secret_id: UUID, value: str) -> None:
        """Seal another value under the same reference; the old one is gone."""
        await self.runtime.replace_secret(self, secret_id, value)

    async def forget_secret(self, secret_id: UUID) -> None:
        """Remove a value from the vault; the reference leads nowhere from then on."""
        await self.runtime.forget_secret(self, secret_id)
