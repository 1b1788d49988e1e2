"""One event of an Anthropic-style answer, from JSON text to a typed value. Pure.

The usual shapes are decoded in one pass; what does not fit (lone surrogates, broken UTF-8, numbers
as text) is read a second time with patience.
"""

from typing import Any

import msgspec

from assent.models.openai_chunk import parse_document


class Block(msgspec.Struct, gc=False):
    """What begins; in an answer that was not streamed, all of it."""

    type: str = ""
    id: str | None = None
    name: str | None = None
    text: str | None = None
    thinking: str | None = None
    signature: str | None = None
    data: str | None = None
    input: Any = None


class Delta(msgspec.Struct, gc=False):
    type: str = ""
    text: str | None = None
    thinking: str | None = None
    signature: str | None = None
    partial_json: str | None = None
    stop_reason: str | None = None


class OutputDetails(msgspec.Struct, gc=False):
    thinking_tokens: int | None = None


class Counts(msgspec.Struct, gc=False):
    input_tokens: int | None = None
    output_tokens: int | None = None
    cache_read_input_tokens: int | None = None
    cache_creation_input_tokens: int | None = None
    output_tokens_details: OutputDetails | None = None


class Edit(msgspec.Struct, gc=False):
    cleared_tool_uses: int | None = None
    cleared_input_tokens: int | None = None


class Editing(msgspec.Struct, gc=False):
    applied_edits: list[Edit] | None = None


class Head(msgspec.Struct, gc=False):
    """A message as it begins."""

    usage: Counts | None = None


class Piece(msgspec.Struct, gc=False):
    """An event, or a whole message: `type` tells which of the rest there is."""

    type: str = ""
    index: int | None = None
    delta: Delta | None = None
    content_block: Block | None = None
    message: Head | str | None = None
    usage: Counts | None = None
    context_management: Editing | None = None
    content: list[Block] | None = None
    stop_reason: str | None = None
    error: Any = None


_decode = msgspec.json.Decoder(Piece).decode


def parse_piece(payload: bytes) -> Piece | None:
    """`None` for what is no JSON object, not yet a whole one, or none that could be meant."""
    try:
        return _decode(payload)
    except ValueError:
        document = parse_document(payload)
    try:
        return None if document is None else msgspec.convert(document, Piece, strict=False)
    except msgspec.ValidationError:
        return None
