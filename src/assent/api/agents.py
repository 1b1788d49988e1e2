"""Routes for agents beyond their procedures: which ones a chat may choose."""

from fastapi import APIRouter

from assent.agents.agent import choose_default
from assent.agents.profile import AgentChoice
from assent.agents.suggest import choose_suggestions
from assent.api.parts import PartsOf
from assent.api.principal import Person
from assent.api.problems import PROBLEM_RESPONSES
from assent.identity.access import load_granted_rules
from assent.value import Page

router = APIRouter(prefix="/api/agents", tags=["Agents"], responses=PROBLEM_RESPONSES)


@router.get("", operation_id="agents_choose")
async def list_choices(parts: PartsOf, person: Person) -> Page[AgentChoice]:
    """List the agents that a conversation may have, with what one could ask each first."""
    async with parts.database.reading() as db:
        agents = [
            one for one in await parts.studio.list_agents(db, person.tenant_id) if one.enabled
        ]
        granted = await load_granted_rules(db, person)
    tools = parts.loaded.tools.list_for(person, granted=granted)
    namespaces = [name for plugin in parts.loaded.plugins for name in plugin.namespaces]
    default = choose_default(agents).slug if agents else None
    return Page[AgentChoice](
        items=[
            AgentChoice(
                slug=one.slug,
                name=one.name,
                is_default=one.slug == default,
                integration_id=one.integration_id,
                model=one.model,
                suggestions=choose_suggestions(one, tools, namespaces),
            )
            for one in agents
        ]
    )
