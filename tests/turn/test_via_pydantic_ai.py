"""The adapter to pydantic-ai: with its own fake model, and with Google's API at the wire."""

import asyncio
import json
import logging
import struct
import zlib
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import aclosing, asynccontextmanager
from dataclasses import replace
from typing import Any

import pytest
from aiohttp import web
from pydantic_ai import exceptions as failures
from pydantic_ai import messages as ai
from pydantic_ai.models.function import AgentInfo, DeltaThinkingPart, DeltaToolCall, FunctionModel

from assent.errors import (
    ModelContextTooLong,
    ModelCredentials,
    ModelError,
    ModelQuota,
    ModelRateLimit,
    ModelRefused,
    ModelUnavailable,
)
from assent.models.anthropic_request import build_digest
from assent.models.check import Checked, check
from assent.models.http import Timeouts
from assent.models.integration import LOCAL_ID, Integration, Provider
from assent.models.model import (
    AssistantMessage,
    CallPart,
    ImagePart,
    ModelEvent,
    ModelRequest,
    OfferedTool,
    ReasoningPart,
    ResultPart,
    TextDelta,
    TextPart,
    ToolMessage,
    Usage,
    UserMessage,
)
from assent.models.open import open_adapter
from assent.models.retry import with_retries
from assent.models.via_pydantic_ai import AdaptedWire, translate_failure
from assent.testing import Databases
from tests.patience import PATIENCE
from tests.turn.people import expect
from tests.turn.talk import open_talk
from tests.unit.models.anthropic_answer import put_together
from tests.unit.models.openai_answer import Whole

KEY = "for-tests-only"
SECRET = "sk-nobody-may-see-this"
REQUEST = ModelRequest(
    purpose="turn",
    model="m-1",
    instructions=("You help.", "It is noon."),
    messages=(UserMessage((TextPart("Hello"),)),),
    max_tokens=100,
    tools=(OfferedTool("f", "Do f.", {"type": "object", "properties": {"a": {}}}),),
)
Speak = Callable[[list[ai.ModelMessage], AgentInfo], AsyncIterator[Any]]


def wire_of(speak: Speak, **timeouts: float) -> AdaptedWire:
    return AdaptedWire(
        "google",
        lambda name: FunctionModel(stream_function=speak, model_name=name),
        KEY,
        timeouts=Timeouts(**timeouts),
    )


async def ask(wire: Any, request: ModelRequest = REQUEST) -> list[ModelEvent]:
    return [event async for events in wire.stream(request) for event in events]


