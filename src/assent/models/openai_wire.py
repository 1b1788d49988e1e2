"""The model behind any server that speaks OpenAI's chat completions: from a request to events.

What is sent is made in `openai_request.py`, what comes back is read in `openai_stream.py`; here
are the socket, the key and the errors. Nothing is retried: see `retry.py`.
"""

import secrets
import string
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import aclosing
from copy import copy
from dataclasses import replace
from datetime import UTC, datetime

from assent.errors import ModelCredentials, ModelError
from assent.models.answer import list_call_ids, read_events, read_models
from assent.models.http import (
    Answer,
    Session,
    Timeouts,
    find_retry_after,
    log_complaint,
    send,
)
from assent.models.model import ModelEvent, ModelRequest
from assent.models.openai_errors import find_failure, parse_complaint
from assent.models.openai_request import GENERIC, Dialect, encode_request
from assent.models.openai_stream import AnswerParser

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
        parser = AnswerParser(self._new_id, list_call_ids(request))
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
            reading = read_events(answer, parser, timeouts=self._timeouts, key=self._key)
            async with aclosing(reading) as batches:
                async for events in batches:
                    yield events

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
            return await read_models(answer, self._timeouts.stall)

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
