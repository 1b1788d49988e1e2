"""Phases: which tools a step is offered (SPEC H12). Pure.

A run starts in discovery, where the tools for building are hidden. A tool shows them, and so does
using one by its name. Without any such tool there are no phases.

Tools stand before the prompt where providers cache. So those of discovery come first, always in the
same order: what is shown later is added behind them, and a later turn in discovery finds the prefix
that an earlier one left.
"""

from collections.abc import Iterable, Sequence

from assent.agents.agent import Agent
from assent.runs.events import Data, build_data
from assent.tools.registry import is_in_phase
from assent.tools.tool import Phase, SetPhase, Tool

SWITCH = "ai.setPhase"
MORE = 2
"""How many times as many steps building may take, and a run that nobody waits for."""


def list_in_scope(tools: Iterable[Tool], *, without: Iterable[str] = ()) -> tuple[Tool, ...]:
    """Those for discovery, then those for building; nothing to switch where nothing is hidden."""
    left_out = set(without)
    known = [tool for tool in tools if tool.name not in left_out]
    if all(tool.phase == "discovery" for tool in known):
        return tuple(tool for tool in known if tool.name != SWITCH)
    return tuple(sorted(known, key=lambda tool: (tool.phase == "build", tool.name)))


def list_offered(tools: Sequence[Tool], phase: Phase) -> tuple[Tool, ...]:
    return tuple(tool for tool in tools if is_in_phase(tool, phase))


def find_phase(phase: Phase, tool: Tool | None, directives: Iterable[object]) -> Phase:
    """The phase after a call of this tool, which gave these directives."""
    for directive in directives:
        if isinstance(directive, SetPhase):
            phase = directive.phase
    return "build" if tool is not None and tool.phase == "build" else phase


def build_phase(phase: Phase) -> Data:
    """What followers are told when it changes."""
    return build_data("data-phase", "phase", {"phase": phase})


def find_step_cap(agent: Agent, phase: Phase, *, is_headless: bool) -> int:
    return agent.step_cap * MORE if is_headless or phase == "build" else agent.step_cap
