"""Starting a headless run: conversation, messages, task, run and its work commit together.

It is driven like every other run (`runs/loop.py`): the same loop, gate, budgets and clamp.
"""

from uuid import UUID

from assent.conversations.conversation import Conversation, ConversationDraft, NewMessage
from assent.conversations.keep import check_workspace
from assent.conversations.store import conversations as conversation_store
from assent.conversations.store import messages as message_store
from assent.conversations.titles import fallback_title
from assent.db.database import Db
from assent.errors import Forbidden, Invalid
from assent.identity.access import load_granted_rules
from assent.identity.authenticate import find_acting
from assent.identity.principal import Principal
from assent.ids import new_id
from assent.runs.admission import check_admission
from assent.runs.headless import store
from assent.runs.headless.task import INPUT_AUTHOR, Task, TaskDraft, check_draft, write_input
from assent.runs.run import Run
from assent.runs.studio import Studio
from assent.runs.turn import load_run, queue_run
from assent.tools.registry import may_use


async def start_headless(studio: Studio, principal: Principal, draft: TaskDraft) -> Run:
    """Begin one for a person or an application, with the rights that they have as it goes on.

    What is allowed without a card is the word of a person: whoever calls this for one has theirs.
    The same `client_id` again gives the run that was started first.
    """
    check_draft(draft)
    async with studio.means.database.transaction() as db:
        owner_id = await _find_owner(db, principal)
        await conversation_store.lock_owner(db, principal.tenant_id, owner_id)
        if draft.client_id is not None:
            again = await store.find_again(db, principal.tenant_id, principal.id, draft.client_id)
            if again is not None:
                return await load_run(db, principal.tenant_id, again)
        await _check_allowed(db, studio, principal, draft)
        await check_workspace(db, principal, draft.workspace_id, "workspaceId")
        return await _begin(db, studio, principal, owner_id, draft)


async def _begin(
    db: Db, studio: Studio, principal: Principal, owner_id: UUID, draft: TaskDraft
) -> Run:
    agent = await studio.choose_agent(db, principal.tenant_id, draft.agent)
    if draft.agent is not None and agent.slug != draft.agent:
        raise Invalid.at("agent", "There is no such agent.")
    conversation = await conversation_store.insert_conversation(
        db,
        principal.tenant_id,
        ConversationDraft(
            workspace_id=draft.workspace_id,
            agent=agent.slug,
            integration_id=draft.integration_id,
            model=draft.model,
        ),
        conversation_id=new_id(),
        owner_id=owner_id,
        kind="task",
    )
    await check_admission(db, studio, principal, conversation, agent)
    run_id = new_id()
    await _say(db, studio, principal, conversation, run_id, draft)
    run = await queue_run(
        db,
        principal,
        conversation,
        run_id=run_id,
        kind="headless",
        agent=agent.slug,
        time_zone=draft.time_zone,
    )
    await store.insert_task(
        db,
        Task(
            run_id=run_id,
            tenant_id=principal.tenant_id,
            conversation_id=conversation.id,
            owner_id=owner_id,
            principal_kind=run.principal_kind,
            principal_id=principal.id,
            client_id=draft.client_id,
            output_schema=draft.output_schema,
            allowed=tuple(draft.allowed),
        ),
    )
    return run


async def _say(
    db: Db,
    studio: Studio,
    principal: Principal,
    conversation: Conversation,
    run_id: UUID,
    draft: TaskDraft,
) -> None:
    """The instruction as the caller's, and the input as somebody else's: that taints the run."""
    scrubber = await studio.means.scrubbing.load(db, principal.tenant_id)
    said = [(str(principal.id), draft.instruction)]
    if draft.untrusted_input is not None:
        said.append((INPUT_AUTHOR, write_input(draft.untrusted_input)))
    for author, text in said:
        hidden = scrubber.scrub_text(text)
        message = NewMessage(
            id=new_id(),
            role="user",
            author=author,
            content=hidden,
            parts=[{"type": "text", "text": hidden}],
            run_id=run_id,
        )
        await message_store.insert_message(db, principal.tenant_id, conversation.id, message)
    title = fallback_title(scrubber.scrub_text(draft.instruction))
    if title:
        await conversation_store.set_title(
            db, principal.tenant_id, conversation.id, title=title, source="fallback"
        )


async def _find_owner(db: Db, principal: Principal) -> UUID:
    """The person whose run it is, and who decides about what it prepares."""
    if principal.kind == "user":
        return principal.id
    acting = await find_acting(db, principal.tenant_id, principal.actor)
    if acting is None:
        raise Forbidden
    return acting.owner_id


async def _check_allowed(db: Db, studio: Studio, principal: Principal, draft: TaskDraft) -> None:
    if draft.allowed and principal.kind != "user":
        raise Forbidden("Only a person lets tools act without a card.")
    granted = await load_granted_rules(db, principal) if draft.allowed else frozenset[str]()
    for number, one in enumerate(draft.allowed):
        tool = studio.means.find_tool(one.tool)
        if tool is None or not may_use(tool, principal, granted):
            raise Invalid.at(f"allowed.{number}.tool", "There is no such tool.")
        if tool.behaviour.egress and one.destination is None:
            raise Invalid.at(
                f"allowed.{number}.destination", "This carries data out: say where to."
            )
