"""An agent: who answers, with which model, tools and instructions (SPEC G1, G2). Pure."""

from collections.abc import Iterable
from dataclasses import dataclass
from uuid import UUID

from assent.errors import Conflict

PRIMARY_SLUG = "assistant"
STEP_CAP = 16
NO_AGENTS = "No agents configured"


@dataclass(frozen=True, slots=True, kw_only=True)
class Agent:
    """`tools` are the names of those it may use, all if nothing is said.

    Without an integration or a model of its own it takes what the conversation or the tenant has.
    A system agent is the same for every tenant.
    """

    slug: str
    name: str
    prompt: str = ""
    integration_id: UUID | None = None
    model: str | None = None
    tools: frozenset[str] | None = None
    step_cap: int = STEP_CAP
    enabled: bool = True
    is_system: bool = False

    def has_tool(self, name: str) -> bool:
        return self.tools is None or name in self.tools


SYSTEM_AGENT = Agent(slug=PRIMARY_SLUG, name="Assent", is_system=True)


def choose_default(agents: Iterable[Agent], primary_slug: str = PRIMARY_SLUG) -> Agent:
    """The tenant's primary agent, then the system's, then any; only those that are enabled."""
    enabled = sorted(
        (agent for agent in agents if agent.enabled),
        key=lambda agent: (agent.slug != primary_slug, agent.is_system, agent.slug),
    )
    if not enabled:
        raise Conflict(NO_AGENTS)
    return enabled[0]
