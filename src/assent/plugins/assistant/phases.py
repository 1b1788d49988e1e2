"""Showing and hiding the tools for building."""

from pydantic import Field

from assent.plugins.assistant.declaration import plugin
from assent.plugins.procedure import Context
from assent.tools.tool import Phase, Result, SetPhase
from assent.value import Value


class WantedPhase(Value):
    phase: Phase = Field(
        description="`build` shows the tools for building, `discovery` hides them."
    )


@plugin.tool("ai.setPhase", effect="read", rules=[], chat_only=True)
class SwitchPhase:
    """Show the tools for building, or hide them again.

    You begin in `discovery`, with the tools for finding out. Switch to `build` once it is clear
    what has to be built; the tools for it are there from your next step on.
    """

    title = "Switch the phase"
    Input = WantedPhase

    async def execute(self, ctx: Context, given: WantedPhase) -> Result:
        return Result({"phase": given.phase}, directives=(SetPhase(given.phase),))
