"""From a run to what its model is asked: prompt, history and tools. Pure, the clock aside."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from assent.agents.prompt import Frame, Moment, Scope, build_prompt, parse_zone
from assent.conversations.conversation import StoredMessage
from assent.errors import AssentError
from assent.history.replay import Present, build_messages
from assent.history.replay import StoredMessage as ReplayedMessage
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
) -> ModelRequest:
    """`parts` are what the answer holds so far.

    `note` is told before the answer begins, `nudge` after what there is of it; neither is stored.
    """
    wire_names = {tool.name: studio.means.loaded.tools.wire_names[tool.name] for tool in cast.tools}
    stored = [_replay(message) for message in cast.history]
    present = Present(wire_names=wire_names, fits=_build_check(cast.tools))
    return ModelRequest(
        purpose="turn",
        model=cast.chosen.model,
        instructions=_build_instructions(studio, cast, wire_names),
        messages=build_messages(stored, present, note=note, answer=parts, nudge=nudge),
        max_tokens=min(MAX_TOKENS, cast.chosen.window // PART_OF_WINDOW),
        tools=tuple(
            OfferedTool(wire_names[tool.name], tool.description, tool.shape.input_schema)
            for tool in list_offered(cast.tools, phase)
        ),
    )


def build_repair(
    studio: Studio, cast: Cast, parts: Sequence[dict[str, Any]], *, note: str | None, nudge: str
) -> ModelRequest:
    """Once more, for the value alone; not every provider keeps to the schema."""
    request = build_request(studio, cast, parts, phase="discovery", note=note, nudge=nudge)
    schema = cast.task.output_schema if cast.task else None
    return replace(request, purpose="structured", tools=(), output_schema=schema)


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


def _build_instructions(studio: Studio, cast: Cast, wire_names: dict[str, str]) -> tuple[str, ...]:
    family = cast.chosen.integration.family if cast.chosen.integration else "generic"
    zone = parse_zone(cast.run.time_zone, known=studio.zones, server=studio.server_zone)
    changes = any(tool.behaviour.effect != "read" for tool in cast.tools)
    building = tuple(wire_names[tool.name] for tool in cast.tools if tool.phase == "build")
    return build_prompt(
        Frame(agent=cast.agent, mode=cast.conversation.mode, family=family),
        Scope(wire_names=wire_names, changes=changes, building=building),
        Moment(
            now=studio.now().astimezone(ZoneInfo(zone)),
            zone=zone,
            person=cast.person.name,
            workspace=cast.workspace,
            idle=_find_idle(cast, studio.now()),
            context=build_sections(cast.task.output_schema) if cast.task else (),
        ),
    )


def _find_idle(cast: Cast, now: datetime) -> timedelta | None:
    """How long nothing was said before what this run is about."""
    own = [one for one in cast.history if one.run_id == cast.run.id]
    before = [one for one in cast.history if one.run_id != cast.run.id]
    return (own[0].created_at if own else now) - before[-1].created_at if before else None


def _replay(message: StoredMessage) -> ReplayedMessage:
    return ReplayedMessage(message.role, message.parts, message.content)


def _build_check(tools: Sequence[Tool]):
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
