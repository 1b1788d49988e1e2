"""Whoever follows a later attempt ends with the parts that were stored before it began."""

from hypothesis import HealthCheck, given, settings

from assent.runs.events import (
    File,
    FinishStep,
    SourceDocument,
    SourceUrl,
    encode_event,
    parse_event,
)
from assent.runs.retell import retell
from assent.runs.transcript import Part, Transcript, build_shown_parts
from tests.unit.runs.samples import Played, drop_server_only, runs


def follow(parts: list[Part]) -> list[Part]:
    transcript = Transcript()
    for event in retell(parts):
        transcript.apply(parse_event(encode_event(event)))
    return transcript.parts


@settings(suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(runs())
def test_parts_told_again_are_the_same_parts(run: Played) -> None:
    assert build_shown_parts(follow(run.parts)) == build_shown_parts(drop_server_only(run.parts))


def test_all_kinds_of_parts_can_be_told_again() -> None:
    call = {"type": "dynamic-tool", "toolName": "a.b", "toolCallId": "1", "title": "B"}
    parts: list[Part] = [
        {"type": "step-start"},
        {"type": "reasoning", "text": "Hm.", "durationMs": 12},
        {"type": "text", "text": "I look."},
        {**call, "state": "output-available", "input": {"x": 1}, "output": [1]},
        {**call, "toolCallId": "2", "state": "output-error", "input": {}, "errorText": "no"},
        {**call, "toolCallId": "3", "state": "output-error", "input": "{x", "errorText": "no"},
        {**call, "toolCallId": "4", "state": "output-denied", "input": {}},
        {**call, "toolCallId": "5", "state": "input-available", "input": {}},
        {"type": "data-proposal", "id": "p", "data": {"state": "proposed"}},
        {"type": "step-start"},
        {"type": "source-url", "sourceId": "s", "url": "https://example.com"},
        {"type": "source-document", "sourceId": "d", "mediaType": "text/plain", "title": "T"},
        {"type": "file", "mediaType": "image/png", "url": "/files/1"},
    ]
    assert follow(parts) == parts
    kinds = [type(event) for event in retell(parts)]
    assert kinds.count(FinishStep) == 1
    assert kinds[-3:] == [SourceUrl, SourceDocument, File]
