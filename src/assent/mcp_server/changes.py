"""Changes over MCP: a call becomes a proposal, and whoever asked learns what became of it.

A client that can ask its person is handed the page to decide on and comes back with the same call;
since 2026-07-28 it carries a state along, before that the call itself is known again. All others
get a link, and read the proposal later. Whatever a client answers, only a person decides, and only
in their own browser.
"""

import hashlib
from collections.abc import Mapping
from typing import Any, Literal, TypeAlias
from uuid import UUID

from mcp.shared.exceptions import UrlElicitationRequiredError
from mcp_types import CallToolRequestParams, ElicitResult
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from assent.actions.asking.program import Program, build_program
from assent.actions.asking.read import tell_asking
from assent.actions.asking.store import release_call
from assent.actions.asking.told import READ_PROPOSAL, UNDECIDED
from assent.actions.asking.wait import wait_for_decision
from assent.actions.call import Applied, Proposed, Ran, ToolCall, call_tool
from assent.actions.proposal import Place
from assent.audit.entry import hash_arguments
from assent.errors import NotFound
from assent.mcp_server.asking import Asking, Context, name_principal, read_asking
from assent.mcp_server.outcome import (
    DECISION,
    build_question,
    build_referral,
    build_result,
    find_proposal_id,
)
from assent.mcp_server.states import State, begin_state, check_unused, parse_state, spend

REFERRING = "2025-11-25"
"""The one revision with a question for a person and without a state to carry along."""
PATIENCE_SECONDS = 10.0
"""Shorter than what clients and proxies wait for an answer."""
MOST_ROUNDS = 9
"""Clients give up after ten; rather than that, they are told how to go on."""

Way: TypeAlias = Literal["ask", "refer", "tell"]
Told: TypeAlias = Mapping[str, Any]


def find_way(ctx: Context) -> Way:
    capabilities = ctx.session.client_capabilities
    elicitation = capabilities.elicitation if capabilities else None
    if elicitation is None or elicitation.url is None:
        return "tell"
    if ctx.protocol_version in MODERN_PROTOCOL_VERSIONS:
        return "ask"
    return "refer" if ctx.protocol_version == REFERRING else "tell"


def find_place(ctx: Context, tool: str, arguments: Mapping[str, Any]) -> Place:
    """Where a call comes from; who can only make it again is known by the call itself."""
    key = _name_call(read_asking(ctx), tool, arguments) if find_way(ctx) == "refer" else None
    return Place(edge="mcp", client=find_program(ctx), call_key=key)


def find_program(ctx: Context) -> Program | None:
    """By the consent under which it acts; with a key, what it says of itself."""
    client = read_asking(ctx).principal.client
    if client is not None:
        return build_program(
            client.name, host=client.host, verified=client.verified, connection_id=client.id
        )
    params = ctx.session.client_params
    info = params.client_info if params else None
    return build_program(info.title or info.name) if info else None


async def answer_change(ctx: Context, answer: Proposed | Applied) -> dict[str, Any]:
    """Where a person decides, or what became of the same call before."""
    asking, way = read_asking(ctx), find_way(ctx)
    told = await _load(asking, answer.proposal.id)
    if way == "ask":
        return _ask_or_tell(told, begin_state(find_proposal_id(told)))
    if way == "refer":
        if told["state"] == "proposed":
            raise UrlElicitationRequiredError([build_referral(told)], told["meaning"])
        await _release(asking, told, answer.proposal.id)
    return build_result(told)


async def resume_change(ctx: Context, params: CallToolRequestParams) -> dict[str, Any] | None:
    """What became of the proposal that an earlier round of this call made, if there was one."""
    if params.request_state is None:
        return None
    asking, state = read_asking(ctx), parse_state(params.request_state)
    told = await _read(ctx, state.proposal_id)
    goes_on = _goes_on(params)
    if goes_on and told["state"] in UNDECIDED:
        await check_unused(asking, state)
        told = await _wait(asking, told)
    await spend(asking, state)
    if goes_on and find_way(ctx) == "ask" and state.rounds < MOST_ROUNDS:
        return _ask_or_tell(told, begin_state(find_proposal_id(told), state.rounds + 1))
    return build_result(told)


def _ask_or_tell(told: Told, state: State) -> dict[str, Any]:
    waits = told["state"] == "proposed"
    return build_question(told, state.encode()) if waits else build_result(told)


def _goes_on(params: CallToolRequestParams) -> bool:
    """Whether the person did not send the question away. That alone decides nothing."""
    answered = (params.input_responses or {}).get(DECISION)
    return not isinstance(answered, ElicitResult) or answered.action == "accept"


async def _read(ctx: Context, proposal_id: UUID) -> Told:
    """Through the door, as any other read: within the budget, and with an audit entry."""
    asking = read_asking(ctx)
    answer = await call_tool(
        asking.parts.means,
        ToolCall(
            name=READ_PROPOSAL,
            arguments={"proposalId": str(proposal_id)},
            principal=asking.principal,
            place=Place(edge="mcp", client=find_program(ctx)),
            taken=asking.taken,
        ),
    )
    if not isinstance(answer, Ran):
        raise NotFound
    return answer.value


async def _wait(asking: Asking, told: Told) -> Told:
    """A moment, without holding a connection: most people who open the page decide there."""
    proposal_id = find_proposal_id(told)
    await wait_for_decision(
        asking.parts.means, asking.principal, proposal_id, seconds=PATIENCE_SECONDS
    )
    return await _load(asking, proposal_id)


async def _load(asking: Asking, proposal_id: UUID) -> Told:
    parts = asking.parts
    return await tell_asking(
        parts.means, asking.principal, proposal_id, public_url=parts.public_url
    )


async def _release(asking: Asking, told: Told, proposal_id: UUID) -> None:
    """What is over was told with this; what is under way or unknown is told again.

    By the proposal and not by the call: that may have led to another one in the meantime.
    """
    if told["state"] not in (*UNDECIDED, "outcome_unknown"):
        async with asking.parts.means.database.connection() as db:
            await release_call(db, asking.principal.tenant_id, proposal_id)


def _name_call(asking: Asking, tool: str, arguments: Mapping[str, Any]) -> str:
    digest = hashlib.sha256(name_principal(asking.principal).encode())
    digest.update(f"/{tool}/".encode() + hash_arguments(arguments))
    return f"mcp:{digest.hexdigest()}"
