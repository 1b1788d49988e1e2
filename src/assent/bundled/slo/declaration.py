"""The plugin as it is declared; the procedures are in the files beside this one."""

from assent.plugins.api import Plugin

plugin = Plugin(
    "slo",
    title="Objectives",
    rules=["slo.objective.read", "slo.objective.manage"],
    requires=["catalog", "healthcheck"],
)
plugin.page("objectives", title="Objectives", rule="slo.objective.read", icon="gauge")
