"""The tool calls of one step: all through the door, at once, and told in their order.

Each result is kept as it arrives, in whatever order that is: a call whose result was kept is never
made again, whoever goes on with the run.
"""

import asyncio
import json
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from assent.actions.call import (
    Applied,
    Circumstances,
    Proposed,
    Ran,
    ToolCall,
    call_tool,
    find_status,
)
from assent.actions.proposal import Place, Proposal
from assent.agents.prompt import SUGGEST
from assent.audit.entry import hash_arguments
from assent.conversations.parts import text_of
from assent.errors import AssentError
from assent.history.replay import describe_awaiting
from assent.plugins.procedure import Tell
from assent.runs.answer import Answer
from assent.runs.events import Event, OutputError, OutputReady, build_data
from assent.runs.headless.task import is_allowed
from assent.runs.materials import list_materials, list_summarized, settle_mixed
from assent.runs.phases import build_phase, find_phase
from assent.runs.progress import telling
from assent.runs.retell import retell
from assent.runs.step import Call
from assent.runs.studio import Cast, Studio
from assent.runs.transcript import Part
from assent.tools.destination import find_typed_places
from assent.tools.duplicates import Outcome, PastCall
from assent.tools.json_value import encode_json
from assent.tools.provenance import Material
from assent.tools.taint import Taint, taint_of_result
from assent.tools.tool import Ask, Phase, Tool, ToolValidationError
from assent.vault.scrub.scrubber import Scrubber

NO_TOOLS = "No tools were offered in this step, so the call was not made."

Done: TypeAlias = Ran | Proposed | Applied | AssentError
Keep: TypeAlias = Callable[[list[Part]], Awaitable[None]]


@dataclass(slots=True)
class Progress:
    """What the run has done so far that later calls depend on.

    `told` are outcomes of decisions, which the model knows of and the history does not show. The
    turn is `over` when it is the person's turn to speak.
    """

    taint: Taint
    told: tuple[Material, ...] = ()
    phase: Phase = "discovery"
    past: list[PastCall] = field(default_factory=list[PastCall])
    cards: int = 0
    over: bool = False

    @classmethod
    def from_parts(
        cls, parts: Iterable[Part], taint: Taint, told: tuple[Material, ...], phase: Phase
    ) -> "Progress":
        """As earlier attempts of the run left it."""
        progress, said = cls(taint, told, phase), list(parts)
        for part in said:
            progress.cards += part["type"] == "data-proposal"
            progress.over |= part["type"] == "data-question"
            outcome = _read_outcome(part)
            if outcome is not None:
                arguments = hash_arguments(part["input"])
                progress.past.append(PastCall(part["toolName"], arguments, outcome))
        progress.over |= closes_turn(said)
        return progress


def list_last_step(parts: Sequence[Part]) -> Sequence[Part]:
    starts = [index for index, part in enumerate(parts) if part["type"] == "step-start"]
    return parts[starts[-1] :] if starts else ()


def closes_turn(parts: Sequence[Part]) -> bool:
    """Whether the last step spoke, and its calls did nothing but suggest what to say next."""
    last = list_last_step(parts)
    calls = [part for part in last if part["type"] == "dynamic-tool"]
    suggested = [
        part
        for part in calls
        if part["toolName"] == SUGGEST and part["state"] == "output-available"
    ]
    return bool(suggested) and len(suggested) == len(calls) and bool(text_of(last))


def list_last_calls(parts: Sequence[Part]) -> list[Call]:
    """The calls of the last step, each where it was; those that have an outcome say so."""
    return [
        Call(
            id=part["toolCallId"],
            name=part["toolName"],
            is_known=True,
            arguments="",
            input=part.get("input"),
            error=None if part["state"] == "input-available" else part["state"],
        )
        for part in list_last_step(parts)
        if part["type"] == "dynamic-tool"
    ]


