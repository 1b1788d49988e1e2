"""The plugin as it is declared; the procedures are in the files beside this one."""

from assent.plugins.api import Plugin

plugin = Plugin(
    "catalog",
    title="Catalog",
    namespaces=["system", "catalog", "dependency"],
    rules=[
        f"catalog.{resource}.{action}"
        for resource in ("system", "group", "environment", "dependency")
        for action in ("read", "manage")
    ],
)
plugin.page("systems", title="Systems", rule="catalog.system.read", icon="server")
plugin.page("groups", title="Groups", rule="catalog.group.read", icon="layers")
plugin.page("environments", title="Environments", rule="catalog.environment.read", icon="globe")
