"""Procedures for integrations: the model providers that an admin configures."""

from uuid import UUID

from assent.errors import Changed, Conflict, NotFound
from assent.ids import new_id
from assent.models.integration import Integration, IntegrationChange, IntegrationDraft
from assent.models.store import integrations as store
from assent.plugins.assistant.declaration import plugin
from assent.plugins.procedure import Context
from assent.value import Nothing, Page, Value

READ, MANAGE = "ai.integration.read", "ai.integration.manage"


class IntegrationRef(Value):
    integration_id: UUID


@plugin.procedure(rule=READ, effect="read", route="GET /admin/integrations", tenant_wide=True)
async def list_integrations(ctx: Context, _nothing: Nothing) -> Page[Integration]:
    """List all integrations, the first one first: it serves unless another is chosen."""
    return Page[Integration](items=await store.list_integrations(ctx.db, ctx.tenant_id))


@plugin.procedure(rule=MANAGE, effect="mutate", route="POST /admin/integrations", tenant_wide=True)
async def create_integration(ctx: Context, draft: IntegrationDraft) -> Integration:
    """Add an integration. Its key is sealed and never shown again."""
    integration_id = new_id()
    await _check_name(ctx, draft.name, integration_id)
    secret_id = await _keep_key(ctx, integration_id, draft.key)
    return await store.insert_integration(
        ctx.db, ctx.tenant_id, draft, integration_id=integration_id, secret_id=secret_id
    )


@plugin.procedure(
    rule=MANAGE,
    effect="mutate",
    route="PATCH /admin/integrations/{integration_id}",
    tenant_wide=True,
)
async def update_integration(ctx: Context, change: IntegrationChange) -> Integration:
    """Change an integration; a key that is given replaces the old one."""
    present = await store.find_integration(ctx.db, ctx.tenant_id, change.integration_id)
    if present is None:
        raise NotFound
    await _check_name(ctx, change.name or present.name, present.id)
    secret_id = await _keep_key(ctx, present.id, change.key)
    changed = await store.update_integration(ctx.db, ctx.tenant_id, change, secret_id)
    if changed is None:
        raise Changed
    return changed


@plugin.procedure(
    rule=MANAGE,
    effect="destructive",
    route="DELETE /admin/integrations/{integration_id}",
    tenant_wide=True,
)
async def delete_integration(ctx: Context, given: IntegrationRef) -> None:
    """Remove an integration; conversations that chose it go on with the first one."""
    held = await store.lock_secret(ctx.db, ctx.tenant_id, given.integration_id)
    if not await store.delete_integration(ctx.db, ctx.tenant_id, given.integration_id):
        raise NotFound
    if held is not None:
        await ctx.forget_secret(held)


async def _check_name(ctx: Context, name: str, integration_id: UUID) -> None:
    taken = await store.find_named(ctx.db, ctx.tenant_id, name)
    if taken not in (None, integration_id):
        raise Conflict.at("name", "Another integration has this name.")


async def _keep_key(ctx: Context, integration_id: UUID, key: str | None) -> UUID | None:
    if not key or not key.strip():
        return None
    held = await store.lock_secret(ctx.db, ctx.tenant_id, integration_id)
    if held is None:
        return await ctx.keep_secret(f"integration {integration_id}", key.strip())
    await ctx.replace_secret(held, key.strip())
    return held
