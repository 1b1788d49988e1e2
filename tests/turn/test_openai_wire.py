"""The wire client on real sockets."""

import asyncio
import json
import logging
import socket
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from typing import Any

import psutil
import pytest
import pytest_asyncio

from assent.errors import (
    ModelContextTooLong,
    ModelCredentials,
    ModelError,
    ModelQuota,
    ModelRateLimit,
    ModelRefused,
    ModelUnavailable,
)
from assent.models import retry
from assent.models.check import Checked, check
from assent.models.http import Session, Timeouts, open_session
from assent.models.model import (
    AssistantMessage,
    CallPart,
    CallStart,
    ModelEvent,
    ModelRequest,
    OfferedTool,
    TextDelta,
    TextPart,
    Usage,
    UserMessage,
)
from assent.models.openai_request import OPENAI
from assent.models.openai_wire import OpenAiWire, new_call_id
from assent.models.retry import with_retries
from assent.testing.provider import (
    DONE,
    Asked,
    FakeProvider,
    Scripted,
    Step,
    call,
    encode,
    end,
    reasoning,
    refuse,
    run_provider,
    stream,
    text,
)
from tests.patience import PATIENCE, wait_until
from tests.unit.models.openai_answer import Whole, collect

KEY = "sk-for-tests-only"
REQUEST = ModelRequest(
    purpose="turn",
    model="m-1",
    instructions=("You help.",),
    messages=(UserMessage((TextPart("Hello"),)),),
    max_tokens=100,
)
Build = Callable[..., OpenAiWire]


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
    def build_wire(key: str | None = KEY, **options: Any) -> OpenAiWire:
        timeouts = options.pop("timeouts", {})
        return OpenAiWire(provider.url, key, session, timeouts=Timeouts(**timeouts), **options)

    return build_wire


async def ask(wire: OpenAiWire, request: ModelRequest = REQUEST) -> list[ModelEvent]:
    return [event async for events in wire.stream(request) for event in events]


async def ask_until_error(wire: OpenAiWire) -> tuple[list[ModelEvent], ModelError]:
    events: list[ModelEvent] = []
    with pytest.raises(ModelError) as raised:
        async for batch in wire.stream(REQUEST):
            events += batch
    return events, raised.value


def frames(*chunks: dict[str, Any]) -> bytes:
    return b"".join(encode(chunk) for chunk in chunks)


async def test_asks_and_is_answered(provider: FakeProvider, build: Build) -> None:
    provider.script(
        stream(reasoning("Hm"), text("Hel", "lo"), call("f", '{"a"', ":1}"), end("tool_calls"))
    )
    tools = (OfferedTool("f", "Do f.", {"type": "object"}),)
    request = ModelRequest(
        purpose="turn",
        model="m-1",
        instructions=("You help.",),
        messages=REQUEST.messages,
        max_tokens=100,
        tools=tools,
    )
    assert collect(await ask(build(dialect=OPENAI), request)) == Whole(
        text="Hello",
        reasoning="Hm",
        calls={0: ("call_1", "f", '{"a":1}')},
        usage=Usage(input=100, output=40),
        reason="tool_calls",
    )
    (asked,) = provider.requests
    assert asked.path == "/v1/chat/completions"
    assert asked.headers["authorization"] == f"Bearer {KEY}"
    assert asked.headers["content-type"] == "application/json"
    assert asked.body["stream_options"] == {"include_usage": True}
    assert asked.body["max_completion_tokens"] == 100
    assert [one["function"]["name"] for one in asked.body["tools"]] == ["f"]


async def test_a_server_without_a_key(provider: FakeProvider, build: Build) -> None:
    provider.script(stream(text("Hi"), end()), stream(text("Hi"), end()))
    await ask(build(key=None))
    await ask(build(key="  "))
    assert all("authorization" not in asked.headers for asked in provider.requests)


