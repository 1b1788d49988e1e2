"""Anomalies: when checks left what is usual, until they were back, and who has seen it."""

from assent.bundled.anomaly import anomalies, follow, issues, tools
from assent.bundled.anomaly.declaration import plugin

__all__ = ["anomalies", "follow", "issues", "plugin", "tools"]
