"""Objectives: how available systems and checks shall be, how they are, and what may still fail."""

from assent.bundled.slo import issues, objectives, tools
from assent.bundled.slo.declaration import plugin

__all__ = ["issues", "objectives", "plugin", "tools"]
