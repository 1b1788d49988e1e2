"""Health checks: what is probed, how often, what has to hold, and how it stood."""

from assent.bundled.healthcheck import (
    capabilities,
    checks,
    collectors,
    demo,
    document,
    history,
    issues,
    keep,
    playbooks,
    run,
    scripts,
    soon,
    strategies,
    tools,
)
from assent.bundled.healthcheck.declaration import plugin

__all__ = [
    "capabilities",
    "checks",
    "collectors",
    "demo",
    "document",
    "history",
    "issues",
    "keep",
    "playbooks",
    "plugin",
    "run",
    "scripts",
    "soon",
    "strategies",
    "tools",
]
