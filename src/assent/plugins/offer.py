"""All tools of all plugins: in their namespaces, with declared rules, on real routes."""

from collections.abc import Sequence

from assent.errors import PluginError
from assent.plugins.plugin import Plugin
from assent.tools.registry import Registry, build_registry


def build_offer(plugins: Sequence[Plugin]) -> Registry:
    """Check every plugin's tools; a fault stops the start."""
    _check_routed(plugins)
    known = {rule for plugin in plugins for rule in plugin.rules}
    for plugin in plugins:
        for tool in plugin.tools:
            if tool.namespace not in plugin.namespaces:
                raise PluginError(f"Plugin {plugin.name}: {tool.name} is not in its namespaces.")
            undeclared = set(tool.rules) - known
            if undeclared:
                raise PluginError(f"Tool {tool.name}: rule {min(undeclared)} is not declared.")
    return build_registry(tool for plugin in plugins for tool in plugin.tools)


def _check_routed(plugins: Sequence[Plugin]) -> None:
    """A projection promises what the route checks; without the route there is no such promise."""
    routed = {id(procedure) for plugin in plugins for procedure in plugin.procedures}
    for plugin in plugins:
        for tool, procedure in plugin.projected:
            if id(procedure) not in routed:
                raise PluginError(f"Tool {tool}: {procedure.name} has no route here.")
