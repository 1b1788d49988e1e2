"""What a tool says while it works: told to followers at a pace at which it can be read."""

import asyncio
from collections.abc import Generator
from contextlib import contextmanager

from assent.errors import AssentError
from assent.plugins.procedure import Tell
from assent.runs.answer import Answer
from assent.runs.events import build_data
from assent.tools.part import Progress
from assent.vault.scrub.scrubber import Scrubber

PAUSE_SECONDS = 0.25


@contextmanager
def telling(answer: Answer, call_id: str, scrubber: Scrubber) -> Generator[Tell]:
    """For as long as one call takes. Nothing is told of a call that has ended."""
    teller = Teller(answer, call_id, scrubber)
    try:
        yield teller.tell
    finally:
        teller.end()


class Teller:
    """Says the first thing at once and then the newest, each time a pause is over.

    What cannot be said is not worth failing for: whoever drives the run learns it elsewhere.
    """

    def __init__(self, answer: Answer, call_id: str, scrubber: Scrubber) -> None:
        self._answer = answer
        self._call_id = call_id
        self._scrubber = scrubber
        self._newest: Progress | None = None
        self._pause: asyncio.TimerHandle | None = None
        self._ended = False

    def tell(self, progress: Progress) -> None:
        if self._ended:
            return
        self._newest = progress
        if self._pause is None:
            self._say_newest()

    def end(self) -> None:
        self._ended = True
        if self._pause is not None:
            self._pause.cancel()

    def _say_newest(self) -> None:
        self._pause = None
        progress, self._newest = self._newest, None
        if progress is None or self._ended:
            return
        told = self._scrubber.scrub(progress.encode())
        try:
            self._answer.say(build_data("data-progress", self._call_id, told))
        except AssentError:
            self._ended = True
            return
        self._pause = asyncio.get_running_loop().call_later(PAUSE_SECONDS, self._say_newest)
