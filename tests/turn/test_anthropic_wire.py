"""The client for Anthropic's API on real sockets."""

import asyncio
import json
import logging
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from dataclasses import replace
from typing import Any

import pytest
import pytest_asyncio

from assent.errors import (
    ModelCredentials,
    ModelError,
    ModelQuota,
    ModelRateLimit,
    ModelRefused,
    ModelUnavailable,
)
from assent.models.anthropic_request import ANSWER_TOOL, Dialect, build_digest
from assent.models.anthropic_wire import AnthropicWire
from assent.models.check import Checked, check
from assent.models.http import Session, Timeouts, open_session
from assent.models.model import (
    AssistantMessage,
    CallPart,
    CallStart,
    ModelEvent,
    ModelRequest,
    OfferedTool,
    ReasoningPart,
    TextDelta,
    TextPart,
    Usage,
    UserMessage,
)
from assent.models.retry import with_retries
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
from assent.testing.provider import FakeProvider, Scripted, Step, run_provider
from tests.patience import PATIENCE
from tests.unit.models.anthropic_answer import put_together
from tests.unit.models.openai_answer import Whole

KEY = "sk-ant-for-tests-only"
REQUEST = ModelRequest(
    purpose="turn",
    model="m-1",
    instructions=("You help.",),
    messages=(UserMessage((TextPart("Hello"),)),),
    max_tokens=100,
)
SCHEMA = {"type": "object", "properties": {"a": {"type": "integer"}}}
Build = Callable[..., AnthropicWire]


@pytest_asyncio.fixture
async def provider() -> AsyncGenerator[FakeProvider]:
    async with run_provider() as running:
        yield running


@pytest_asyncio.fixture
async def session() -> AsyncGenerator[Session]:
    async with open_session() as opened:
        yield opened


@pytest.fixture
def build(provider: FakeProvider, session: Session) -> Build:
    def build_wire(key: str | None = KEY, url: str | None = None, **timeouts: Any) -> AnthropicWire:
        return AnthropicWire(url or provider.url, key, session, timeouts=Timeouts(**timeouts))

    return build_wire


async def ask(wire: Any, request: ModelRequest = REQUEST) -> list[ModelEvent]:
    return [event async for events in wire.stream(request) for event in events]


async def ask_until_error(wire: Any) -> tuple[list[ModelEvent], ModelError]:
    events: list[ModelEvent] = []
    with pytest.raises(ModelError) as raised:
        async for batch in wire.stream(REQUEST):
            events += batch
    return events, raised.value


def frames(*pieces: list[dict[str, Any]]) -> bytes:
    return b"".join(map(encode, [*begin(), *number(*pieces)]))


async def test_asks_and_is_answered(provider: FakeProvider, build: Build) -> None:
    provider.script(stream(thinking("Hm"), text("Hel", "lo"), call("f", '{"a"', ":1}"), end()))
    whole, opaque = put_together(await ask(build()))
    assert whole == Whole(
        text="Hello",
        reasoning="Hm",
        calls={0: ("toolu_1", "f", '{"a":1}')},
        usage=Usage(input=100, output=40),
        reason="tool_calls",
    )
    assert len(opaque) == 1
    (asked,) = provider.requests
    assert asked.path == "/v1/messages"
    assert asked.headers["x-api-key"] == KEY
    assert asked.headers["anthropic-version"] == "2023-06-01"
    assert "anthropic-beta" not in asked.headers


@pytest.mark.parametrize("tail", ["", "/", "/v1", "/v1/", "/v1?tenant=1"])
async def test_addresses(provider: FakeProvider, build: Build, tail: str) -> None:
    provider.script(stream(text("Hi"), end()))
    wire = build(url=provider.url.removesuffix("/v1") + tail)
    await ask(wire)
    await wire.list_models()
    query = "?tenant=1" if "?" in tail else ""
    asked, listed = (one.path for one in provider.requests)
    assert asked == f"/v1/messages{query}"
    assert listed == f"/v1/models{query}{'&' if query else '?'}limit=1000"


@pytest.mark.parametrize("key", ["sk-1\nx-evil: 1", "schlüssel", "a\0b"])
async def test_a_key_that_is_none_is_not_sent(
    provider: FakeProvider, build: Build, key: str
) -> None:
    _, error = await ask_until_error(build(key=key))
    assert isinstance(error, ModelCredentials)
    assert provider.requests == []


async def test_a_server_without_a_key(provider: FakeProvider, build: Build) -> None:
    provider.script(stream(text("Hi"), end()))
    await ask(build(key=None))
    assert "x-api-key" not in provider.requests[0].headers


async def test_call_ids_are_new_in_the_conversation(provider: FakeProvider, build: Build) -> None:
    earlier = AssistantMessage((CallPart("toolu_1", "f", "{}"),))
    provider.script(stream(call("f", "{}"), end("tool_use")))
    request = replace(REQUEST, messages=(*REQUEST.messages, earlier))
    (start,) = [one for one in await ask(build(), request) if isinstance(one, CallStart)]
    assert start.id != "toolu_1"