class TestWithItsOwnFake:
    async def test_words_thoughts_and_calls(self) -> None:
        seen: list[tuple[list[ai.ModelMessage], AgentInfo]] = []

        async def speak(messages: list[ai.ModelMessage], info: AgentInfo) -> AsyncIterator[Any]:
            seen.append((messages, info))
            yield {0: DeltaThinkingPart(content="Hm")}
            yield {0: DeltaThinkingPart(content="m.", signature="signed")}
            yield "Hel"
            yield "lo"
            yield {1: DeltaToolCall(name="f", json_args='{"a"', tool_call_id="c1")}
            yield {1: DeltaToolCall(json_args=": 1}")}

        whole, opaque = put_together(await ask(wire_of(speak)))
        assert (whole.text, whole.reasoning) == ("Hello", "Hmm.")
        assert whole.calls == {0: ("c1", "f", '{"a": 1}')}
        assert whole.reason == "tool_calls"
        assert [one["signature"] for one in opaque] == ["signed"]
        assert (opaque[0]["provider"], opaque[0]["model"]) == ("google", "m-1")
        [(messages, info)] = seen
        assert info.model_settings is not None
        assert info.model_settings.get("max_tokens") == 100
        assert [tool.name for tool in info.function_tools] == ["f"]
        system, prompt = messages[0].parts
        assert isinstance(system, ai.SystemPromptPart)
        assert system.content == "You help.\n\nIt is noon."
        assert isinstance(prompt, ai.UserPromptPart)

    async def test_the_history(self) -> None:
        seen: list[ai.ModelMessage] = []

        async def speak(messages: list[ai.ModelMessage], info: AgentInfo) -> AsyncIterator[Any]:
            seen.extend(messages)
            yield "Well."

        own = {"provider": "google", "model": "m-1", "name": "google", "signature": "s"}
        thoughts = (
            ReasoningPart("Mine", {**own, "digest": build_digest("Mine")}),
            ReasoningPart("Changed", {**own, "digest": build_digest("Before")}),
            ReasoningPart("Other", {**own, "model": "m-2", "digest": build_digest("Other")}),
            ReasoningPart("Foreign", {"provider": "anthropic", "model": "m-1", "signature": "s"}),
            ReasoningPart("Bare"),
        )
        history = (
            UserMessage((TextPart("Look"), ImagePart("image/png", b"\x89P"))),
            AssistantMessage((*thoughts, TextPart("I call."), CallPart("c1", "f", '{"a": 1}'))),
            ToolMessage((ResultPart("c1", "f", "It broke.", is_error=True),)),
        )
        await ask(wire_of(speak), replace(REQUEST, messages=history))
        asked, answered, result = seen
        assert isinstance(asked.parts[1], ai.UserPromptPart)
        assert isinstance(asked.parts[1].content[1], ai.BinaryContent)
        kinds = [(part.part_kind, getattr(part, "content", None)) for part in answered.parts]
        assert kinds == [("thinking", "Mine"), ("text", "I call."), ("tool-call", None)]
        [returned] = result.parts
        assert isinstance(returned, ai.ToolReturnPart)
        assert (returned.tool_call_id, returned.outcome) == ("c1", "failed")

    @pytest.mark.parametrize(
        ("error", "expected"),
        [
            (failures.ModelAuthenticationError("m", SECRET), ModelCredentials),
            (failures.ModelQuotaExceededError("m", SECRET), ModelQuota),
            (failures.ModelRateLimitError("m", SECRET, retry_after=3), ModelRateLimit),
            (failures.ModelContextWindowExceededError("m", SECRET), ModelContextTooLong),
            (failures.ModelNotFoundError("m", SECRET), ModelRefused),
            (failures.ModelRequestRejectedError("m", SECRET), ModelRefused),
            (failures.ContentFilterError(SECRET), ModelRefused),
            (failures.ModelOverloadedError("m", SECRET), ModelUnavailable),
            (failures.ModelConnectionError("m", SECRET), ModelUnavailable),
            (failures.UnexpectedModelBehavior(SECRET), ModelUnavailable),
            (failures.UserError(SECRET), ModelRefused),
            (failures.ModelHTTPError(401, "m", SECRET), ModelCredentials),
            (failures.ModelHTTPError(503, "m", SECRET), ModelUnavailable),
            (ValueError(SECRET), ModelUnavailable),
            (TimeoutError(), ModelUnavailable),
        ],
    )
    @pytest.mark.parametrize("said", [True, False])
    async def test_errors(self, error: Exception, expected: type[ModelError], said: bool) -> None:
        async def speak(messages: list[ai.ModelMessage], info: AgentInfo) -> AsyncIterator[Any]:
            if said:
                yield "Hi"
            raise error

        events: list[ModelEvent] = []
        with pytest.raises(ModelError) as raised:
            async for batch in wire_of(speak).stream(REQUEST):
                events += batch
        assert events == ([TextDelta("Hi")] if said else [])
        assert type(raised.value) is expected
        assert SECRET not in str(raised.value)
        assert raised.value.__cause__ is None
        if expected is ModelRateLimit:
            assert getattr(translate_failure(error), "retry_after", None) == 3

    async def test_the_log_tells_the_cause_without_the_key(
        self, caplog: pytest.LogCaptureFixture
    ) -> None:
        caplog.set_level(logging.DEBUG, "assent.models")

        async def speak(messages: list[ai.ModelMessage], info: AgentInfo) -> AsyncIterator[Any]:
            yield "Hi"
            raise failures.ModelServerError("m", f"Bad key {KEY}")

        with pytest.raises(ModelUnavailable):
            await ask(wire_of(speak))
        assert "Bad key [hidden]" in caplog.text
        assert KEY not in caplog.text

    @pytest.mark.parametrize("begun", [True, False])
    async def test_silence(self, begun: bool) -> None:
        async def speak(messages: list[ai.ModelMessage], info: AgentInfo) -> AsyncIterator[Any]:
            if begun:
                yield "Hi"
            await asyncio.Event().wait()
            yield "never"

        async with asyncio.timeout(PATIENCE):
            with pytest.raises(ModelUnavailable):
                await ask(wire_of(speak, first_byte=PATIENCE / 2 if begun else 0.2, stall=0.2))

    async def test_closing_ends_it(self) -> None:
        ended = asyncio.Event()

        async def speak(messages: list[ai.ModelMessage], info: AgentInfo) -> AsyncIterator[Any]:
            try:
                yield "Hi"
                await asyncio.Event().wait()
                yield "never"
            finally:
                ended.set()

        async with aclosing(with_retries(wire_of(speak)).stream(REQUEST)) as answer:
            assert await anext(answer) == [TextDelta("Hi")]
        async with asyncio.timeout(PATIENCE):
            await ended.wait()


