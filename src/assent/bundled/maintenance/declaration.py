"""The plugin as it is declared; the procedures are in the files beside this one."""

from assent.plugins.api import Plugin

READ, MANAGE = "maintenance.window.read", "maintenance.window.manage"

plugin = Plugin(
    "maintenance", title="Maintenance", rules=[READ, MANAGE], requires=["catalog", "timeline"]
)
plugin.page("windows", title="Maintenance", rule=READ, icon="wrench")
