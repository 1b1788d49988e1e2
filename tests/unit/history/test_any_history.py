"""Any stored history, cut anywhere, becomes a request that providers of each kind take (SPEC H2).

Also with tools that are gone, a summary that stands for any of it, and hardly any room.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from assent.conversations.conversation import StoredMessage
from assent.history.compact import Room, drop_turns
from assent.history.fit import View, fit_request
from assent.history.replay import Present, build_messages, end_with_user
from assent.history.replay import StoredMessage as Replayed
from assent.history.summary import Summary, write_summary
from assent.history.turns import list_turns
from assent.models import anthropic_request
from assent.models.estimate import estimate_request
from assent.models.model import ImagePart, ModelRequest, OfferedTool
from assent.models.openai_request import GENERIC, OPENAI, build_body
from assent.tools.taint import CLEAN
from tests.provider_rules import (
    build_anthropic,
    check_anthropic,
    check_anthropic_body,
    check_messages,
    check_openai,
)
from tests.unit.history.samples import ANN, WIRES, Chance, build_message, fits

ROOM = Room(window=8_000, messages=2_000)
ANTHROPIC = anthropic_request.Dialect(thinks=True, window=8_000)


def build_case(seed: int) -> ModelRequest:
    """One request, as a run would make it, from whatever the seed says."""
    chance = Chance(seed)
    history, summary = summarize(chance, cut(chance, chance.history()))
    answer = chance.parts() if chance.random() < 0.5 else []
    offered = {name: wire for name, wire in WIRES.items() if chance.random() < 0.7}
    if chance.random() < 0.2:
        offered = {name: f"{wire}_2" for name, wire in offered.items()}
    present = Present(
        wire_names=offered,
        fits=fits,
        files={"/api/files/1": ImagePart("image/png", b"png")} if chance.random() < 0.5 else {},
        reasoning=chance.random() < 0.5,
    )
    note = chance.choice([None, "Applied."])
    nudge = chance.choice([None, None, "Speak."])

    def build(view: View) -> ModelRequest:
        messages = build_messages(
            replay(view),
            present,
            note="\n\n".join(one for one in (note, view.left_out) if one) or None,
            answer=view.answer,
            nudge=nudge,
        )
        return ModelRequest(
            purpose="turn",
            model="m",
            instructions=("Be brief.",),
            messages=end_with_user(messages),
            max_tokens=100,
            tools=tuple(OfferedTool(wire, "", {}) for wire in offered.values()),
        )

    view = View(summary=summary, history=tuple(history), answer=tuple(answer))
    limit = chance.choice([10, 300, 1_000, 100_000])
    return fit_request(build, estimate_request, view, limit)


def cut(chance: Chance, history: list[StoredMessage]) -> list[StoredMessage]:
    """Anywhere: between messages, and inside the last of what is left."""
    start, end = chance.randint(0, len(history)), chance.randint(0, len(history))
    kept = history[start:end] if chance.random() < 0.5 else history
    if kept and chance.random() < 0.5:
        last = kept[-1]
        parts: list[Any] = last.parts[: chance.randint(0, len(last.parts))]
        kept = [*kept[:-1], build_message(last.seq, last.role, last.content, parts, last.author)]
    return kept


def summarize(
    chance: Chance, history: list[StoredMessage]
) -> tuple[list[StoredMessage], Summary | None]:
    if chance.random() < 0.5:
        return history, None
    turns = list_turns(history)
    count = chance.randint(0, len(turns))
    summary = drop_turns(None, turns[:count], taint=CLEAN, room=ROOM)
    return [message for turn in turns[count:] for message in turn.messages], summary


def replay(view: View) -> Sequence[Replayed]:
    first = [Replayed("user", [], write_summary(view.summary, ANN))] if view.summary else []
    return [*first, *(Replayed(one.role, one.parts, one.content) for one in view.history)]


def check(seed: int) -> None:
    request = build_case(seed)
    try:
        check_messages(request.messages)
        check_openai(build_body(request, OPENAI))
        check_openai(build_body(request, GENERIC))
        check_anthropic(build_anthropic(request.messages))
        for one in (request, replace(request, may_call=False)):
            check_anthropic_body(anthropic_request.build_body(one, ANTHROPIC))
    except Exception as error:
        raise AssertionError(f"seed {seed}: {error}") from error


def test_any_history_becomes_a_request_that_every_provider_takes() -> None:
    for seed in range(1_500):
        check(seed)


@pytest.mark.deep
@pytest.mark.parametrize("part", range(10))
def test_a_hundred_thousand_histories(part: int) -> None:
    for seed in range(10_000 + part * 12_000, 10_000 + (part + 1) * 12_000):
        check(seed)
