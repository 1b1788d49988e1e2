"""The tool calls of one step: all through the door, at once, and told in their order."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from assent.actions.call import Applied, Circumstances, Proposed, Ran, ToolCall, call_tool
from assent.actions.proposal import Place, Proposal
from assent.audit.entry import hash_arguments
from assent.errors import AssentError
from assent.history.replay import describe_awaiting
from assent.runs.answer import Answer
from assent.runs.step import Call
from assent.runs.studio import Cast, Studio
from assent.tools.destination import find_typed_places
from assent.tools.duplicates import Outcome, PastCall
from assent.tools.json_value import encode_json
from assent.tools.taint import Taint
from assent.tools.tool import Ask, ToolValidationError

NO_TOOLS = "No tools were offered in this step, so the call was not made."

Done: TypeAlias = Ran | Proposed | Applied | AssentError


@dataclass(slots=True)
class Progress:
    """What the run has done so far that later calls depend on."""

    taint: Taint
    past: list[PastCall] = field(default_factory=list[PastCall])
    cards: int = 0
    asked: bool = False


async def make_calls(
    studio: Studio, cast: Cast, answer: Answer, progress: Progress, calls: Sequence[Call], step: int
) -> None:
    """Make those that can be made; the others have said already why not."""
    able = [(number, call) for number, call in enumerate(calls) if call.error is None]
    for _, call in able:
        _remember(progress, call, "open")
    tasks = [
        asyncio.create_task(_make(studio, cast, progress, call, f"{step}/{number}"))
        for number, call in able
    ]
    try:
        for (_, call), task in zip(able, tasks, strict=True):
            _tell(answer, progress, call, await task)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def refuse_calls(answer: Answer, calls: Sequence[Call]) -> None:
    """For calls in a step that was offered no tools."""
    for call in calls:
        if call.error is None:
            answer.take_error(call, NO_TOOLS)


async def _make(studio: Studio, cast: Cast, progress: Progress, call: Call, call_key: str) -> Done:
    run = cast.run
    try:
        return await call_tool(
            studio.means,
            ToolCall(
                name=call.name,
                arguments=call.input or {},
                principal=cast.person,
                place=Place(
                    edge="chat",
                    conversation_id=run.conversation_id,
                    run_id=run.id,
                    call_key=call_key,
                ),
                circumstances=Circumstances(
                    caller="person",
                    mode=cast.conversation.mode,
                    taint=progress.taint,
                    typed=find_typed_places(
                        one.content for one in cast.history if one.role == "user"
                    ),
                ),
                past=tuple(_list_past(progress, call)),
                window_tokens=cast.chosen.window,
            ),
        )
    except AssentError as error:
        return error


def _tell(answer: Answer, progress: Progress, call: Call, done: Done) -> None:
    if isinstance(done, AssentError):
        answer.take_error(call, encode_json(_describe_error(call, done)))
        _remember(progress, call, _find_outcome(done))
        return
    _remember(progress, call, "done")
    if isinstance(done, Ran):
        progress.taint |= done.taint
        answer.take_output(call, done.value)
        for directive in done.result.directives:
            if isinstance(directive, Ask):
                progress.asked = True
                answer.take_data("data-question", call.id, _describe_question(directive))
        return
    proposal = done.proposal
    if isinstance(done, Proposed):
        progress.cards += 1
        answer.take_output(call, describe_awaiting(proposal.id, _summary(proposal)))
        answer.take_data("data-proposal", str(proposal.id), _describe_card(proposal))
    else:
        answer.take_output(call, _describe_applied(proposal))
        answer.take_data("data-applied", str(proposal.id), _describe_card(proposal))


def _remember(progress: Progress, call: Call, outcome: Outcome) -> None:
    past = PastCall(call.name, hash_arguments(call.input or {}), outcome)
    progress.past = [
        one
        for one in progress.past
        if (one.tool, one.arguments_hash, one.outcome) != (past.tool, past.arguments_hash, "open")
    ]
    progress.past.append(past)


def _list_past(progress: Progress, call: Call) -> list[PastCall]:
    """All earlier calls but this one's own mark."""
    own = (call.name, hash_arguments(call.input or {}), "open")
    past = list(progress.past)
    for index, one in enumerate(past):
        if (one.tool, one.arguments_hash, one.outcome) == own:
            del past[index]
            break
    return past


def _find_outcome(error: AssentError) -> Outcome:
    return "invalid" if isinstance(error, ToolValidationError) else "failed"


def _describe_error(call: Call, error: AssentError) -> dict[str, Any]:
    if isinstance(error, ToolValidationError):
        return error.feedback(call.name)
    return {"kind": error.code, "tool": call.name, "message": error.message}


def _describe_question(ask: Ask) -> dict[str, Any]:
    return {
        "questions": [
            {"key": one.key, "text": one.text, "kind": one.kind, "options": list(one.options)}
            for one in ask.questions
        ]
    }


def _describe_card(proposal: Proposal) -> dict[str, Any]:
    """The snapshot in the transcript; how it stands is always asked anew."""
    change = proposal.change
    return {
        "proposalId": str(proposal.id),
        "tool": change.tool,
        "effect": change.effect,
        "summary": change.preview["summary"],
        "state": proposal.state,
        "expiresAt": proposal.expires_at.isoformat(),
    }


def _describe_applied(proposal: Proposal) -> dict[str, Any]:
    described: dict[str, Any] = {"status": proposal.state, "summary": _summary(proposal)}
    if proposal.state == "applied":
        described["result"] = proposal.outcome.result
    elif proposal.outcome.error:
        described["error"] = dict(proposal.outcome.error)
    return described


def _summary(proposal: Proposal) -> str:
    return str(proposal.change.preview["summary"])
