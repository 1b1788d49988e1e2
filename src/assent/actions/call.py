"""The one door: every call of a tool, from every edge, comes through `call_tool`.

Budget, rights, shape, repetition, verdict, execution or proposal, scrub, clamp and audit are put
together here and nowhere else. What happens after a person has decided is in `decide.py` and
`apply.py`.
"""

import asyncio
import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias
from uuid import UUID

from assent.actions.apply import apply_at_once
from assent.actions.approvals.weigh import match_call
from assent.actions.budget import Taken, take_budget
from assent.actions.evidence.keep import keep_evidence, read_evidence
from assent.actions.means import Means
from assent.actions.proposal import Grounds, Place, Proposal
from assent.actions.propose import propose
from assent.actions.record import build_entry, record_surely
from assent.actions.run_tool import execute_read, project, project_parts
from assent.actions.watch import SeenCall, watch_call, watch_proposing
from assent.audit.entry import Effect, Status, hash_arguments
from assent.conversations.artifacts import keep_artifact
from assent.errors import (
    AssentError,
    Forbidden,
    NotFound,
    PluginError,
    Repeated,
    ToolFailed,
    TooMany,
)
from assent.identity.access import load_granted_rules
from assent.identity.principal import Principal
from assent.net.store import list_allowed_origins
from assent.plugins.procedure import Tell, tell_nobody
from assent.tools.clamp import NARROW, clamp, find_budget
from assent.tools.destination import Place as Destination
from assent.tools.destination import find_places, judge_places
from assent.tools.duplicates import Fresh, PastCall, decide_repetition
from assent.tools.gate import (
    Apply,
    Call,
    Caller,
    Deed,
    Demand,
    Mode,
    Propose,
    Reason,
    Run,
    Verdict,
    decide,
    find_caller,
)
from assent.tools.provenance import Material, encode_provenance, find_provenance
from assent.tools.registry import (
    check_may_use,
    find_closest,
    find_missing_rule,
    is_offered_at,
)
from assent.tools.schema import parse_input
from assent.tools.taint import CLEAN, Taint, taint_of_result
from assent.tools.tool import Evidence, Result, Tool, find_effect, find_egress
from assent.vault.scrub.scrubber import Scrubber
from assent.vault.scrubbing import hide_in_error

log = logging.getLogger("assent.actions")


@dataclass(frozen=True, slots=True, kw_only=True)
class Circumstances:
    """What the gate must know beyond the call itself. By default, what holds outside of a chat.

    `materials` is all that was in the model's context.
    """

    caller: Caller | None = None
    mode: Mode = "approve"
    taint: Taint = CLEAN
    owner_allowed: bool = False
    card_asked: bool = False
    typed: frozenset[Destination] = frozenset()
    materials: tuple[Material, ...] = ()
    inside: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCall:
    """`past` are the earlier calls of its run; `window_tokens` is the model's context window.

    `tell` is told how far a read has come. `taken` is what was counted with the credential.
    """

    name: str
    arguments: Mapping[str, Any]
    principal: Principal
    place: Place
    circumstances: Circumstances = Circumstances()
    past: tuple[PastCall, ...] = ()
    window_tokens: int | None = None
    tell: Tell = tell_nobody
    taken: Taken | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Ran:
    """A read: its value cut to size, the whole of it kept where something was cut.

    `parts` are for the page, without secrets.
    """

    value: Any
    parts: tuple[dict[str, Any], ...]
    truncated: bool
    artifact_id: UUID | None
    result: Result
    taint: Taint


@dataclass(frozen=True, slots=True)
class Proposed:
    """A card waits for a person."""

    proposal: Proposal


@dataclass(frozen=True, slots=True)
class Applied:
    """The change was made, or tried, at once."""

    proposal: Proposal


Answer: TypeAlias = Ran | Proposed | Applied


async def call_tool(means: Means, call: ToolCall) -> Answer:
    """However a call ends, it leaves an audit entry: here, or with the proposal that it made."""
    tool = means.find_tool(call.name)
    if tool is not None and not is_offered_at(tool, call.place.edge):
        tool = None
    with watch_call(means.telemetry, tool, call.place) as seen:
        return await _call_recorded(means, call, tool, seen)


