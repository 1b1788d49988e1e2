"""Finding plugins and checking what they declare. A fault stops the start with one message."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from assent.db.migrate import Component
from assent.errors import ConfigurationError, PluginError
from assent.identity.rules import is_rule, resource_kind
from assent.models.demo.playbook import Playbook
from assent.plugins.extension import Contributions, gather_contributions
from assent.plugins.offer import build_offer
from assent.plugins.playbooks import check_playbooks
from assent.plugins.plugin import Plugin
from assent.tools.registry import Registry, is_offered_at
from assent.tools.tool import Tool

GROUP = "assent.plugins"
NAME = re.compile(r"[a-z][a-z0-9]{1,40}")
SLUG = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


@dataclass(frozen=True, slots=True)
class Loaded:
    """The plugins in the order of their requirements, their settings, their tools, and what each
    has added to others. `topics` are those of events that some plugin listens to."""

    plugins: tuple[Plugin, ...]
    settings: Mapping[str, Any]
    tools: Registry
    contributions: Contributions
    topics: frozenset[str]

    @property
    def rules(self) -> tuple[str, ...]:
        return tuple(rule for plugin in self.plugins for rule in plugin.rules)

    @property
    def program_rules(self) -> tuple[str, ...]:
        """Those of use to a program over MCP: what its tools need, and to see what they change."""
        tools = [one for one in self.tools.by_name.values() if is_offered_at(one, "mcp")]
        used = {rule for one in tools for rule in one.rules}
        seen = {f"{resource_kind(rule)}.read" for rule in used}
        return tuple(rule for rule in self.rules if rule in used | seen)

    @property
    def playbooks(self) -> tuple[Playbook, ...]:
        return tuple(one for plugin in self.plugins for one in plugin.playbooks)

    def find_plugin(self, tool: Tool) -> Plugin:
        return next(plugin for plugin in self.plugins if tool.namespace in plugin.namespaces)

    def list_service_rules(self, plugin: Plugin) -> frozenset[str]:
        """What a plugin's own background work may do: all of its own, and read what it requires."""
        required = (one for one in self.plugins if one.name in plugin.requires)
        readable = (rule for one in required for rule in one.rules if rule.endswith(".read"))
        return frozenset((*plugin.rules, *readable))

    @property
    def components(self) -> list[Component]:
        return [
            Component(plugin.name, plugin.folder / "migrations")
            for plugin in self.plugins
            if (plugin.folder / "migrations").is_dir()
        ]


def discover_plugins(disabled: Sequence[str]) -> list[Plugin]:
    """Import every installed plugin that is not disabled."""
    found: list[Plugin] = []
    installed = sorted(entry_points(group=GROUP), key=lambda point: point.name)
    unknown = set(disabled) - {point.name for point in installed}
    if unknown:
        raise ConfigurationError(
            f"disabled_plugins: {', '.join(sorted(unknown))} is not installed."
        )
    for point in installed:
        if point.name in disabled:
            continue
        try:
            plugin = point.load()
        except Exception as error:
            if isinstance(error, PluginError):
                raise
            raise PluginError(f"Plugin {point.name} cannot be imported: {error!r}") from error
        if not isinstance(plugin, Plugin) or plugin.name != point.name:
            raise PluginError(f"The entry point {point.name} must name a Plugin({point.name!r}).")
        found.append(plugin)
    return found


def load_plugins(
    core: Sequence[Plugin], others: Sequence[Plugin], settings: Mapping[str, Mapping[str, Any]]
) -> Loaded:
    """Check all plugins together and put them into order."""
    plugins = [*core, *others]
    for name, count in Counter(plugin.name for plugin in plugins).items():
        if count > 1:
            raise PluginError(f"Two plugins are called {name}.")
    for plugin in plugins:
        _check_plugin(plugin)
    _check_shared(plugins)
    unknown = set(settings) - {plugin.name for plugin in plugins}
    if unknown:
        raise ConfigurationError(f"plugin.{min(unknown)}: there is no such plugin.")
    ordered = [*core, *_order(others, known={plugin.name for plugin in core})]
    offer = build_offer(ordered)
    check_playbooks(
        [(plugin.name, one) for plugin in ordered for one in plugin.playbooks],
        offer,
        {namespace for plugin in ordered for namespace in plugin.namespaces},
    )
    return Loaded(
        tuple(ordered),
        {plugin.name: _read_settings(plugin, settings) for plugin in plugins},
        offer,
        gather_contributions(
            [one for plugin in ordered for one in plugin.extensions],
            [one for plugin in ordered for one in plugin.contributions],
        ),
        frozenset(one.topic for plugin in ordered for one in plugin.subscriptions),
    )


