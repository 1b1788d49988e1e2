"""What a model is given back of a conversation, whatever is stored and wherever it is cut."""

import json
import re
from collections.abc import Sequence
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assent.history.replay import (
    ASKED_PERSON,
    EARLIER,
    UNANSWERED,
    Present,
    StoredMessage,
    build_messages,
    describe_awaiting,
)
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

LIST, DROP = "shop.list", "shop.drop"
WIRES = {LIST: "shop_list", DROP: "shop_drop"}


def fits(_name: str, given: Any) -> bool:
    return "bad" not in given


PRESENT = Present(wire_names=WIRES, fits=fits)
THINKING = Present(wire_names=WIRES, fits=fits, reasoning=True)


def say(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text}


def think(text: str, opaque: dict[str, Any] | None = None) -> dict[str, Any]:
    part = {"type": "reasoning", "text": text}
    return part if opaque is None else part | {"_opaque": opaque}


def call(call_id: str, name: str = LIST, **keys: Any) -> dict[str, Any]:
    part = {"type": "dynamic-tool", "toolName": name, "toolCallId": call_id}
    return part | {"state": "output-available", "input": {}, "output": 1} | keys


def user(*parts: dict[str, Any], content: str = "") -> StoredMessage:
    return StoredMessage("user", parts, content)


def assistant(*parts: dict[str, Any], content: str = "") -> StoredMessage:
    return StoredMessage("assistant", parts, content)


HELLO = user(say("Hello"))
ASKED = UserMessage((TextPart("Hello"),))
STEP: dict[str, Any] = {"type": "step-start"}


def replay(*stored: StoredMessage, present: Present = PRESENT) -> tuple[Message, ...]:
    """What follows a greeting."""
    messages = build_messages((HELLO, *stored), present)
    assert messages[0] == ASKED
    return messages[1:]


def called(call_id: str, arguments: str = "{}", name: str = "shop_list") -> CallPart:
    return CallPart(call_id, name, arguments)


def result(call_id: str, content: str = "1", *, is_error: bool = False) -> ResultPart:
    return ResultPart(call_id, "shop_list", content, is_error)


def test_calls_and_their_results_are_given_back_step_by_step() -> None:
    stored = assistant(
        STEP,
        say("I look."),
        call("a", output={"n": 1}),
        call("b", output="plain"),
        STEP,
        call("c", input={"q": "ü"}, output=None),
        STEP,
        say("One."),
    )
    assert replay(stored) == (
        AssistantMessage((TextPart("I look."), called("a"), called("b"))),
        ToolMessage((result("a", '{"n":1}'), result("b", "plain"))),
        AssistantMessage((called("c", '{"q":"ü"}'),)),
        ToolMessage((result("c", "null"),)),
        AssistantMessage((TextPart("One."),)),
    )


def test_without_boundaries_what_is_said_after_the_calls_follows_their_results() -> None:
    assert replay(assistant(call("a"), say("Then"), call("b"), say("One."))) == (
        AssistantMessage((called("a"), TextPart("Then"), called("b"))),
        ToolMessage((result("a"), result("b"))),
        AssistantMessage((TextPart("One."),)),
    )


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ('{ "q": 1.0 }', '{ "q": 1.0 }'),
        ('{"q": 1', '{"q":1}'),
        ('{"q": 2}', '{"q":1}'),
        ("[" * 100_000, '{"q":1}'),
        (None, '{"q":1}'),
    ],
)
def test_arguments_are_what_the_model_wrote_if_that_was_stored(written: Any, expected: str) -> None:
    wire = {"name": "shop_list", "arguments": written}
    (message, _) = replay(assistant(call("a", input={"q": 1}, _wire=wire)))
    assert message == AssistantMessage((called("a", expected),))


@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        ({"output": ""}, result("a", '""')),
        (
            {"output": describe_awaiting(UUID(int=7), "Add billing")},
            result(
                "a",
                '{"status":"awaiting_operator",'
                '"proposalId":"00000000-0000-0000-0000-000000000007","summary":"Add billing"}',
            ),
        ),
        ({"state": "output-error", "errorText": "No."}, result("a", "No.", is_error=True)),
        ({"state": "output-error"}, result("a", "It failed.", is_error=True)),
        ({"state": "output-denied"}, result("a", '{"status":"declined"}')),
    ],
)
def test_results(keys: dict[str, Any], expected: ResultPart) -> None:
    assert replay(assistant(call("a", **keys)))[1] == ToolMessage((expected,))


