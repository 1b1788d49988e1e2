"""What providers do wrong, and what a turn comes to then: a table for `test_provider_faults.py`.

Texts of providers hold a secret on purpose: nobody may ever see it.
"""

import json
from collections.abc import Iterable
from itertools import chain, cycle
from typing import Any, cast

from assent.errors import ModelCredentials, ModelRateLimit, ModelRefused, ModelUnavailable
from assent.models.model import ENDLESS
from assent.models.openai_errors import UNKNOWN_MODEL
from assent.testing.provider import (
    DONE,
    Scripted,
    Step,
    build_chunk,
    call,
    encode,
    end,
    refuse,
    stream,
    text,
)
from tests.turn.outcome import SECRET, Fault

COMPLAINT = {"message": f"Bad key {SECRET} at 10.0.0.7"}
UNAVAILABLE = ModelUnavailable().message
MEGABYTES = 10 * 1024 * 1024
PIECES = 100_000


def encode_all(*pieces: list[dict[str, Any]]) -> bytes:
    return b"".join(encode(chunk) for piece in pieces for chunk in piece)


def play(*steps: Step) -> Scripted:
    return Scripted(steps)


def play_on(steps: Iterable[Step]) -> Scripted:
    """Steps that are made one by one, or never end."""
    return Scripted(cast(tuple[Step, ...], steps))


def call_in(pieces: Iterable[str], **more: Any) -> Iterable[bytes]:
    """A report whose arguments come in pieces; `more` is in each of them."""
    yield encode_all(call("bank_report"))
    for piece in pieces:
        function = {"arguments": piece, **more}
        yield encode(build_chunk({"tool_calls": [{"index": 0, "function": function}]}))


def say_in(pieces: Iterable[str]) -> Iterable[bytes]:
    for piece in pieces:
        yield encode(build_chunk({"content": piece}))


