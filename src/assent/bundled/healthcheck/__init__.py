"""Health checks: what is probed, how often, what has to hold, and how it stood."""

from assent.bundled.healthcheck import (
    capabilities,
    checks,
    collectors,
    document,
    history,
    keep,
    run,
    scripts,
    strategies,
    tools,
)
from assent.bundled.healthcheck.declaration import plugin

__all__ = [
    "capabilities",
    "checks",
    "collectors",
    "document",
    "history",
    "keep",
    "plugin",
    "run",
    "scripts",
    "strategies",
    "tools",
]
