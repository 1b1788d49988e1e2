"""From a run to what its model is asked: prompt, history and tools. Pure, the clock aside."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, Protocol
from zoneinfo import ZoneInfo

from assent.agents.notes import CUT_ANSWER, force_answer
from assent.agents.prompt import Frame, Moment, Scope, Section, build_prompt, parse_zone
from assent.context.guides.tools import list_guides
from assent.conversations.conversation import StoredMessage
from assent.errors import AssentError
from assent.history.fit import View
from assent.history.replay import Present, build_messages, end_with_user
from assent.history.replay import StoredMessage as ReplayedMessage
from assent.history.summary import Summary, write_summary
from assent.models.integration import Chosen
from assent.models.model import (
    AssistantMessage,
    CallPart,
    Message,
    ModelRequest,
    OfferedTool,
    TextPart,
    ToolMessage,
    UserMessage,
)
from assent.plugins.guide import POINT
from assent.runs.headless.output import build_sections
from assent.runs.phases import list_offered
from assent.runs.studio import Cast, Studio
from assent.tools.schema import parse_input
from assent.tools.tool import Phase, Tool
from assent.vault.scrub.scrubber import Scrubber

MAX_TOKENS = 4_096
PART_OF_WINDOW = 4
"""An answer takes at most this part of a small window: some servers refuse what might not fit."""


def build_request(
    studio: Studio,
    cast: Cast,
    parts: Sequence[dict[str, Any]],
    *,
    phase: Phase,
    note: str | None = None,
    nudge: str | None = None,
    view: View | None = None,
) -> ModelRequest:
    """`parts` are what the answer holds so far; a `view` says what of all that is shown.

    `note` is told before the answer begins, `nudge` after what there is of it; neither is stored.
    """
    shown = view or View(summary=cast.kept.summary, history=cast.history, answer=tuple(parts))
    wire_names = {tool.name: studio.means.loaded.tools.wire_names[tool.name] for tool in cast.tools}
    stored = [*_replay_summary(shown.summary, cast), *map(_replay, shown.history)]
    told = "\n\n".join(one for one in (note, shown.left_out) if one) or None
    present = Present(
        wire_names=wire_names,
        fits=build_check(cast.tools),
        files=cast.files,
        reasoning=_wants_reasoning(cast),
    )
    return ModelRequest(
        purpose="turn",
        model=cast.chosen.model,
        instructions=_build_instructions(studio, cast, wire_names),
        messages=build_messages(stored, present, note=told, answer=shown.answer, nudge=nudge),
        max_tokens=find_max_tokens(cast.chosen),
        tools=tuple(
            OfferedTool(wire_names[tool.name], tool.description, tool.shape.input_schema)
            for tool in list_offered(cast.tools, phase)
        ),
    )


def find_max_tokens(chosen: Chosen) -> int:
    return min(MAX_TOKENS, chosen.window // PART_OF_WINDOW)


class Build(Protocol):
    """`build_request`, for one run."""

    def __call__(
        self, *, note: str | None, nudge: str | None, view: View | None
    ) -> ModelRequest: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Asking:
    """How one step of the model is asked for, whatever it is shown of the conversation.

    The last step calls no tools. `said` is what there is of an answer that was cut, in pieces.
    """

    make: Build
    note: str | None = None
    nudge: str | None = None
    is_last: bool = False
    said: tuple[str, ...] = ()

    def build(self, view: View) -> ModelRequest:
        request = self.make(note=self.note, nudge=self.nudge, view=view)
        if self.is_last:
            forced = force_answer(request.instructions)
            request = replace(request, may_call=False, instructions=forced)
        messages = request.messages
        for text in self.said:
            messages = _go_on(messages, text)
        return replace(request, messages=end_with_user(messages))


def _go_on(messages: tuple[Message, ...], said: str) -> tuple[Message, ...]:
    """As if the model had been asked to go on where it was cut."""
    last = messages[-1] if messages else None
    if isinstance(last, AssistantMessage):
        messages = messages[:-1]
        answered = AssistantMessage((*last.parts, TextPart(said)))
    else:
        answered = AssistantMessage((TextPart(said),))
    return (*messages, answered, UserMessage((TextPart(CUT_ANSWER),)))


def build_repair(
    studio: Studio,
    cast: Cast,
    parts: Sequence[dict[str, Any]],
    *,
    note: str | None,
    nudge: str | None,
    view: View | None,
    is_bare: bool = False,
) -> ModelRequest:
    """Once more, for the value alone; `is_bare` for a provider that takes no schema."""
    request = build_request(
        studio, cast, parts, phase="discovery", note=note, nudge=nudge, view=view
    )
    schema = cast.task.output_schema if cast.task and not is_bare else None
    return replace(request, purpose="structured", may_call=False, output_schema=schema)


def scrub_request(request: ModelRequest, scrubber: Scrubber) -> ModelRequest:
    """What was stored before a secret was known, and what the prompt says, are read by nobody else.

    What only a provider can read stays as it is.
    """
    return replace(
        request,
        instructions=tuple(map(scrubber.scrub_often, request.instructions)),
        messages=tuple(_scrub_message(one, scrubber) for one in request.messages),
    )


def _scrub_message(message: Message, scrubber: Scrubber) -> Message:
    hide = scrubber.scrub_text
    if isinstance(message, ToolMessage):
        results = (replace(one, content=hide(one.content)) for one in message.results)
        return ToolMessage(tuple(results))
    if isinstance(message, UserMessage):
        said = (
            replace(one, text=hide(one.text)) if isinstance(one, TextPart) else one
            for one in message.parts
        )
        return UserMessage(tuple(said))
    answered = (
        replace(one, arguments=hide(one.arguments))
        if isinstance(one, CallPart)
        else replace(one, text=hide(one.text))
        for one in message.parts
    )
    return AssistantMessage(tuple(answered))


def _wants_reasoning(cast: Cast) -> bool:
    """Those that sign what they thought want it back; each takes only what it signed itself."""
    integration = cast.chosen.integration
    return integration is not None and integration.provider != "openai"


def _build_instructions(studio: Studio, cast: Cast, wire_names: dict[str, str]) -> tuple[str, ...]:
    family = cast.chosen.integration.family if cast.chosen.integration else "generic"
    zone = parse_zone(cast.run.time_zone, known=studio.zones, server=studio.server_zone)
    changes = any(tool.behaviour.effect != "read" for tool in cast.tools)
    building = tuple(wire_names[tool.name] for tool in cast.tools if tool.phase == "build")
    return build_prompt(
        Frame(agent=cast.agent, mode=cast.conversation.mode, family=family),
        Scope(
            wire_names=wire_names,
            changes=changes,
            building=building,
            guides=list_guides(studio.means.loaded.contributions.get(POINT, {})),
        ),
        Moment(
            now=studio.now().astimezone(ZoneInfo(zone)),
            zone=zone,
            person=cast.person.name,
            workspace=cast.workspace,
            idle=_find_idle(cast, studio.now()),
            context=(
                *(Section(one.heading, one.text) for one in cast.grounding.told),
                *(build_sections(cast.task.output_schema) if cast.task else ()),
            ),
        ),
    )


def _replay_summary(summary: Summary | None, cast: Cast) -> Iterator[ReplayedMessage]:
    """First of all, in the user's place: see `history/summary.py` for why it is there."""
    if summary is not None:
        text = write_summary(summary, str(cast.person.id))
        yield ReplayedMessage("user", [{"type": "text", "text": text}], text)


def _find_idle(cast: Cast, now: datetime) -> timedelta | None:
    """How long nothing was said before what this run is about."""
    own = [one for one in cast.history if one.run_id == cast.run.id]
    before = [one for one in cast.history if one.run_id != cast.run.id]
    return (own[0].created_at if own else now) - before[-1].created_at if before else None


def _replay(message: StoredMessage) -> ReplayedMessage:
    return ReplayedMessage(message.role, message.parts, message.content)


def build_check(tools: Sequence[Tool]) -> Callable[[str, Any], bool]:
    by_name = {tool.name: tool for tool in tools}

    def fits(name: str, given: Any) -> bool:
        tool = by_name.get(name)
        if tool is None:
            return False
        try:
            parse_input(tool, given)
        except AssentError:
            return False
        return True

    return fits