def _check_plugin(plugin: Plugin) -> None:
    where = f"Plugin {plugin.name}"
    if NAME.fullmatch(plugin.name) is None:
        raise PluginError(f"{where}: a name is 2 to 41 lower-case letters and digits.")
    if not plugin.rules and _does_more_than_tools(plugin):
        raise PluginError(f"{where}: declare at least one rule.")
    for rule in plugin.rules:
        if not is_rule(rule) or rule.split(".")[0] not in plugin.namespaces:
            raise PluginError(
                f"{where}: rule {rule!r} must be namespace.resource.read or .manage "
                f"in {', '.join(plugin.namespaces)}."
            )
    for procedure in plugin.procedures:
        if procedure.access.rule not in plugin.rules:
            undeclared = procedure.access.rule
            raise PluginError(f"{where}, {procedure.name}: rule {undeclared} is not declared.")
    for page in plugin.pages:
        _check_page(where, plugin, page.slug, page.rule, page.module)
    for schedule in plugin.schedules:
        if schedule.every.total_seconds() < 1:
            raise PluginError(f"{where}, schedule {schedule.name}: at least one second apart.")
    _check_unique(where, "procedure", (p.name for p in plugin.procedures))
    _check_unique(where, "route", (f"{p.route.method} {p.route.path}" for p in plugin.procedures))
    _check_unique(where, "page", (page.slug for page in plugin.pages))
    _check_unique(where, "event handler", (s.handler.__name__ for s in plugin.subscriptions))
    _check_unique(where, "schedule", (schedule.name for schedule in plugin.schedules))
    _check_unique(where, "work", (work.name for work in plugin.works))
    _check_unique(where, "rule", plugin.rules)


def _does_more_than_tools(plugin: Plugin) -> bool:
    return bool(
        plugin.procedures
        or plugin.pages
        or plugin.subscriptions
        or plugin.schedules
        or plugin.works
        or plugin.demo_handlers
    )


def _check_page(where: str, plugin: Plugin, slug: str, rule: str, module: str | None) -> None:
    if SLUG.fullmatch(slug) is None:
        raise PluginError(f"{where}, page {slug!r}: a slug is lower-case words joined by dashes.")
    if rule not in plugin.rules:
        raise PluginError(f"{where}, page {slug}: rule {rule} is not declared.")
    if module is not None and not _is_page_file(plugin.folder / "pages", module):
        raise PluginError(f"{where}, page {slug}: there is no file pages/{module}.")


def _is_page_file(folder: Path, module: str) -> bool:
    return (folder / module).is_file() and folder in (folder / module).resolve().parents


def _check_unique(where: str, what: str, names: Iterable[str]) -> None:
    for name, count in Counter(names).items():
        if count > 1:
            raise PluginError(f"{where}: {what} {name} is declared twice.")


def _check_shared(plugins: Sequence[Plugin]) -> None:
    owners: dict[str, str] = {}
    for plugin in plugins:
        for namespace in plugin.namespaces:
            if namespace in owners:
                raise PluginError(
                    f"Plugins {owners[namespace]} and {plugin.name} both claim {namespace}."
                )
            owners[namespace] = plugin.name


def _order(plugins: Sequence[Plugin], known: set[str]) -> list[Plugin]:
    """Put each plugin after those that it requires."""
    ordered: list[Plugin] = []
    waiting = list(plugins)
    names = known | {plugin.name for plugin in plugins}
    for plugin in plugins:
        for required in plugin.requires:
            if required not in names:
                raise PluginError(f"Plugin {plugin.name} requires {required}, which is not here.")
    ready = set(known)
    while waiting:
        free = [plugin for plugin in waiting if ready.issuperset(plugin.requires)]
        if not free:
            circle = ", ".join(sorted(plugin.name for plugin in waiting))
            raise PluginError(f"Plugins {circle} require each other in a circle.")
        ordered += free
        ready |= {plugin.name for plugin in free}
        waiting = [plugin for plugin in waiting if plugin.name not in ready]
    return ordered


def _read_settings(plugin: Plugin, settings: Mapping[str, Mapping[str, Any]]) -> Any:
    given = settings.get(plugin.name, {})
    if plugin.settings is None:
        if given:
            raise ConfigurationError(f"plugin.{plugin.name}: this plugin has no settings.")
        return None
    try:
        return plugin.settings.model_validate(given, by_alias=False, by_name=True)
    except ValidationError as error:
        problem = error.errors(include_input=False, include_url=False)[0]
        field = ".".join(str(part) for part in problem["loc"])
        raise ConfigurationError(f"plugin.{plugin.name}.{field}: {problem['msg']}") from None