@pytest.mark.parametrize(
    "keys",
    [
        {"state": "input-streaming"},
        {"state": "input-available"},
        {"input": None},
        {"input": []},
        {"input": {"bad": 1}},
        {"name": "shop.gone"},
        {"toolName": None},
        {"state": None},
    ],
)
def test_calls_that_cannot_be_sent_again_are_dropped_with_their_results(
    keys: dict[str, Any],
) -> None:
    stored = assistant(STEP, say("I look."), call("a", **keys), call("b"), STEP, call("c", **keys))
    assert replay(stored) == (
        AssistantMessage((TextPart("I look."), called("b"))),
        ToolMessage((result("b"),)),
    )


def test_if_nothing_is_left_the_text_is() -> None:
    gone = call("a", name="shop.gone")
    assert replay(assistant(gone, content="One.")) == (AssistantMessage((TextPart("One."),)),)
    assert replay(assistant(content="One.")) == (AssistantMessage((TextPart("One."),)),)
    assert replay(assistant(gone, say(" "), content=" \n")) == ()


def test_reasoning_goes_back_whole_or_not_at_all() -> None:
    opaque = {"signature": "x"}
    gone = call("b", name="shop.gone")
    stored = assistant(STEP, think("Hm", opaque), call("a"), STEP, think("Oh"), say("One."))
    assert replay(stored, present=THINKING) == (
        AssistantMessage((ReasoningPart("Hm", opaque), called("a"))),
        ToolMessage((result("a"),)),
        AssistantMessage((ReasoningPart("Oh"), TextPart("One."))),
    )
    assert replay(stored)[0] == AssistantMessage((called("a"),))
    assert replay(assistant(think("Hm", opaque), call("a"), gone), present=THINKING)[0] == (
        AssistantMessage((called("a"),))
    )
    assert replay(assistant(think("Hm", opaque)), present=THINKING) == ()
    assert replay(assistant(think("", opaque), say("One.")), present=THINKING) == (
        AssistantMessage((ReasoningPart("", opaque), TextPart("One."))),
    )


def test_messages_of_one_role_become_one() -> None:
    stored = (assistant(STEP, say("A card waits.")), assistant(say("It is applied.")))
    assert replay(*stored) == (AssistantMessage((TextPart("A card waits.\n\nIt is applied."),)),)
    assert build_messages((HELLO, assistant(), user(say("Still there?"))), PRESENT) == (
        UserMessage((TextPart("Hello\n\nStill there?"),)),
    )


def test_joined_answers_keep_only_the_last_reasoning() -> None:
    stored = assistant(STEP, think("1"), say("One"), STEP, think("2"), say("two"))
    assert replay(stored, present=THINKING) == (
        AssistantMessage((TextPart("One"), ReasoningPart("2"), TextPart("two"))),
    )


def test_a_history_begins_with_the_user() -> None:
    assert build_messages([assistant(call("a"))], PRESENT)[0] == UserMessage((TextPart(EARLIER),))
    assert build_messages([], PRESENT) == ()
    assert build_messages([], PRESENT, note="Note") == (UserMessage((TextPart("Note"),)),)


def test_a_note_comes_last_in_the_users_place() -> None:
    messages = build_messages((HELLO, assistant(call("a"))), PRESENT, note="Applied.")
    assert messages[-2:] == (
        AssistantMessage((TextPart(UNANSWERED),)),
        UserMessage((TextPart("Applied."),)),
    )
    assert build_messages([HELLO], PRESENT, note="Applied.") == (
        UserMessage((TextPart("Hello\n\nApplied."),)),
    )


FAILED = {"state": "output-error", "errorText": "No."}
WRITTEN = {"name": "shop_gone", "arguments": "{"}


@pytest.mark.parametrize(
    ("part", "expected"),
    [
        (call("a", input={"bad": 1}, **FAILED), called("a", '{"bad":1}')),
        (call("a", "shop.gone", **FAILED), called("a", "{}", "shop_gone")),
        (call("a", "list it!", **FAILED), called("a", "{}", "list_it_")),
        (call("a", "", **FAILED), called("a", "{}", "unknown")),
        (call("a", input="{", _wire=WRITTEN, **FAILED), called("a", "{}", "shop_gone")),
    ],
)
def test_the_answer_in_progress_shows_the_model_what_it_is_to_repair(
    part: dict[str, Any], expected: CallPart
) -> None:
    answer = [STEP, say("I look."), part]
    assert build_messages([HELLO], PRESENT, answer=answer)[1:] == (
        AssistantMessage((TextPart("I look."), expected)),
        ToolMessage((ResultPart("a", expected.name, "No.", is_error=True),)),
    )
    assert replay(assistant(*answer)) == (AssistantMessage((TextPart("I look."),)),)


