"""Hearing: whoever in this process waits for news of one thing, on the process's one connection.

Waiting costs an entry in a table here, no connection and no task. What is heard says that
something has changed; what it is now, whoever waits looks up. Where nothing can be heard
(`is_hearing`) they have to look without being told.
"""

import asyncio
from collections.abc import Callable, Generator
from contextlib import contextmanager

from assent.work.announce import CHANNELS, News
from assent.work.listen import Listener


class Hearing:
    """Made once by `main`. Without a listener nothing is ever heard."""

    def __init__(self, listener: Listener | None = None) -> None:
        self._listener = listener
        self._ears: dict[str, list[Callable[[], None]]] = {}
        self._waiting: set[asyncio.Event] = set()
        self.is_closed = False
        if listener is not None:
            listener.attend(CHANNELS, hear=self._hear, on_open=self._wake)

    @property
    def is_hearing(self) -> bool:
        return self._listener is not None and self._listener.is_hearing

    @property
    def size(self) -> int:
        return sum(len(ears) for ears in self._ears.values())

    @contextmanager
    def attending(self, news: News, hear: Callable[[], None]) -> Generator[None]:
        """Whenever there is such news, `hear` is called, until the body ends."""
        ears = self._ears.setdefault(news.payload, [])
        ears.append(hear)
        try:
            yield
        finally:
            ears.remove(hear)
            if not ears:
                del self._ears[news.payload]

    @contextmanager
    def waiting_for(self, news: News) -> Generator[asyncio.Event]:
        """Set when there is such news, when some may have been missed, and when it is closed."""
        woken = asyncio.Event()
        self._waiting.add(woken)
        if self.is_closed:
            woken.set()
        try:
            with self.attending(news, woken.set):
                yield woken
        finally:
            self._waiting.discard(woken)

    def tell(self, news: News) -> bool:
        """Whether anybody here attends to that: then they have heard it, without a way around."""
        ears = tuple(self._ears.get(news.payload, ()))
        for hear in ears:
            hear()
        return bool(ears)

    def close(self) -> None:
        """The process is about to end: nobody shall wait here any more."""
        self.is_closed = True
        self._wake()

    def _wake(self) -> None:
        for woken in self._waiting:
            woken.set()

    def _hear(self, payload: str) -> None:
        for hear in tuple(self._ears.get(payload, ())):
            hear()
