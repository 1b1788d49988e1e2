"""What a model is told besides the prompt and the conversation: notes and the last step. Pure.

None of it is stored, and no client writes any of it: a note on a decision is made from the stored
proposal and its outcome alone, without the reason that a person may have typed (SPEC P16).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from assent.actions.proposal import State
from assent.tools.clamp import clamp, cut_text
from assent.tools.json_value import encode_json

LONGEST_SUMMARY = 500
LARGEST_RESULT = 4_000

FORCED_ANSWER = """\
## Answer now
You have no more steps and no tools. Write your answer from what you have gathered, and say \
plainly what it does not cover. If the answer has to have a certain shape, it still has. Do not \
announce further calls."""

EMPTY_ANSWER = """\
[Note from Assent] Your last answer was empty. Answer the person now, in words."""

CUT_ANSWER = """\
[Note from Assent] Your answer was cut off. Continue exactly where it stopped, without repeating \
and without a remark on it."""

OUTCOMES: Mapping[State, str] = {
    "proposed": "still waits for a decision; nothing has changed",
    "applying": "was approved and is being applied; the outcome is not known yet",
    "applied": "was approved and has been applied",
    "failed": "was approved, and applying it failed; nothing has changed",
    "outcome_unknown": "was approved, and it is not known whether it took effect",
    "declined": "was declined; nothing has changed",
    "expired": "expired before anybody decided; nothing has changed",
    "voided": "was withdrawn; nothing has changed",
    "superseded": "was replaced by a newer card, because what it was based on has changed; the "
    "newer card waits, and nothing has changed",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Decided:
    """A proposal and what became of it; `tool` by the name that the model knows."""

    proposal_id: UUID
    tool: str
    summary: str
    state: State
    result: Any = None
    error: str | None = None


def write_decision_note(decisions: Sequence[Decided]) -> str:
    """Tell the model of decisions, several at once where they came together."""
    lines = "\n".join(_describe(one) for one in decisions)
    return (
        "[Note from Assent, not written by the person] What became of the changes that you "
        f"prepared:\n{lines}\n"
        "React to this in a sentence or two, or go on with what the person asked for if a step of "
        "it was waiting for this. Do not prepare again what was declined, expired or applied."
    )


def force_answer(instructions: tuple[str, ...]) -> tuple[str, ...]:
    """The prompt of the last step. Only its tail differs: the prefix stays in the cache."""
    if not instructions:
        return (FORCED_ANSWER,)
    return (*instructions[:-1], f"{instructions[-1]}\n\n{FORCED_ANSWER}")


def _describe(one: Decided) -> str:
    summary = encode_json(cut_text(one.summary, LONGEST_SUMMARY))
    line = f"- {one.tool} (proposal {one.proposal_id}): {summary} {OUTCOMES[one.state]}."
    if one.state == "applied" and one.result is not None:
        line += f" Result: {encode_json(clamp(one.result, LARGEST_RESULT).value)}"
    if one.state == "failed" and one.error:
        line += f" Error: {encode_json(cut_text(one.error, LONGEST_SUMMARY))}"
    return line
