"""What driving a run needs, in one value, and what a run is made of when it begins."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from assent.actions.means import Means
from assent.agents.agent import SYSTEM_AGENT, Agent, choose_default
from assent.agents.prompt import ASK, SUGGEST
from assent.agents.store import list_agents
from assent.audit.entry import Actor
from assent.context.load import Situation, load_grounding
from assent.context.told import NO_GROUNDING, Grounding
from assent.conversations.conversation import Conversation, StoredMessage
from assent.conversations.parts import find_chosen_skill
from assent.conversations.store import conversations as conversation_store
from assent.conversations.store import messages as message_store
from assent.conversations.store import summaries as summary_store
from assent.db.database import Db
from assent.errors import NotFound
from assent.history.kept import Kept, forget_summary, parse_kept
from assent.identity.access import load_granted_rules
from assent.identity.authenticate import find_acting
from assent.identity.principal import Principal
from assent.identity.store.tenants import find_workspace, list_workspaces
from assent.models.call import Occasion
from assent.models.integration import Chosen, Integration, Wish, choose_model
from assent.models.open import Models
from assent.models.store.integrations import list_integrations
from assent.runs.attached import Files, load_attached
from assent.runs.audience import Audience
from assent.runs.copies import Copies
from assent.runs.headless.store import find_task
from assent.runs.headless.task import Task
from assent.runs.journal import Journal
from assent.runs.phases import list_in_scope
from assent.runs.run import Run
from assent.tools.registry import Registry
from assent.tools.tool import Tool


@dataclass(frozen=True, slots=True, kw_only=True)
class Studio:
    """Made once by `main`."""

    means: Means
    journal: Journal
    copies: Copies
    audience: Audience
    models: Models
    now: Callable[[], datetime]
    server_zone: str
    zones: frozenset[str]

    async def list_integrations(self, db: Db, tenant_id: UUID) -> list[Integration]:
        """Those that the tenant has, or what was found without any."""
        configured = await list_integrations(db, tenant_id)
        if configured or self.models.found is None:
            return configured
        return [self.models.found.integration]

    async def list_agents(self, db: Db, tenant_id: UUID) -> list[Agent]:
        """The tenant's own, and the built-in one unless one of them has its slug."""
        own = await list_agents(db, tenant_id)
        taken = {agent.slug for agent in own}
        return own if SYSTEM_AGENT.slug in taken else [*own, SYSTEM_AGENT]

    async def choose_agent(self, db: Db, tenant_id: UUID, slug: str | None) -> Agent:
        """The one that was asked for while it is enabled, else the default (SPEC G2)."""
        agents = await self.list_agents(db, tenant_id)
        wanted = next((agent for agent in agents if agent.slug == slug and agent.enabled), None)
        return wanted or choose_default(agents)


@dataclass(frozen=True, slots=True, kw_only=True)
class Cast:
    """Who takes part in a run, and what they have. Without a `task` somebody follows it.

    `tools` are all that can be called; those of the phase are offered. `history` are the messages
    that the summary in `kept` does not stand for. `grounding` is what the prompt tells besides.
    """

    run: Run
    conversation: Conversation
    agent: Agent
    person: Principal
    chosen: Chosen
    tools: tuple[Tool, ...]
    history: tuple[StoredMessage, ...]
    kept: Kept
    workspace: tuple[str, UUID] | None
    files: Files
    grounding: Grounding = NO_GROUNDING
    task: Task | None = None

    @property
    def occasion(self) -> Occasion:
        return Occasion(self.agent.slug, self.conversation.id, self.run.id)


async def load_cast(db: Db, studio: Studio, run: Run) -> Cast:
    """Everything as it is now: the person's rights, the tools that they may use, the model."""
    cast = await _load_people(db, studio, run)
    return replace(cast, grounding=await _ground(db, studio, cast))


async def _load_people(db: Db, studio: Studio, run: Run) -> Cast:
    acting = await find_acting(db, run.tenant_id, Actor(run.principal_kind, run.principal_id, ""))
    if acting is None:
        raise NotFound
    person = acting.principal
    conversation = await conversation_store.find_conversation(
        db, run.tenant_id, acting.owner_id, run.conversation_id, tasks=True
    )
    if conversation is None:
        raise NotFound
    agent = await studio.choose_agent(db, run.tenant_id, run.agent)
    task = (
        await find_task(db, run.tenant_id, conversation.id) if conversation.kind == "task" else None
    )
    granted = await load_granted_rules(db, person)
    offered = studio.means.loaded.tools.list_for(person, granted=granted)
    kept, history = await _load_history(db, run)
    chosen = choose_model(
        [
            Wish(conversation.integration_id, conversation.model),
            Wish(agent.integration_id, agent.model),
        ],
        await studio.list_integrations(db, run.tenant_id),
    )
    return Cast(
        run=run,
        conversation=conversation,
        agent=agent,
        person=person,
        chosen=chosen,
        tools=list_in_scope(
            (tool for tool in offered if agent.has_tool(tool.name)),
            without=(ASK, SUGGEST) if task else (),
        ),
        history=history,
        kept=kept,
        workspace=await _find_workspace(db, person, conversation),
        files=await load_attached(db, person, chosen, history),
        task=task,
    )


async def _ground(db: Db, studio: Studio, cast: Cast) -> Grounding:
    """By what the person said last: a decision is no message, and what it is about came before.

    A skill is for one turn, and so only of the message that this very run answers.
    """
    said = next((one for one in reversed(cast.history) if one.role == "user"), None)
    answers = said is not None and said.run_id == cast.run.id
    settings = studio.means.loaded.settings.get("assistant")
    return await load_grounding(
        db,
        Situation(
            person=cast.person,
            workspace_id=cast.workspace[1] if cast.workspace else None,
            said=said.content if said else "",
            skill_id=find_chosen_skill(said.parts) if said and answers else None,
            window=cast.chosen.window,
            platform=settings.business_context if settings else {},
        ),
    )


async def _load_history(db: Db, run: Run) -> tuple[Kept, tuple[StoredMessage, ...]]:
    """What came before the run's own answer. A summary that goes further than that is wrong."""
    ids = run.tenant_id, run.conversation_id
    stored = await summary_store.find_summary(db, *ids)
    kept = parse_kept(stored.summary, stored.through, stored.learned)
    messages = await message_store.list_messages_after(db, *ids, kept.through)
    if kept.through and all(one.id != run.message_id for one in messages):
        kept = forget_summary(kept)
        messages = await message_store.list_messages_after(db, *ids, 0)
    return kept, tuple(one for one in messages if one.id != run.message_id)


def map_known(registry: Registry, tools: tuple[Tool, ...]) -> dict[str, Tool]:
    """By the names that the model knows."""
    return {registry.wire_names[tool.name]: tool for tool in tools}


async def _find_workspace(
    db: Db, person: Principal, conversation: Conversation
) -> tuple[str, UUID] | None:
    """The one that the conversation is in, or the only one that the person has."""
    if conversation.active_workspace_id is not None:
        found = await find_workspace(db, person.tenant_id, conversation.active_workspace_id)
        return (found.name, found.id) if found else None
    among = None if person.rules else list(person.workspace_rules)
    known = await list_workspaces(db, person.tenant_id, among=among, after=None, limit=2)
    return (known[0].name, known[0].id) if len(known) == 1 else None
