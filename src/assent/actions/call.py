"""The one door: every call of a tool, from every edge, comes through `call_tool`.

Authorization, budget, shape, verdict, execution, clamp and audit are here and nowhere else.
"""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import TypeAdapter

from assent.actions.budget import Budget, take_budget
from assent.audit.entry import Entry, Status, hash_arguments
from assent.audit.store import append_entry
from assent.db.database import Database
from assent.errors import AssentError, Forbidden, NeedsProposal, NotFound, TooMany, Unavailable
from assent.identity.principal import Principal
from assent.plugins.load import Loaded
from assent.plugins.run import Procedures
from assent.tools.clamp import Clamped, clamp, find_budget
from assent.tools.gate import Call, Deed, Edge, Refuse, Run, Verdict, decide, find_caller
from assent.tools.registry import check_may_use, find_closest
from assent.tools.schema import parse_input
from assent.tools.tool import Tool, find_effect, find_egress
from assent.work.outbox import publish

CALLED = "tool.called"

_anything: TypeAdapter[Any] = TypeAdapter(Any)


@dataclass(frozen=True, slots=True, kw_only=True)
class Means:
    """What the door works with. Made once by `main`."""

    database: Database
    procedures: Procedures
    loaded: Loaded
    budget: Budget


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCall:
    name: str
    arguments: Mapping[str, Any]
    principal: Principal
    edge: Edge
    window_tokens: int | None = None


async def call_tool(means: Means, call: ToolCall) -> Clamped:
    """Run a tool that reads. However it ends, it leaves an audit entry."""
    try:
        result = await _call(means, call)
    except AssentError as error:
        await _record(means, call, _find_status(error))
        raise
    await _record(means, call, "executed")
    return result


async def _call(means: Means, call: ToolCall) -> Clamped:
    tool = _find_tool(means, call)
    check_may_use(tool, call.principal)
    await take_budget(means.database, call.principal, means.budget)
    given = parse_input(tool, call.arguments)
    verdict = _judge(tool, given, call)
    if isinstance(verdict, Refuse):
        raise Forbidden(verdict.reason.sentence)
    if not isinstance(verdict, Run):
        raise NeedsProposal(verdict.reason.sentence)
    return await _run(means, call, tool, given)


async def _run(means: Means, call: ToolCall, tool: Tool, given: Any) -> Clamped:
    """Execute as the caller in a read-only transaction, then cut the result to size."""
    plugin = means.loaded.find_plugin(tool).name
    rule = tool.rules[0]
    try:
        async with asyncio.timeout(tool.behaviour.timeout.total_seconds()):
            async with means.database.transaction(read_only=True) as db:
                ctx = await means.procedures.build_context(
                    db, call.principal, plugin=plugin, rule=rule
                )
                result = await tool.functions.execute(ctx, given)
    except TimeoutError:
        raise Unavailable(f"{tool.name} took too long.") from None
    project = tool.functions.project_result
    value = project(result.value) if project else result.value
    plain = _anything.dump_python(value, mode="json", by_alias=True)
    return clamp(plain, find_budget(call.window_tokens))


def _find_tool(means: Means, call: ToolCall) -> Tool:
    tool = means.loaded.tools.find(call.name)
    if tool is None:
        closest = find_closest(call.name, means.loaded.tools.list_for(call.principal))
        hint = f" Did you mean {' or '.join(closest)}?" if closest else ""
        raise NotFound(f"There is no tool {call.name}.{hint}")
    return tool


def _judge(tool: Tool, given: Any, call: ToolCall) -> Verdict:
    deed = Deed(
        effect=find_effect(tool, given),
        egress=find_egress(tool, given),
        destination="other",
        writes_instructions=tool.behaviour.writes_instructions,
    )
    return decide(
        Call(
            deed=deed,
            edge=call.edge,
            caller=find_caller(call.principal),
            mode="approve",
            owner_allowed=False,
            tainted=False,
            demand="tool" if tool.behaviour.always_asks else "none",
        )
    )


def _find_status(error: AssentError) -> Status:
    return "refused" if isinstance(error, Forbidden | NotFound | TooMany) else "failed"


async def _record(means: Means, call: ToolCall, status: Status) -> None:
    """The audit entry, and the event with the same metadata for whoever subscribes."""
    tool = means.loaded.tools.find(call.name)
    entry = Entry(
        tenant_id=call.principal.tenant_id,
        edge=call.edge,
        action=call.name[:200],
        effect=tool.behaviour.effect if tool else "read",
        status=status,
        actor=call.principal.actor,
        arguments_hash=hash_arguments(call.arguments),
    )
    payload = {
        "tool": entry.action,
        "effect": entry.effect,
        "status": entry.status,
        "edge": entry.edge,
        "principalKind": entry.actor.kind,
        "principalId": str(entry.actor.id),
        "argumentsHash": entry.arguments_hash.hex(),
    }
    async with means.database.transaction() as db:
        await append_entry(db, entry)
        await publish(db, tenant_id=entry.tenant_id, topic=CALLED, payload=payload)
