"""Stored messages as a request that every provider takes, with calls and results (SPEC H1, H2).

Pure. Whatever is stored, and wherever it was cut: the first message is the user's, roles alternate,
each call has one result directly after it and each id occurs once. What could not be sent again is
left out. Messages of one role that follow each other become one, because templates of several open
models refuse them apart, and Anthropic joins them anyway. Collapsing and compaction are not done
here.
"""

import hashlib
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Any, Literal, TypeAlias, TypeVar, cast
from uuid import UUID

from assent.models.model import (
    AssistantMessage,
    CallPart,
    ImagePart,
    Message,
    ReasoningPart,
    ResultPart,
    TextPart,
    ToolMessage,
    UserMessage,
)
from assent.tools.json_value import encode_json, same_json
from assent.tools.names import WIRE_LENGTH
from assent.value import UNSTORABLE

Part: TypeAlias = Mapping[str, Any]
Piece: TypeAlias = TextPart | ReasoningPart | CallPart
P = TypeVar("P")

EARLIER = "(Earlier messages are not shown.)"
UNANSWERED = "(This turn ended without an answer.)"
GO_ON = "(Go on.)"
ASKED_PERSON = "(The person was asked this.)"
SUGGESTED = "(The person was shown these replies.)"
DECLINED = '{"status":"declined"}'
NO_FILES: Mapping[str, TextPart | ImagePart] = {}

_SAFE_ID = re.compile(r"[A-Za-z0-9_-]{1,40}")
"""Anthropic takes no other characters, OpenAI no longer ids."""
_UNSAFE = re.compile(r"[^A-Za-z0-9_-]")
_INVISIBLE = re.compile(
    "[\\s\\x00-\\x1f\\x7f-\\x9f\\u00ad\\u034f\\u061c\\u115f\\u1160\\u180e\\u200b-\\u200f"
    "\\u2028-\\u202f\\u2060-\\u206f\\u3164\\ud800-\\udfff\\ufe00-\\ufe0f\\ufeff]*"
)


@dataclass(frozen=True, slots=True)
class StoredMessage:
    """A row: `content` is what it falls back to when its parts give nothing."""

    role: Literal["user", "assistant"]
    parts: Sequence[Part]
    content: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Present:
    """What holds for this request.

    `wire_names` are the tools that are offered now, with the names that the model knows them by;
    `fits` says whether an input still fits the tool of that name. `files` are the contents of
    attached files by their address. With `reasoning` the model gets its earlier reasoning back,
    opaque data included: only for the provider that wrote it.
    """

    wire_names: Mapping[str, str]
    fits: Callable[[str, Any], bool]
    files: Mapping[str, TextPart | ImagePart] = field(default_factory=lambda: NO_FILES)
    reasoning: bool = False


def build_messages(
    stored: Iterable[StoredMessage],
    present: Present,
    *,
    note: str | None = None,
    answer: Sequence[Part] = (),
    nudge: str | None = None,
) -> tuple[Message, ...]:
    """The history of a request, then the answer that is being written.

    `note` is what the answer is about when nobody has written anything, `nudge` is said last; both
    stand in the user's place and are stored nowhere. In the answer, calls that failed are kept
    whatever was wrong with them: the model has to see what it is to repair.
    """
    replay = _Replay(present)
    for message in stored:
        replay.add(message)
    if note is not None:
        replay.add_user((TextPart(_clean(note)),))
    replay.add_assistant(answer, keeps_failed=True)
    if nudge is not None:
        replay.add_user((TextPart(nudge),))
    return tuple(replay.messages)


def end_with_user(messages: tuple[Message, ...]) -> tuple[Message, ...]:
    """It is the model's turn: some providers take no answer that it is to go on with."""
    if messages and not isinstance(messages[-1], AssistantMessage):
        return messages
    return (*messages, UserMessage((TextPart(GO_ON),)))


def describe_awaiting(proposal_id: UUID, summary: str) -> dict[str, str]:
    """The result of a call that became a card: what is stored as its output, and replayed."""
    return {"status": "awaiting_operator", "proposalId": str(proposal_id), "summary": summary}


