"""Incidents: what is broken, since when, what is done about it, and who was told."""

from assent.bundled.incident import addresses, demo, incidents, issues, tools, updates
from assent.bundled.incident.declaration import plugin

__all__ = ["addresses", "demo", "incidents", "issues", "plugin", "tools", "updates"]
