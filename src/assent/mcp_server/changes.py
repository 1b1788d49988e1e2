"""What a program is told when its call became a proposal: nothing has changed, a person decides."""

from typing import Any

from mcp_types import CallToolRequestParams

from assent.actions.call import Applied, Proposed
from assent.mcp_server.asking import Context, read_asking
from assent.tools.json_value import encode_json


async def resume_change(ctx: Context, params: CallToolRequestParams) -> dict[str, Any] | None:
    """What became of the proposal that an earlier round of this call made, if there was one."""
    return None


async def answer_change(
    ctx: Context, params: CallToolRequestParams, answer: Proposed | Applied
) -> dict[str, Any]:
    """The result of `tools/call`: where a person decides, and how to learn what became of it."""
    proposal = answer.proposal
    url = f"{read_asking(ctx).parts.public_url}/decide/{proposal.id}"
    told = {
        "proposalId": str(proposal.id),
        "state": proposal.state,
        "summary": proposal.change.preview.get("summary", ""),
        "url": url,
    }
    sentence = (
        f"Nothing has changed yet: a person decides at {url}. "
        f'Read with ai.readProposal {{"proposalId": "{proposal.id}"}} what became of it.'
    )
    return {
        "content": [
            {"type": "text", "text": sentence},
            {"type": "text", "text": encode_json(told)},
        ],
        "structuredContent": told,
        "isError": False,
        "resultType": "complete",
    }
