"""What somebody could ask an agent first, by the tools that both may use (SPEC U4). Pure.

What is suggested only fills the composer. Nothing that destroys is suggested.
"""

from collections import Counter
from collections.abc import Iterable, Sequence

from assent.agents.agent import Agent
from assent.agents.profile import Suggestion
from assent.tools.tool import EFFECTS, Tool

MOST_SUGGESTIONS = 3


def choose_suggestions(
    agent: Agent, tools: Iterable[Tool], namespaces: Sequence[str] = ()
) -> list[Suggestion]:
    """From each namespace, in this order, something to look at, then something to change, then what
    is left; one of them is a change, if there is any.
    """
    fitting = [one for one in tools if agent.has_tool(one.name) and _suits(one)]
    earlier: Counter[tuple[str, str]] = Counter()
    places = {name: place for place, name in enumerate(namespaces)}
    ranked: list[tuple[int, int, int, str, Suggestion]] = []
    for tool in fitting:
        kind = tool.namespace, tool.behaviour.effect
        weight = EFFECTS.index(tool.behaviour.effect)
        for text in tool.examples:
            suggestion = Suggestion(title=tool.title, text=text)
            place = places.get(tool.namespace, len(places))
            ranked.append((earlier[kind], weight, place, tool.namespace, suggestion))
            earlier[kind] += 1
    ranked.sort(key=lambda one: one[:4])
    chosen, others = ranked[:MOST_SUGGESTIONS], ranked[MOST_SUGGESTIONS:]
    change = next((one for one in others if one[1]), None)
    if change is not None and not any(weight for _, weight, *_ in chosen):
        chosen[-1] = change
    return [suggestion for *_, suggestion in chosen]


def _suits(tool: Tool) -> bool:
    return tool.behaviour.effect != "destructive" and not tool.behaviour.egress