async def refuse_call(means: Means, call: ToolCall) -> None:
    """For an edge that refuses a call in its own words: it counts, and it is recorded, as any."""
    await _count(means, call)
    effect = _find_true_effect(means.find_tool(call.name), call)
    await _record(means, call, effect, "refused")


async def _call_recorded(means: Means, call: ToolCall, tool: Tool | None, seen: SeenCall) -> Answer:
    try:
        answer = await _call(means, call, tool)
    except BaseException as error:
        seen.outcome = find_status(error)
        effect = _find_true_effect(tool, call)
        await asyncio.shield(_record(means, call, effect, find_status(error)))
        told = isinstance(error, AssentError) and not isinstance(error, PluginError)
        if told and isinstance(error, AssentError):
            hide_in_error(error, await _load_scrubber(means, call))
        if told or not isinstance(error, Exception):
            raise
        log.exception("The tool %s failed.", call.name)
        raise ToolFailed from error
    if isinstance(answer, Ran):
        await _record(means, call, "read", "executed")
        seen.end("ran", "read")
    else:
        proposed = isinstance(answer, Proposed)
        seen.end("proposed" if proposed else answer.proposal.state, answer.proposal.change.effect)
    return answer


async def _call(means: Means, call: ToolCall, tool: Tool | None) -> Answer:
    taken = await _count(means, call)
    tool = await _check_offered(means, call, tool)
    given = parse_input(tool, call.arguments)
    effect = find_effect(tool, given)
    _check_fresh(call, tool, effect)
    allowed = await _list_allowed(means, call, tool, given)
    deed = _find_deed(tool, given, effect, call, allowed)
    verdict = _judge(call, deed, await _find_demand(means, call, tool, given, deed))
    if isinstance(verdict, Run):
        return await _run(means, call, tool, given, taken.vault_version)
    if isinstance(verdict, Propose | Apply):
        with watch_proposing(means.telemetry, tool):
            proposal = await propose(
                means,
                call.principal,
                tool,
                given=given,
                arguments=call.arguments,
                place=call.place,
                grounds=await _find_grounds(tool, given, effect, call, verdict.reason),
            )
        if isinstance(verdict, Propose):
            return Proposed(proposal)
        applied = await apply_at_once(means, proposal)
        return Proposed(applied) if applied.state == "proposed" else Applied(applied)
    raise Forbidden(verdict.reason.sentence)


async def _count(means: Means, call: ToolCall) -> Taken:
    return call.taken or await take_budget(means.database, call.principal, means.budget)


async def _check_offered(means: Means, call: ToolCall, tool: Tool | None) -> Tool:
    if tool is not None and find_missing_rule(tool, call.principal) is None:
        return tool
    async with means.database.connection() as db:
        granted = await load_granted_rules(db, call.principal)
    if tool is None:
        offered = means.loaded.tools.list_for(call.principal, granted=granted)
        here = (one for one in offered if is_offered_at(one, call.place.edge))
        closest = find_closest(call.name, here)
        hint = f" Did you mean {' or '.join(closest)}?" if closest else ""
        raise NotFound(f"There is no tool {call.name}.{hint}")
    check_may_use(tool, call.principal, granted)
    return tool


def _check_fresh(call: ToolCall, tool: Tool, effect: Effect) -> None:
    if not call.past:
        return
    repetition = decide_repetition(
        call.past,
        tool=call.name,
        arguments_hash=hash_arguments(call.arguments),
        effect=effect,
        once=tool.behaviour.once_per_run,
    )
    if not isinstance(repetition, Fresh):
        raise Repeated(repetition.advice)


async def _list_allowed(means: Means, call: ToolCall, tool: Tool, given: Any) -> Sequence[str]:
    """Origins that an admin allows now; asked for only where data would go out."""
    if not find_egress(tool, given):
        return ()
    async with means.database.connection() as db:
        return await list_allowed_origins(db, call.principal.tenant_id, tool.name)


def _find_deed(
    tool: Tool, given: Any, effect: Effect, call: ToolCall, allowed_origins: Sequence[str]
) -> Deed:
    around = call.circumstances
    standing = judge_places(
        find_places(tool, call.arguments),
        typed=around.typed,
        allowed_origins=allowed_origins,
        inside=around.inside,
    )
    return Deed(
        effect=effect,
        egress=find_egress(tool, given),
        destination=standing,
        writes_instructions=tool.behaviour.writes_instructions,
    )