@pytest.mark.parametrize("key", ["sk-1\nx-evil: 1", "schlüssel", "a\0b"])
async def test_a_key_that_is_none_is_not_sent(
    provider: FakeProvider, build: Build, key: str
) -> None:
    _, error = await ask_until_error(build(key=key))
    assert isinstance(error, ModelCredentials)
    assert provider.requests == []


async def test_a_base_url_with_slash_and_query(provider: FakeProvider, session: Session) -> None:
    provider.script(stream(text("Hi"), end()))
    await ask(OpenAiWire(f"{provider.url}/?api-version=1", KEY, session))
    assert provider.requests[0].path == "/v1/chat/completions?api-version=1"


async def test_a_connection_is_used_again(provider: FakeProvider, build: Build) -> None:
    ports = set[int]()

    def note_port(asked: Asked) -> Scripted:
        ports.update(list_client_ports(provider))
        return Scripted((frames(*text("Hi"), *end()) + DONE, 0.02))

    provider.script(*[note_port] * 3)
    for _ in range(3):
        await ask(build())
    assert len(ports) == 1


def list_client_ports(provider: FakeProvider) -> set[int]:
    """Ports of connections to the provider, as this process holds them."""
    own = int(provider.url.rsplit(":", 1)[1].split("/")[0])
    return {
        one.laddr.port
        for one in psutil.Process().net_connections("tcp")
        if one.raddr and one.raddr.port == own
    }


async def test_call_ids_are_new_in_the_conversation(provider: FakeProvider, build: Build) -> None:
    earlier = AssistantMessage((CallPart("call_1", "f", "{}"),))
    request = ModelRequest(
        purpose="turn",
        model="m-1",
        instructions=(),
        messages=(*REQUEST.messages, earlier),
        max_tokens=9,
    )
    provider.script(stream(call("f", "{}"), end("tool_calls")))
    (start,) = [one for one in await ask(build(), request) if isinstance(one, CallStart)]
    assert start.id != "call_1"
    assert len(start.id) == 9


def test_made_ids_differ() -> None:
    assert len({new_call_id() for _ in range(1000)}) == 1000


class TestErrors:
    @pytest.mark.parametrize(
        ("status", "error", "expected"),
        [
            (400, {"code": "context_length_exceeded"}, ModelContextTooLong),
            (400, {"code": "content_filter"}, ModelRefused),
            (401, {"code": "invalid_api_key"}, ModelCredentials),
            (402, {}, ModelQuota),
            (429, {"code": "insufficient_quota"}, ModelQuota),
            (429, {}, ModelRateLimit),
            (500, {}, ModelUnavailable),
        ],
    )
    async def test_statuses(
        self,
        provider: FakeProvider,
        build: Build,
        status: int,
        error: dict[str, str],
        expected: type[ModelError],
    ) -> None:
        provider.script(refuse(status, {"message": "hidden words", **error}))
        events, raised = await ask_until_error(build())
        assert events == []
        assert type(raised) is expected
        assert "hidden" not in str(raised)

    async def test_how_long_to_wait(self, provider: FakeProvider, build: Build) -> None:
        provider.script(refuse(429, {}, {"retry-after": "3"}))
        _, raised = await ask_until_error(build())
        assert isinstance(raised, ModelRateLimit)
        assert raised.retry_after == 3

    async def test_redirects_are_not_followed(self, provider: FakeProvider, build: Build) -> None:
        elsewhere = {"location": f"{provider.url}/chat/completions"}
        provider.script(Scripted((), 307, elsewhere), stream(text("Hi"), end()))
        _, raised = await ask_until_error(build())
        assert isinstance(raised, ModelRefused)
        assert "address" in raised.message
        assert len(provider.requests) == 1

    async def test_in_the_middle_of_the_answer(self, provider: FakeProvider, build: Build) -> None:
        failing = encode({"error": {"code": "rate_limit_exceeded", "message": "hidden"}})
        provider.script(Scripted((frames(*text("Hi")) + failing,)))
        events, raised = await ask_until_error(build())
        assert events == [TextDelta("Hi")]
        assert type(raised) is ModelRateLimit

    @pytest.mark.parametrize("status", [200, 401])
    async def test_the_log_tells_the_cause_without_the_key(
        self,
        provider: FakeProvider,
        build: Build,
        caplog: pytest.LogCaptureFixture,
        status: int,
    ) -> None:
        caplog.set_level(logging.DEBUG, "assent.models")
        body = {"error": {"message": f"Bad key {KEY}. " + "x" * 9000}}
        provider.script(
            Scripted((encode(body) if status == 200 else json.dumps(body).encode(),), status)
        )
        await ask_until_error(build())
        (line,) = [one for one in caplog.messages if "complains" in one]
        assert "Bad key [hidden]" in line
        assert KEY not in caplog.text
        assert len(line) < 2100

    async def test_an_endless_error_page(self, provider: FakeProvider, build: Build) -> None:
        pages: tuple[Step, ...] = (*[b"x" * 65536] * 50, "hang")
        provider.script(Scripted(pages, 502))
        async with asyncio.timeout(PATIENCE):
            assert isinstance((await ask_until_error(build()))[1], ModelUnavailable)


