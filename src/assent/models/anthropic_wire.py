"""The model behind any server that speaks Anthropic's Messages API: from a request to events.

What is sent is made in `anthropic_request.py`, what comes back is read in `anthropic_stream.py`;
here are the socket, the key and the errors. Nothing is retried: see `retry.py`.
"""

from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import aclosing
from copy import copy
from dataclasses import replace
from datetime import UTC, datetime

from assent.errors import ModelCredentials, ModelError, ModelUnavailable
from assent.models.answer import list_call_ids, read_events, read_models
from assent.models.anthropic_errors import find_failure
from assent.models.anthropic_request import Dialect, encode_request, find_lesser
from assent.models.anthropic_stream import AnswerParser
from assent.models.http import (
    Answer,
    Session,
    Timeouts,
    find_retry_after,
    log_complaint,
    send,
)
from assent.models.model import ModelEvent, ModelRequest
from assent.models.openai_errors import Complaint, parse_complaint
from assent.models.openai_wire import new_call_id

VERSION = "2023-06-01"
EDITING = "context-management-2025-06-27"


class AnthropicWire:
    """One server with one key. `base_url` is what `/v1/messages` is appended to, or `/messages`
    if it ends with `/v1` itself.
    """

    def __init__(
        self,
        base_url: str,
        key: str | None,
        session: Session,
        *,
        dialect: Dialect | None = None,
        timeouts: Timeouts | None = None,
        new_id: Callable[[], str] = new_call_id,
    ) -> None:
        address, _, query = base_url.partition("?")
        self._address = address.rstrip("/").removesuffix("/v1") + "/v1"
        self._query = f"?{query}" if query else ""
        self._key = (key or "").strip()
        self._session = session
        self._dialect = dialect or Dialect()
        self._timeouts = timeouts or Timeouts()
        self._new_id = new_id

    def within(self, seconds: float) -> "AnthropicWire":
        """The same server; an answer has to begin in that time."""
        hurried = copy(self)
        first_byte = min(seconds, self._timeouts.first_byte)
        hurried._timeouts = replace(self._timeouts, first_byte=first_byte)
        return hurried

    async def stream(self, request: ModelRequest) -> AsyncGenerator[list[ModelEvent]]:
        """What a server refuses by its name is done without, as far as that is possible."""
        dialect: Dialect | None = self._dialect
        failure: ModelError = ModelUnavailable()
        while dialect is not None:
            async with send(
                self._session,
                f"{self._address}/messages{self._query}",
                headers=self._build_headers(dialect),
                body=encode_request(request, dialect),
                timeouts=self._timeouts,
            ) as answer:
                if answer.status == 200:
                    async with aclosing(self._read(answer, request)) as batches:
                        async for events in batches:
                            yield events
                    return
                complaint, failure = await self._read_failure(answer)
            is_shaped = request.output_schema is not None
            is_refused = complaint.status == 400
            dialect = (
                find_lesser(dialect, complaint.message, is_shaped=is_shaped) if is_refused else None
            )
        raise failure

    def _read(self, answer: Answer, request: ModelRequest) -> AsyncGenerator[list[ModelEvent]]:
        parser = AnswerParser(
            request.model,
            self._new_id,
            list_call_ids(request),
            shaped=request.output_schema is not None,
        )
        return read_events(answer, parser, timeouts=self._timeouts, key=self._key)

    async def list_models(self) -> tuple[str, ...] | None:
        """The ids of its models, or `None` where the server has no list."""
        query = f"{self._query}&limit=1000" if self._query else "?limit=1000"
        async with send(
            self._session,
            f"{self._address}/models{query}",
            headers=self._build_headers(),
            body=None,
            timeouts=self._timeouts,
        ) as answer:
            if answer.status in (400, 404, 405, 501):
                return None
            if answer.status != 200:
                _, failure = await self._read_failure(answer)
                raise failure
            return await read_models(answer, self._timeouts.stall)

    async def _read_failure(self, answer: Answer) -> tuple[Complaint, ModelError]:
        evidence = await answer.read_evidence()
        log_complaint(evidence, status=answer.status, key=self._key)
        complaint = replace(parse_complaint(evidence), status=answer.status)
        return complaint, find_failure(
            complaint, find_retry_after(answer.headers, datetime.now(UTC))
        )

    def _build_headers(self, dialect: Dialect | None = None) -> Mapping[str, str]:
        """With a dialect for an answer, else for a list."""
        headers = {"anthropic-version": VERSION, "accept": "application/json"}
        if dialect is not None:
            headers |= {
                "content-type": "application/json",
                "accept": "text/event-stream, application/json",
            }
            if dialect.window is not None:
                headers["anthropic-beta"] = EDITING
        if not self._key:
            return headers
        if not (self._key.isascii() and self._key.isprintable()):
            raise ModelCredentials
        return {**headers, "x-api-key": self._key}
