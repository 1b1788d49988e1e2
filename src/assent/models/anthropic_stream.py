"""Reads an Anthropic-style answer as it comes in: from any cut of its bytes to model events. Pure.

Server-sent events are the rule; an answer in one JSON document is read too. Each event's data says
itself what it is, so the event's name is not needed. An answer is whole when a stop reason or
`message_stop` came; one that just ends was cut and raises `ModelUnavailable`.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

import msgspec

from assent.errors import ModelError, ModelUnavailable
from assent.models.anthropic_errors import find_failure
from assent.models.anthropic_piece import Block, Counts, Delta, Editing, Piece, parse_piece
from assent.models.anthropic_request import ANSWER_TOOL, PROVIDER, build_digest
from assent.models.lines import BYTE_ORDER_MARK, DATA, Lines, hold
from assent.models.model import (
    ENDLESS,
    CallDelta,
    CallStart,
    Finished,
    FinishReason,
    ModelEvent,
    ReasoningDelta,
    ReasoningOpaque,
    TextDelta,
    Usage,
)
from assent.models.openai_errors import parse_complaint
from assent.models.openai_stream import LONGEST_ANSWER, MOST_CALLS
from assent.tools.json_value import encode_json
from assent.value import strip_unstorable

REASONS: dict[str, FinishReason] = {
    "end_turn": "stop",
    "stop_sequence": "stop",
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    "tool_use": "tool_calls",
    "refusal": "content_filter",
}
NO_USAGE = Usage(input=0, output=0)


@dataclass(slots=True)
class _Open:
    """The block that is being written. `call` is its number among the calls."""

    kind: str
    call: int = -1
    is_answer: bool = False
    given: Any = None
    thoughts: list[str] = field(default_factory=list[str])
    signature: str = ""
    redacted: str | None = None
    has_written: bool = False
    is_closed: bool = False


class AnswerParser:
    """Feed it what was read, close it at the end. Both raise a `ModelError` after their events.

    `model` is who answers, for what only that model can read. With `shaped` the call that gives
    the answer is its text.
    """

    def __init__(
        self,
        model: str,
        new_id: Callable[[], str],
        used_ids: Iterable[str] = (),
        *,
        shaped: bool = False,
    ) -> None:
        self.is_done = False
        self.complaint = b""
        self._model = model
        self._new_id = new_id
        self._used = set(used_ids)
        self._shaped = shaped
        self._lines = Lines()
        self._unread = bytearray()
        self._is_document = False
        self._has_begun = False
        self._has_spoken = False
        self._blocks: dict[int, _Open] = {}
        self._last: _Open | None = None
        self._calls = 0
        self._reason: str | None = None
        self._usage: Usage | None = None
        self._said = 0

    @property
    def has_reason(self) -> bool:
        """Whether the answer is whole: only usage and the end may follow."""
        return self._reason is not None

    @property
    def has_spoken(self) -> bool:
        return self._has_spoken

    def feed(self, data: bytes) -> Iterator[ModelEvent]:
        for line in self._lines.split(data):
            yield from self._take_line(line)
            if self.is_done:
                return

    def close(self) -> Iterator[ModelEvent]:
        """The end of the answer: usage, if there was any, and `Finished`."""
        if not self.is_done:
            yield from self._take_line(self._lines.rest)
            yield from self._end_event(is_last=True)
        if self._reason is None and not self.is_done:
            raise ModelUnavailable
        yield from self._close_all()
        if self._usage is not None:
            yield self._usage
        yield Finished(self._decide_reason())

    def _take_line(self, line: bytes) -> Iterable[ModelEvent]:
        if line.startswith(DATA):
            return self._take_data(line[5:])
        if self._is_document:
            hold(self._unread, line)
            return ()
        line = line.rstrip(b"\r")
        if not line:
            return self._end_event()
        if not self._has_begun and not line.startswith(b":"):
            return self._begin(line.removeprefix(BYTE_ORDER_MARK))
        return ()

    def _begin(self, line: bytes) -> Iterable[ModelEvent]:
        """The first line that says anything tells events from a document."""
        self._has_begun = True
        if line.startswith(DATA):
            return self._take_data(line[5:])
        if line.lstrip().startswith((b"{", b"[")):
            self._is_document = True
            self._unread += line
        return ()

    def _take_data(self, payload: bytes) -> Iterable[ModelEvent]:
        """Read one line of data. What is no JSON by itself waits for the lines after it."""
        self._has_begun = True
        piece = None if self._unread else parse_piece(payload)
        if piece is not None:
            return self._read(piece, payload)
        if payload.strip() != b"[DONE]":
            hold(self._unread, payload.strip())
        return ()

    def _end_event(self, *, is_last: bool = False) -> Iterable[ModelEvent]:
        if not self._unread:
            return ()
        payload = bytes(self._unread)
        self._unread.clear()
        piece = parse_piece(payload)
        if piece is not None:
            return self._read(piece, payload)
        if is_last:
            return ()
        raise self._fail(payload)

    def _fail(self, payload: bytes) -> ModelError:
        self.complaint = payload
        return find_failure(parse_complaint(payload))

    def _read(self, piece: Piece, payload: bytes) -> Iterable[ModelEvent]:
        match piece.type:
            case "content_block_delta" if piece.delta is not None:
                return self._take_delta(piece.delta, self._find(piece.index))
            case "content_block_start" if piece.content_block is not None:
                return self._open(piece.content_block, piece.index)
            case "content_block_stop":
                return self._close(self._find(piece.index))
            case "message_start":
                head = piece.message
                self._count(None if head is None or isinstance(head, str) else head.usage)
            case "message_delta":
                self._count(piece.usage, piece.context_management)
                self._reason = (piece.delta and piece.delta.stop_reason) or self._reason
            case "message_stop":
                self.is_done = True
            case "message":
                return self._read_whole(piece)
            case _:
                self._check(piece, payload)
        return ()

    def _check(self, piece: Piece, payload: bytes) -> None:
        """Signs of life and what is not known yet are passed over, complaints are not."""
        is_other = not piece.type and isinstance(piece.message, str)
        if piece.type == "error" or piece.error or is_other:
            raise self._fail(payload)

    def _read_whole(self, piece: Piece) -> Iterator[ModelEvent]:
        for index, block in enumerate(piece.content or ()):
            yield from self._open(block, index)
        self._count(piece.usage, piece.context_management)
        self._reason = piece.stop_reason
        self.is_done = True

    def _find(self, index: int | None) -> _Open | None:
        return self._last if index is None else self._blocks.get(index, self._last)

    def _open(self, block: Block, index: int | None) -> list[ModelEvent]:
        place = len(self._blocks) if index is None else index
        opened = _Open(block.type, signature=block.signature or "", redacted=block.data)
        events: list[ModelEvent] = list(self._close(self._blocks.get(place)))
        self._blocks[place] = self._last = opened
        if block.type == "tool_use":
            opened.given = block.input
            opened.is_answer = self._shaped and block.name == ANSWER_TOOL
            if not opened.is_answer:
                events.append(self._open_call(block, opened))
        if block.thinking:
            events += self._take_delta(Delta("thinking_delta", thinking=block.thinking), opened)
        if block.text:
            events += self._take_delta(Delta("text_delta", text=block.text), opened)
        return self._hear(events)

    def _open_call(self, block: Block, opened: _Open) -> CallStart:
        sent = strip_unstorable(block.id) if block.id else None
        unique = sent if sent and sent not in self._used else self._new_id()
        self._used.add(unique)
        opened.call, self._calls = self._calls, self._calls + 1
        if self._calls > MOST_CALLS:
            raise ModelUnavailable(ENDLESS)
        return CallStart(opened.call, unique, strip_unstorable(block.name or ""))

    def _take_delta(self, delta: Delta, block: _Open | None) -> list[ModelEvent]:
        match delta.type:
            case "text_delta":
                return self._say(TextDelta, delta.text)
            case "thinking_delta":
                if block is not None:
                    block.thoughts.append(delta.thinking or "")
                return self._say(ReasoningDelta, delta.thinking)
            case "signature_delta" if block is not None:
                block.signature = delta.signature or block.signature
            case "input_json_delta" if block is not None and delta.partial_json:
                return self._write(block, delta.partial_json)
            case _:
                pass
        return []

    def _say(
        self, kind: type[TextDelta] | type[ReasoningDelta], text: str | None
    ) -> list[ModelEvent]:
        if text and "\0" in text:
            text = strip_unstorable(text)
        if not text:
            return []
        self._said += len(text)
        return self._hear([kind(text)])

    def _write(self, block: _Open, arguments: str) -> list[ModelEvent]:
        block.has_written = True
        if block.is_answer:
            return self._say(TextDelta, arguments)
        if block.call < 0:
            return []
        self._said += len(arguments)
        written = strip_unstorable(arguments) if "\0" in arguments else arguments
        return self._hear([CallDelta(block.call, written)])

    def _hear(self, events: list[ModelEvent]) -> list[ModelEvent]:
        if self._said > LONGEST_ANSWER:
            raise ModelUnavailable(ENDLESS)
        if events:
            self._has_spoken = True
            self._lines.unsaid = 0
        return events

    def _close(self, block: _Open | None) -> Iterable[ModelEvent]:
        """A call that was given in one piece is written now; a thought gets what belongs to it."""
        if block is None or block.is_closed:
            return ()
        block.is_closed = True
        if block.kind == "tool_use" and not block.has_written:
            return self._write(block, encode_json(block.given or {}))
        tag = {"provider": PROVIDER, "model": self._model}
        if block.kind == "thinking":
            digest = build_digest("".join(block.thoughts))
            return [ReasoningOpaque({**tag, "signature": block.signature, "digest": digest})]
        if block.kind == "redacted_thinking" and block.redacted:
            return [ReasoningOpaque({**tag, "redacted": block.redacted})]
        return ()

    def _close_all(self) -> Iterator[ModelEvent]:
        for block in self._blocks.values():
            yield from self._close(block)

    def _count(self, counts: Counts | None, editing: Editing | None = None) -> None:
        if counts is not None:
            self._usage = _merge(self._usage or NO_USAGE, counts)
        edits = editing.applied_edits if editing is not None else None
        if edits:
            self._usage = msgspec.structs.replace(
                self._usage or NO_USAGE,
                cleared_calls=sum(one.cleared_tool_uses or 0 for one in edits),
                cleared_input=sum(one.cleared_input_tokens or 0 for one in edits),
            )

    def _decide_reason(self) -> FinishReason:
        """Calls are calls even where the server says "stop", and "stop" where there are none."""
        if self._reason is None:
            given: FinishReason = "stop" if self._has_spoken else "other"
        else:
            given = REASONS.get(self._reason.lower(), "other")
        if self._calls and given in ("stop", "other"):
            return "tool_calls"
        return "stop" if given == "tool_calls" and not self._calls else given


def _merge(known: Usage, counts: Counts) -> Usage:
    """The largest of each: figures only grow, and some servers send the last ones empty.

    The server counts what it read from and wrote to its cache apart from the rest of the input.
    """
    read = max(known.cache_read, counts.cache_read_input_tokens or 0)
    written = max(known.cache_write, counts.cache_creation_input_tokens or 0)
    fresh = max(known.input - known.cache_read - known.cache_write, counts.input_tokens or 0)
    details = counts.output_tokens_details
    return msgspec.structs.replace(
        known,
        input=fresh + read + written,
        output=max(known.output, counts.output_tokens or 0),
        cache_read=read,
        cache_write=written,
        reasoning=max(known.reasoning, (details.thinking_tokens if details else 0) or 0),
    )
