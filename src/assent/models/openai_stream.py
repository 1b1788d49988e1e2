"""Reads an OpenAI-style answer as it comes in: from any cut of its bytes to model events. Pure.

Server-sent events are the rule; an answer in one JSON document is read too, because some gateways
do not stream although they were asked to. Only the first choice counts.

An answer is whole when a finish reason or `[DONE]` came. One that just ends was cut, however much
of it there is, and raises `ModelUnavailable`. With `[DONE]` but no reason it counts as stopped, or
as "other" when it was empty.
"""

from collections.abc import Callable, Iterable, Iterator

from assent.errors import ModelError, ModelUnavailable
from assent.models.lines import BYTE_ORDER_MARK, DATA, Lines, hold
from assent.models.model import (
    ENDLESS,
    Finished,
    FinishReason,
    ModelEvent,
    ReasoningDelta,
    TextDelta,
    Usage,
)
from assent.models.openai_calls import Calls
from assent.models.openai_chunk import (
    CallPiece,
    Choice,
    Chunk,
    Counts,
    Delta,
    Details,
    parse_chunk,
)
from assent.models.openai_errors import find_failure, is_complaint, parse_complaint
from assent.value import strip_unstorable

END = b"[DONE]"
LONGEST_ANSWER = 256 * 1024
"""Characters of all that is said and written in one: many times what is ever asked for."""
MOST_CALLS = 128

REASONS: dict[str, FinishReason] = {
    "stop": "stop",
    "end_turn": "stop",
    "eos": "stop",
    "eos_token": "stop",
    "stop_sequence": "stop",
    "length": "length",
    "max_tokens": "length",
    "model_length": "length",
    "tool_calls": "tool_calls",
    "tool_use": "tool_calls",
    "function_call": "tool_calls",
    "content_filter": "content_filter",
    "safety": "content_filter",
    "refusal": "content_filter",
}
BROKEN = frozenset({"error", "insufficient_system_resource", "abort"})
"""Finish reasons of servers that gave up."""

NO_DETAILS = Details()
NO_USAGE = Usage(input=0, output=0)


