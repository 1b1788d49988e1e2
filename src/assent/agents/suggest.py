"""What somebody could ask an agent first, by the tools that both may use (SPEC U4). Pure.

What is suggested only fills the composer. Nothing that destroys is suggested.
"""

from collections import Counter
from collections.abc import Iterable

from assent.agents.agent import Agent
from assent.agents.profile import Suggestion
from assent.tools.tool import EFFECTS, Tool

MOST_SUGGESTIONS = 3


def choose_suggestions(agent: Agent, tools: Iterable[Tool]) -> list[Suggestion]:
    """From each namespace something to look at, then something to change, then what is left."""
    fitting = [one for one in tools if agent.has_tool(one.name) and _suits(one)]
    earlier: Counter[tuple[str, str]] = Counter()
    ranked: list[tuple[int, int, str, Suggestion]] = []
    for tool in fitting:
        kind = tool.namespace, tool.behaviour.effect
        weight = EFFECTS.index(tool.behaviour.effect)
        for text in tool.examples:
            suggestion = Suggestion(title=tool.title, text=text)
            ranked.append((earlier[kind], weight, tool.namespace, suggestion))
            earlier[kind] += 1
    ranked.sort(key=lambda one: one[:3])
    return [suggestion for *_, suggestion in ranked[:MOST_SUGGESTIONS]]


def _suits(tool: Tool) -> bool:
    return tool.behaviour.effect != "destructive" and not tool.behaviour.egress
