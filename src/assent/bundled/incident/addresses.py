"""Procedures for where notifications about incidents go."""

from assent.bundled.incident.declaration import MANAGE, plugin
from assent.bundled.timeline import api as timeline
from assent.bundled.timeline.api import Address, AddressChange, AddressRef
from assent.plugins.api import Context


@plugin.procedure(rule=MANAGE, effect="read", route="GET /addresses/{workspace_id}")
async def get_address(ctx: Context, ref: AddressRef) -> Address:
    """Show where notifications about a workspace's incidents go."""
    return await timeline.get_address(ctx, plugin.name, ref)


@plugin.procedure(rule=MANAGE, effect="mutate", route="PUT /addresses/{workspace_id}")
async def set_address(ctx: Context, change: AddressChange) -> Address:
    """Set where notifications about a workspace's incidents go, or that there are none."""
    return await timeline.set_address(ctx, plugin.name, change)
