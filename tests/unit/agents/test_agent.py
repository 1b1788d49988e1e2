"""Which agent answers when nobody has chosen one."""

from dataclasses import replace

import pytest

from assent.agents.agent import NO_AGENTS, SYSTEM_AGENT, Agent, choose_default
from assent.errors import Conflict

OWN = Agent(slug="assistant", name="Ours")
OTHER = Agent(slug="billing", name="Billing")
ANOTHER = Agent(slug="abacus", name="Abacus")
OFF = replace(OWN, enabled=False)


@pytest.mark.parametrize(
    ("agents", "expected"),
    [
        ([SYSTEM_AGENT, OTHER, OWN], OWN),
        ([OTHER, OFF, SYSTEM_AGENT], SYSTEM_AGENT),
        ([OTHER, ANOTHER], ANOTHER),
        ([replace(SYSTEM_AGENT, slug="aaa"), OTHER], OTHER),
        ([OFF, replace(SYSTEM_AGENT, enabled=False), OTHER], OTHER),
    ],
)
def test_the_primary_one_of_the_tenant_then_of_the_system_then_any(
    agents: list[Agent], expected: Agent
) -> None:
    assert choose_default(agents, "assistant") == expected
    assert choose_default(reversed(agents), "assistant") == expected


@pytest.mark.parametrize("agents", [[], [OFF]])
def test_without_any_there_is_a_plain_word(agents: list[Agent]) -> None:
    with pytest.raises(Conflict, match=NO_AGENTS):
        choose_default(agents)


def test_an_agent_has_all_tools_or_those_that_are_named() -> None:
    assert SYSTEM_AGENT.has_tool("catalog.listSystems")
    named = replace(SYSTEM_AGENT, tools=frozenset({"catalog.listSystems"}))
    assert named.has_tool("catalog.listSystems")
    assert not named.has_tool("catalog.createSystem")
