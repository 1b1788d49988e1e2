"""What a plugin declares: rules, procedures, tools, pages, events, work, demo data, playbooks."""

import inspect
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from types import FrameType
from typing import Any, TypeAlias, TypeVar
from uuid import UUID

from assent.audit.entry import Effect
from assent.models.demo.playbook import Playbook
from assent.plugins.declare import build_procedure
from assent.plugins.declare_tool import build_projection, build_tool
from assent.plugins.extension import Check, Contribution, Extension, accept_all
from assent.plugins.procedure import Access, Context, Handler, In, Out, Procedure
from assent.plugins.work import PluginWork, Work
from assent.tools.tool import Phase, Tool
from assent.value import Value

H = TypeVar("H", bound=Callable[..., Awaitable[None]])
C = TypeVar("C")
V = TypeVar("V")
W = TypeVar("W", bound=Callable[[Work], Awaitable[None]])
EventHandler: TypeAlias = Callable[[Context, "Event"], Awaitable[None]]
TickHandler: TypeAlias = Callable[[Context, "Tick"], Awaitable[None]]
DemoHandler: TypeAlias = Callable[[Context, "DemoWorkspace"], Awaitable[None]]


class Event(Value):
    """Something that happened. It may arrive more than once: `id` tells."""

    id: str
    topic: str
    payload: dict[str, Any]


class Tick(Value):
    """One due time of a schedule. It may arrive more than once: `id` tells."""

    id: str
    due_at: str


class DemoWorkspace(Value):
    """The workspace that demo data goes into."""

    workspace_id: UUID


@dataclass(frozen=True, slots=True, kw_only=True)
class PluginPage:
    """A page in the navigation. `module` is an ES module in the plugin's `pages` folder."""

    slug: str
    title: str
    rule: str
    icon: str = "box"
    module: str | None = None


@dataclass(frozen=True, slots=True)
class Subscription:
    topic: str
    handler: EventHandler


@dataclass(frozen=True, slots=True)
class PluginSchedule:
    name: str
    every: timedelta
    handler: TickHandler


def find_caller_file(frame: FrameType | None) -> Path:
    """Where whoever called this frame is written. All of the stack would cost 40 ms a plugin."""
    if frame is None or frame.f_back is None:
        raise RuntimeError("A plugin is declared in a module.")
    return Path(frame.f_back.f_code.co_filename)


class Plugin:
    """Declared once, at the top of a plugin's package; checked when it is loaded."""

    def __init__(
        self,
        name: str,
        *,
        title: str,
        rules: Sequence[str],
        namespaces: Sequence[str] | None = None,
        requires: Sequence[str] = (),
        settings: type[Value] | None = None,
    ) -> None:
        self.name = name
        self.title = title
        self.rules = tuple(rules)
        self.namespaces = tuple(namespaces if namespaces is not None else [name])
        self.requires = tuple(requires)
        self.settings = settings
        self.folder = find_caller_file(inspect.currentframe()).parent
        self.mount = f"/api/p/{name}"
        self.procedures: list[Procedure[Any, Any]] = []
        self.tools: list[Tool] = []
        self.projected: list[tuple[str, Procedure[Any, Any]]] = []
        self.pages: list[PluginPage] = []
        self.subscriptions: list[Subscription] = []
        self.schedules: list[PluginSchedule] = []
        self.works: list[PluginWork] = []
        self.extensions: list[Extension] = []
        self.contributions: list[Contribution] = []
        self.demo_handlers: list[DemoHandler] = []
        self.playbooks: list[Playbook] = []

    def procedure(
        self,
        *,
        rule: str,
        effect: Effect,
        route: str | None = None,
        tenant_wide: bool = False,
        calls_out: bool = False,
    ) -> Callable[[Handler[In, Out]], Procedure[In, Out]]:
        """Declare a procedure: an HTTP route, its authorization, its schema and its code.

        One that `calls_out` may use `ctx.http` and `ctx.scripts`; its `ctx.db` only reads.
        """
        access = Access(rule=rule, effect=effect, tenant_wide=tenant_wide, calls_out=calls_out)

        def declare(handler: Handler[In, Out]) -> Procedure[In, Out]:
            procedure = build_procedure(self.name, handler, access, route)
            self.procedures.append(procedure)
            return procedure

        return declare

    def project(
        self,
        procedure: Procedure[Any, Any],
        *,
        tool: str,
        title: str = "",
        description: str = "",
        phase: Phase = "discovery",
        project_result: Callable[[Any], Any] | None = None,
        examples: Sequence[str] = (),
    ) -> None:
        """Offer a procedure that reads as a tool.

        The description is for the model. The title is for people; without one it follows from the
        name. Examples are what somebody could ask, shown in an empty chat.
        """
        projection = build_projection(
            procedure,
            name=tool,
            title=title,
            description=description,
            phase=phase,
            project_result=project_result,
            examples=examples,
        )
        self.tools.append(projection)
        self.projected.append((tool, procedure))

    def tool(
        self,
        name: str,
        *,
        effect: Effect,
        rules: Sequence[str],
        phase: Phase = "discovery",
        **behaviour: Any,
    ) -> Callable[[type[C]], type[C]]:
        """Declare a tool: a class with `Input`, a docstring for the model, and its functions.

        `behaviour` takes what `Behaviour` has: `egress`, `external`, `output_trust`, `timeout`,
        `always_asks`, `writes_instructions`, `once_per_run`, `chat_only`, `expires_after`.
        """

        def declare(author: type[C]) -> type[C]:
            built = build_tool(
                author, name=name, effect=effect, rules=rules, phase=phase, behaviour=behaviour
            )
            self.tools.append(built)
            return author

        return declare

    def page(
        self, slug: str, *, title: str, rule: str, icon: str = "box", module: str | None = None
    ) -> None:
        """Declare a page for the navigation, shown to those who hold the rule."""
        self.pages.append(PluginPage(slug=slug, title=title, rule=rule, icon=icon, module=module))

    def on(self, topic: str) -> Callable[[H], H]:
        """Run the function for each event of this topic, at least once."""

        def declare(handler: H) -> H:
            self.subscriptions.append(Subscription(topic, handler))
            return handler

        return declare

    def every(self, interval: timedelta) -> Callable[[H], H]:
        """Run the function for each tenant at this interval, on one of all processes."""

        def declare(handler: H) -> H:
            self.schedules.append(PluginSchedule(handler.__name__, interval, handler))
            return handler

        return declare

    def work(self, handler: W) -> W:
        """Declare work that is done outside of transactions; `ctx.enqueue` asks for it."""
        self.works.append(PluginWork(self.name, handler))
        return handler

    def extension(self, point: str, *, check: Check = accept_all) -> None:
        """Let plugins contribute to this point; `check` raises PluginError for what cannot work."""
        self.extensions.append(Extension(self.name, point, check))

    def contribute(self, point: str, name: str) -> Callable[[V], V]:
        """Add the class or function to an extension point, under this name."""

        def declare(value: V) -> V:
            self.contributions.append(Contribution(self.name, point, name, value))
            return value

        return declare

    def demo(self, handler: H) -> H:
        """Fill the demo workspace on the first start."""
        self.demo_handlers.append(handler)
        return handler

    def playbook(self, playbook: Playbook) -> None:
        """Teach the demo model a longer story, for whoever tries things without a provider."""
        self.playbooks.append(playbook)
