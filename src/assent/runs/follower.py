"""One open page that wants to be told of changes. It holds little, however slowly it is read."""

import asyncio

from assent.identity.principal import Principal
from assent.runs.notice import HELLO, Notice
from assent.work.listen import wait_for

MOST_UNTOLD = 200


class Follower:
    """`mark` is how the person's things stood when nothing could be heard and one had to look."""

    def __init__(self, person: Principal) -> None:
        self.person = person
        self.mark: str | None = None
        self._untold: list[Notice] = [HELLO]
        self._changed = asyncio.Event()
        self._changed.set()
        self._is_over = False

    def tell(self, notice: Notice) -> None:
        self._untold.append(notice)
        if len(self._untold) > MOST_UNTOLD:
            self._untold = [HELLO]
        self._changed.set()

    def greet(self) -> None:
        """Whatever it was not told yet, it will ask for."""
        self._untold = [HELLO]
        self._changed.set()

    def end(self) -> None:
        self._is_over = True
        self._changed.set()

    async def read(self, seconds: float) -> list[Notice] | None:
        """What there is to tell, at the latest after that time; `None` when it is over."""
        await wait_for(self._changed, seconds)
        if self._is_over:
            return None
        self._changed.clear()
        untold, self._untold = self._untold, []
        return untold
