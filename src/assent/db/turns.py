"""Who may have a connection next: so many at once, in two lines, for reading and for everything.

Whoever gives one back leaves it to the line that wants its kind, so that it need not be turned; but
the other line is not passed over for ever.
"""

import asyncio
from collections import deque

PATIENCE = 16
"""How often a line is passed over at most."""


class Turns:
    def __init__(self, count: int) -> None:
        self._free = count
        self._lines: dict[bool, deque[asyncio.Future[None]]] = {True: deque(), False: deque()}
        self._passed = {True: 0, False: 0}

    @property
    def is_free(self) -> bool:
        """Nobody has to wait."""
        return self._free > 0

    async def take(self, read_only: bool) -> None:
        if self._free:
            self._free -= 1
            return
        turn = asyncio.get_running_loop().create_future()
        self._lines[read_only].append(turn)
        try:
            await turn
        except BaseException:
            if turn.done() and not turn.cancelled():
                self.give(read_only)
            raise

    def give(self, read_only: bool) -> None:
        """To whoever waits for one of this kind, to somebody else, or to nobody yet."""
        other = not read_only
        order = (other, read_only) if self._passed[other] >= PATIENCE else (read_only, other)
        for kind in order:
            if self._call_next(kind):
                self._passed[kind] = 0
                self._passed[not kind] += bool(self._lines[not kind])
                return
        self._free += 1

    def _call_next(self, read_only: bool) -> bool:
        line = self._lines[read_only]
        while line:
            turn = line.popleft()
            if not turn.done():
                turn.set_result(None)
                return True
        return False
