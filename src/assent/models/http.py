"""The connection to a model provider: one request, its deadlines, and a socket that gets closed.

Every way in which a connection fails is `ModelUnavailable` here. What the bytes mean is the
business of the wire clients.
"""

import asyncio
import logging
import math
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

import aiohttp

from assent.errors import ModelUnavailable

EVIDENCE_BYTES = 64 * 1024
EVIDENCE_SECONDS = 10
END_SECONDS = 0.1
GATHER_SECONDS = 0.04
"""As often as our pages draw what they get."""
LOGGED_CHARACTERS = 2000
HIDDEN = "[hidden]"

log = logging.getLogger("assent.models")


@dataclass(frozen=True, slots=True, kw_only=True)
class Timeouts:
    """In seconds. `first_byte` counts from the start of the request to the answer's first byte.

    `stall` is how long nothing at all may come, `silence` how long only signs of life, and `whole`
    how long an answer may take. `after_finish` is how long a finished answer may go on: for usage,
    and for the end.
    """

    connect: float = 10
    first_byte: float = 120
    stall: float = 60
    silence: float = 600
    whole: float = 3600
    after_finish: float = 5


class Deadlines:
    """How long to wait for the next bytes of one answer, which began to be asked for at `now`."""

    def __init__(self, timeouts: Timeouts, now: float) -> None:
        self._timeouts = timeouts
        self._whole_by = now + timeouts.whole
        self._words_by = now + timeouts.silence

    def hear(self, now: float) -> None:
        """Something was said."""
        self._words_by = now + self._timeouts.silence

    def finish(self, now: float) -> None:
        """All was said: only the end is missing."""
        self._whole_by = min(self._whole_by, now + self._timeouts.after_finish)

    def is_over(self, now: float) -> bool:
        """Whether it took too long altogether."""
        return now >= self._whole_by

    def find_wait(self, now: float) -> float:
        return min(self._timeouts.stall, self._whole_by - now, self._words_by - now)


class Rests:
    """Sockets that are not read for a moment, so that more can be read at once.

    One timer ends the rest of all of them. A hundred answers that come word by word then cost the
    process one wake-up where they would cost it hundreds.
    """

    def __init__(self) -> None:
        self._resting: list[asyncio.Transport] = []

    def rest(self, transport: asyncio.Transport) -> None:
        transport.pause_reading()
        if not self._resting:
            asyncio.get_running_loop().call_later(GATHER_SECONDS, self._end)
        self._resting.append(transport)

    def _end(self) -> None:
        resting, self._resting = self._resting, []
        for transport in resting:
            transport.resume_reading()


@dataclass(frozen=True, slots=True)
class Session:
    client: aiohttp.ClientSession
    rests: Rests


@asynccontextmanager
async def open_session() -> AsyncGenerator[Session]:
    """One for the whole process; as many connections at once as there are answers to wait for."""
    async with aiohttp.ClientSession(
        connector=aiohttp.TCPConnector(limit=0), cookie_jar=aiohttp.DummyCookieJar()
    ) as client:
        yield Session(client, Rests())


