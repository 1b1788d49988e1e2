"""A tenant's own agent as it is configured: values that cross the edge. Pure."""

from uuid import UUID

from pydantic import Field

from assent.agents.agent import STEP_CAP, Agent
from assent.value import Name, Named, Slug, Text, Value

MOST_STEPS = 100


class AgentProfile(Named):
    """Without `tools` it may use all that the person may use."""

    slug: str
    prompt: str
    integration_id: UUID | None
    model: str | None
    tools: list[str] | None
    step_cap: int
    enabled: bool
    version: int

    @property
    def agent(self) -> Agent:
        return Agent(
            slug=self.slug,
            name=self.name,
            prompt=self.prompt,
            integration_id=self.integration_id,
            model=self.model,
            tools=frozenset(self.tools) if self.tools is not None else None,
            step_cap=self.step_cap,
            enabled=self.enabled,
        )


class AgentDraft(Value):
    slug: Slug
    name: Name
    prompt: Text = ""
    integration_id: UUID | None = None
    model: str | None = Field(None, max_length=200)
    tools: list[str] | None = Field(None, max_length=500)
    step_cap: int = Field(STEP_CAP, ge=1, le=MOST_STEPS)
    enabled: bool = True


class AgentChange(Value):
    """What is left out stays; an integration, a model or tools that are null are taken away."""

    agent_id: UUID
    expected_version: int | None = None
    name: Name | None = None
    prompt: Text | None = None
    integration_id: UUID | None = None
    model: str | None = Field(None, max_length=200)
    tools: list[str] | None = Field(None, max_length=500)
    step_cap: int | None = Field(None, ge=1, le=MOST_STEPS)
    enabled: bool | None = None


class Suggestion(Value):
    """`text` is what would be said, `title` what it is about."""

    title: str
    text: str


class AgentChoice(Value):
    """As everybody who chats sees it; `suggestions` are for the one who asks."""

    slug: str
    name: str
    is_default: bool
    integration_id: UUID | None
    model: str | None
    suggestions: list[Suggestion]
