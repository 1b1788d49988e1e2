"""What a run's model is shown of the conversation, so that every request fits (SPEC H3, H4).

Nothing happens while all fits. When it does not, the oldest turns are summarized by the model, once
for many turns, and the summary is stored under the run's lease, if nobody was faster. Whoever is
killed meanwhile has stored nothing, and the next attempt begins with what there was. If the model
gives no summary the history stays as it is, and this run leaves out what has no room.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from assent.conversations.conversation import StoredMessage
from assent.conversations.store import summaries as store
from assent.db.database import Db
from assent.errors import ModelUnavailable
from assent.history.compact import Room, count_dropped, drop_turns, shrink, summarize_turns
from assent.history.estimate import count_tokens, find_factor, learn, name_model, raise_factor
from assent.history.fit import Build, View, collapse_view, fit_request
from assent.history.summary import Summary
from assent.history.turns import Turn, list_turns, split_present
from assent.models.estimate import estimate_messages, estimate_request
from assent.models.model import Model, ModelRequest, TextDelta, Usage
from assent.runs.request import scrub_request
from assent.runs.studio import Cast
from assent.runs.transcript import Part
from assent.tools.taint import Taint
from assent.vault.scrub.scrubber import Scrubber

SPARE = 0.04
"""Part of the room that stays free: what was learned of a model is never exact."""
LEAST_ROOM = 500
"""Tokens without which a summary would not help: prompt and tools take the whole window."""
SUMMARY_SECONDS = 90
MOST_MESSAGES = 400
"""Messages that are loaded for every turn, before they are summarized however short they are."""

Write: TypeAlias = Callable[[Db], Awaitable[None]]
log = logging.getLogger("assent.runs")


@dataclass(slots=True)
class Memory:
    """Of one attempt. `write` does so as the owner of the run, in a transaction.

    `history` is what is replayed, with results that are stale from the start as lines already.
    """

    cast: Cast
    model: Model
    scrubber: Scrubber
    write: Callable[[Write], Awaitable[None]]
    summary: Summary | None = field(init=False)
    history: tuple[StoredMessage, ...] = field(init=False)
    marker: int | None = field(init=False)
    learned: dict[str, float] = field(init=False)
    gave_up: bool = field(default=False, init=False)

    def __post_init__(self) -> None:
        kept = self.cast.kept
        self.summary, self.marker, self.learned = kept.summary, kept.marker, dict(kept.learned)
        view = View(summary=None, history=self.cast.history, answer=())
        self.history = collapse_view(view).history

    async def fit(self, build: Build, parts: Sequence[Part], taint: Taint) -> ModelRequest:
        """The request that `build` makes of what there is room for; `parts` are of the answer."""
        view = View(summary=self.summary, history=self.history, answer=tuple(parts))
        request = build(collapse_view(view))
        limit = self._find_limit(request)
        is_long = len(self.history) > MOST_MESSAGES and not self.gave_up
        if self._count(request) <= limit and not is_long:
            return request
        room = _Measured(build, collapse_view(view), self.cast.chosen.window, limit, self._factor)
        if is_long or not self.gave_up:
            await self._compact(room, taint, at_least=len(room.turns) // 2 if is_long else 0)
        view = self._shorten(room, parts, taint)
        return fit_request(build, self._count, view, limit)

    def take_report(self, request: ModelRequest, usage: Usage | None) -> None:
        """Learn from what the provider says that this request had."""
        if usage is not None:
            name, estimated = name_model(self.cast.chosen), estimate_request(request)
            self.learned = learn(self.learned, name, estimated=estimated, reported=usage.input)

    def take_refusal(self) -> bool:
        """The provider finds a request too long that fits as far as we know; can it be shorter?"""
        raised = raise_factor(self.learned, name_model(self.cast.chosen))
        changed, self.learned = raised != self.learned, raised
        return changed

    @property
    def has_learned(self) -> bool:
        return self.learned != self.cast.kept.learned

    async def keep(self, db: Db) -> None:
        run = self.cast.run
        await store.set_learned(db, run.tenant_id, run.conversation_id, self.learned)

    @property
    def _factor(self) -> float:
        return find_factor(self.learned, name_model(self.cast.chosen))

    def _count(self, request: ModelRequest) -> int:
        return count_tokens(request, self._factor)

    def _find_limit(self, request: ModelRequest) -> int:
        return int((self.cast.chosen.window - request.max_tokens) * (1 - SPARE))

    async def _compact(self, measured: "_Measured", taint: Taint, *, at_least: int) -> None:
        """Summarize the oldest turns, if there are any that are over."""
        room = measured.room
        count = max(count_dropped(measured.sizes, goal=room.goal - measured.own), at_least)
        if not count or room.messages < LEAST_ROOM:
            return
        turns = self._list_whole(list_turns(self.history)[:count])
        made = await summarize_turns(
            self._ask, self.cast.chosen.model, self.summary, turns, taint=taint, room=room
        )
        if made is None:
            self.gave_up = True
            return
        await self._store(made, turns[-1].last_seq)
        self._forget(made, turns)
        measured.forget(count)

    def _list_whole(self, turns: Sequence[Turn]) -> list[Turn]:
        """The turns with their results as they were stored."""
        stored = {one.seq: one for one in self.cast.history}
        return [Turn(tuple(stored[one.seq] for one in turn.messages)) for turn in turns]

    async def _store(self, made: Summary, through: int) -> None:
        run, before = self.cast.run, self.marker

        async def write(db: Db) -> None:
            ids = run.tenant_id, run.conversation_id
            if await store.set_summary(db, *ids, made.encode(), through=through, before=before):
                self.marker = through

        await self.write(write)

    def _forget(self, made: Summary, turns: Sequence[Turn]) -> None:
        self.summary = made
        self.history = self.history[sum(len(turn.messages) for turn in turns) :]

    def _shorten(self, measured: "_Measured", parts: Sequence[Part], taint: Taint) -> View:
        """What fits without a new summary: as many of the newest turns as there is room for."""
        room = measured.room
        summary = shrink(self.summary, room) if self.summary else None
        free = room.messages - measured.own - room.summary
        count = count_dropped(measured.sizes, goal=free)
        history = self.history
        if count and sum(measured.sizes) > room.messages - measured.own - measured.measure(summary):
            turns = list_turns(history)[:count]
            summary = drop_turns(summary, turns, taint=taint, room=room)
            history = history[sum(len(turn.messages) for turn in turns) :]
        return View(summary=summary, history=history, answer=tuple(parts))

    async def _ask(self, request: ModelRequest) -> str:
        """What the model answers, without secrets. It is not waited for long: somebody waits."""
        asked, text = scrub_request(request, self.scrubber), ""
        usage: Usage | None = None
        try:
            async with (
                asyncio.timeout(SUMMARY_SECONDS),
                aclosing(self.model.stream(asked)) as answer,
            ):
                async for events in answer:
                    text += "".join(one.text for one in events if isinstance(one, TextDelta))
                    usage = next((one for one in events if isinstance(one, Usage)), usage)
        except TimeoutError:
            raise ModelUnavailable("It took too long.") from None
        self.take_report(asked, usage)
        return self.scrubber.scrub_text(text)


class _Measured:
    """How large everything is, in estimated tokens."""

    def __init__(self, build: Build, view: View, window: int, limit: int, factor: float) -> None:
        self._build = build
        self._nothing = View(summary=None, history=(), answer=())
        empty = build(self._nothing)
        self._base = estimate_messages(empty.messages)
        self.turns, present = split_present(view.history)
        self.sizes = [self._measure(turn.messages) for turn in self.turns]
        shown = replace(view, summary=None, history=present)
        self.own = estimate_messages(build(shown).messages) - self._base
        fixed = count_tokens(empty, factor)
        self.room = Room(window=int(window / factor), messages=int((limit - fixed) / factor))

    def forget(self, count: int) -> None:
        del self.sizes[:count]
        del self.turns[:count]

    def measure(self, summary: Summary | None) -> int:
        return self._measure((), summary) if summary else 0

    def _measure(self, messages: tuple[StoredMessage, ...], summary: Summary | None = None) -> int:
        shown = replace(self._nothing, summary=summary, history=messages)
        return estimate_messages(self._build(shown).messages) - self._base