class _Replay:
    """The messages so far. Each `add` leaves a sequence that could be sent."""

    def __init__(self, present: Present) -> None:
        self._present = present
        self._ids: set[str] = set()
        self._filler = UNANSWERED
        self.messages: list[Message] = []

    def add(self, message: StoredMessage) -> None:
        if message.role == "user":
            self.add_user(_read_user(message, self._present.files))
        elif not self.add_assistant(message.parts) and _is_visible(message.content):
            self._add_step(_Step([TextPart(_clean(message.content))]))

    def add_assistant(self, parts: Iterable[Any], *, keeps_failed: bool = False) -> bool:
        """Add what can be sent of an answer, and tell whether that is anything."""
        parts = list(parts)
        self._filler = _find_filler(parts)
        steps = [self._read_step(step, keeps_failed) for step in _split_steps(parts)]
        said = [step for step in steps if step.pieces]
        for step in said:
            self._add_step(step)
        return bool(said)

    def add_user(self, parts: tuple[TextPart | ImagePart, ...]) -> None:
        if not parts:
            return
        last = self.messages[-1] if self.messages else None
        if isinstance(last, ToolMessage):
            self.messages.append(AssistantMessage((TextPart(self._filler),)))
        if isinstance(last, UserMessage):
            self.messages[-1] = UserMessage(_join_texts((*last.parts, *parts)))
        else:
            self.messages.append(UserMessage(_join_texts(parts)))

    def _add_step(self, step: "_Step") -> None:
        last = self.messages[-1] if self.messages else None
        if last is None:
            self.add_user((TextPart(EARLIER),))
        pieces = tuple(step.pieces)
        if isinstance(last, AssistantMessage):
            # Its reasoning led to a message that is not this one.
            before = (one for one in last.parts if not isinstance(one, ReasoningPart))
            self.messages[-1] = AssistantMessage(_join_texts((*before, *pieces)))
        else:
            self.messages.append(AssistantMessage(_join_texts(pieces)))
        if step.results:
            self.messages.append(ToolMessage(tuple(step.results)))

    def _read_step(self, parts: Iterable[Part], keeps_failed: bool) -> "_Step":
        step = _Step([])
        complete = True
        for part in parts:
            kind = part.get("type")
            if kind == "dynamic-tool":
                is_kept = keeps_failed and part.get("state") == "output-error"
                name = _find_made_name(part) if is_kept else self._find_wire_name(part)
                complete = self._read_call(part, name, step) and complete
            elif kind == "text" and _is_visible(part.get("text")):
                step.pieces.append(TextPart(_clean(part["text"])))
            elif kind == "reasoning" and self._present.reasoning:
                step.pieces.extend(_read_reasoning(part))
        step.drop_reasoning(unless=complete)
        return step

    def _find_wire_name(self, part: Part) -> str | None:
        """The name of a call that could be made again; nothing for any other."""
        name, arguments = part.get("toolName"), part.get("input")
        if not isinstance(name, str) or not isinstance(arguments, dict):
            return None
        wire_name = self._present.wire_names.get(name)
        return wire_name if wire_name and self._present.fits(name, arguments) else None

    def _read_call(self, part: Part, name: str | None, step: "_Step") -> bool:
        result = _read_result(part)
        if name is None or result is None:
            return False
        call_id = self._take_id(str(part.get("toolCallId")))
        content, is_error = result
        step.pieces.append(CallPart(call_id, name, _read_arguments(part)))
        step.results.append(ResultPart(call_id, name, content, is_error))
        return True

    def _take_id(self, stored: str) -> str:
        """The same id for the same history, each time: providers cache what stays the same."""
        digests = (hashlib.sha256(f"{stored}#{n}".encode(errors="replace")) for n in count())
        taken = stored
        while taken in self._ids or not _SAFE_ID.fullmatch(taken):
            taken = f"call_{next(digests).hexdigest()[:24]}"
        self._ids.add(taken)
        return taken


@dataclass(slots=True)
class _Step:
    """One answer of the model, and the results of its calls."""

    pieces: list[Piece]
    results: list[ResultPart] = field(default_factory=list[ResultPart])

    def drop_reasoning(self, *, unless: bool) -> None:
        """Some providers refuse reasoning without all that it led to, with nothing after it, or
        after a call of the same answer.
        """
        others: list[Piece] = [one for one in self.pieces if not isinstance(one, ReasoningPart)]
        calls = [n for n, one in enumerate(self.pieces) if isinstance(one, CallPart)]
        after = self.pieces[calls[0] :] if calls else []
        late = any(isinstance(one, ReasoningPart) for one in after)
        if not unless or not others or late:
            self.pieces = others
        while self.pieces and isinstance(self.pieces[-1], ReasoningPart):
            self.pieces.pop()