class TestShapes:
    async def test_where_the_model_takes_one(self, provider: FakeProvider, build: Build) -> None:
        provider.script(stream(text('{"a"', ":1}"), end()))
        whole, _ = put_together(await ask(build(), replace(REQUEST, output_schema=SCHEMA)))
        assert (whole.text, whole.reason) == ('{"a":1}', "stop")
        (asked,) = provider.requests
        assert asked.body["output_config"]["format"]["type"] == "json_schema"
        assert "tools" not in asked.body

    async def test_where_it_does_not(self, provider: FakeProvider, build: Build) -> None:
        refused = refuse(400, "invalid_request_error", "output_config: not supported")
        provider.script(refused, stream(call(ANSWER_TOOL, '{"a"', ":1}"), end("tool_use")))
        whole, _ = put_together(await ask(build(), replace(REQUEST, output_schema=SCHEMA)))
        assert (whole.text, whole.calls, whole.reason) == ('{"a":1}', {}, "stop")
        assert provider.requests[1].body["tool_choice"]["name"] == ANSWER_TOOL
        assert "output_config" not in provider.requests[1].body

    async def test_where_it_takes_neither(self, provider: FakeProvider, build: Build) -> None:
        provider.script(*[refuse(400, "invalid_request_error")] * 2)
        with pytest.raises(ModelRefused):
            await ask(build(), replace(REQUEST, output_schema=SCHEMA))


class TestOlderServers:
    """What they do not know is left out; nothing else of the request is."""

    @pytest.mark.parametrize(
        ("refusal", "missing"),
        [
            ("context_management: Extra inputs are not permitted", "context_management"),
            ("adaptive thinking is not supported on this model", "thinking"),
            ("messages.1.content.0: Invalid `signature` in `thinking` block", "thinking"),
        ],
    )
    async def test_do_without(
        self, provider: FakeProvider, session: Session, refusal: str, missing: str
    ) -> None:
        provider.script(refuse(400, "invalid_request_error", refusal), stream(text("Hi"), end()))
        dialect = Dialect(thinks=True, window=100_000)
        wire = AnthropicWire(provider.url, KEY, session, dialect=dialect)
        digest = build_digest("Hm")
        signed = {"provider": "anthropic", "model": "m-1", "signature": "s", "digest": digest}
        said = AssistantMessage((ReasoningPart("Hm", signed), TextPart("So.")))
        hello = REQUEST.messages
        tools = (OfferedTool("f", "Do f.", {"type": "object"}),)
        request = replace(REQUEST, messages=(*hello, said, *hello), tools=tools)
        assert put_together(await ask(wire, request))[0].text == "Hi"
        first, second = (one.body for one in provider.requests)
        assert set(first) - set(second) == {missing}
        thoughts = [one["messages"][1]["content"][0]["type"] for one in (first, second)]
        assert thoughts == ["thinking", "text" if missing == "thinking" else "thinking"]
        headers = ["anthropic-beta" in one.headers for one in provider.requests]
        assert headers == [True, missing == "thinking"]

    async def test_a_refusal_for_another_reason_is_one(
        self, provider: FakeProvider, session: Session
    ) -> None:
        provider.script(refuse(400, "invalid_request_error", "messages: too odd"))
        wire = AnthropicWire(provider.url, KEY, session, dialect=Dialect(thinks=True, window=9))
        assert isinstance((await ask_until_error(wire))[1], ModelRefused)

    async def test_there_is_an_end_to_it(self, provider: FakeProvider, session: Session) -> None:
        everything = "context_management thinking output_config"
        provider.script(*[refuse(400, "invalid_request_error", everything)] * 9)
        wire = AnthropicWire(provider.url, KEY, session, dialect=Dialect(thinks=True, window=9))
        with pytest.raises(ModelRefused):
            await ask(wire, replace(REQUEST, output_schema=SCHEMA))
        assert len(provider.requests) == 4