def test_the_answer_in_progress_follows_the_note_and_comes_before_a_nudge() -> None:
    stored = (HELLO, assistant(say("A card waits.")))
    messages = build_messages(
        stored, PRESENT, note="It is applied.", answer=[call("a"), say(" ")], nudge="Speak."
    )
    assert messages[2:] == (
        UserMessage((TextPart("It is applied."),)),
        AssistantMessage((called("a"),)),
        ToolMessage((result("a"),)),
        AssistantMessage((TextPart(UNANSWERED),)),
        UserMessage((TextPart("Speak."),)),
    )


def test_a_card_of_questions_is_no_missing_answer() -> None:
    card = {"type": "data-question", "id": "a", "data": {"questions": []}}
    stored = (HELLO, assistant(call("a"), card), HELLO, assistant(call("b")), HELLO)
    fillers = [
        message.parts
        for message in build_messages(stored, PRESENT)
        if isinstance(message, AssistantMessage) and isinstance(message.parts[0], TextPart)
    ]
    assert fillers == [(TextPart(ASKED_PERSON),), (TextPart(UNANSWERED),)]


def test_files_become_images_or_their_text_or_their_name() -> None:
    image = ImagePart("image/png", b"png")
    present = Present(
        wire_names={}, fits=fits, files={"/api/files/1": image, "/api/files/2": TextPart("a,b")}
    )
    files = [
        {
            "type": "file",
            "mediaType": "text/csv",
            "url": f"/api/files/{number}",
            "filename": "a.csv",
        }
        for number in (1, 2, 3)
    ]
    assert build_messages([user(say("See"), *files)], present) == (
        UserMessage(
            (
                TextPart("See"),
                image,
                TextPart("a,b\n\n(A file was attached here that cannot be shown: a.csv.)"),
            )
        ),
    )


def test_ids_that_a_provider_would_refuse_or_that_repeat_are_replaced_the_same_each_time() -> None:
    odd = "functions.list:0"
    stored = [HELLO] + [assistant(call("a"), call(odd), say("One.")), user(say("Again"))] * 2
    messages = build_messages(stored, PRESENT)
    ids = [
        one.call_id for tool in messages if isinstance(tool, ToolMessage) for one in tool.results
    ]
    assert ids[0] == "a"
    assert len(set(ids)) == 4
    assert odd not in ids
    assert build_messages(stored[:3], PRESENT) == messages[:5]


# Whatever is stored, wherever it is cut.

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=4,
)
texts = st.sampled_from(["", " ", "One.", "Two."])
states = st.sampled_from(
    ["input-streaming", "input-available", "output-available", "output-error", "output-denied", "x"]
)
calls = st.fixed_dictionaries(
    {
        "type": st.just("dynamic-tool"),
        "toolName": st.sampled_from([LIST, DROP, "shop.gone", "", "ü" * 70]),
        "toolCallId": st.sampled_from(["a", "b", "c", "call.1", "", "x" * 60]),
        "state": states,
    },
    optional={
        "input": st.sampled_from([{}, {"q": 1}, {"bad": 1}, None]),
        "output": json_values,
        "errorText": texts,
        "_wire": st.sampled_from([{"arguments": '{"q": 1}'}, {"arguments": "{"}, {}, None]),
    },
)
reasoning = st.builds(think, texts, st.none() | st.just({"signature": "x"}))
others = st.sampled_from(
    [
        STEP,
        {"type": "file", "mediaType": "image/png", "url": "/api/files/1"},
        {"type": "data-proposal", "id": "p", "data": {}},
        {"type": "text"},
        {"type": "reasoning", "text": None, "_opaque": 1},
        {},
    ]
)
parts = st.lists(st.one_of(st.builds(say, texts), calls, reasoning, others), max_size=6)
histories = st.lists(
    st.builds(StoredMessage, st.sampled_from(["user", "assistant"]), parts, texts), max_size=6
)