@asynccontextmanager
async def serve_google(*answers: tuple[int, list[Any]]) -> AsyncGenerator[tuple[str, list[Any]]]:
    """Gemini's API: each request gets the next status and the next chunks.

    On a bare socket: Google's client sends its name twice, which HTTP servers may refuse.
    """
    asked: list[Any] = []
    script = list(answers)

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode().splitlines()
        headers = dict(line.lower().split(": ", 1) for line in head[1:] if line)
        body = json.loads(await reader.readexactly(int(headers["content-length"])))
        asked.append((head[0].split()[1], headers, body))
        status, chunks = script.pop(0)
        kind = "text/event-stream" if status == 200 else "application/json"
        writer.write(f"HTTP/1.1 {status} So\r\ncontent-type: {kind}\r\n".encode())
        writer.write(b"connection: close\r\n\r\n")
        for one in chunks:
            data = json.dumps(one).encode()
            writer.write(b"data: %b\r\n\r\n" % data if status == 200 else data)
            await writer.drain()
        writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    async with server:
        host, port = server.sockets[0].getsockname()
        yield f"http://{host}:{port}", asked


def describe(base_url: str, provider: Provider = "google") -> Integration:
    return Integration(
        id=LOCAL_ID,
        name="One",
        provider=provider,
        base_url=base_url,
        has_key=True,
        default_model="m-1",
        allowed_models=[],
        family="generic",
        context_window=None,
        cap=None,
        enabled=True,
        version=1,
    )


def chunk(*parts: dict[str, Any], **more: Any) -> dict[str, Any]:
    candidate: dict[str, Any] = {"content": {"role": "model", "parts": list(parts)}, "index": 0}
    if "finish" in more:
        candidate["finishReason"] = more.pop("finish")
    return {"candidates": [candidate], "modelVersion": "gemini-2.5-flash", **more}


COUNTED = {
    "promptTokenCount": 120,
    "candidatesTokenCount": 20,
    "thoughtsTokenCount": 10,
    "cachedContentTokenCount": 100,
    "totalTokenCount": 150,
}


class TestGoogle:
    async def test_an_answer(self) -> None:
        chunks = [
            chunk({"text": "I think.", "thought": True}),
            chunk({"text": "Hel"}),
            chunk({"text": "lo"}),
            chunk(
                {"functionCall": {"name": "f", "args": {"a": [1]}}},
                finish="STOP",
                usageMetadata=COUNTED,
            ),
        ]
        async with serve_google((200, chunks)) as (url, asked):
            wire = open_adapter(describe(url), KEY)
            request = replace(REQUEST, model="gemini-2.5-flash")
            whole, _ = put_together(await ask(wire, request))
        [(call_id, name, arguments)] = whole.calls.values()
        assert call_id
        assert (name, json.loads(arguments)) == ("f", {"a": [1]})
        assert whole == Whole(
            text="Hello",
            reasoning="I think.",
            calls=whole.calls,
            usage=Usage(input=120, output=30, cache_read=100, reasoning=10),
            reason="tool_calls",
        )
        [(path, headers, body)] = asked
        assert "models/gemini-2.5-flash:streamGenerateContent" in path
        assert headers.get("x-goog-api-key") == KEY
        assert body["systemInstruction"]["parts"][0]["text"] == "You help.\n\nIt is noon."
        assert body["generationConfig"]["maxOutputTokens"] == 100
        assert body["tools"][0]["functionDeclarations"][0]["name"] == "f"

    @pytest.mark.parametrize("thinking", [True, False])
    async def test_thoughts_are_asked_for_where_declared(self, thinking: bool) -> None:
        answer = [chunk({"text": "Yes"}, finish="STOP", usageMetadata=COUNTED)]
        integration = describe("").model_copy(update={"thinking": thinking})
        async with serve_google((200, answer)) as (url, asked):
            wire = open_adapter(integration.model_copy(update={"base_url": url}), KEY)
            await ask(wire, replace(REQUEST, model="gemini-2.5-flash"))
        [(_, _, body)] = asked
        assert ("thinkingConfig" in body["generationConfig"]) is thinking

    @pytest.mark.parametrize(
        ("status", "expected"),
        [
            (400, ModelRefused),
            (401, ModelCredentials),
            (403, ModelCredentials),
            (404, ModelRefused),
            (429, ModelRateLimit),
            (500, ModelUnavailable),
            (503, ModelUnavailable),
        ],
    )
    async def test_errors(self, status: int, expected: type[ModelError]) -> None:
        body = {"error": {"code": status, "message": SECRET, "status": "FAILED"}}
        async with serve_google((status, [body])) as (url, asked):
            with pytest.raises(ModelError) as raised:
                await ask(open_adapter(describe(url), KEY))
            assert len(asked) == 1
        assert type(raised.value) is expected
        assert SECRET not in str(raised.value)

    async def test_nobody_there(self) -> None:
        async with serve_google() as (url, _):
            pass
        with pytest.raises(ModelUnavailable):
            await ask(open_adapter(describe(url), KEY))

    async def test_the_test_button(self) -> None:
        answer = [chunk({"text": "Yes"}, finish="STOP", usageMetadata=COUNTED)]
        async with serve_google((200, answer)) as (url, _):
            adapter = open_adapter(describe(url), KEY)
            assert await check(adapter, "m-1", adapter) == Checked("m-1", None)

    def test_without_a_key(self) -> None:
        with pytest.raises(ModelCredentials):
            open_adapter(describe("http://127.0.0.1:9"), None)


