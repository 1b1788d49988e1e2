"""Asking the person: questions on one card, after which the turn ends."""

from typing import Annotated, Literal

from pydantic import Field

from assent.plugins.assistant.declaration import plugin
from assent.plugins.procedure import Context
from assent.tools.tool import Ask, Question, Result, ToolValidationError
from assent.value import Value

Kind = Literal["choice", "choices", "text", "date", "number"]
Option = Annotated[str, Field(min_length=1, max_length=200)]
NEEDS_OPTIONS = ("choice", "choices")


class AskedQuestion(Value):
    key: str = Field(min_length=1, max_length=60, description="A short name for the answer.")
    text: str = Field(min_length=1, max_length=500)
    kind: Kind = "text"
    options: list[Option] = Field([], max_length=20, description="For choice and choices.")


class Questions(Value):
    questions: list[AskedQuestion] = Field(min_length=1, max_length=8)


@plugin.tool("ai.askOperator", effect="read", rules=[], chat_only=True)
class AskOperator:
    """Ask the person one or more short questions when something is missing or ambiguous.

    Offer options where you know the possible answers. Your turn ends with this call; the answers
    come with the next message. Do not ask for a confirmation of changes: cards do that.
    """

    title = "Ask"
    Input = Questions

    async def execute(self, ctx: Context, given: Questions) -> Result:
        for number, one in enumerate(given.questions):
            if one.kind in NEEDS_OPTIONS and len(set(one.options)) < max(2, len(one.options)):
                raise ToolValidationError.at(
                    f"questions.{number}.options", "Give at least two options, each once."
                )
            if any(one.key == other.key for other in given.questions[:number]):
                raise ToolValidationError.at(
                    f"questions.{number}.key", "Another question has this key."
                )
        questions = tuple(
            Question(key=one.key, text=one.text, kind=one.kind, options=tuple(one.options))
            for one in given.questions
        )
        return Result({"status": "asked"}, directives=(Ask(questions),))
