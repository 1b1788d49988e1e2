"""How a strict provider reads and answers: once as OpenAI does, once as Anthropic does.

Ids of calls have the shape that each is known for, and repeat. Anthropic's thoughts are signed by
the model that had them; a signature that somebody else made, or for other words, is refused.
"""

import hashlib
import json
from typing import Any, Protocol

from assent.testing import anthropic_answers as anthropic
from assent.testing import provider as openai
from assent.testing.provider import Asked, Scripted
from tests.provider_rules import check_anthropic_body, check_openai

WRITTEN = 20
"""Tokens of every answer, as they are reported."""
PRIVATE = "What a model thinks without signing it."


class Voice(Protocol):
    def check(self, body: dict[str, Any]) -> None: ...

    def read_system(self, body: dict[str, Any]) -> str: ...

    def count_results(self, body: dict[str, Any]) -> int:
        """Of the present turn."""
        ...

    def refuse_long(self) -> Scripted: ...

    def say(self, body: dict[str, Any], text: str, *, size: int) -> Scripted: ...

    def call(self, body: dict[str, Any], name: str, given: str, *, size: int) -> Scripted: ...


class OpenAiVoice:
    def check(self, body: dict[str, Any]) -> None:
        check_openai(body)

    def read_system(self, body: dict[str, Any]) -> str:
        return body["messages"][0]["content"]

    def count_results(self, body: dict[str, Any]) -> int:
        count = 0
        for one in reversed(body["messages"]):
            if one["role"] == "user":
                return count
            count += one["role"] == "tool"
        return count

    def refuse_long(self) -> Scripted:
        return openai.refuse(400, {"message": "too long", "code": "context_length_exceeded"})

    def say(self, body: dict[str, Any], text: str, *, size: int) -> Scripted:
        thought = openai.reasoning(PRIVATE)
        return openai.stream(thought, openai.text(text), openai.end("stop", _report(size)))

    def call(self, body: dict[str, Any], name: str, given: str, *, size: int) -> Scripted:
        """With an id as gateways make them: points and colons, too long, or the one from before."""
        shapes = (f"functions.{name}:0", "call_1", "chatcmpl-tool-" + "0123456789abcdef" * 3)
        call = openai.call(name, given, id=shapes[size % len(shapes)])
        return openai.stream(openai.text("I look."), call, openai.end("tool_calls", _report(size)))


class AnthropicVoice:
    def check(self, body: dict[str, Any]) -> None:
        check_anthropic_body(body)
        for message in body["messages"]:
            for block in message["content"]:
                if block["type"] == "thinking":
                    signed = sign(body["model"], block["thinking"])
                    assert block["signature"] == signed, "a signature of somebody else"
                if block["type"] == "redacted_thinking":
                    assert block["data"] == hide(body["model"]), "a thought of somebody else"

    def read_system(self, body: dict[str, Any]) -> str:
        return "\n".join(one["text"] for one in body.get("system", ()))

    def count_results(self, body: dict[str, Any]) -> int:
        count = 0
        for one in reversed(body["messages"]):
            results = sum(block["type"] == "tool_result" for block in one["content"])
            if one["role"] == "user" and not results:
                return count
            count += results
        return count

    def refuse_long(self) -> Scripted:
        return anthropic.refuse(400, "invalid_request_error", "prompt is too long: 20000 tokens")

    def say(self, body: dict[str, Any], text: str, *, size: int) -> Scripted:
        spoken = (*_think(body, size), anthropic.text(text))
        return self._stream(spoken, "end_turn", size)

    def call(self, body: dict[str, Any], name: str, given: str, *, size: int) -> Scripted:
        call = anthropic.call(name, given, id=f"toolu_{size % 3:024d}")
        spoken = (*_think(body, size), anthropic.text("I look."), call)
        return self._stream(spoken, "tool_use", size)

    def _stream(self, spoken: tuple[list[dict[str, Any]], ...], reason: str, size: int) -> Scripted:
        cached = size // 2
        usage = {
            "input_tokens": size - cached,
            "cache_read_input_tokens": cached // 2,
            "cache_creation_input_tokens": cached - cached // 2,
            "output_tokens": 1,
        }
        last = anthropic.end(reason, {"output_tokens": WRITTEN})
        return anthropic.stream(*spoken, last, usage=usage)


def find_voice(asked: Asked) -> Voice:
    return AnthropicVoice() if asked.path.endswith("/messages") else OpenAiVoice()


def measure(body: dict[str, Any], characters: float) -> int:
    """The tokens of what was sent, if so many characters make one."""
    sent = [body["messages"], body.get("system", []), body.get("tools", [])]
    return sum(round(len(json.dumps(one)) / characters) for one in sent)


def sign(model: str, thought: str) -> str:
    return hashlib.sha256(f"{model} thought: {thought}".encode()).hexdigest()


def hide(model: str) -> str:
    """What a model thought and nobody may read."""
    return hashlib.sha256(f"{model} hides".encode()).hexdigest()


def _think(body: dict[str, Any], size: int) -> list[list[dict[str, Any]]]:
    """If it may, and it does not always want to."""
    if "thinking" not in body or size % 5 == 0:
        return []
    model, thought = body["model"], f"There are {size} tokens before me."
    if size % 4 == 0:
        return [anthropic.redacted(hide(model))]
    return [anthropic.thinking(thought[:9], thought[9:], signature=sign(model, thought))]


def _report(size: int) -> dict[str, int]:
    total = size + WRITTEN
    return {"prompt_tokens": size, "completion_tokens": WRITTEN, "total_tokens": total}
