"""Procedures for corrections: what every chat of the tenant begins with."""

from assent.context.corrections import store
from assent.context.corrections.correction import Correction, CorrectionDraft, CorrectionRef
from assent.context.declaration import CORRECTION, plugin
from assent.errors import Conflict, NotFound
from assent.ids import new_id
from assent.plugins.procedure import Context
from assent.value import Nothing, Page

READ, MANAGE = f"{CORRECTION}.read", f"{CORRECTION}.manage"
MOST = 200


@plugin.procedure(rule=READ, effect="read", route="GET /corrections")
async def list_corrections(ctx: Context, _nothing: Nothing) -> Page[Correction]:
    """List all corrections, the newest first."""
    return Page[Correction](items=await store.list_corrections(ctx.db, ctx.tenant_id, MOST))


@plugin.procedure(rule=MANAGE, effect="mutate", route="POST /corrections", tenant_wide=True)
async def add_correction(ctx: Context, draft: CorrectionDraft) -> Correction:
    """Correct the assistant, in every chat from now on."""
    if await store.count_corrections(ctx.db, ctx.tenant_id) >= MOST:
        raise Conflict.at("text", f"There can be {MOST} corrections at the most.")
    text = await ctx.scrub(draft.text.strip())
    return await store.insert_correction(
        ctx.db,
        ctx.tenant_id,
        new_id(),
        draft.model_copy(update={"text": text}),
        taint=ctx.occasion.taint.encode(),
        author=(ctx.principal.id, ctx.principal.name),
    )


@plugin.procedure(
    rule=MANAGE,
    effect="destructive",
    route="DELETE /corrections/{correction_id}",
    tenant_wide=True,
)
async def remove_correction(ctx: Context, given: CorrectionRef) -> None:
    """Take a correction back."""
    if not await store.delete_correction(ctx.db, ctx.tenant_id, given.correction_id):
        raise NotFound("There is no such correction.")
