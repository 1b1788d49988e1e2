"""Making a request fit its window when a summary of earlier turns is not enough. Pure.

Ever shorter views of the same conversation are tried, and the first that fits is sent: long results
as lines, the oldest first; then the older steps of the answer as a list of what was called; at last
texts are cut. Every one of them is a valid request: a call goes with its result, or stays with it.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from assent.conversations.conversation import StoredMessage
from assent.history.hygiene import Part, collapse_oldest, collapse_stale, is_long
from assent.history.summary import Summary
from assent.models.model import (
    AssistantMessage,
    CallPart,
    ImagePart,
    Message,
    ModelRequest,
    ReasoningPart,
    ResultPart,
    TextPart,
    ToolMessage,
    UserMessage,
)
from assent.tools.json_value import encode_json

STEPS_KEPT = (8, 4, 2, 1)
CALLS_TOLD = 30
LONGEST_INPUT = 120
LEAST_TEXT = 80
CUT = "\n(… {count:,} characters are left out here: there is no room for them …)\n"
NO_IMAGE = "(An image was here that there is no room for any more.)"
LEFT_OUT = (
    "(Assent: your earlier steps in this answer are not shown any more. You called, in order:"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """What a request shows of a conversation; `left_out` tells of steps that it does not show."""

    summary: Summary | None
    history: tuple[StoredMessage, ...]
    answer: tuple[Part, ...]
    left_out: str | None = None


Build: TypeAlias = Callable[[View], ModelRequest]
Count: TypeAlias = Callable[[ModelRequest], int]


def collapse_view(view: View) -> View:
    """With stale results as lines."""
    shown = collapse_stale([one.parts for one in view.history], view.answer)
    return _with_parts(view, shown.history, shown.answer)


def fit_request(build: Build, count: Count, view: View, limit: int) -> ModelRequest:
    """The first of ever shorter requests that has at most so many tokens."""
    request = build(collapse_view(view))
    if count(request) <= limit:
        return request
    for one in _list_shorter(view):
        request = build(one)
        if count(request) <= limit:
            return request
    return cut_request(request, count, limit)


def cut_request(request: ModelRequest, count: Count, limit: int) -> ModelRequest:
    """With texts cut, the longest first, and then without images; as far as that goes."""
    low, high = LEAST_TEXT, max(map(len, _list_texts(request.messages)), default=LEAST_TEXT)
    while low < high:
        middle = (low + high + 1) // 2
        if count(_cut_texts(request, middle)) <= limit:
            low = middle
        else:
            high = middle - 1
    cut = _cut_texts(request, low)
    while count(cut) > limit and (fewer := _drop_image(cut)) is not None:
        cut = fewer
    return cut


def _list_shorter(view: View) -> Iterator[View]:
    """What the last step gave back stays: the model has not read it yet."""
    before = sum(is_long(part) for one in view.history for part in one.parts)
    steps = _split_steps(view.answer)
    own = _count_read(steps)
    for count in sorted({before, before + own // 2, before + own}):
        yield _collapse(view, count)
    for kept in STEPS_KEPT:
        if kept < len(steps):
            gone = [part for step in steps[:-kept] for part in step]
            shown = tuple(part for step in steps[-kept:] for part in step)
            shorter = replace(view, answer=shown, left_out=_describe_steps(gone))
            yield _collapse(shorter, before)
            yield _collapse(shorter, before + _count_read(steps[-kept:]))


def _count_read(steps: Sequence[Sequence[Part]]) -> int:
    return sum(is_long(part) for step in steps[:-1] for part in step)


def _collapse(view: View, count: int) -> View:
    shown = collapse_oldest([one.parts for one in view.history], view.answer, count)
    return _with_parts(view, shown.history, shown.answer)


def _with_parts(view: View, parts: Sequence[Sequence[Part]], answer: tuple[Part, ...]) -> View:
    history = (
        one if tuple(one.parts) == tuple(shown) else one.model_copy(update={"parts": list(shown)})
        for one, shown in zip(view.history, parts, strict=True)
    )
    return replace(view, history=tuple(history), answer=answer)


def _split_steps(parts: Sequence[Part]) -> list[list[Part]]:
    steps: list[list[Part]] = []
    for part in parts:
        if part.get("type") == "step-start" or not steps:
            steps.append([])
        steps[-1].append(part)
    return steps


def _describe_steps(parts: Sequence[Part]) -> str:
    calls = [part for part in parts if part.get("type") == "dynamic-tool"]
    lines = [f"- {_name(part)} {_write_input(part)}: {part.get('state')}" for part in calls]
    more = len(lines) - CALLS_TOLD
    told = [f"- {more} others", *lines[more:]] if more > 0 else lines or ["- nothing"]
    return "\n".join([LEFT_OUT, *told]) + ")"


def _name(part: Part) -> str:
    return " ".join(str(part.get("toolName")).split())[:LONGEST_INPUT]


def _write_input(part: Part) -> str:
    try:
        return encode_json(part.get("input"))[:LONGEST_INPUT]
    except (TypeError, ValueError, RecursionError):
        return "?"


def _list_texts(messages: Sequence[Message]) -> Iterator[str]:
    for message in messages:
        pieces: Sequence[Any] = (
            message.results if isinstance(message, ToolMessage) else message.parts
        )
        for one in pieces:
            yield str(
                getattr(one, "text", None)
                or getattr(one, "content", None)
                or getattr(one, "arguments", "")
            )


def _cut_texts(request: ModelRequest, limit: int) -> ModelRequest:
    return replace(request, messages=tuple(_cut_message(one, limit) for one in request.messages))


def _cut_message(message: Message, limit: int) -> Message:
    if isinstance(message, ToolMessage):
        return ToolMessage(tuple(_cut_result(one, limit) for one in message.results))
    if isinstance(message, UserMessage):
        return UserMessage(
            tuple(
                TextPart(_cut_text(one.text, limit)) if isinstance(one, TextPart) else one
                for one in message.parts
            )
        )
    kept = (one for one in message.parts if not isinstance(one, ReasoningPart))
    return AssistantMessage(tuple(_cut_piece(one, limit) for one in kept))


def _cut_result(result: ResultPart, limit: int) -> ResultPart:
    return replace(result, content=_cut_text(result.content, limit))


def _cut_piece(piece: TextPart | CallPart, limit: int) -> TextPart | CallPart:
    if isinstance(piece, TextPart):
        return TextPart(_cut_text(piece.text, limit))
    if len(piece.arguments) <= limit:
        return piece
    note = {"_left_out": f"{len(piece.arguments):,} characters"}
    return replace(piece, arguments=encode_json(note))


def _cut_text(text: str, limit: int) -> str:
    """Beginning and end, with a note between them that is not counted."""
    if len(text) <= limit + len(CUT):
        return text
    head = limit * 2 // 3
    tail = limit - head
    return f"{text[:head]}{CUT.format(count=len(text) - limit)}{text[-tail:]}"


def _drop_image(request: ModelRequest) -> ModelRequest | None:
    """Without its oldest image; nothing if there is none."""
    messages = list(request.messages)
    for at, message in enumerate(messages):
        if not isinstance(message, UserMessage):
            continue
        for number, part in enumerate(message.parts):
            if isinstance(part, ImagePart):
                parts = list(message.parts)
                parts[number] = TextPart(NO_IMAGE)
                messages[at] = UserMessage(tuple(parts))
                return replace(request, messages=tuple(messages))
    return None