class TestErrors:
    @pytest.mark.parametrize(
        ("status", "kind", "message", "expected"),
        [
            (400, "invalid_request_error", "hidden", ModelRefused),
            (400, "invalid_request_error", "Your credit balance is too low", ModelQuota),
            (401, "authentication_error", "hidden", ModelCredentials),
            (429, "rate_limit_error", "hidden", ModelRateLimit),
            (500, "api_error", "hidden", ModelUnavailable),
            (529, "overloaded_error", "hidden", ModelUnavailable),
        ],
    )
    async def test_statuses(
        self,
        provider: FakeProvider,
        build: Build,
        status: int,
        kind: str,
        message: str,
        expected: type[ModelError],
    ) -> None:
        provider.script(refuse(status, kind, message, {"retry-after": "7"}))
        events, raised = await ask_until_error(build())
        assert events == []
        assert type(raised) is expected
        assert message not in str(raised)
        if isinstance(raised, ModelRateLimit | ModelUnavailable):
            assert raised.retry_after == 7

    async def test_overloaded_before_any_word_is_asked_again(
        self, provider: FakeProvider, build: Build
    ) -> None:
        busy = b"".join(map(encode, [*begin(), build_error("overloaded_error", "Overloaded")]))
        provider.script(
            refuse(529, "overloaded_error"), Scripted((busy,)), stream(text("Hi"), end())
        )
        whole, _ = put_together(await ask(with_retries(build(), waits=(0, 0))))
        assert whole.text == "Hi"
        assert len(provider.requests) == 3

    async def test_overloaded_after_words_is_not(
        self, provider: FakeProvider, build: Build
    ) -> None:
        provider.script(Scripted((frames(text("Hi")) + encode(build_error("overloaded_error")),)))
        events, raised = await ask_until_error(with_retries(build(), waits=(0, 0)))
        assert events == [TextDelta("Hi")]
        assert type(raised) is ModelUnavailable
        assert len(provider.requests) == 1

    async def test_the_log_tells_the_cause_without_the_key(
        self, provider: FakeProvider, build: Build, caplog: pytest.LogCaptureFixture
    ) -> None:
        caplog.set_level(logging.DEBUG, "assent.models")
        failing = encode(build_error("api_error", f"Bad key {KEY}"))
        provider.script(refuse(401, "authentication_error", f"Bad key {KEY}"), Scripted((failing,)))
        await ask_until_error(build())
        await ask_until_error(build())
        assert caplog.text.count("Bad key [hidden]") == 2
        assert KEY not in caplog.text


class TestConnection:
    async def test_cut(self, provider: FakeProvider, build: Build) -> None:
        provider.script(Scripted((frames(text("Hel", "lo")), 0.05, "cut")))
        events, raised = await ask_until_error(build())
        assert events == [TextDelta("Hel"), TextDelta("lo")]
        assert isinstance(raised, ModelUnavailable)

    async def test_a_stall(self, provider: FakeProvider, build: Build) -> None:
        provider.script(Scripted((frames(text("Hel")), "hang")))
        async with asyncio.timeout(PATIENCE):
            events, raised = await ask_until_error(build(stall=0.2))
        assert events == [TextDelta("Hel")]
        assert isinstance(raised, ModelUnavailable)

    async def test_pings_are_no_stall(self, provider: FakeProvider, build: Build) -> None:
        ping = encode({"type": "ping"})
        alive: list[Step] = [ping, 0.2] * 6
        provider.script(Scripted((*alive, frames(text("Hi"), end()))))
        whole, _ = put_together(await ask(build(stall=1, first_byte=1)))
        assert whole.text == "Hi"

    async def test_nothing_but_pings(self, provider: FakeProvider, build: Build) -> None:
        ping = encode({"type": "ping"})
        alive: list[Step] = [ping, 0.02] * 5000
        provider.script(Scripted((frames(text("Hi")), *alive)))
        async with asyncio.timeout(PATIENCE):
            events, raised = await ask_until_error(build(silence=0.5))
        assert events == [TextDelta("Hi")]
        assert isinstance(raised, ModelUnavailable)

    async def test_done_but_never_ended(self, provider: FakeProvider, build: Build) -> None:
        provider.script(Scripted((frames(text("Hi"), end()), "hang")))
        async with asyncio.timeout(PATIENCE):
            assert put_together(await ask(build()))[0].reason == "stop"
            await provider.left.wait()

    async def test_closing_closes_the_socket(self, provider: FakeProvider, build: Build) -> None:
        provider.script(Scripted((frames(text("Hi")), "hang")))
        async with aclosing(with_retries(build()).stream(REQUEST)) as answer:
            assert await anext(answer) == [TextDelta("Hi")]
            assert not provider.left.is_set()
        async with asyncio.timeout(PATIENCE):
            await provider.left.wait()


async def test_an_answer_in_one_document(provider: FakeProvider, build: Build) -> None:
    body = json.dumps(
        {"type": "message", "content": [{"type": "text", "text": "Hi"}], "stop_reason": "end_turn"}
    ).encode()
    provider.script(Scripted((body[:20], 0.02, body[20:]), content_type="application/json"))
    assert put_together(await ask(build()))[0] == Whole(text="Hi", reason="stop")


class TestCheck:
    async def test_works(self, provider: FakeProvider, build: Build) -> None:
        provider.models = ["m-1", "m-2"]
        provider.script(stream(text("Yes"), end()))
        assert await check(wire := build(), "m-1", wire) == Checked("m-1", ("m-1", "m-2"))

    async def test_a_server_without_a_list(self, provider: FakeProvider, build: Build) -> None:
        provider.models = None
        provider.script(stream(text("Yes"), end()))
        assert await check(wire := build(), "m-1", wire) == Checked("m-1", None)

    async def test_a_wrong_key(self, provider: FakeProvider, build: Build) -> None:
        provider.script(refuse(401, "authentication_error"))
        with pytest.raises(ModelCredentials):
            await check(wire := build(), "m-1", wire)
