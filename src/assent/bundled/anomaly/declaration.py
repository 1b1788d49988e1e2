"""The plugin as it is declared; the procedures are in the files beside this one."""

from pydantic import Field

from assent.plugins.api import Plugin, Value


class AnomalySettings(Value):
    keep_days: int = Field(90, ge=1, le=3650)


plugin = Plugin(
    "anomaly",
    title="Anomalies",
    rules=["anomaly.anomaly.read", "anomaly.anomaly.manage"],
    requires=["catalog", "healthcheck"],
    settings=AnomalySettings,
)
plugin.page("anomalies", title="Anomalies", rule="anomaly.anomaly.read", icon="radar")
