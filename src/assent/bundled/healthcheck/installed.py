"""The strategies and collectors of all plugins, ready to use."""

from typing import Any

from assent.bundled.healthcheck.capability import Capabilities
from assent.bundled.healthcheck.declaration import COLLECTOR, STRATEGY
from assent.plugins.api import Context


def find_capabilities(ctx: Context) -> Capabilities:
    return Capabilities(_make(ctx, STRATEGY), _make(ctx, COLLECTOR))


def _make(ctx: Context, point: str) -> dict[str, Any]:
    return {name: one.value() for name, one in ctx.contributions(point).items()}
