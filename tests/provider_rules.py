"""What providers refuse, as strict checks of what is sent to them.

From their references and from the errors that they answer with. Where one is more lenient than
its documentation, these are not.
"""

import json
import re
from collections.abc import Sequence
from typing import Any

from assent.models.model import (
    AssistantMessage,
    CallPart,
    ImagePart,
    Message,
    ReasoningPart,
    TextPart,
    ToolMessage,
    UserMessage,
)

NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")
ANTHROPIC_ID = re.compile(r"[a-zA-Z0-9_-]+")
LONGEST_OPENAI_ID = 40
MOST_BREAKPOINTS = 4
THOUGHTS = ("thinking", "redacted_thinking")


def check_openai(body: dict[str, Any]) -> None:
    """A body of `chat/completions`."""
    offered = [tool["function"]["name"] for tool in body.get("tools", [])]
    assert all(NAME.fullmatch(name) for name in offered)
    assert len(set(offered)) == len(offered), "a tool twice"
    assert "tools" not in body or offered, "an empty list of tools"
    messages: list[dict[str, Any]] = body["messages"]
    waiting: list[str] = []
    seen: set[str] = set()
    before = ""
    for one in messages:
        role = one["role"]
        if role == "tool":
            assert one["tool_call_id"] in waiting, "a result without its call before it"
            waiting.remove(one["tool_call_id"])
            assert isinstance(one["content"], str) and one["content"].strip(), "an empty result"
        else:
            assert not waiting, "a call without its result directly after it"
        if role == "system":
            assert not before, "a system message that is not the first"
        if role == "user":
            assert before in ("", "system", "assistant"), f"user after {before}"
            _check_openai_content(one["content"])
        if role == "assistant":
            assert before in ("user", "tool"), f"assistant after {before}"
            calls = one.get("tool_calls")
            assert calls is None or calls, "an empty list of calls"
            assert calls or (one["content"] or "").strip(), "an empty answer"
            for call in calls or []:
                _check_openai_call(call, seen)
                waiting.append(call["id"])
        before = role
    assert not waiting, "a call without a result at the end"
    assert before in ("user", "tool"), "it is not the model's turn"
    _check_texts(body)


def _check_openai_call(call: dict[str, Any], seen: set[str]) -> None:
    assert call["type"] == "function"
    assert 0 < len(call["id"]) <= LONGEST_OPENAI_ID
    assert call["id"] not in seen, "an id twice"
    seen.add(call["id"])
    assert NAME.fullmatch(call["function"]["name"])
    assert isinstance(json.loads(call["function"]["arguments"]), dict)


def _check_openai_content(content: Any) -> None:
    if isinstance(content, str):
        assert content.strip(), "an empty message"
        return
    assert content, "an empty message"
    for piece in content:
        assert piece["type"] in ("text", "image_url")
        assert piece["type"] != "text" or piece["text"].strip(), "an empty text"


def build_anthropic(messages: Sequence[Message]) -> list[dict[str, Any]]:
    """The messages as Anthropic has them: a result is in the next message of the user."""
    built: list[dict[str, Any]] = []
    for message in messages:
        role = "assistant" if isinstance(message, AssistantMessage) else "user"
        blocks = _list_blocks(message)
        if built and built[-1]["role"] == role:
            built[-1]["content"].extend(blocks)
        else:
            built.append({"role": role, "content": blocks})
    return built


def _list_blocks(message: Message) -> list[dict[str, Any]]:
    if isinstance(message, ToolMessage):
        return [
            {"type": "tool_result", "tool_use_id": one.call_id, "content": one.content}
            for one in message.results
        ]
    return [block for part in message.parts for block in _build_block(part)]


def _build_block(part: object) -> list[dict[str, Any]]:
    if isinstance(part, TextPart):
        return [{"type": "text", "text": part.text}]
    if isinstance(part, ImagePart):
        return [{"type": "image", "source": part.media_type}]
    if isinstance(part, ReasoningPart):
        signature = (part.opaque or {}).get("signature")
        if signature is None:
            return []
        return [{"type": "thinking", "thinking": part.text, "signature": signature}]
    assert isinstance(part, CallPart)
    arguments = json.loads(part.arguments)
    return [{"type": "tool_use", "id": part.id, "name": part.name, "input": arguments}]


