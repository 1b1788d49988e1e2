"""What providers with Anthropic's API do wrong: a table for `test_anthropic_faults.py`."""

from itertools import cycle
from typing import Any, cast

from assent.errors import (
    ModelContextTooLong,
    ModelCredentials,
    ModelQuota,
    ModelRateLimit,
    ModelRefused,
    ModelUnavailable,
)
from assent.models.model import ENDLESS
from assent.models.openai_errors import UNKNOWN_MODEL
from assent.testing.anthropic_answers import (
    begin,
    build_error,
    call,
    encode,
    end,
    number,
    refuse,
    stream,
    text,
    thinking,
)
from assent.testing.provider import Scripted, Step
from tests.turn.outcome import SECRET, Fault

COMPLAINT = f"Bad key {SECRET} at 10.0.0.7"
UNAVAILABLE = ModelUnavailable().message


def frames(*pieces: list[dict[str, Any]]) -> bytes:
    return b"".join(map(encode, [*begin(), *number(*pieces)]))


def play(*steps: Step) -> Scripted:
    return Scripted(steps)


ONCE = frames(text("Once ", "upon "))
END = b"".join(map(encode, end()))
PING = encode({"type": "ping"})
THEN = stream(text("Well."), end())
REPORT = stream(call("bank_report", '{"count": 1}', id="same"), end("tool_use"))
HTML = b"<!doctype html><html><body>Bad gateway " + SECRET.encode() + b"</body></html>"

FAULTS = {
    "nothing comes": Fault(
        answers=(play("hang"),) * 3, error=UNAVAILABLE, asked=3, timeouts={"first_byte": 0.3}
    ),
    "nothing more comes": Fault(
        answers=(play(ONCE, "hang"),), error=UNAVAILABLE, said="Once upon ", timeouts={"stall": 0.5}
    ),
    "only pings": Fault(
        answers=tuple(Scripted(cast(tuple[Step, ...], cycle((PING, 0.02)))) for _ in range(3)),
        error=UNAVAILABLE,
        asked=3,
        timeouts={"silence": 0.5},
    ),
    "pings after the reason": Fault(
        answers=(play(ONCE + encode(end()[0]), *[PING, 0.02] * 5000),),
        said="Once upon ",
        timeouts={"after_finish": 0.5},
    ),
    "cut before anything": Fault(answers=(play("cut"),) * 3, error=UNAVAILABLE, asked=3),
    "cut after the beginning, then well": Fault(
        answers=(play(frames(), 0.1, "cut"), THEN), said="Well.", asked=2
    ),
    "cut in the middle of JSON": Fault(
        answers=(play(ONCE + b'data: {"type":"content_block_delta","del', 0.1, "cut"),),
        error=UNAVAILABLE,
        said="Once upon ",
    ),
    "ended in the middle of JSON": Fault(
        answers=(play(ONCE + b'data: {"type":"content_block_delta","del'),),
        error=UNAVAILABLE,
        said="Once upon ",
    ),
    "ended without a reason": Fault(answers=(play(ONCE),), error=UNAVAILABLE, said="Once upon "),
    "ended after the reason": Fault(answers=(play(ONCE + encode(end()[0])),), said="Once upon "),
    "cut in the middle of a call": Fault(
        answers=(play(frames(text("Once upon "), call("bank_report", '{"count')), 0.1, "cut"),),
        error=UNAVAILABLE,
        said="Once upon ",
        calls=("output-error",),
    ),
    "cut in the middle of a thought": Fault(
        answers=(play(frames(thinking("Hm")[:2]), 0.1, "cut"),), error=UNAVAILABLE
    ),
    "cut in the step after a call": Fault(
        answers=(REPORT, play(ONCE, 0.1, "cut")),
        error=UNAVAILABLE,
        said="Once upon ",
        asked=2,
        calls=("output-available",),
    ),
    "one id in two steps": Fault(
        answers=(REPORT, REPORT, THEN), said="Well.", asked=3, calls=("output-available",) * 2
    ),
    "one id twice in an answer": Fault(
        answers=(
            stream(
                call("bank_report", '{"count": 1}', id="same"),
                call("bank_report", '{"count": 2}', id="same"),
                end("tool_use"),
            ),
            THEN,
        ),
        said="Well.",
        asked=2,
        calls=("output-available",) * 2,
    ),
    "far too many calls": Fault(
        answers=(
            stream(*[call("bank_report", '{"count": 1}', id=f"c{n}") for n in range(500)], end()),
        ),
        error=ENDLESS,
        cut_anywhere=True,
    ),
    "words without end": Fault(
        answers=(
            Scripted(
                cast(
                    tuple[Step, ...],
                    (one for one in (ONCE, *[frames(text("and on " * 50))] * 10_000)),
                )
            ),
        ),
        error=ENDLESS,
        said="Once upon ",
        cut_anywhere=True,
    ),
    "429": Fault(
        answers=(refuse(429, "rate_limit_error", COMPLAINT),) * 3,
        error=ModelRateLimit().message,
        asked=3,
    ),
    "429, come back much later": Fault(
        answers=(refuse(429, "rate_limit_error", COMPLAINT, {"retry-after": "90"}),),
        error=ModelRateLimit(retry_after=90).message,
    ),
    "500": Fault(answers=(refuse(500, "api_error", COMPLAINT),) * 3, error=UNAVAILABLE, asked=3),
    "529": Fault(
        answers=(refuse(529, "overloaded_error", COMPLAINT),) * 3, error=UNAVAILABLE, asked=3
    ),
    "529, then well": Fault(
        answers=(refuse(529, "overloaded_error", COMPLAINT), THEN), said="Well.", asked=2
    ),
    "overloaded before a word": Fault(
        answers=(play(frames() + encode(build_error("overloaded_error", COMPLAINT))), THEN),
        said="Well.",
        asked=2,
    ),
    "overloaded in the middle": Fault(
        answers=(play(ONCE + encode(build_error("overloaded_error", COMPLAINT))),),
        error=UNAVAILABLE,
        said="Once upon ",
    ),
    "401": Fault(
        answers=(refuse(401, "authentication_error", COMPLAINT),), error=ModelCredentials().message
    ),
    "400": Fault(
        answers=(refuse(400, "invalid_request_error", COMPLAINT),), error=ModelRefused().message
    ),
    "404": Fault(answers=(refuse(404, "not_found_error", COMPLAINT),), error=UNKNOWN_MODEL),
    "an empty account": Fault(
        answers=(refuse(400, "invalid_request_error", f"credit balance is too low {SECRET}"),),
        error=ModelQuota().message,
    ),
    "too long": Fault(
        answers=(refuse(400, "invalid_request_error", f"prompt is too long {SECRET}"),) * 4,
        error=ModelContextTooLong().message,
        asked=4,
    ),
    "a page": Fault(
        answers=(Scripted((HTML,), content_type="text/html"),) * 3, error=UNAVAILABLE, asked=3
    ),
    "bytes": Fault(answers=(play(bytes(range(256)) * 100),) * 3, error=UNAVAILABLE, asked=3),
    "garbage as data": Fault(
        answers=(play(ONCE + b"data: {]\n\n" + END),), error=UNAVAILABLE, said="Once upon "
    ),
    "an unknown reason": Fault(
        answers=(play(ONCE + b"".join(map(encode, end("tired")))),), said="Once upon "
    ),
    "an empty answer, again and again": Fault(answers=(stream(end()),) * 3, asked=3),
    "refused": Fault(answers=(stream(text("No, "), end("refusal")),), said="No, "),
}
