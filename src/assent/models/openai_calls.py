"""Puts the tool calls of one answer together from the pieces that a server sends. Pure.

Servers leave out the index, send whole calls, repeat an index, an id or a name, or change the id
with every piece. What holds for all of them: a call begins with a piece that has a name, and its
arguments are one JSON object.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cached_property

import msgspec

from assent.models.model import CallDelta, CallStart
from assent.models.openai_chunk import CallPiece, Function
from assent.value import strip_unstorable

NO_FUNCTION = Function()
_MARK = re.compile(r'[\\"{}\[\]]')


class Outline:
    """The brackets of JSON text that comes in pieces: whether one value has begun and ended."""

    def __init__(self) -> None:
        self._depth = 0
        self._in_string = False
        self._skipped = 0
        self._has_ended = False
        self._goes_on = False

    @property
    def is_whole(self) -> bool:
        return self._has_ended and not self._goes_on

    def add(self, piece: str) -> None:
        begin, self._skipped = self._skipped, 0
        for match in _MARK.finditer(piece):
            if self._has_ended:
                break
            if match.start() < begin:
                continue
            begin = self._take(match[0], match.end(), begin)
        self._skipped = max(begin - len(piece), 0) if self._in_string else 0
        if self._has_ended:
            self._goes_on |= bool(piece[begin:].strip())

    def _take(self, mark: str, end: int, begin: int) -> int:
        """Where the text begins that is still to be looked at."""
        if mark == "\\":
            return end + 1 if self._in_string else begin
        if mark == '"':
            self._in_string = not self._in_string
        elif not self._in_string:
            self._depth += 1 if mark in "{[" else -1
            if self._depth <= 0:
                self._has_ended = True
                return end
        return begin


@dataclass
class _Call:
    index: int
    id: str
    sent_id: str | None
    name: str = ""
    arguments: list[str] = field(default_factory=list[str])

    _outline: Outline = field(default_factory=Outline)
    _outlined: int = 0

    def is_whole(self) -> bool:
        """Asked with every piece where a server repeats the name: each is looked at once."""
        for piece in self.arguments[self._outlined :]:
            self._outline.add(piece)
        self._outlined = len(self.arguments)
        return self._outline.is_whole and self._is_object

    @cached_property
    def _is_object(self) -> bool:
        try:
            return isinstance(msgspec.json.decode("".join(self.arguments)), dict)
        except ValueError:
            return False


class Calls:
    """`used_ids` are those of earlier answers: an id names one call in the whole conversation."""

    def __init__(self, new_id: Callable[[], str], used_ids: Iterable[str]) -> None:
        self._new_id = new_id
        self._used = set(used_ids)
        self._all: list[_Call] = []
        self._by_index: dict[int, _Call] = {}

    def __len__(self) -> int:
        return len(self._all)

    def __bool__(self) -> bool:
        return any(call.name or call.arguments for call in self._all)

    def take(self, piece: CallPiece, *, position: int = 0) -> list[CallStart | CallDelta]:
        """The events of one piece; `position` is its place among those that came together."""
        function = piece.function or NO_FUNCTION
        call = self._find(piece, function, position)
        if call is None:
            call = self._open(piece)
        events: list[CallStart | CallDelta] = []
        if function.name and not call.name:
            call.name = strip_unstorable(function.name)
            events.append(CallStart(call.index, call.id, call.name))
            if call.arguments:
                events.append(CallDelta(call.index, "".join(call.arguments)))
        arguments = function.arguments
        if arguments:
            if "\0" in arguments:
                arguments = strip_unstorable(arguments)
            call.arguments.append(arguments)
            if call.name:
                events.append(CallDelta(call.index, arguments))
        return events

    def close(self) -> list[CallStart | CallDelta]:
        """Calls that never got a name: whoever runs tools answers that there is no such tool."""
        events: list[CallStart | CallDelta] = []
        for call in self._all:
            if not call.name and call.arguments:
                events.append(CallStart(call.index, call.id, ""))
                events.append(CallDelta(call.index, "".join(call.arguments)))
        return events

    def _find(self, piece: CallPiece, function: Function, position: int) -> _Call | None:
        """The call that a piece goes on with, or `None` when it begins one."""
        call = self._find_named(piece)
        if not function.name:
            is_new = call is None and piece.index is not None and piece.id
            return None if is_new else call or (self._all[-1] if self._all else None)
        if call is None and piece.index is None and not piece.id and self._all:
            call = self._all[-1]
        if call is None or _begins(call, piece, function):
            return None
        return None if piece.index is None and position > 0 else call

    def _find_named(self, piece: CallPiece) -> _Call | None:
        if piece.index is not None:
            return self._by_index.get(piece.index)
        if piece.id:
            return next((one for one in reversed(self._all) if one.sent_id == piece.id), None)
        return None

    def _open(self, piece: CallPiece) -> _Call:
        sent = strip_unstorable(piece.id) if piece.id else None
        unique = sent if sent and sent not in self._used else self._new_id()
        self._used.add(unique)
        call = _Call(len(self._all), unique, piece.id)
        self._all.append(call)
        if piece.index is not None:
            self._by_index[piece.index] = call
        return call


def _begins(call: _Call, piece: CallPiece, function: Function) -> bool:
    """Whether a piece with a name is another call than the one at its place."""
    if call.sent_id and piece.id and piece.id != call.sent_id:
        return True
    if call.name and function.name != call.name:
        return True
    return bool(function.arguments and function.arguments.strip()) and call.is_whole()
