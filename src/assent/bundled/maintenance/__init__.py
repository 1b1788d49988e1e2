"""Maintenance windows: when which systems are worked on, how it goes, and who was told."""

from assent.bundled.maintenance import addresses, issues, tools, updates, windows
from assent.bundled.maintenance.declaration import plugin

__all__ = ["addresses", "issues", "plugin", "tools", "updates", "windows"]