def check_strictly(messages: Sequence[Message]) -> None:
    """Raise for the first thing that a strict provider of the OpenAI kind would refuse."""
    wire = [translated for message in messages for translated in translate(message)]
    seen: set[str] = set()
    waiting: list[str] = []
    before = "system"
    for one in wire:
        role = one["role"]
        if role == "tool":
            assert waiting.pop(0) == one["tool_call_id"], "a result without its call before it"
            assert one["content"].strip(), "an empty result"
        else:
            assert not waiting, "a call without its result directly after it"
            expected = {"system": "user", "user": "assistant", "tool": "assistant"}
            assert role == expected.get(before, "user"), f"{role} after {before}"
            assert one["content"].strip() or one.get("tool_calls"), "an empty message"
        for made in one.get("tool_calls", []):
            assert made["id"] not in seen, "an id twice"
            assert 0 < len(made["id"]) <= 40
            assert re.fullmatch(r"[A-Za-z0-9_-]{1,64}", made["name"])
            assert isinstance(json.loads(made["arguments"]), dict)
            seen.add(made["id"])
            waiting.append(made["id"])
        before = role
    assert not waiting, "a call without a result at the end"


def translate(message: Message) -> list[dict[str, Any]]:
    match message:
        case UserMessage(parts):
            texts = [part.text if isinstance(part, TextPart) else "image" for part in parts]
            assert texts and all(text.strip() for text in texts)
            return [{"role": "user", "content": "".join(texts)}]
        case AssistantMessage(parts):
            made = [
                {"id": one.id, "name": one.name, "arguments": one.arguments}
                for one in parts
                if isinstance(one, CallPart)
            ]
            text = "".join(one.text for one in parts if isinstance(one, TextPart))
            return [{"role": "assistant", "content": text, "tool_calls": made}]
        case ToolMessage(results):
            assert results
            return [
                {"role": "tool", "tool_call_id": one.call_id, "content": one.content}
                for one in results
            ]


@settings(deadline=None)
@given(
    history=histories,
    start=st.integers(0, 3),
    end=st.integers(0, 6),
    cut_parts=st.integers(0, 6),
    offered=st.sets(st.sampled_from(sorted(WIRES))),
    thinks=st.booleans(),
    note=st.none() | st.just("Note"),
    answer=parts,
    nudge=st.none() | st.just("Speak."),
)
def test_any_history_cut_anywhere_can_be_sent(
    history: list[StoredMessage],
    start: int,
    end: int,
    cut_parts: int,
    offered: set[str],
    thinks: bool,
    note: str | None,
    answer: list[dict[str, Any]],
    nudge: str | None,
) -> None:
    kept = history[start:end]
    if kept:
        last = kept[-1]
        kept[-1] = StoredMessage(last.role, last.parts[:cut_parts], last.content)
    wires = {name: WIRES[name] for name in sorted(offered)}
    present = Present(wire_names=wires, fits=fits, reasoning=thinks)
    check_strictly(build_messages(kept, present, note=note, answer=answer, nudge=nudge))
    messages = build_messages(kept, present, note=note)
    check_strictly(messages)
    names = {
        part.name
        for message in messages
        if isinstance(message, AssistantMessage)
        for part in message.parts
        if isinstance(part, CallPart)
    }
    assert names <= set(wires.values())
    assert build_messages(kept, present, note=note) == messages


@pytest.mark.parametrize(
    "messages",
    [
        [AssistantMessage((TextPart("x"),))],
        [ASKED, ASKED],
        [ASKED, AssistantMessage((called("a"),))],
        [ASKED, AssistantMessage((called("a"),)), ASKED],
        [ASKED, AssistantMessage((called("a"), called("a"))), ToolMessage((result("a"),) * 2)],
        [ASKED, AssistantMessage((called("a"),)), ToolMessage((result("b"),))],
        [ASKED, AssistantMessage((called("a"),)), ToolMessage((result("a"),)), ASKED],
        [ASKED, AssistantMessage((called("a"),)), ToolMessage((result("a", " "),))],
        [ASKED, AssistantMessage((TextPart(" "),))],
        [ASKED, AssistantMessage((called("a", "["),)), ToolMessage((result("a"),))],
        [UserMessage(())],
    ],
)
def test_the_strict_check_refuses_what_it_should(messages: list[Message]) -> None:
    with pytest.raises((AssertionError, IndexError, ValueError)):
        check_strictly(messages)
