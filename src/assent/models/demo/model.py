"""The demo model as a provider: speaks at a human pace what `decide.py` decided."""

import asyncio
from collections.abc import AsyncGenerator, Iterator, Sequence

from assent.models.demo.decide import Act, Step, decide
from assent.models.demo.other_purposes import answer_purpose, build_value
from assent.models.demo.playbook import Playbook
from assent.models.demo.speak import cut_arguments, cut_text, estimate_tokens, fit_tokens
from assent.models.demo.state import read_unfinished
from assent.models.model import (
    AssistantMessage,
    CallDelta,
    CallPart,
    CallStart,
    Finished,
    FinishReason,
    ModelEvent,
    ModelRequest,
    TextDelta,
    TextPart,
    Usage,
    UserMessage,
)
from assent.tools.json_value import encode_json

HUMAN_PACE = 0.02


class DemoModel:
    """Deterministic and without network. `pace` is how many seconds a word takes."""

    def __init__(self, pace: float = HUMAN_PACE, playbooks: Sequence[Playbook] = ()) -> None:
        self._pace = pace
        self._playbooks = tuple(playbooks)

    def within(self, seconds: float) -> "DemoModel":
        """It begins at once, however little time there is."""
        return self

    async def stream(self, request: ModelRequest) -> AsyncGenerator[Sequence[ModelEvent]]:
        written = 0
        reason: FinishReason = "stop"
        for event in _speak(request, self._playbooks):
            if isinstance(event, TextDelta):
                written += len(event.text)
            elif isinstance(event, CallDelta):
                written += len(event.arguments)
            elif isinstance(event, Finished):
                reason = event.reason
                break
            yield (event,)
            await asyncio.sleep(self._pace)
        usage = Usage(input=estimate_tokens(_measure(request)), output=estimate_tokens(written))
        yield usage, Finished(reason)


def _speak(request: ModelRequest, playbooks: Sequence[Playbook]) -> Iterator[ModelEvent]:
    """The events of an answer, cut where its room ends; the last says why it ended."""
    text, step = _find_answer(request, playbooks)
    fitting = fit_tokens(text, request.max_tokens)
    for piece in cut_text(fitting):
        yield TextDelta(piece)
    if fitting != text:
        yield Finished("length")
        return
    if not isinstance(step, Act):
        yield Finished("stop")
        return
    left = request.max_tokens - estimate_tokens(len(text))
    for index, (identity, call) in enumerate(zip(_new_ids(request), step.calls, strict=False)):
        arguments = encode_json(dict(call.arguments))
        left -= estimate_tokens(len(arguments))
        if left < 0:
            yield Finished("length")
            return
        yield CallStart(index, identity, call.name)
        for piece in cut_arguments(arguments):
            yield CallDelta(index, piece)
    yield Finished("tool_calls")


def _find_answer(request: ModelRequest, playbooks: Sequence[Playbook]) -> tuple[str, Step | None]:
    """The text that is still to be said, and the step that it belongs to."""
    if request.purpose != "turn":
        return answer_purpose(request), None
    step = decide(request, playbooks)
    text = step.text
    if request.output_schema is not None and not isinstance(step, Act):
        text = encode_json(build_value(request.output_schema, text))
    begun = read_unfinished(request)
    if begun and text.startswith(begun):
        text = text[len(begun) :]
    return text, step


def _new_ids(request: ModelRequest) -> Iterator[str]:
    """Ids that no call of the conversation has."""
    taken = {
        part.id
        for message in request.messages
        if isinstance(message, AssistantMessage)
        for part in message.parts
        if isinstance(part, CallPart)
    }
    number = len(taken)
    while True:
        number += 1
        if f"demo_{number}" not in taken:
            yield f"demo_{number}"


def _measure(request: ModelRequest) -> int:
    """The characters that a real model would read."""
    characters = sum(map(len, request.instructions))
    for message in request.messages:
        if isinstance(message, UserMessage):
            characters += sum(len(one.text) for one in message.parts if isinstance(one, TextPart))
        elif isinstance(message, AssistantMessage):
            characters += sum(
                len(one.arguments) if isinstance(one, CallPart) else len(one.text)
                for one in message.parts
            )
        else:
            characters += sum(len(one.content) for one in message.results)
    for tool in request.tools:
        characters += len(tool.name) + len(tool.description)
        characters += len(encode_json(dict(tool.input_schema)))
    return characters
