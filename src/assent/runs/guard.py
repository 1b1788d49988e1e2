"""Stopping what is off topic before anything is done for it, without making anybody wait.

The classifier and the turn's own first step are asked at the same time. What the model says is held
back until the classifier has answered, or has had its time; then it is let through, or dropped and
the refusal takes its place, which streams and is stored like every answer.
"""

import asyncio
import logging
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import aclosing
from typing import TypeAlias

from assent.agents.topic import (
    MAX_TOKENS,
    SCHEMA,
    is_off_topic,
    write_excerpt,
    write_instruction,
    write_refusal,
)
from assent.errors import AssentError
from assent.models.model import (
    Finished,
    Model,
    ModelEvent,
    ModelRequest,
    TextDelta,
    TextPart,
    UserMessage,
)
from assent.runs.studio import Cast, Studio
from assent.vault.scrub.scrubber import Scrubber

PATIENCE_SECONDS = 2.0
HELD = 256
"""Batches of events that are held back at most; then the provider waits."""
ASSISTANT = "assistant"

Judge: TypeAlias = Callable[[], Awaitable[bool]]

log = logging.getLogger("assent.runs")


def guard(studio: Studio, cast: Cast, model: Model, scrubber: Scrubber) -> Model:
    """The model that answers; its first step is judged where that is wanted."""
    if not needs_judging(cast):
        return model
    subjects = list_subjects(studio, cast)

    async def judge() -> bool:
        request = build_question(cast, subjects, scrubber)
        return await _ask(model, request)

    return Guarded(model, judge, write_refusal(cast.agent, subjects))


def needs_judging(cast: Cast) -> bool:
    """What a person writes of their own accord: no answer to a question, no run without them.

    A turn that goes on after its process was lost was judged, or has said something already.
    """
    integration = cast.chosen.integration
    is_asked = cast.run.kind == "turn" and cast.run.attempt == 1
    if not is_asked or integration is None or not integration.classifier:
        return False
    return not _is_reply(cast)


def list_subjects(studio: Studio, cast: Cast) -> list[str]:
    """What the tools in scope are about: the titles of the plugins that they come from."""
    plugins = (studio.means.loaded.find_plugin(tool) for tool in cast.tools)
    return sorted({plugin.title for plugin in plugins if plugin.name != ASSISTANT})


def build_question(cast: Cast, subjects: Sequence[str], scrubber: Scrubber) -> ModelRequest:
    said = [(one.role, scrubber.scrub_text(one.content)) for one in cast.history]
    return ModelRequest(
        purpose="classify",
        model=cast.chosen.model,
        instructions=(write_instruction(cast.agent, subjects),),
        messages=(UserMessage((TextPart(write_excerpt(said)),)),),
        max_tokens=MAX_TOKENS,
        output_schema=SCHEMA,
    )


class Guarded:
    """A model whose first answer is held back until it is judged; all others pass."""

    def __init__(self, model: Model, judge: Judge, refusal: str) -> None:
        self._model = model
        self._judge = judge
        self._refusal = refusal
        self._is_judged = False

    async def stream(self, request: ModelRequest) -> AsyncGenerator[Sequence[ModelEvent]]:
        if self._is_judged or request.purpose != "turn":
            async with aclosing(self._model.stream(request)) as answer:
                async for events in answer:
                    yield events
            return
        self._is_judged = True
        held: asyncio.Queue[Sequence[ModelEvent] | None] = asyncio.Queue(HELD)
        speaking = asyncio.create_task(self._speak(request, held), name="answer held back")
        try:
            if await self._is_refused():
                yield (TextDelta(self._refusal), Finished("stop"))
                return
            while (events := await held.get()) is not None:
                yield events
            await speaking
        finally:
            speaking.cancel()
            await asyncio.gather(speaking, return_exceptions=True)

    async def _speak(
        self, request: ModelRequest, held: asyncio.Queue[Sequence[ModelEvent] | None]
    ) -> None:
        try:
            async with aclosing(self._model.stream(request)) as answer:
                async for events in answer:
                    await held.put(events)
        finally:
            if not (task := asyncio.current_task()) or not task.cancelling():
                await held.put(None)

    async def _is_refused(self) -> bool:
        """Late and failed count as on topic."""
        try:
            async with asyncio.timeout(PATIENCE_SECONDS):
                return await self._judge()
        except (AssentError, TimeoutError) as error:
            log.info("A request was not judged: %s", error)
            return False


async def _ask(model: Model, request: ModelRequest) -> bool:
    text = ""
    async with aclosing(model.stream(request)) as answer:
        async for events in answer:
            text += "".join(one.text for one in events if isinstance(one, TextDelta))
    return is_off_topic(text)


def _is_reply(cast: Cast) -> bool:
    """Whether the run was begun by the answer to a question card."""
    run_id = str(cast.run.id)
    return any(
        part.get("type") == "data-question" and part["data"].get("answerRunId") == run_id
        for message in cast.history
        for part in message.parts
    )
