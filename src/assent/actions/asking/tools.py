"""The tool with which a program, or the assistant, asks what became of a change."""

from uuid import UUID

from pydantic import Field

from assent.actions.asking.told import READ_PROPOSAL
from assent.errors import NotFound
from assent.plugins.assistant import plugin
from assent.plugins.procedure import Context
from assent.tools.tool import Result, ToolValidationError
from assent.value import Value

NONE = "There is no such proposal."


class ProposalRef(Value):
    proposal_id: UUID = Field(description="From the answer to the call that asked for the change.")


@plugin.tool(READ_PROPOSAL, effect="read", rules=[], output_trust="mixed")
class ReadProposal:
    """Read how a proposed change stands: whether it still waits, and what became of it.

    `meaning` says it in words. `applied` comes with the result, `failed` with the error and
    `declined` with the reason, if one was given. While it waits, `url` is the page on which a
    person decides: give it to them, wait, and do not ask for the same change again.
    """

    title = "Read a proposal"
    Input = ProposalRef

    async def execute(self, ctx: Context, given: ProposalRef) -> Result:
        try:
            return Result(await ctx.outside.proposals(ctx.db, ctx.principal, given.proposal_id))
        except NotFound:
            raise ToolValidationError.at("proposalId", NONE) from None
