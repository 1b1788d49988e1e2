"""How headless runs stand, for whoever owns them or had them started."""

from uuid import UUID

from assent.actions.proposal import Proposal
from assent.actions.waiting.cards import list_waiting
from assent.conversations.parts import text_of
from assent.conversations.store import messages as message_store
from assent.db.database import Db
from assent.errors import NotFound
from assent.identity.principal import Principal
from assent.runs import store as run_store
from assent.runs.headless import store
from assent.runs.headless.task import PendingProposal, TaskLine, TaskQuery, TaskUsage, TaskView
from assent.value import Page, build_page, parse_cursor, parse_cursor_id


async def list_tasks(db: Db, principal: Principal, query: TaskQuery) -> Page[TaskLine]:
    """Their own, the newest first."""
    position = parse_cursor(query.cursor, 1)
    after = parse_cursor_id(position[0]) if position else None
    rows = await store.list_lines(db, principal.tenant_id, principal.id, query, after=after)
    return build_page(rows, query.limit, lambda one: (str(one.id),))


async def load_task(db: Db, principal: Principal, run_id: UUID) -> TaskView:
    """Somebody else's is not there."""
    tenant_id = principal.tenant_id
    found = await store.find_line(db, tenant_id, principal.id, run_id)
    if found is None:
        raise NotFound
    line, output = found
    said = await message_store.find_first_said(db, tenant_id, line.conversation_id)
    newest = await run_store.find_run(db, tenant_id, line.run_id)
    answer, _ = (
        await message_store.load_answer(db, tenant_id, newest.message_id) if newest else ([], None)
    )
    spent = await store.sum_usage(db, tenant_id, line.conversation_id)
    return TaskView(
        **line.model_dump(),
        instruction=said or "",
        text=text_of(answer),
        output=output,
        steps=await store.count_steps(db, tenant_id, line.conversation_id),
        usage=TaskUsage(input_tokens=spent[0], output_tokens=spent[1]),
        pending=[_describe(one) for one in await list_waiting(db, tenant_id, line.conversation_id)],
    )


def _describe(proposal: Proposal) -> PendingProposal:
    return PendingProposal(
        id=proposal.id,
        tool=proposal.change.tool,
        summary=str(proposal.change.preview["summary"]),
        expires_at=proposal.expires_at,
    )
