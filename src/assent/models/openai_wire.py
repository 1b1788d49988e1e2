"""The model behind any server that speaks OpenAI's chat completions: from a request to events.

What is sent is made in `openai_request.py`, what comes back is read in `openai_stream.py`; here
are the socket, the key and the errors. Nothing is retried: see `retry.py`.
"""

import secrets
import string
import time
from collections.abc import AsyncGenerator, Callable, Mapping
from copy import copy
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, cast

from assent.errors import ModelCredentials, ModelError, ModelUnavailable
from assent.models.http import (
    Answer,
    Deadlines,
    Session,
    Timeouts,
    find_retry_after,
    log_complaint,
    send,
)
from assent.models.model import AssistantMessage, CallPart, ModelEvent, ModelRequest
from assent.models.openai_chunk import parse_document
from assent.models.openai_errors import find_failure, parse_complaint
from assent.models.openai_request import GENERIC, Dialect, encode_request
from assent.models.openai_stream import ENDLESS, AnswerParser

LONGEST_LIST = 4 * 1024 * 1024
CALL_ID_LENGTH = 9
"""Mistral takes ids of exactly nine letters and digits; nobody else minds."""


def new_call_id() -> str:
    alphabet = string.ascii_letters + string.digits
    return "".join(secrets.choice(alphabet) for _ in range(CALL_ID_LENGTH))


class OpenAiWire:
    """One server with one key. `base_url` is what `/chat/completions` is appended to."""

    def __init__(
        self,
        base_url: str,
        key: str | None,
        session: Session,
        *,
        dialect: Dialect = GENERIC,
        timeouts: Timeouts | None = None,
        new_id: Callable[[], str] = new_call_id,
    ) -> None:
        address, _, query = base_url.partition("?")
        self._address = address.rstrip("/")
        self._query = f"?{query}" if query else ""
        self._key = (key or "").strip()
        self._session = session
        self._dialect = dialect
        self._timeouts = timeouts or Timeouts()
        self._new_id = new_id

    def within(self, seconds: float) -> "OpenAiWire":
        """The same server; an answer has to begin in that time."""
        hurried = copy(self)
        first_byte = min(seconds, self._timeouts.first_byte)
        hurried._timeouts = replace(self._timeouts, first_byte=first_byte)
        return hurried

    async def stream(self, request: ModelRequest) -> AsyncGenerator[list[ModelEvent]]:
        parser = AnswerParser(self._new_id, _list_call_ids(request))
        body = encode_request(request, self._dialect)
        headers = {
            "content-type": "application/json",
            "accept": "text/event-stream, application/json",
        }
        async with send(
            self._session,
            self._build_url("/chat/completions"),
            headers=self._build_headers(headers),
            body=body,
            timeouts=self._timeouts,
        ) as answer:
            if answer.status != 200:
                raise await self._find_failure(answer)
            events: list[ModelEvent] = []
            deadlines = Deadlines(self._timeouts, time.monotonic())
            try:
                while data := await _read(answer, parser, deadlines):
                    events += parser.feed(data)
                    if events:
                        yield events
                        events = []
                        deadlines.hear(time.monotonic())
                events += parser.close()
            except ModelError:
                if parser.complaint:
                    log_complaint(parser.complaint, status=answer.status, key=self._key)
                if events:
                    yield events
                raise
            yield events
            await answer.read_end()

    async def list_models(self) -> tuple[str, ...] | None:
        """The ids of its models, or `None` where the server has no list."""
        async with send(
            self._session,
            self._build_url("/models"),
            headers=self._build_headers({"accept": "application/json"}),
            body=None,
            timeouts=self._timeouts,
        ) as answer:
            if answer.status in (400, 404, 405, 501):
                return None
            if answer.status != 200:
                raise await self._find_failure(answer)
            found = b""
            while len(found) < LONGEST_LIST and (data := await answer.read(self._timeouts.stall)):
                found += data
        return _parse_models(found)

    async def _find_failure(self, answer: Answer) -> ModelError:
        evidence = await answer.read_evidence()
        log_complaint(evidence, status=answer.status, key=self._key)
        return find_failure(
            replace(parse_complaint(evidence), status=answer.status),
            find_retry_after(answer.headers, datetime.now(UTC)),
        )

    def _build_url(self, path: str) -> str:
        return f"{self._address}{path}{self._query}"

    def _build_headers(self, headers: Mapping[str, str]) -> Mapping[str, str]:
        if not self._key:
            return headers
        if not (self._key.isascii() and self._key.isprintable()):
            raise ModelCredentials
        return {**headers, "authorization": f"Bearer {self._key}"}


async def _read(answer: Answer, parser: AnswerParser, deadlines: Deadlines) -> bytes:
    """The next bytes; none at the end, and none when a whole answer is not ended properly."""
    if parser.is_done:
        return b""
    if parser.has_reason:
        deadlines.finish(time.monotonic())
    wait = deadlines.find_wait(time.monotonic())
    try:
        if wait <= 0:
            raise ModelUnavailable
        return await answer.read(wait, gather=parser.has_spoken and not parser.has_reason)
    except ModelUnavailable as error:
        if parser.has_reason:
            return b""
        if deadlines.is_over(time.monotonic()):
            raise ModelUnavailable(ENDLESS) from error
        raise


def _list_call_ids(request: ModelRequest) -> list[str]:
    return [
        part.id
        for message in request.messages
        if isinstance(message, AssistantMessage)
        for part in message.parts
        if isinstance(part, CallPart)
    ]


def _parse_models(found: bytes) -> tuple[str, ...] | None:
    models = (parse_document(found) or {}).get("data")
    if not isinstance(models, list):
        return None
    entries = [
        cast(dict[str, Any], one) for one in cast(list[Any], models) if isinstance(one, dict)
    ]
    return tuple(one["id"] for one in entries if isinstance(one.get("id"), str))