async def test_a_whole_turn(databases: Databases) -> None:
    called = chunk(
        {"functionCall": {"name": "bank_report", "args": {"count": 1}}},
        finish="STOP",
        usageMetadata=COUNTED,
    )
    said = chunk({"text": "It is one."}, finish="STOP", usageMetadata=COUNTED)
    busy = {"error": {"code": 503, "message": SECRET, "status": "UNAVAILABLE"}}
    script = [(503, [busy]), (200, [called]), (200, [said]), (400, [busy])]
    async with open_talk(databases) as talk, serve_google(*script) as (url, asked):
        draft = {
            "name": "Gemini",
            "provider": "google",
            "baseUrl": url,
            "key": KEY,
            "defaultModel": "gemini-2.5-flash",
            "classifier": False,
        }
        made = expect(await talk.client.post("/api/admin/integrations", json=draft), 201)
        conversation = await talk.open(integrationId=made["id"])
        answer = await talk.say(conversation, "How many?")
        failed = await talk.say(conversation, "And now?")
        messages = await talk.list_messages(conversation)
    assert answer.text == "It is one."
    [finish] = answer.find("finish")
    assert finish["messageMetadata"]["usage"]["inputTokens"] == 240
    states = [one["state"] for one in messages[1]["parts"] if one["type"] == "dynamic-tool"]
    assert states == ["output-available"]
    assert [one["errorText"] for one in failed.find("error")] == [ModelRefused().message]
    assert SECRET not in json.dumps([answer.events, failed.events, messages])
    roles = [one["role"] for one in asked[2][2]["contents"]]
    assert roles == ["user", "model", "user"]
    assert asked[2][2]["contents"][2]["parts"][0]["functionResponse"]["name"] == "bank_report"


def set_up_amazon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Credentials of the machine: Amazon's client sends keys of Bedrock only over https."""
    monkeypatch.setenv("AWS_DEFAULT_REGION", "eu-central-1")
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "for-tests-only")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", KEY)


