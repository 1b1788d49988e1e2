"""A trace as text: carried along with a payload, and taken out again."""

import pytest
from opentelemetry.context import Context, attach, detach
from opentelemetry.trace import get_current_span

from assent.telemetry.trace_context import KEY, carry, find_traceparent, parse_traceparent, unload

GIVEN = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"


def parse(text: str) -> Context:
    context = parse_traceparent(text)
    assert context is not None
    return context


@pytest.mark.parametrize(
    "text",
    [
        None,
        7,
        "",
        "rubbish",
        "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331",
        "00-00000000000000000000000000000000-b7ad6b7169203331-01",
        "00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01",
        "ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
        f"{GIVEN}-more",
        GIVEN + "\n" + GIVEN,
    ],
)
def test_what_is_no_traceparent_is_ignored(text: object) -> None:
    assert parse_traceparent(text) is None


def test_there_and_back() -> None:
    context = get_current_span(parse(GIVEN)).get_span_context()
    assert f"{context.trace_id:032x}" == GIVEN.split("-")[1]
    token = attach(parse(GIVEN))
    try:
        assert find_traceparent() == GIVEN
        assert carry({"runId": "r"}) == {"runId": "r", KEY: GIVEN}
    finally:
        detach(token)


def test_without_a_trace_nothing_is_carried() -> None:
    assert find_traceparent() is None
    assert carry({"runId": "r"}) == {"runId": "r"}


@pytest.mark.parametrize(
    ("payload", "own", "trace"),
    [({"a": 1}, {"a": 1}, {}), ({"a": 1, KEY: GIVEN}, {"a": 1}, {KEY: GIVEN})],
)
def test_unload(payload: dict[str, object], own: object, trace: object) -> None:
    assert unload(payload) == (own, trace)