class TestConnection:
    async def test_nobody_there(self, session: Session) -> None:
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            url = f"http://127.0.0.1:{taken.getsockname()[1]}/v1"
            _, raised = await ask_until_error(OpenAiWire(url, KEY, session))
        assert isinstance(raised, ModelUnavailable)

    @pytest.mark.parametrize("url", ["http://no-such-host.invalid/v1", "nonsense", "http://", ""])
    async def test_no_such_address(self, session: Session, url: str) -> None:
        _, raised = await ask_until_error(OpenAiWire(url, KEY, session))
        assert isinstance(raised, ModelUnavailable)

    async def test_cut_before_the_finish(self, provider: FakeProvider, build: Build) -> None:
        provider.script(Scripted((frames(*text("Hel", "lo")), 0.05, "cut")))
        events, raised = await ask_until_error(build())
        assert events == [TextDelta("Hel"), TextDelta("lo")]
        assert isinstance(raised, ModelUnavailable)

    async def test_ended_before_the_finish(self, provider: FakeProvider, build: Build) -> None:
        provider.script(Scripted((frames(*text("Hello")),)))
        events, raised = await ask_until_error(build())
        assert events == [TextDelta("Hello")]
        assert isinstance(raised, ModelUnavailable)

    async def test_cut_after_the_finish(self, provider: FakeProvider, build: Build) -> None:
        provider.script(Scripted((frames(*text("Hello"), *end()), 0.5, "cut")))
        whole = collect(await ask(build()))
        assert (whole.text, whole.usage) == ("Hello", Usage(input=100, output=40))

    async def test_no_headers(self, session: Session) -> None:
        with socket.create_server(("127.0.0.1", 0)) as silent:
            url = f"http://127.0.0.1:{silent.getsockname()[1]}/v1"
            wire = OpenAiWire(url, KEY, session, timeouts=Timeouts(first_byte=0.2))
            async with asyncio.timeout(PATIENCE):
                assert isinstance((await ask_until_error(wire))[1], ModelUnavailable)

    async def test_headers_and_then_nothing(self, provider: FakeProvider, build: Build) -> None:
        provider.script(Scripted(("hang",)))
        async with asyncio.timeout(PATIENCE):
            _, raised = await ask_until_error(build(timeouts={"first_byte": 0.2}))
        assert isinstance(raised, ModelUnavailable)

    async def test_a_stall(self, provider: FakeProvider, build: Build) -> None:
        provider.script(Scripted((frames(*text("Hel")), "hang")))
        async with asyncio.timeout(PATIENCE):
            events, raised = await ask_until_error(build(timeouts={"stall": 0.2}))
        assert events == [TextDelta("Hel")]
        assert isinstance(raised, ModelUnavailable)

    async def test_a_slow_reader_is_no_stall(self, provider: FakeProvider, build: Build) -> None:
        provider.script(Scripted((frames(*text("Hel")), 0.1, frames(*text("lo"), *end()))))
        found: list[ModelEvent] = []
        async for events in build(timeouts={"stall": 1}).stream(REQUEST):
            found += events
            await asyncio.sleep(1.2 if len(found) == 1 else 0)
        assert collect(found).text == "Hello"

    async def test_a_stall_after_a_long_time(self, provider: FakeProvider, build: Build) -> None:
        words: list[Step] = [frames(*text("a")), 0.2] * 6
        provider.script(Scripted((*words, "hang")))
        async with asyncio.timeout(PATIENCE):
            events, raised = await ask_until_error(build(timeouts={"stall": 1}))
        assert len(events) == 6
        assert isinstance(raised, ModelUnavailable)

    async def test_signs_of_life_are_no_stall(self, provider: FakeProvider, build: Build) -> None:
        alive: list[Step] = [b": alive\n\n", 0.2] * 6
        provider.script(Scripted((*alive, frames(*text("Hi"), *end()))))
        assert collect(await ask(build(timeouts={"stall": 1, "first_byte": 1}))).text == "Hi"

    async def test_finished_but_never_ended(self, provider: FakeProvider, build: Build) -> None:
        provider.script(Scripted((frames(*text("Hi"), *end()), "hang")))
        async with asyncio.timeout(PATIENCE):
            whole = collect(await ask(build(timeouts={"after_finish": 0.2})))
        assert (whole.text, whole.reason) == ("Hi", "stop")

    async def test_done_but_never_ended(self, provider: FakeProvider, build: Build) -> None:
        provider.script(Scripted((frames(*text("Hi"), *end()) + DONE, "hang")))
        async with asyncio.timeout(PATIENCE):
            assert collect(await ask(build())).reason == "stop"
            await provider.left.wait()

    async def test_closing_closes_the_socket(self, provider: FakeProvider, build: Build) -> None:
        provider.script(Scripted((frames(*text("Hi")), "hang")))
        async with aclosing(build().stream(REQUEST)) as answer:
            assert await anext(answer) == [TextDelta("Hi")]
            assert not provider.left.is_set()
        async with asyncio.timeout(PATIENCE):
            await provider.left.wait()

    async def test_closing_while_the_socket_rests(
        self, provider: FakeProvider, build: Build
    ) -> None:
        provider.script(Scripted((frames(*text("Hi")), "hang")))
        async with aclosing(build().stream(REQUEST)) as answer:
            await anext(answer)
            more = asyncio.ensure_future(anext(answer))
            await asyncio.sleep(0)
            more.cancel()
            with pytest.raises(asyncio.CancelledError):
                await more
        async with asyncio.timeout(PATIENCE):
            await provider.left.wait()

    @pytest.mark.parametrize("begun", [True, False])
    async def test_cancelling_closes_the_socket(
        self, provider: FakeProvider, build: Build, begun: bool
    ) -> None:
        seen = asyncio.Event()
        provider.script(Scripted((frames(*text("Hi") if begun else []) or b": hi\n", "hang")))

        async def consume() -> None:
            async for _ in build().stream(REQUEST):
                seen.set()

        consuming = asyncio.create_task(consume())

        async def is_asked() -> bool:
            return bool(provider.requests)

        async with asyncio.timeout(PATIENCE):
            await (seen.wait() if begun else wait_until(is_asked))
        consuming.cancel()
        async with asyncio.timeout(PATIENCE):
            await provider.left.wait()
            with pytest.raises(asyncio.CancelledError):
                await consuming

    async def test_closing_through_the_retries(self, provider: FakeProvider, build: Build) -> None:
        provider.script(refuse(503, {}), Scripted((frames(*text("Hi")), "hang")))
        model = with_retries(build(), waits=(0,))
        async with aclosing(model.stream(REQUEST)) as answer:
            assert await anext(answer) == [TextDelta("Hi")]
        async with asyncio.timeout(PATIENCE):
            await provider.left.wait()
        assert len(provider.requests) == 2

    async def test_a_silent_server_is_not_waited_for_once_more(
        self, provider: FakeProvider, build: Build, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(retry, "BEGIN_WITHIN", 0.3)
        provider.script(*[Scripted(("hang",))] * 3)
        model = with_retries(build(timeouts={"first_byte": 600}), waits=(0, 0))
        async with asyncio.timeout(60):
            with pytest.raises(ModelUnavailable):
                _ = [event async for event in model.stream(REQUEST)]
        assert len(provider.requests) == 1

    async def test_signs_of_life_stop_the_clock(
        self, provider: FakeProvider, build: Build, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(retry, "BEGIN_WITHIN", 2.0)
        alive: list[Step] = [b": alive\n\n", 0.25] * 10
        provider.script(Scripted((*alive, frames(*text("Hi"), *end()))))
        events = [event async for batch in with_retries(build()).stream(REQUEST) for event in batch]
        assert collect(events).text == "Hi"
        assert len(provider.requests) == 1

    async def test_more_answers_at_once_than_a_usual_pool(
        self, provider: FakeProvider, build: Build
    ) -> None:
        provider.script(*[Scripted((frames(*text("Hi")), "hang"))] * 150)
        answers = [build().stream(REQUEST) for _ in range(150)]
        async with asyncio.timeout(PATIENCE):
            begun = await asyncio.gather(*(anext(answer) for answer in answers))
        assert begun == [[TextDelta("Hi")]] * 150
        for answer in answers:
            await answer.aclose()


async def test_words_that_follow_fast_come_together(provider: FakeProvider, build: Build) -> None:
    words = [f" {number}" for number in range(100)]
    provider.script(stream(text("Well", *words), end(), pause=0.001))
    batches = [batch async for batch in build().stream(REQUEST)]
    assert all(batches)
    assert len(batches) < len(words)
    assert collect([event for batch in batches for event in batch]).text == "Well" + "".join(words)


async def test_an_answer_in_one_document(provider: FakeProvider, build: Build) -> None:
    choice = {"message": {"role": "assistant", "content": "Hi"}, "finish_reason": "stop"}
    body = json.dumps({"object": "chat.completion", "choices": [choice]}).encode()
    provider.script(Scripted((body[:20], 0.02, body[20:]), content_type="application/json"))
    assert collect(await ask(build())) == Whole(text="Hi", reason="stop")


class TestCheck:
    async def test_works(self, provider: FakeProvider, build: Build) -> None:
        provider.models = ["m-1", "m-2"]
        provider.script(stream(text("Yes"), end()))
        wire = build()
        assert await check(wire, "m-1", wire) == Checked("m-1", ("m-1", "m-2"))
        asked, listed = provider.requests
        assert (asked.body["model"], asked.body["max_tokens"]) == ("m-1", 16)
        assert listed.headers["authorization"] == f"Bearer {KEY}"

    async def test_a_server_without_a_list(self, provider: FakeProvider, build: Build) -> None:
        provider.models = None
        provider.script(stream(text("Yes"), end()))
        wire = build()
        assert await check(wire, "m-1", wire) == Checked("m-1", None)

    async def test_a_wrong_key(self, provider: FakeProvider, build: Build) -> None:
        provider.script(refuse(401, {}))
        with pytest.raises(ModelCredentials):
            await check(wire := build(), "m-1", wire)

    async def test_does_not_read_on(self, provider: FakeProvider, build: Build) -> None:
        provider.script(Scripted((frames(*text("Yes")), "hang")))
        async with asyncio.timeout(PATIENCE):
            await check(wire := build(), "m-1", wire)
            await provider.left.wait()
