"""What a turn has to come to when a provider misbehaves, and the checks that it did."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from assent.runs.events import parse_event
from assent.runs.transcript import Transcript, build_shown_parts
from assent.testing.provider import Answering, Scripted
from tests.turn.talk import Streamed, Talk, parse_stream

SECRET = "sk-nobody-may-see-this"
UNSETTLED = "SELECT count(*) FROM spend_reservations"
UNFINISHED = "SELECT count(*) FROM runs WHERE status IN ('queued', 'running')"


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """`error` is what the person is told, nothing if all is well; `said` what the answer begins
    with, and all of it unless it is `cut_anywhere`; `asked` how often the provider was.
    """

    answers: tuple[Scripted | Answering, ...]
    error: str | None = None
    said: str = ""
    asked: int = 1
    cut_anywhere: bool = False
    calls: tuple[str, ...] = ()
    timeouts: Mapping[str, float] = field(default_factory=dict[str, float])


def check_told(answer: Streamed, fault: Fault) -> None:
    assert answer.ended
    assert answer.types[0] == "start"
    assert answer.types.count("start-step") == answer.types.count("finish-step")
    assert [int(one.rsplit(":", 1)[1]) for one in answer.ids] == [*range(1, len(answer.ids) + 1)]
    if fault.error is None:
        assert answer.types[-1] == "finish"
    else:
        assert [one["errorText"] for one in answer.find("error")] == [fault.error]
        assert answer.types[-1] == "error"
    if fault.cut_anywhere:
        assert answer.text.startswith(fault.said)
    else:
        assert answer.text == fault.said
    assert SECRET not in json.dumps(answer.events)


async def check_kept(talk: Talk, conversation: str, answer: Streamed, fault: Fault) -> None:
    """The same for everybody, live, late and after a reload."""
    view = await talk.view(conversation)
    assert (view["status"], view["activeRunId"]) == ("idle", None)
    [_, message] = await talk.list_messages(conversation)
    assert message["parts"] == build_shown_parts(follow(answer))
    metadata = message["metadata"]
    assert metadata["status"] == ("completed" if fault.error is None else "failed")
    assert (metadata["error"] or {}).get("message") == fault.error
    if not fault.cut_anywhere:
        states = [one["state"] for one in message["parts"] if one["type"] == "dynamic-tool"]
        assert tuple(states) == fault.calls
    assert SECRET not in json.dumps(message)
    late = await talk.client.get(f"/api/runs/{metadata['runId']}/stream")
    assert parse_stream(late.text) == answer


def follow(answer: Streamed) -> list[dict[str, Any]]:
    seen = Transcript()
    for event in answer.events:
        seen.apply(parse_event(json.dumps(event).encode()))
    return seen.parts


def check_alternating(messages: list[dict[str, Any]]) -> None:
    """As Anthropic wants them: sides take turns, and each call is answered right after it."""
    expected: list[str] = []
    for number, message in enumerate(messages):
        assert message["role"] == ("assistant" if number % 2 else "user")
        assert message["content"]
        kinds = [one["type"] for one in message["content"]]
        answered = [one["tool_use_id"] for one in message["content"] if "tool_use_id" in one]
        assert answered == expected
        assert "tool_result" not in kinds[len(answered) :]
        expected = [one["id"] for one in message["content"] if one["type"] == "tool_use"]
    assert not expected
    assert messages[-1]["role"] == "user"
