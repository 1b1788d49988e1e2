"""Checks by scripts: strategies in Python and shell, their secrets, and how they are tried out."""

from assent.bundled.healthcheck.scripts import (
    collect,
    context,
    routes,
    strategy,
    tools,
)

__all__ = ["collect", "context", "routes", "strategy", "tools"]