class Answer:
    """What came back, to be read piece by piece.

    One timer watches over all reads and is set anew only when it goes off too early: a timeout of
    its own for each read would be a third of what a chunk costs.
    """

    def __init__(
        self, response: aiohttp.ClientResponse, rests: Rests, first_byte_by: float
    ) -> None:
        self.status = response.status
        self.headers: Mapping[str, str] = response.headers
        self._response = response
        self._rests = rests
        self._loop = asyncio.get_running_loop()
        self._first_byte_by: float | None = first_byte_by
        self._deadline: float | None = None
        self._timer: asyncio.TimerHandle | None = None

    async def read(self, within: float, *, gather: bool = False) -> bytes:
        """The next bytes, or none at the end. To `gather` is to let some more come first."""
        connection = self._response.connection if gather else None
        if connection is not None and connection.transport is not None:
            self._rests.rest(connection.transport)
        deadline = self._first_byte_by
        self._watch(self._loop.time() + within if deadline is None else deadline)
        try:
            data = await self._response.content.readany()
        except (aiohttp.ClientError, OSError) as error:
            log.debug("The provider's answer broke off: %s", type(error).__name__)
            raise ModelUnavailable from error
        finally:
            self._deadline = None
        self._first_byte_by = None
        return data

    async def read_evidence(self) -> bytes:
        """The beginning of an answer that is no good, as far as it comes soon."""
        found = b""
        try:
            async with asyncio.timeout(EVIDENCE_SECONDS):
                while len(found) < EVIDENCE_BYTES and (data := await self.read(EVIDENCE_SECONDS)):
                    found += data
        except (TimeoutError, ModelUnavailable):
            pass
        return found[:EVIDENCE_BYTES]

    async def read_end(self) -> None:
        """A connection whose answer was read to its end can be used again."""
        with suppress(ModelUnavailable):
            await self.read(END_SECONDS)

    def close(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._response.close()

    def _watch(self, deadline: float) -> None:
        self._deadline = deadline
        if self._timer is not None:
            if self._timer.when() <= deadline:
                return
            self._timer.cancel()
        self._timer = self._loop.call_at(deadline, self._look)

    def _look(self) -> None:
        self._timer = None
        if self._deadline is None:
            return
        if self._loop.time() < self._deadline:
            self._watch(self._deadline)
        else:
            self._response.content.set_exception(TimeoutError())


@asynccontextmanager
async def send(
    session: Session,
    url: str,
    *,
    headers: Mapping[str, str],
    body: bytes | None,
    timeouts: Timeouts,
) -> AsyncGenerator[Answer]:
    """POST the body, or GET without one. Leaving closes the socket unless all was read."""
    first_byte_by = asyncio.get_running_loop().time() + timeouts.first_byte
    try:
        async with asyncio.timeout_at(first_byte_by):
            response = await session.client.request(
                "GET" if body is None else "POST",
                url,
                data=body,
                # Some proxies hold back what they compress until they have enough of it.
                headers={"accept-encoding": "identity", "user-agent": "assent", **headers},
                allow_redirects=False,
                timeout=aiohttp.ClientTimeout(total=None, connect=timeouts.connect),
            )
    except (aiohttp.ClientConnectorError, aiohttp.ConnectionTimeoutError) as error:
        log.debug("The provider cannot be reached: %s", type(error).__name__)
        raise ModelUnavailable(was_sent=False) from error
    except (aiohttp.ClientError, OSError) as error:
        log.debug("The provider cannot be reached: %s", type(error).__name__)
        raise ModelUnavailable from error
    answer = Answer(response, session.rests, first_byte_by)
    try:
        yield answer
    finally:
        answer.close()


def find_retry_after(headers: Mapping[str, str], now: datetime) -> float | None:
    """Seconds to wait, from a number or a date."""
    for name, unit in (("retry-after-ms", 1000), ("retry-after", 1)):
        given = headers.get(name, "")
        seconds = _parse_seconds(given, now)
        if seconds is not None:
            return max(0.0, seconds / unit)
    return None


def _parse_seconds(given: str, now: datetime) -> float | None:
    try:
        seconds = float(given)
    except ValueError:
        return _parse_date(given, now)
    return seconds if math.isfinite(seconds) else None


def _parse_date(given: str, now: datetime) -> float | None:
    try:
        date = parsedate_to_datetime(given)
    except (ValueError, TypeError):
        return None
    return (date.replace(tzinfo=date.tzinfo or UTC) - now).total_seconds()


def log_complaint(complaint: bytes, *, status: int, key: str | None) -> None:
    """What a provider wrote, for whoever looks for a cause; nobody else ever sees it."""
    if log.isEnabledFor(logging.DEBUG):
        text = complaint.decode("utf-8", "replace")
        if key:
            text = text.replace(key, HIDDEN)
        log.debug("The provider complains (%s): %.*s", status, LOGGED_CHARACTERS, text)