ONCE = encode_all(text("Once ", "upon "))
END = encode_all(end()) + DONE
THEN = stream(text("Well."), end())
REPORT = stream(call("bank_report", '{"count": 1}', id="same"), end("tool_calls"))
LONG_TEXT = "x" * (MEGABYTES // PIECES)
LONG_PIECES = ('{"more": "', *[LONG_TEXT] * PIECES, '"}')
LONG_ARGUMENTS = json.dumps({"count": 1, "more": "x" * MEGABYTES})
HTML = b"<!doctype html><html><body>Bad gateway " + SECRET.encode() + b"</body></html>"
BROKEN = encode(build_chunk({"content": "a~b"})).replace(b"~", b"\xff\xfe")

SILENT = {
    "nothing comes": Fault(
        answers=(play("hang"),) * 3, error=UNAVAILABLE, asked=3, timeouts={"first_byte": 0.3}
    ),
    "nothing more comes": Fault(
        answers=(play(ONCE, "hang"),),
        error=UNAVAILABLE,
        said="Once upon ",
        timeouts={"stall": 0.5},
    ),
    "only signs of life": Fault(
        answers=tuple(play_on(cycle((b": alive\n\n", 0.02))) for _ in range(3)),
        error=UNAVAILABLE,
        asked=3,
        timeouts={"silence": 0.5},
    ),
    "only signs of life after words": Fault(
        answers=(play_on([ONCE, *[b": alive\n\n", 0.02] * 5000]),),
        error=UNAVAILABLE,
        said="Once upon ",
        timeouts={"silence": 3},
    ),
    "signs of life after the end": Fault(
        answers=(play_on([ONCE, encode_all(end()), *[b": alive\n\n", 0.02] * 5000]),),
        said="Once upon ",
        timeouts={"after_finish": 0.5},
    ),
    "a trickle that goes on": Fault(
        answers=(play_on([ONCE, *(one for byte in ONCE * 100 for one in (bytes([byte]), 0.001))]),),
        error=ENDLESS,
        said="Once upon ",
        cut_anywhere=True,
        timeouts={"whole": 4},
    ),
    "a trickle that ends": Fault(
        answers=(play_on(bytes([byte]) for byte in ONCE + END),), said="Once upon "
    ),
}
CUT = {
    "cut before anything": Fault(answers=(play("cut"),) * 3, error=UNAVAILABLE, asked=3),
    "cut, then well": Fault(answers=(play("cut"), THEN), said="Well.", asked=2),
    "cut in the middle of JSON": Fault(
        answers=(play(ONCE + b'data: {"choices":[{"delta":{"cont', "cut"),),
        error=UNAVAILABLE,
        said="Once upon ",
    ),
    "ended in the middle of JSON": Fault(
        answers=(play(ONCE + b'data: {"choices":[{"delta":{"cont'),),
        error=UNAVAILABLE,
        said="Once upon ",
    ),
    "ended without a reason": Fault(answers=(play(ONCE),), error=UNAVAILABLE, said="Once upon "),
    "cut after the reason": Fault(
        answers=(play(ONCE + encode_all(end()), "cut"),), said="Once upon "
    ),
    "ended after the reason": Fault(answers=(play(ONCE + encode_all(end())),), said="Once upon "),
    "cut in the middle of a call": Fault(
        answers=(play(ONCE + encode_all(call("bank_report", '{"count')), "cut"),),
        error=UNAVAILABLE,
        said="Once upon ",
        calls=("output-error",),
    ),
    "cut after a whole call": Fault(
        answers=(play(encode_all(call("bank_report", '{"count": 1}')), "cut"),),
        error=UNAVAILABLE,
        calls=("output-error",),
    ),
    "cut in the step after a call": Fault(
        answers=(REPORT, play(ONCE, "cut")),
        error=UNAVAILABLE,
        said="Once upon ",
        asked=2,
        calls=("output-available",),
    ),
    "nothing in the step after a call": Fault(
        answers=(REPORT, *[refuse(500, COMPLAINT)] * 3),
        error=UNAVAILABLE,
        asked=4,
        calls=("output-available",),
    ),
}
CALLS = {
    "one id twice in an answer": Fault(
        answers=(
            stream(
                call("bank_report", '{"count": 1}', index=0, id="same"),
                call("bank_report", '{"count": 2}', index=1, id="same"),
                end("tool_calls"),
            ),
            THEN,
        ),
        said="Well.",
        asked=2,
        calls=("output-available",) * 2,
    ),
    "one id in two steps": Fault(
        answers=(
            REPORT,
            stream(call("bank_report", '{"count": 2}', id="same"), end("tool_calls")),
            THEN,
        ),
        said="Well.",
        asked=3,
        calls=("output-available",) * 2,
    ),
    "gaps between the calls": Fault(
        answers=(
            stream(
                call("bank_report", '{"count": 1}', index=3, id="a"),
                call("bank_report", '{"count": 2}', index=9, id="b"),
                end("tool_calls"),
            ),
            THEN,
        ),
        said="Well.",
        asked=2,
        calls=("output-available",) * 2,
    ),
    "far too many calls": Fault(
        answers=(
            play_on(
                encode_all(call("bank_report", '{"count": 1}', index=n, id=f"c{n}"))
                for n in range(1000)
            ),
        ),
        error=ENDLESS,
        cut_anywhere=True,
    ),
    "arguments of 10 MB at once": Fault(
        answers=(play(ONCE, *call_in([LONG_ARGUMENTS]), END),),
        error=ENDLESS,
        said="Once upon ",
        calls=("output-error",),
    ),
    "arguments of 10 MB in pieces": Fault(
        answers=(play_on(chain([ONCE], call_in(LONG_PIECES), [END])),),
        error=ENDLESS,
        said="Once upon ",
        calls=("output-error",),
    ),
    "arguments of 10 MB in pieces with their name": Fault(
        answers=(play_on(chain([ONCE], call_in(LONG_PIECES, name="bank_report"), [END])),),
        error=ENDLESS,
        said="Once upon ",
        calls=("output-error",),
    ),
}
LONG = {
    "10 MB of text at once": Fault(
        answers=(play(ONCE, *say_in([LONG_TEXT * PIECES]), END),),
        error=ENDLESS,
        said="Once upon ",
    ),
    "10 MB of text in pieces": Fault(
        answers=(play_on(chain([ONCE], say_in([LONG_TEXT] * PIECES), [END])),),
        error=ENDLESS,
        said="Once upon xxx",
        cut_anywhere=True,
    ),
    "words without end": Fault(
        answers=(play_on(cycle(say_in(["and on "] * 100))),),
        error=ENDLESS,
        said="and on and on ",
        cut_anywhere=True,
    ),
    "a line without end": Fault(
        answers=tuple(play_on(cycle((b"x" * 65536,))) for _ in range(3)), error=ENDLESS, asked=3
    ),
    "empty lines without end": Fault(
        answers=tuple(play_on(cycle((b"\n" * 65536,))) for _ in range(3)), error=ENDLESS, asked=3
    ),
    "an event without end": Fault(
        answers=(play_on([ONCE, *[b"data: [\n" * 8192] * 1000]),),
        error=ENDLESS,
        said="Once upon ",
    ),
}
STATUSES = {
    "429": Fault(answers=(refuse(429, COMPLAINT),) * 3, error=ModelRateLimit().message, asked=3),
    "429, come back soon": Fault(
        answers=(refuse(429, COMPLAINT, {"retry-after": "0"}), THEN), said="Well.", asked=2
    ),
    "429, come back much later": Fault(
        answers=(refuse(429, COMPLAINT, {"retry-after": "90"}),),
        error=ModelRateLimit(retry_after=90).message,
    ),
    "429, nonsense": Fault(
        answers=(refuse(429, COMPLAINT, {"retry-after": "soon"}),) * 3,
        error=ModelRateLimit().message,
        asked=3,
    ),
    "500": Fault(answers=(refuse(500, COMPLAINT),) * 3, error=UNAVAILABLE, asked=3),
    "503, then well": Fault(answers=(refuse(503, COMPLAINT), THEN), said="Well.", asked=2),
    "401": Fault(answers=(refuse(401, COMPLAINT),), error=ModelCredentials().message),
    "400": Fault(answers=(refuse(400, COMPLAINT),), error=ModelRefused().message),
    "a redirect": Fault(
        answers=(Scripted((), 307, {"location": f"http://127.0.0.1:9/{SECRET}"}),),
        error=UNKNOWN_MODEL,
    ),
    "an error in the stream": Fault(
        answers=(play(ONCE + encode({"error": {**COMPLAINT, "code": "server_error"}})),),
        error=UNAVAILABLE,
        said="Once upon ",
    ),
    "an error whose text never ends": Fault(
        answers=(Scripted(cast(tuple[Step, ...], cycle((b"x" * 65536,))), 400),),
        error=ModelRefused().message,
    ),
}
GARBAGE = {
    "a page": Fault(
        answers=(Scripted((HTML,), content_type="text/html"),) * 3, error=UNAVAILABLE, asked=3
    ),
    "a page in the middle": Fault(
        answers=(play(ONCE + HTML),), error=UNAVAILABLE, said="Once upon "
    ),
    "bytes": Fault(answers=(play(bytes(range(256)) * 100),) * 3, error=UNAVAILABLE, asked=3),
    "bytes as data": Fault(
        answers=(play(ONCE + b"data: " + bytes(range(14, 256)) + b"\n\n" + END),),
        error=UNAVAILABLE,
        said="Once upon ",
    ),
    "broken text": Fault(answers=(play(BROKEN + END),), said="a\ufffd\ufffdb"),
    "half a frame": Fault(answers=(play(b"dat"),) * 3, error=UNAVAILABLE, asked=3),
    "half frames": Fault(
        answers=(play_on(ONCE[start : start + 7] for start in range(0, len(ONCE), 7)),),
        error=UNAVAILABLE,
        said="Once upon ",
    ),
    **{
        f"{value} as data": Fault(
            answers=(play(ONCE + f"data: {value}\n\n".encode() + END),),
            error=UNAVAILABLE,
            said="Once upon ",
        )
        for value in ("42", '"text"', "[]", "null", "[1]", "{]")
    },
    "an unknown reason": Fault(
        answers=(play(ONCE + encode_all(end("tired")) + DONE),), said="Once upon "
    ),
    "chunks without choices": Fault(
        answers=(play(ONCE + encode({"choices": []}) + encode({"choices": None}) + END),),
        said="Once upon ",
    ),
    "an empty answer, again and again": Fault(answers=(stream(end()),) * 3, asked=3),
    "nothing but the end": Fault(answers=(play(DONE),) * 3, asked=3),
}
FAULTS = {**SILENT, **CUT, **CALLS, **LONG, **STATUSES, **GARBAGE}
