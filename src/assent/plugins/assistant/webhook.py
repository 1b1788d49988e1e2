"""Procedures for the webhook: where, and of what, a tenant is told."""

from uuid import UUID

from assent.errors import Changed, Conflict, DestinationRefused
from assent.models.store import webhooks as store
from assent.models.webhook import Webhook, WebhookChange
from assent.plugins.assistant.declaration import plugin
from assent.plugins.procedure import Context
from assent.value import Nothing

READ, MANAGE = "ai.webhook.read", "ai.webhook.manage"


@plugin.procedure(rule=READ, effect="read", route="GET /admin/webhook", tenant_wide=True)
async def get_webhook(ctx: Context, _nothing: Nothing) -> Webhook:
    """Tell where events of the chat are sent, without the secret."""
    return await store.find_webhook(ctx.db, ctx.tenant_id)


@plugin.procedure(rule=MANAGE, effect="mutate", route="PUT /admin/webhook", tenant_wide=True)
async def set_webhook(ctx: Context, change: WebhookChange) -> Webhook:
    """Set where events of the chat are sent, or switch that off."""
    try:
        ctx.http.check(change.url)
    except DestinationRefused as error:
        raise Conflict.at("url", error.message) from None
    present = await store.find_webhook(ctx.db, ctx.tenant_id)
    if change.enabled and not (change.secret or present.has_secret):
        raise Conflict.at("secret", "What is sent is signed: give a secret.")
    secret_id = await _keep_secret(ctx, change.secret) if change.secret else None
    changed = await store.set_webhook(ctx.db, ctx.tenant_id, change, secret_id)
    if changed is None:
        raise Changed
    return changed


async def _keep_secret(ctx: Context, value: str) -> UUID:
    held = await store.lock_secret(ctx.db, ctx.tenant_id)
    if held is None:
        return await ctx.keep_secret("webhook", value)
    await ctx.replace_secret(held, value)
    return held
