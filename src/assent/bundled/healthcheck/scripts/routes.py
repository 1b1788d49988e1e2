"""Procedures of the page's editor: a script is tried, and secrets are kept that it names."""

from assent.bundled.healthcheck.declaration import MANAGE, plugin
from assent.bundled.healthcheck.scripts.script import ScriptOutcome, ScriptTest
from assent.bundled.healthcheck.scripts.trial import try_script
from assent.bundled.healthcheck.secret import (
    KeptSecret,
    SecretDraft,
    SecretList,
    SecretQuery,
    SecretRef,
)
from assent.bundled.healthcheck.store import secrets as store
from assent.plugins.api import Conflict, Context, NotFound, new_id

MOST_SECRETS = 200


@plugin.procedure(rule=MANAGE, effect="mutate", route="POST /scripts/test", calls_out=True)
async def test_script(ctx: Context, given: ScriptTest) -> ScriptOutcome:
    """Try a script out behind walls; nothing is created."""
    return await try_script(ctx, given)


@plugin.procedure(rule=MANAGE, effect="read", route="GET /secrets")
async def list_secrets(ctx: Context, query: SecretQuery) -> SecretList:
    """List the secrets of a workspace by their names."""
    await ctx.check_workspace(query.workspace_id)
    found = await store.list_secrets(ctx.db, ctx.tenant_id, query.workspace_id, limit=MOST_SECRETS)
    return SecretList(items=found)


@plugin.procedure(rule=MANAGE, effect="mutate", route="POST /secrets")
async def keep_secret(ctx: Context, draft: SecretDraft) -> KeptSecret:
    """Keep a secret of a workspace, or replace it; its value is never shown again."""
    await ctx.check_workspace(draft.workspace_id)
    others = await store.count_others(ctx.db, ctx.tenant_id, draft.workspace_id, draft.name)
    if others >= MOST_SECRETS:
        raise Conflict(f"A workspace has at most {MOST_SECRETS} secrets.")
    secret_id = await ctx.keep_secret(f"healthcheck {draft.name}", draft.value)
    kept = KeptSecret(id=new_id(), workspace_id=draft.workspace_id, name=draft.name)
    own_id, held = await store.upsert_secret(ctx.db, ctx.tenant_id, kept, secret_id=secret_id)
    if held != secret_id:
        await ctx.replace_secret(held, draft.value)
        await ctx.forget_secret(secret_id)
    return kept.model_copy(update={"id": own_id})


@plugin.procedure(rule=MANAGE, effect="destructive", route="DELETE /secrets/{secret_id}")
async def forget_secret(ctx: Context, ref: SecretRef) -> None:
    """Forget a secret and its value; scripts that name it get the placeholder from then on."""
    kept = await store.find_secret(ctx.db, ctx.tenant_id, ref.secret_id)
    if kept is None or not ctx.scope.covers(workspace_id=kept.workspace_id):
        raise NotFound("There is no such secret.")
    held = await store.delete_secret(ctx.db, ctx.tenant_id, kept.id)
    if held is None:
        raise NotFound("There is no such secret.")
    await ctx.forget_secret(held)
