"""One conversation, looked at for whoever runs the installation: what is broken, what is replayed.

Repairs change rows of messages that nobody writes any more, and the summary; nothing else.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast
from uuid import UUID

from assent.agents.agent import SYSTEM_AGENT
from assent.agents.store import list_agents
from assent.audit.entry import Actor
from assent.conversations.parts import text_of
from assent.conversations.store import conversations as conversation_store
from assent.conversations.store import messages as message_store
from assent.conversations.store import rows as row_store
from assent.conversations.store import summaries as summary_store
from assent.db.database import Db
from assent.errors import NotFound
from assent.history.estimate import count_tokens, find_factor, name_model
from assent.history.explain import Remark, Row, examine_rows, examine_summary, explain_replay
from assent.history.hygiene import collapse_stale
from assent.history.kept import Kept, forget_summary, parse_kept
from assent.history.replay import Present, StoredMessage, build_messages
from assent.history.summary import write_summary
from assent.identity.access import load_granted_rules
from assent.identity.authenticate import find_acting
from assent.models.integration import Chosen, Wish, choose_model
from assent.models.model import Message, ModelRequest, OfferedTool, ToolMessage
from assent.models.store.integrations import list_integrations
from assent.plugins.load import Loaded
from assent.runs import store
from assent.runs.request import build_check, find_max_tokens
from assent.tools.tool import Tool


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A conversation as it is stored, and what a run of it would have now."""

    tenant_id: UUID
    conversation_id: UUID
    owner_id: UUID
    rows: list[Row]
    summary: Any
    kept: Kept
    chosen: Chosen
    tools: tuple[Tool, ...]


async def load_case(db: Db, loaded: Loaded, tenant_id: UUID, conversation_id: UUID) -> Case:
    owner_id = await conversation_store.find_owner(db, tenant_id, conversation_id)
    if owner_id is None:
        raise NotFound("There is no such conversation.")
    stored = await summary_store.find_summary(db, tenant_id, conversation_id)
    found = await conversation_store.find_conversation(db, tenant_id, owner_id, conversation_id)
    wishes = [Wish(found.integration_id, found.model)] if found else []
    agents = [*await list_agents(db, tenant_id), SYSTEM_AGENT]
    agent = next((one for one in agents if found and one.slug == found.agent), SYSTEM_AGENT)
    wishes.append(Wish(agent.integration_id, agent.model))
    acting = await find_acting(db, tenant_id, Actor("user", owner_id, ""))
    offered: tuple[Tool, ...] = ()
    if acting is not None:
        granted = await load_granted_rules(db, acting.principal)
        offered = loaded.tools.list_for(acting.principal, granted=granted)
    return Case(
        tenant_id=tenant_id,
        conversation_id=conversation_id,
        owner_id=owner_id,
        rows=await _list_rows(db, tenant_id, conversation_id),
        summary=stored.summary,
        kept=parse_kept(stored.summary, stored.through, stored.learned),
        chosen=choose_model(wishes, await list_integrations(db, tenant_id)),
        tools=tuple(tool for tool in offered if agent.has_tool(tool.name)),
    )


def examine_case(case: Case, loaded: Loaded) -> list[Remark]:
    """What is broken, then what a model would be asked."""
    names = {tool.name: loaded.tools.wire_names[tool.name] for tool in case.tools}
    present = Present(wire_names=names, fits=build_check(case.tools))
    summary = examine_summary(case.kept, case.summary, case.rows)
    kept = case.kept if summary.verdict == "ok" else forget_summary(case.kept)
    replayed = [row for row in case.rows if row.seq > kept.through]
    faults = list(examine_rows(case.rows)) or [
        Remark("ok", f"Messages: {len(case.rows)}, all well formed.")
    ]
    request = _build(case, kept, replayed, present, loaded)
    return [*faults, summary, *explain_replay(replayed, present), *_describe(case, request)]


async def repair_case(db: Db, case: Case, remarks: Sequence[Remark]) -> int:
    """Store what the remarks say; return how much that was. Messages keep their words."""
    count = 0
    for one in remarks:
        if one.message_id is not None and one.repair is not None:
            row = next(row for row in case.rows if row.id == one.message_id)
            content = text_of(one.repair) or row.content
            await message_store.set_answer(
                db, case.tenant_id, row.id, content=content, parts=one.repair
            )
            count += 1
    if examine_summary(case.kept, case.summary, case.rows).verdict == "problem":
        await summary_store.clear_summary(db, case.tenant_id, case.conversation_id)
        count += 1
    return count


def _build(
    case: Case, kept: Kept, rows: Sequence[Row], present: Present, loaded: Loaded
) -> ModelRequest:
    """About what the next turn would send, before anything is shortened; the prompt aside."""
    parts = [cast(list[Any], row.parts if isinstance(row.parts, list) else []) for row in rows]
    shown = collapse_stale(parts, ()).history
    stored = [
        StoredMessage("user" if row.role == "user" else "assistant", one, row.content)
        for row, one in zip(rows, shown, strict=True)
    ]
    if kept.summary is not None:
        text = write_summary(kept.summary, str(case.owner_id))
        stored.insert(0, StoredMessage("user", [], text))
    return ModelRequest(
        purpose="turn",
        model=case.chosen.model,
        instructions=(),
        messages=build_messages(stored, present),
        max_tokens=find_max_tokens(case.chosen),
        tools=tuple(
            OfferedTool(loaded.tools.wire_names[one.name], one.description, one.shape.input_schema)
            for one in case.tools
        ),
    )


def _describe(case: Case, request: ModelRequest) -> list[Remark]:
    chosen = case.chosen
    factor = find_factor(case.kept.learned, name_model(chosen))
    size, limit = count_tokens(request, factor), chosen.window - request.max_tokens
    verdict = "note" if size > limit else "ok"
    fits = "it will be summarized or shortened first" if size > limit else "it fits"
    return [
        Remark("ok", f"OpenAI style: {_count_openai(request.messages)} messages."),
        Remark("ok", f"Anthropic style: {_count_anthropic(request.messages)} messages."),
        Remark(
            verdict,
            f"The next request to {chosen.model}: about {size:,} tokens with {len(request.tools)} "
            f"tools, without the prompt, of {limit:,} that there are beside the answer "
            f"(factor {factor:g}): {fits}.",
        ),
    ]


def _count_openai(messages: Sequence[Message]) -> int:
    """Each result is a message of its own."""
    return sum(len(one.results) if isinstance(one, ToolMessage) else 1 for one in messages)


def _count_anthropic(messages: Sequence[Message]) -> int:
    """Results of one step are together in a message of the user."""
    return len(messages)


async def _list_rows(db: Db, tenant_id: UUID, conversation_id: UUID) -> list[Row]:
    active = {
        run.message_id for run in await store.list_active_runs(db, tenant_id, conversation_id)
    }
    driven: set[UUID] = set()
    rows = await row_store.list_rows(db, tenant_id, conversation_id)
    for row in rows[-2:]:
        if row["run_id"] and await store.is_driven(db, tenant_id, row["run_id"]):
            driven.add(row["id"])
    return [Row(**row, is_over=row["id"] not in active | driven) for row in rows]
