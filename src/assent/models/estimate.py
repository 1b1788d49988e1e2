"""How many tokens a request has, as far as that can be told without the provider's tokenizer. Pure.

Text is counted in bytes of UTF-8: three make a token. English takes about four, other scripts one
to two per character, identifiers and numbers fewer than three; how far off this is for a model, and
what it reads, is learned from what its provider reports (`history/estimate.py`). An image is an
image, however many bytes it has.
"""

from collections.abc import Iterable

from assent.models.model import (
    CallPart,
    ImagePart,
    Message,
    ModelRequest,
    OfferedTool,
    ToolMessage,
)
from assent.tools.json_value import encode_json

BYTES_PER_TOKEN = 3
IMAGE_TOKENS = 2_000
AROUND = 4
"""Tokens with which a provider sets off a message, a call, a result or a tool from the next."""


def estimate_request(request: ModelRequest) -> int:
    """Tokens of what is sent, rather too many than too few."""
    instructions = sum(map(estimate_text, request.instructions)) + AROUND
    schema = request.output_schema
    shape = estimate_text(encode_json(dict(schema))) if schema is not None else 0
    return (
        instructions + shape + estimate_tools(request.tools) + estimate_messages(request.messages)
    )


def estimate_tools(tools: Iterable[OfferedTool]) -> int:
    return sum(
        AROUND
        + estimate_text(tool.name)
        + estimate_text(tool.description)
        + estimate_text(encode_json(dict(tool.input_schema)))
        for tool in tools
    )


def estimate_messages(messages: Iterable[Message]) -> int:
    return sum(map(_estimate_message, messages))


def count_images(messages: Iterable[Message]) -> int:
    return sum(isinstance(part, ImagePart) for one in messages for part in _list_parts(one))


def estimate_text(text: str) -> int:
    size = len(text) if text.isascii() else len(text.encode(errors="replace"))
    return -(-size // BYTES_PER_TOKEN)


def _estimate_message(message: Message) -> int:
    if isinstance(message, ToolMessage):
        return sum(
            AROUND + estimate_text(one.call_id) + estimate_text(one.content)
            for one in message.results
        )
    return AROUND + sum(map(_estimate_part, message.parts))


def _estimate_part(part: object) -> int:
    if isinstance(part, ImagePart):
        return IMAGE_TOKENS
    if isinstance(part, CallPart):
        texts = (part.id, part.name, part.arguments)
        return AROUND + sum(map(estimate_text, texts))
    return estimate_text(getattr(part, "text", "")) + _estimate_opaque(part)


def _estimate_opaque(part: object) -> int:
    """What only the provider can read is sent along all the same."""
    opaque = getattr(part, "opaque", None)
    return estimate_text(encode_json(dict(opaque))) if opaque else 0


def _list_parts(message: Message) -> tuple[object, ...]:
    return () if isinstance(message, ToolMessage) else message.parts