def check_anthropic(messages: Sequence[dict[str, Any]]) -> None:
    """The messages of `v1/messages`."""
    assert messages, "no messages"
    seen: set[str] = set()
    waiting: list[str] = []
    before = ""
    for one in messages:
        role, blocks = one["role"], one["content"]
        assert role != before, "two messages of one role"
        assert before or role == "user", "the first message is not the user's"
        assert blocks, "a message without content"
        kinds = [block["type"] for block in blocks]
        if role == "user":
            _check_results(blocks, kinds, waiting)
            waiting = []
        else:
            _check_thinking(blocks, kinds)
            waiting = [block["id"] for block in blocks if block["type"] == "tool_use"]
            for block in blocks:
                _check_use(block, seen)
        for block in blocks:
            assert block["type"] != "text" or block["text"].strip(), "an empty text"
        before = role
    assert not waiting, "tool_use without tool_result in the next message"
    assert before == "user", "it is not the model's turn"
    _check_texts(list(messages))


def check_anthropic_body(body: dict[str, Any]) -> None:
    """A whole body of `v1/messages`."""
    assert body["model"] and body["max_tokens"] > 0
    messages: list[dict[str, Any]] = body["messages"]
    check_anthropic(messages)
    blocks = [block for one in messages for block in one["content"]]
    system = body.get("system", [])
    assert "system" not in body or system, "an empty system prompt"
    assert all(one["text"].strip() for one in system), "an empty text in the system prompt"
    tools = body.get("tools", [])
    names = [tool["name"] for tool in tools]
    assert all(NAME.fullmatch(name) for name in names)
    assert len(set(names)) == len(names), "a tool twice"
    assert all(tool["input_schema"]["type"] == "object" for tool in tools)
    used = any(block["type"] in ("tool_use", "tool_result") for block in blocks)
    assert tools or not used, "calls or results, and no tools"
    assert tools or "tool_choice" not in body, "a choice among no tools"
    marked = sum("cache_control" in one for one in (*blocks, *system, *tools))
    assert marked <= MOST_BREAKPOINTS
    if body.get("thinking", {"type": "disabled"})["type"] != "disabled":
        assert body.get("tool_choice", {"type": "auto"})["type"] in ("auto", "none")
        _check_led_by_thinking(messages)
    _check_texts(body)


def _check_led_by_thinking(messages: Sequence[dict[str, Any]]) -> None:
    """Who may think has the thoughts that led to the calls whose results it gets."""
    for one in reversed(messages):
        kinds = [block["type"] for block in one["content"]]
        if one["role"] == "user" and "tool_result" not in kinds:
            return
        if one["role"] == "assistant":
            assert kinds[0] in THOUGHTS, f"expected thinking, but found {kinds[0]}"


def _check_results(blocks: list[dict[str, Any]], kinds: list[str], waiting: list[str]) -> None:
    given = [block["tool_use_id"] for block in blocks if block["type"] == "tool_result"]
    assert given == waiting, "results are not those of the calls just before"
    assert kinds[: len(given)] == ["tool_result"] * len(given), "something before the results"
    assert set(kinds) <= {"text", "image", "tool_result"}
    for block in blocks:
        assert block["type"] != "tool_result" or block["content"].strip(), "an empty result"


def _check_thinking(blocks: list[dict[str, Any]], kinds: list[str]) -> None:
    assert set(kinds) <= {"text", *THOUGHTS, "tool_use"}
    assert not set(kinds) <= set(THOUGHTS), "thinking that led to nothing"
    assert all(block["signature"] for block in blocks if block["type"] == "thinking")
    if "tool_use" in kinds:
        first = kinds.index("tool_use")
        assert not set(THOUGHTS).intersection(kinds[first:]), "thinking after a call"


def _check_use(block: dict[str, Any], seen: set[str]) -> None:
    if block["type"] != "tool_use":
        return
    assert ANTHROPIC_ID.fullmatch(block["id"])
    assert block["id"] not in seen, "an id twice"
    seen.add(block["id"])
    assert NAME.fullmatch(block["name"])
    assert isinstance(block["input"], dict)


def check_messages(messages: Sequence[Message]) -> None:
    """What comes before any provider's form: the kinds of messages in their order."""
    assert isinstance(messages[0], UserMessage)
    assert isinstance(messages[-1], UserMessage | ToolMessage)


def _check_texts(value: Any) -> None:
    """What is sent is UTF-8, without NUL."""
    text = json.dumps(value, ensure_ascii=False)
    text.encode()
    assert "\\u0000" not in text
