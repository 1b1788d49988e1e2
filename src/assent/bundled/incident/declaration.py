"""The plugin as it is declared; the procedures are in the files beside this one."""

from assent.plugins.api import Plugin

READ, MANAGE = "incident.incident.read", "incident.incident.manage"

plugin = Plugin(
    "incident", title="Incidents", rules=[READ, MANAGE], requires=["catalog", "timeline"]
)
plugin.page("incidents", title="Incidents", rule=READ, icon="siren")