class AnswerParser:
    """Feed it what was read, close it at the end. Both raise a `ModelError` after their events.

    `complaint` is then what the server wrote: for a log, never for a person.
    """

    def __init__(self, new_id: Callable[[], str], used_ids: Iterable[str] = ()) -> None:
        self.is_done = False
        self.complaint = b""
        self._calls = Calls(new_id, used_ids)
        self._lines = Lines()
        self._unread = bytearray()
        self._is_document = False
        self._has_begun = False
        self._has_failed = False
        self._has_spoken = False
        self._has_refused = False
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
            if line.startswith(DATA):
                yield from self._take_data(line[5:])
                if self.is_done:
                    return
            else:
                yield from self._take_line(line)

    def close(self) -> Iterator[ModelEvent]:
        """The end of the answer: usage, if there was any, and `Finished`."""
        if not self.is_done:
            yield from self._take_rest()
        if self._reason is None and not self.is_done:
            raise ModelUnavailable
        yield from self._calls.close()
        if self._usage is not None:
            yield self._usage
        yield Finished(self._decide_reason())

    def _take_rest(self) -> Iterator[ModelEvent]:
        last = self._lines.rest
        if last.startswith(DATA):
            yield from self._take_data(last[5:])
        elif last:
            yield from self._take_line(last)
        chunk = parse_chunk(bytes(self._unread))
        if chunk is not None:
            yield from self._read(chunk, bytes(self._unread))

    def _take_data(self, payload: bytes) -> Iterable[ModelEvent]:
        """Read one line of data. What is no JSON by itself waits for the lines after it."""
        self._has_begun = True
        if self._has_failed:
            raise self._fail(payload)
        chunk = None if self._unread else parse_chunk(payload)
        if chunk is not None:
            return self._read(chunk, payload)
        if payload.strip() == END:
            self.is_done = True
        else:
            hold(self._unread, payload.strip())
        return ()

    def _take_line(self, line: bytes) -> Iterable[ModelEvent]:
        """Whatever is not data: an empty line, a comment, another field, a document's line."""
        if self._is_document:
            hold(self._unread, line)
            return ()
        line = line.rstrip(b"\r")
        if not line:
            return self._end_event()
        if not self._has_begun and not line.startswith(b":"):
            return self._begin(line.removeprefix(BYTE_ORDER_MARK))
        self._take_field(line)
        return ()

    def _begin(self, line: bytes) -> Iterable[ModelEvent]:
        """The first line that says anything tells events from a document."""
        self._has_begun = True
        if line.startswith(DATA):
            return self._take_data(line[5:])
        if line.lstrip().startswith((b"{", b"[")):
            self._is_document = True
            self._unread += line
        else:
            self._take_field(line)
        return ()

    def _take_field(self, line: bytes) -> None:
        if line.startswith(b"event:"):
            self._has_failed = line[6:].strip() == b"error"
        elif line.startswith(b"error:"):
            raise self._fail(line[6:])

    def _end_event(self) -> Iterable[ModelEvent]:
        self._has_failed = False
        if not self._unread:
            return ()
        payload = bytes(self._unread)
        self._unread.clear()
        chunk = parse_chunk(payload)
        if chunk is None:
            raise self._fail(payload)
        return self._read(chunk, payload)

    def _fail(self, payload: bytes) -> ModelError:
        self.complaint = payload
        return find_failure(parse_complaint(payload))

    def _read(self, chunk: Chunk, payload: bytes) -> Iterable[ModelEvent]:
        if chunk.error:
            raise self._fail(payload)
        counts = chunk.usage or (chunk.x_groq and chunk.x_groq.usage)
        if counts:
            self._usage = _merge(self._usage or NO_USAGE, counts)
        if not chunk.choices:
            if chunk.choices is None and is_complaint(payload):
                raise self._fail(payload)
            return ()
        choice = _find_first(chunk.choices)
        if choice is None:
            return ()
        delta = choice.delta or choice.message
        if choice.finish_reason:
            if choice.finish_reason in BROKEN:
                raise self._fail(payload)
            self._reason = choice.finish_reason
        return () if delta is None else self._read_delta(delta)

    def _read_delta(self, delta: Delta) -> list[ModelEvent]:
        events: list[ModelEvent] = []
        if thought := _clean(delta.reasoning_content or delta.reasoning):
            events.append(ReasoningDelta(thought))
            self._said += len(thought)
        if text := _clean(delta.content):
            events.append(TextDelta(text))
            self._said += len(text)
        if delta.refusal and (text := _clean(delta.refusal)):
            events.append(TextDelta(text))
            self._said += len(text)
            self._has_refused = True
        if delta.tool_calls:
            events += self._take_calls(delta.tool_calls)
        if delta.function_call is not None:
            events += self._take_calls([CallPiece(function=delta.function_call)])
        if self._said > LONGEST_ANSWER:
            raise ModelUnavailable(ENDLESS)
        if events:
            self._has_spoken = True
            self._lines.unsaid = 0
        return events

    def _take_calls(self, pieces: list[CallPiece]) -> Iterator[ModelEvent]:
        for position, piece in enumerate(pieces):
            self._said += len((piece.function and piece.function.arguments) or "")
            yield from self._calls.take(piece, position=position)
            if len(self._calls) > MOST_CALLS:
                raise ModelUnavailable(ENDLESS)

    def _decide_reason(self) -> FinishReason:
        """Calls are calls even where the server says "stop", and "stop" where there are none."""
        if self._has_refused:
            return "content_filter"
        if self._reason is None:
            given: FinishReason = "stop" if self._has_spoken else "other"
        else:
            given = REASONS.get(self._reason.lower(), "other")
        if self._calls and given in ("stop", "other"):
            return "tool_calls"
        return "stop" if given == "tool_calls" and not self._calls else given


def _clean(text: str | None) -> str | None:
    return strip_unstorable(text) if text and "\0" in text else text


def _find_first(choices: list[Choice]) -> Choice | None:
    if not choices[0].index:
        return choices[0]
    return next((one for one in choices if not one.index), None)


def _merge(known: Usage, counts: Counts) -> Usage:
    """The largest of each: figures grow where they are repeated, and a last one may be empty.

    The total may be more than the two it is made of: some leave reasoning out of what was written.
    """
    given = counts.prompt_tokens_details or NO_DETAILS
    written = counts.completion_tokens_details or NO_DETAILS
    taken = max(0, counts.prompt_tokens or 0)
    output = max(counts.completion_tokens or 0, (counts.total_tokens or 0) - taken)
    cached = given.cached_tokens or counts.prompt_cache_hit_tokens or 0
    return Usage(
        input=max(known.input, taken),
        output=max(known.output, output),
        cache_read=max(known.cache_read, cached),
        cache_write=max(known.cache_write, given.cache_write_tokens or 0),
        reasoning=max(known.reasoning, written.reasoning_tokens or 0),
    )
