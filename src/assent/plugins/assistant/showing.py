"""Showing the person more than words: a plan that is ticked off, and replies to choose from."""

import re
from typing import Annotated

from pydantic import Field

from assent.plugins.assistant.declaration import plugin
from assent.plugins.procedure import Context
from assent.tools.part import (
    LONGEST_REPLY,
    LONGEST_STEP,
    LONGEST_TITLE,
    MOST_REPLIES,
    MOST_STEPS,
    Plan,
    PlanStep,
    QuickReplies,
    StepState,
)
from assent.tools.tool import Result, ToolValidationError
from assent.value import Value

ADDRESS = re.compile(r"://|\bwww\.|\S@\S", re.IGNORECASE)
Reply = Annotated[str, Field(min_length=1, max_length=LONGEST_REPLY)]


class PlannedStep(Value):
    text: str = Field(min_length=1, max_length=LONGEST_STEP)
    state: StepState = "pending"


class ShownPlan(Value):
    title: str = Field("", max_length=LONGEST_TITLE, description="What it is all for.")
    steps: list[PlannedStep] = Field(min_length=1, max_length=MOST_STEPS)


class Replies(Value):
    replies: list[Reply] = Field(
        min_length=1, max_length=MOST_REPLIES, description="In the person's words, each short."
    )


@plugin.tool("ai.showPlan", effect="read", rules=[], chat_only=True)
class ShowPlan:
    """Show the person what you are going to do, as a list that is ticked off.

    For work of several steps: call it once at the beginning, and again with all steps when the
    state of one changes. Mark the step that you are at `active`, also while its card waits for a
    decision; `done` only what is done. Leave it for what takes one or two calls.
    """

    title = "Show a plan"
    Input = ShownPlan

    async def execute(self, ctx: Context, given: ShownPlan) -> Result:
        steps = tuple(PlanStep(one.text, one.state) for one in given.steps)
        return Result({"status": "shown"}, parts=(Plan(steps, given.title),))


@plugin.tool("ai.suggestReplies", effect="read", rules=[], chat_only=True)
class SuggestReplies:
    """Offer the person up to four short things to say next; one click says it.

    Call it last, in the same step as the words that it belongs to: your turn ends with it. Write
    what the person would say, not what you would. No addresses: those a person types themselves.
    Not for questions that need an answer, and not while a card waits.
    """

    title = "Suggest replies"
    Input = Replies

    async def execute(self, ctx: Context, given: Replies) -> Result:
        for number, reply in enumerate(given.replies):
            if ADDRESS.search(reply):
                raise ToolValidationError.at(
                    f"replies.{number}", "Leave addresses out: a person types those themselves."
                )
        return Result({"status": "suggested"}, parts=(QuickReplies(tuple(given.replies)),))
