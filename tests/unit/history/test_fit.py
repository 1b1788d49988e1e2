"""Requests that have to become shorter: what goes first, and what stays."""

from typing import Any

from assent.history.fit import LEFT_OUT, NO_IMAGE, View, fit_request
from assent.history.replay import Present, build_messages, end_with_user
from assent.history.replay import StoredMessage as Replayed
from assent.models.estimate import estimate_request
from assent.models.model import (
    AssistantMessage,
    ImagePart,
    ModelRequest,
    TextPart,
    ToolMessage,
    UserMessage,
)
from assent.models.openai_request import GENERIC, build_body
from tests.provider_rules import build_anthropic, check_anthropic, check_openai
from tests.unit.history.samples import STEP, WIRES, build_message, fits

IMAGE = ImagePart("image/png", b"png")
PRESENT = Present(wire_names=WIRES, fits=fits, files={"/api/files/1": IMAGE})


def build(view: View) -> ModelRequest:
    stored = [Replayed(one.role, one.parts, one.content) for one in view.history]
    messages = build_messages(stored, PRESENT, answer=view.answer, note=view.left_out)
    return ModelRequest(
        purpose="turn",
        model="m",
        instructions=(),
        messages=end_with_user(messages),
        max_tokens=10,
    )


def fit(limit: int, view: View) -> ModelRequest:
    request = fit_request(build, estimate_request, view, limit)
    check_openai(build_body(request, GENERIC))
    check_anthropic(build_anthropic(request.messages))
    assert estimate_request(request) <= limit
    return request


def step(number: int, size: int = 3_000) -> list[dict[str, Any]]:
    call = {"type": "dynamic-tool", "toolName": "shop.list", "toolCallId": f"c{number}"}
    return [
        STEP,
        {"type": "text", "text": f"Step {number}."},
        call | {"state": "output-available", "input": {"q": number}, "output": f"{number}" * size},
    ]


def list_results(request: ModelRequest) -> list[str]:
    return [
        result.content
        for one in request.messages
        if isinstance(one, ToolMessage)
        for result in one.results
    ]


def show(count: int, size: int = 3_000) -> View:
    answer = [part for number in range(count) for part in step(number, size)]
    return View(
        summary=None,
        history=(build_message(1, "user", "Look at all of it."),),
        answer=tuple(answer),
    )


def test_what_fits_stays_as_it_is() -> None:
    view = show(4)
    assert fit(100_000, view) == build(view)


def test_the_oldest_results_of_an_answer_become_lines_first() -> None:
    results = list_results(fit(3_400, show(5)))
    assert [one.startswith("[An earlier") for one in results] == [True, True, False, False, False]


def test_then_the_oldest_steps_become_a_list() -> None:
    request = fit(1_200, show(40, 500))
    first = request.messages[0]
    assert isinstance(first, UserMessage) and isinstance(first.parts[0], TextPart)
    assert "Look at all of it." in first.parts[0].text and LEFT_OUT in first.parts[0].text
    assert "- 2 others\n- shop.list" in first.parts[0].text
    assert '- shop.list {"q":31}: output-available' in first.parts[0].text
    assert list_results(request)[-1] == "39" * 500
    assert isinstance(request.messages[-2], AssistantMessage)


def test_at_last_texts_are_cut_in_the_middle() -> None:
    said = f"Begin. {'x' * 50_000} End."
    view = View(summary=None, history=(build_message(1, "user", said),), answer=())
    [message] = fit(1_000, view).messages
    assert isinstance(message, UserMessage) and isinstance(message.parts[0], TextPart)
    text = message.parts[0].text
    assert text.startswith("Begin.") and text.endswith("End.")
    assert "characters are left out here" in text


def test_images_go_when_nothing_else_helps_the_oldest_first() -> None:
    file = {"type": "file", "mediaType": "image/png", "url": "/api/files/1"}
    history = tuple(
        message
        for number in (1, 3, 5)
        for message in (
            build_message(number, "user", "See", [{"type": "text", "text": "See"}, file]),
            build_message(number + 1, "assistant", "I see."),
        )
    )
    request = fit(4_500, View(summary=None, history=history[:-1], answer=()))
    images = [IMAGE in one.parts for one in request.messages if isinstance(one, UserMessage)]
    assert images == [False, True, True]
    assert TextPart(NO_IMAGE) in request.messages[0].parts  # type: ignore[union-attr]


def test_what_the_model_has_not_read_yet_is_cut_and_never_left_out() -> None:
    request = fit(900, show(3, 9_000))
    assert list_results(request)[-1].startswith("2222")
    assert len(list_results(request)[-1]) > 1_000