def _judge(call: ToolCall, deed: Deed, demand: Demand) -> Verdict:
    around = call.circumstances
    return decide(
        Call(
            deed=deed,
            edge=call.place.edge,
            caller=around.caller or find_caller(call.principal),
            mode=around.mode,
            owner_allowed=around.owner_allowed,
            tainted=around.taint.is_tainted,
            demand=demand,
        )
    )


async def _find_grounds(
    tool: Tool, given: Any, effect: Effect, call: ToolCall, reason: Reason
) -> Grounds:
    """A long conversation is a lot to search: not in the loop that everybody waits for."""
    materials, taint = call.circumstances.materials, call.circumstances.taint
    if not materials:
        return Grounds(reason, taint=taint)
    provenance = await asyncio.to_thread(
        find_provenance,
        tool,
        call.arguments,
        materials,
        effect=effect,
        egress=find_egress(tool, given),
    )
    return Grounds(reason, encode_provenance(provenance), taint)


async def _find_demand(means: Means, call: ToolCall, tool: Tool, given: Any, deed: Deed) -> Demand:
    """What destroys something asks anyway; what only reads is nobody's to approve."""
    if deed.effect == "mutate" or (deed.effect == "read" and deed.egress):
        async with means.database.reading() as db:
            if await match_call(db, call.principal, tool, call.arguments, given):
                return "approval_rule"
    if tool.behaviour.always_asks or tool.shape.secrets:
        return "tool"
    return "model" if call.circumstances.card_asked else "none"


async def _run(
    means: Means, call: ToolCall, tool: Tool, given: Any, vault_version: UUID | None
) -> Ran:
    result = await execute_read(means, tool, call.principal, given, call.tell)
    known = means.scrubbing.recall(call.principal.tenant_id, vault_version)
    scrubber = known or await _load_scrubber(means, call)
    value = project(tool, result, scrubber)
    await _keep_evidence(means, call, read_evidence(tool, result, scrubber))
    room = find_budget(call.window_tokens)
    clamped = clamp(value, room)
    artifact_id = None
    if clamped.truncated:
        async with means.database.transaction() as db:
            artifact_id = await keep_artifact(db, call.principal, tool, value)
    if artifact_id is not None:
        page = f'Or read on with ai.readArtifact and {{"artifactId": "{artifact_id}"}}.'
        clamped = clamp(value, room, narrow=f"{NARROW} {page}")
    return Ran(
        value=clamped.value,
        parts=project_parts(result, scrubber),
        truncated=clamped.truncated,
        artifact_id=artifact_id,
        result=result,
        taint=_find_taint(means, tool, result),
    )


async def _keep_evidence(means: Means, call: ToolCall, kept: Sequence[Evidence]) -> None:
    if kept:
        async with means.database.transaction() as db:
            await keep_evidence(db, call.principal, kept)


def _find_taint(means: Means, tool: Tool, result: Result) -> Taint:
    if result.shows is None:
        return CLEAN if result.trust == "trusted" else taint_of_result(tool, tool.name)
    return taint_of_result(means.find_tool(result.shows), result.shows)


async def _load_scrubber(means: Means, call: ToolCall) -> Scrubber:
    async with means.database.connection() as db:
        return await means.scrubbing.load(db, call.principal.tenant_id)


def find_status(error: BaseException) -> Status:
    refused = Forbidden | NotFound | TooMany | Repeated
    return "refused" if isinstance(error, refused) else "failed"


async def _record(means: Means, call: ToolCall, effect: Effect, status: Status) -> None:
    entry = build_entry(
        call.principal,
        call.place,
        tool=means.scrubbing.known.scrub_text(call.name),
        effect=effect,
        arguments_hash=hash_arguments(call.arguments),
        status=status,
    )
    await record_surely(means.database, entry, means.loaded.topics)


def _find_true_effect(tool: Tool | None, call: ToolCall) -> Effect:
    """By the arguments, or what the tool may do at most when they make no sense."""
    if tool is None:
        return "read"
    try:
        return find_effect(tool, parse_input(tool, call.arguments))
    except AssentError:
        return tool.behaviour.effect