@dataclass(slots=True)
class Round:
    """The calls of one step, made together. `keep` stores the answer's parts."""

    studio: Studio
    cast: Cast
    answer: Answer
    progress: Progress
    step: int
    keep: Keep
    _arrived: dict[int, list[Event]] = field(default_factory=dict[int, list[Event]])
    _kept: set[int] = field(default_factory=set[int])
    _keeping: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def make(self, calls: Sequence[Call]) -> None:
        """Make those that can be made; the others have said already why not."""
        able = [(number, call) for number, call in enumerate(calls) if call.error is None]
        phase = self.progress.phase
        for _, call in able:
            _remember(self.progress, call, "open")
        tasks = [asyncio.create_task(self._make(number, call)) for number, call in able]
        try:
            for (number, _), task in zip(able, tasks, strict=True):
                await task
                for event in self._arrived.pop(number):
                    self.answer.take(event)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        self.progress.over |= closes_turn(self.answer.parts)
        if self.progress.phase != phase:
            self.answer.say(build_phase(self.progress.phase))

    async def _make(self, number: int, call: Call) -> None:
        with telling(self.answer, call.id, self.studio.means.scrubbing.known) as tell:
            done = await self._call(call, f"{self.step}/{number}", tell)
        _note(self.progress, call, done, self.studio.means.find_tool(call.name))
        self._arrived[number] = _describe(call, done, self.studio.means.scrubbing.known)
        async with self._keeping:
            if number not in self._kept:
                there = sorted(self._arrived)
                await self.keep(self.answer.foresee(_list(self._arrived, there)))
                self._kept.update(there)

    async def _call(self, call: Call, call_key: str, tell: Tell) -> Done:
        cast, progress, means = self.cast, self.progress, self.studio.means
        materials = list_materials(
            means.find_tool, cast.history, self.answer.parts, cast.person.id, files=cast.files
        )
        known = (
            *list_summarized(cast.kept.summary, cast.history, cast.person.id),
            *cast.grounding.materials,
            *settle_mixed(materials, progress.taint),
        )
        allowed = cast.task.allowed if cast.task else ()
        try:
            return await call_tool(
                means,
                ToolCall(
                    name=call.name,
                    arguments=call.input or {},
                    principal=cast.person,
                    place=Place(
                        edge="headless" if cast.task else "chat",
                        conversation_id=cast.run.conversation_id,
                        run_id=cast.run.id,
                        call_key=call_key,
                    ),
                    circumstances=Circumstances(
                        caller="person" if cast.person.kind == "user" else None,
                        mode=cast.conversation.mode,
                        taint=progress.taint,
                        owner_allowed=is_allowed(allowed, means.find_tool(call.name), call.input),
                        typed=find_typed_places(
                            one.content for one in known if one.origin == "typed"
                        ),
                        materials=(*known, *progress.told),
                    ),
                    past=tuple(_list_past(progress, call)),
                    window_tokens=cast.chosen.window,
                    tell=tell,
                ),
            )
        except AssentError as error:
            return error


def refuse_calls(answer: Answer, calls: Sequence[Call]) -> None:
    """For calls in a step that was offered no tools."""
    for call in calls:
        if call.error is None:
            answer.take(OutputError(call.id, NO_TOOLS))


def _note(progress: Progress, call: Call, done: Done, tool: Tool | None) -> None:
    """What later calls must know of this one."""
    if isinstance(done, Ran):
        progress.taint |= done.taint
    elif tool is not None and not _is_refused(done):
        progress.taint |= taint_of_result(tool, tool.name)
    if isinstance(done, AssentError):
        invalid = isinstance(done, ToolValidationError)
        _remember(progress, call, "invalid" if invalid else "failed")
        return
    _remember(progress, call, "done")
    directives = done.result.directives if isinstance(done, Ran) else ()
    progress.phase = find_phase(progress.phase, tool, directives)
    if isinstance(done, Proposed):
        progress.cards += 1
    if isinstance(done, Ran):
        progress.over |= any(isinstance(one, Ask) for one in done.result.directives)


def _is_refused(done: Done) -> bool:
    """The tool's own code was never reached, and so nothing of it came back."""
    return isinstance(done, AssentError) and find_status(done) == "refused"


def _describe(call: Call, done: Done, scrubber: Scrubber) -> list[Event]:
    """What followers are told, and what is stored."""
    if isinstance(done, AssentError):
        return [OutputError(call.id, encode_json(_describe_error(call, done)))]
    if isinstance(done, Ran):
        asked = [one for one in done.result.directives if isinstance(one, Ask)]
        cards = [scrubber.scrub(_describe_question(one)) for one in asked]
        questions = [build_data("data-question", call.id, card) for card in cards]
        return [OutputReady(call.id, done.value), *retell(done.parts), *questions]
    proposal = done.proposal
    card = _describe_card(proposal)
    if isinstance(done, Proposed):
        awaiting = describe_awaiting(proposal.id, _summary(proposal))
        return [
            OutputReady(call.id, awaiting),
            build_data("data-proposal", str(proposal.id), card),
        ]
    return [
        OutputReady(call.id, _describe_applied(proposal)),
        build_data("data-applied", str(proposal.id), card),
    ]


def _list(arrived: dict[int, list[Event]], numbers: Sequence[int]) -> list[Event]:
    return [event for number in numbers for event in arrived[number]]


def _read_outcome(part: Part) -> Outcome | None:
    """How a stored call ended; nothing of one that was not made."""
    if part["type"] != "dynamic-tool" or not isinstance(part.get("input"), dict):
        return None
    if part["state"] == "output-available":
        return "done"
    if part["state"] != "output-error":
        return None
    try:
        invalid = json.loads(part["errorText"])["kind"] == "validation"
    except (ValueError, TypeError, KeyError):
        invalid = False
    return "invalid" if invalid else "failed"


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
