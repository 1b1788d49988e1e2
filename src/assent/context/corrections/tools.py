"""Tools for corrections: always proposed, under the rule that lets one change every prompt."""

from assent.context.corrections import store
from assent.context.corrections.correction import CorrectionDraft, CorrectionRef
from assent.context.corrections.procedures import (
    MANAGE,
    add_correction,
    list_corrections,
    remove_correction,
)
from assent.plugins.assistant import plugin
from assent.plugins.procedure import Context
from assent.tools.tool import Basis, Preview, Result, ToolValidationError

plugin.project(
    list_corrections,
    tool="ai.listCorrections",
    title="List corrections",
    description="List what the organization has corrected about the assistant, with ids.",
)


@plugin.tool(
    "ai.addCorrection",
    effect="mutate",
    rules=[MANAGE],
    phase="build",
    writes_instructions=True,
    always_asks=True,
)
class AddCorrection:
    """Correct yourself for everybody: something that you got wrong, or that was learned.

    Only when the person asks for it, and only what holds for the whole organization; ai.remember
    is for the rest.
    """

    title = "Add a correction"
    Input = CorrectionDraft

    async def dry_run(self, ctx: Context, given: CorrectionDraft) -> Preview:
        shown = {"kind": given.kind, "text": given.text}
        return Preview(summary=f"Add a {given.kind} for everybody", creates=shown)

    async def execute(self, ctx: Context, given: CorrectionDraft) -> Result:
        added = await ctx.call(add_correction, given)
        return Result({"correctionId": str(added.id), "text": added.text})


@plugin.tool("ai.removeCorrection", effect="destructive", rules=[MANAGE], phase="build")
class RemoveCorrection:
    """Take a correction back, so that no chat is told of it any more."""

    title = "Remove a correction"
    Input = CorrectionRef

    async def dry_run(self, ctx: Context, given: CorrectionRef) -> Preview:
        present = await store.find_correction(ctx.db, ctx.tenant_id, given.correction_id)
        if present is None:
            raise ToolValidationError.at("correctionId", "There is no such correction.")
        return Preview(
            summary=f"Remove a {present.kind}",
            removes=(present.text,),
            basis=(Basis("context.correction", str(present.id), 1),),
        )

    async def execute(self, ctx: Context, given: CorrectionRef) -> Result:
        await ctx.call(remove_correction, given)
        return Result({"removed": True})
