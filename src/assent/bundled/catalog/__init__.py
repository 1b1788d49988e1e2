"""The catalog: systems, groups, environments, and which system depends on which."""

from assent.bundled.catalog import (
    demo,
    dependencies,
    environments,
    groups,
    issues,
    playbooks,
    systems,
    tools,
)
from assent.bundled.catalog.declaration import plugin

__all__ = [
    "demo",
    "dependencies",
    "environments",
    "groups",
    "issues",
    "playbooks",
    "plugin",
    "systems",
    "tools",
]