def _split_steps(parts: Iterable[Any]) -> Iterator[list[Part]]:
    """The parts of each step; what follows its last call was said after the results."""
    step: list[Part] = []
    for part in (cast(Part, one) for one in parts if isinstance(one, Mapping)):
        if part.get("type") == "step-start":
            yield from _split_after_calls(step)
            step = []
        else:
            step.append(part)
    yield from _split_after_calls(step)


def _split_after_calls(step: list[Part]) -> Iterator[list[Part]]:
    ends = [n for n, part in enumerate(step, 1) if part.get("type") == "dynamic-tool"]
    end = ends[-1] if ends else 0
    yield step[:end]
    yield step[end:]


def _read_user(
    message: StoredMessage, files: Mapping[str, TextPart | ImagePart]
) -> tuple[TextPart | ImagePart, ...]:
    pieces: list[TextPart | ImagePart] = []
    for part in (one for one in message.parts if isinstance(cast(Any, one), Mapping)):
        kind = part.get("type")
        if kind == "text" and _is_visible(part.get("text")):
            pieces.append(TextPart(_clean(part["text"])))
        elif kind == "file":
            pieces.append(files.get(str(part.get("url"))) or _name_file(part))
    if not pieces and _is_visible(message.content):
        pieces.append(TextPart(_clean(message.content)))
    return tuple(pieces)


def _name_file(part: Part) -> TextPart:
    name = part.get("filename") or part.get("mediaType") or "unnamed"
    return TextPart(_clean(f"(A file was attached here that cannot be shown: {name}.)"))


def _read_reasoning(part: Part) -> Iterator[ReasoningPart]:
    text, opaque = part.get("text"), part.get("_opaque")
    known = cast(Part, opaque) if isinstance(opaque, Mapping) else None
    if isinstance(text, str) and (text or known is not None):
        yield ReasoningPart(_clean(text), known)


def _read_result(part: Part) -> tuple[str, bool] | None:
    """What the tool answered, as text, and whether it failed."""
    match part.get("state"):
        case "output-available" if "output" in part:
            output = part["output"]
            return _clean(output if _is_visible(output) else encode_json(output)), False
        case "output-error":
            text = part.get("errorText")
            failed = isinstance(text, str) and _is_visible(text)
            return _clean(cast(str, text)) if failed else "It failed.", True
        case "output-denied":
            return DECLINED, False
        case _:
            return None


def _read_arguments(part: Part) -> str:
    """What the model wrote, if that is what was stored: it may have been repaired or scrubbed."""
    stored = part.get("input")
    if not isinstance(stored, dict):
        return "{}"
    try:
        written = _clean(str(_read_wire(part).get("arguments")))
        if same_json(json.loads(written), stored):
            return written
    except (ValueError, RecursionError):
        pass
    return _clean(encode_json(stored))


def _find_made_name(part: Part) -> str:
    """The name by which the model made a call, as far as a provider takes it."""
    made = _read_wire(part).get("name") or part.get("toolName")
    return _UNSAFE.sub("_", str(made))[:WIRE_LENGTH] or "unknown"


def _read_wire(part: Part) -> Part:
    wire = part.get("_wire")
    return cast(Part, wire) if isinstance(wire, Mapping) else {}


def _join_texts(parts: Iterable[P | TextPart]) -> tuple[P | TextPart, ...]:
    """Texts that follow each other as one, a line apart."""
    joined: list[P | TextPart] = []
    for part in parts:
        last = joined[-1] if joined else None
        if isinstance(part, TextPart) and isinstance(last, TextPart):
            joined[-1] = TextPart(f"{last.text}\n\n{part.text}")
        else:
            joined.append(part)
    return tuple(joined)


def _find_filler(parts: Iterable[Any]) -> str:
    """What stands between the results of an answer's last calls and what the person said next."""
    kinds = {cast(Part, part).get("type") for part in parts if isinstance(part, Mapping)}
    if "data-question" in kinds:
        return ASKED_PERSON
    return SUGGESTED if "data-quick-replies" in kinds else UNANSWERED


def _is_visible(text: Any) -> bool:
    """Whether anybody would see something: providers refuse a text of blanks."""
    return isinstance(text, str) and _INVISIBLE.fullmatch(text) is None


def _clean(text: str) -> str:
    """Without what no request can carry."""
    return text if text.isascii() and "\0" not in text else UNSTORABLE.sub("", text)
