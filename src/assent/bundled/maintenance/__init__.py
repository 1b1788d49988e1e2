"""Maintenance windows: when which systems are worked on, how it goes, and who was told."""

from assent.bundled.maintenance import addresses, demo, issues, playbooks, tools, updates, windows
from assent.bundled.maintenance.declaration import plugin

__all__ = ["addresses", "demo", "issues", "playbooks", "plugin", "tools", "updates", "windows"]
