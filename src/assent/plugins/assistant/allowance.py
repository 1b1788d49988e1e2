"""Procedures for what a tenant may spend in a month, and whether it chats at all."""

from assent.errors import Changed
from assent.models.credits import Allowance, AllowanceChange
from assent.models.store import credits as store
from assent.plugins.assistant.declaration import plugin
from assent.plugins.procedure import Context
from assent.value import Nothing

READ, MANAGE = "ai.credit.read", "ai.credit.manage"


@plugin.procedure(rule=READ, effect="read", route="GET /admin/credits", tenant_wide=True)
async def get_credits(ctx: Context, _nothing: Nothing) -> Allowance:
    """Tell the credits of each month, and whether the chat is on."""
    return await store.find_allowance(ctx.db, ctx.tenant_id)


@plugin.procedure(rule=MANAGE, effect="mutate", route="PUT /admin/credits", tenant_wide=True)
async def set_credits(ctx: Context, change: AllowanceChange) -> Allowance:
    """Set the credits of each month, or none, and switch the chat on or off."""
    changed = await store.set_allowance(ctx.db, ctx.tenant_id, change)
    if changed is None:
        raise Changed
    return changed