class TestBedrock:
    def test_the_region_is_in_the_address(self) -> None:
        address = "https://bedrock-runtime.eu-central-1.amazonaws.com"
        wire = open_adapter(describe(address, "bedrock"), KEY)
        model = wire._build("amazon.nova-lite-v1:0")  # pyright: ignore
        assert model.provider.client.meta.region_name == "eu-central-1"
        assert model.provider.base_url == address

    async def test_an_address_without_one(self, monkeypatch: pytest.MonkeyPatch) -> None:
        for name in ("AWS_REGION", "AWS_DEFAULT_REGION", "AWS_PROFILE"):
            monkeypatch.delenv(name, raising=False)
        monkeypatch.setenv("AWS_CONFIG_FILE", "/nowhere")
        with pytest.raises(ModelError, match="region"):
            await ask(open_adapter(describe("https://example.com", "bedrock"), KEY))

    async def test_an_answer(self, monkeypatch: pytest.MonkeyPatch) -> None:
        set_up_amazon(monkeypatch)
        pieces = [
            ("messageStart", {"role": "assistant"}),
            ("contentBlockDelta", {"contentBlockIndex": 0, "delta": {"text": "Hel"}}),
            ("contentBlockDelta", {"contentBlockIndex": 0, "delta": {"text": "lo"}}),
            ("contentBlockStop", {"contentBlockIndex": 0}),
            (
                "contentBlockStart",
                {
                    "contentBlockIndex": 1,
                    "start": {"toolUse": {"toolUseId": "t1", "name": "f"}},
                },
            ),
            (
                "contentBlockDelta",
                {"contentBlockIndex": 1, "delta": {"toolUse": {"input": '{"a": 1}'}}},
            ),
            ("contentBlockStop", {"contentBlockIndex": 1}),
            ("messageStop", {"stopReason": "tool_use"}),
            (
                "metadata",
                {
                    "usage": {"inputTokens": 30, "outputTokens": 5, "totalTokens": 35},
                    "metrics": {"latencyMs": 1},
                },
            ),
        ]
        async with serve(b"".join(frame(*one) for one in pieces)) as (url, asked):
            wire = open_adapter(describe(url, "bedrock"), None)
            request = replace(REQUEST, model="amazon.nova-lite-v1:0")
            whole, _ = put_together(await ask(wire, request))
        assert whole == Whole(
            text="Hello",
            calls={0: ("t1", "f", '{"a": 1}')},
            usage=Usage(input=30, output=5),
            reason="tool_calls",
        )
        [(path, headers, body)] = asked
        assert path == "/model/amazon.nova-lite-v1%3A0/converse-stream"
        assert "/eu-central-1/bedrock/" in headers["authorization"]
        assert body["inferenceConfig"]["maxTokens"] == 100

    @pytest.mark.parametrize("may_call", [True, False])
    async def test_a_history_of_calls_has_its_tools(
        self, monkeypatch: pytest.MonkeyPatch, may_call: bool
    ) -> None:
        """It refuses one without, also where none of them may be called any more."""
        set_up_amazon(monkeypatch)
        history = (
            *REQUEST.messages,
            AssistantMessage((CallPart("c1", "f", '{"a": 1}'),)),
            ToolMessage((ResultPart("c1", "f", "42"),)),
        )
        pieces = [
            ("messageStart", {"role": "assistant"}),
            ("contentBlockDelta", {"contentBlockIndex": 0, "delta": {"text": "Well."}}),
            ("messageStop", {"stopReason": "end_turn"}),
        ]
        async with serve(b"".join(frame(*one) for one in pieces)) as (url, asked):
            wire = open_adapter(describe(url, "bedrock"), None)
            model = "amazon.nova-lite-v1:0"
            await ask(wire, replace(REQUEST, model=model, messages=history, may_call=may_call))
        [(_, _, body)] = asked
        [tool] = body["toolConfig"]["tools"]
        assert tool["toolSpec"]["name"] == "f"

    async def test_errors(self, monkeypatch: pytest.MonkeyPatch) -> None:
        set_up_amazon(monkeypatch)
        refusal = json.dumps({"message": SECRET}).encode()
        async with serve(refusal, status=403) as (url, asked):
            with pytest.raises(ModelCredentials) as raised:
                await ask(open_adapter(describe(url, "bedrock"), None))
        assert SECRET not in str(raised.value)
        assert len(asked) == 1


def frame(kind: str, body: dict[str, Any]) -> bytes:
    """One message of Amazon's event streams."""
    headers = {":event-type": kind, ":content-type": "application/json", ":message-type": "event"}
    head = b"".join(
        struct.pack(">B", len(name))
        + name.encode()
        + struct.pack(">BH", 7, len(value))
        + value.encode()
        for name, value in headers.items()
    )
    payload = json.dumps(body).encode()
    prelude = struct.pack(">II", len(head) + len(payload) + 16, len(head))
    message = prelude + struct.pack(">I", zlib.crc32(prelude)) + head + payload
    return message + struct.pack(">I", zlib.crc32(message))


@asynccontextmanager
async def serve(body: bytes, status: int = 200) -> AsyncGenerator[tuple[str, list[Any]]]:
    """Bedrock's API, with one answer for everybody."""
    asked: list[Any] = []
    kind = "application/vnd.amazon.eventstream" if status == 200 else "application/json"

    async def answer(request: web.Request) -> web.Response:
        headers = {name.lower(): value for name, value in request.headers.items()}
        sent = json.loads(await request.read())
        asked.append((request.raw_path, {**headers}, sent))
        return web.Response(body=body, status=status, content_type=kind)

    app = web.Application()
    app.router.add_post("/{rest:.*}", answer)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
    await runner.setup()
    try:
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        host, port = runner.addresses[0][:2]
        yield f"http://{host}:{port}", asked
    finally:
        await runner.cleanup()
