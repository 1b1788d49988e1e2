"""The audience: all open pages of this process, and what each of them is told.

News says what has changed and no more. What it is now is looked up once for all followers, after
the commit, so that nobody is told something that was true before; then each is told what they may
know. A process that nobody follows looks nothing up.
"""

import asyncio
import logging
from collections.abc import AsyncGenerator, Collection, Generator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import replace
from datetime import timedelta
from uuid import UUID

from assent.actions.cards import find_reach
from assent.actions.means import Means
from assent.actions.waiting.cards import find_followers, list_changed
from assent.db.database import Db
from assent.errors import AssentError
from assent.identity.principal import Principal
from assent.identity.store.sessions import list_live
from assent.runs.follower import Follower
from assent.runs.notice import build_conversation_notice, build_proposal_notice
from assent.runs.overview import store
from assent.work.announce import CHANNELS, News
from assent.work.listen import Listener

GATHER_SECONDS = 0.02
"""What is heard within this time is looked up together."""
LOOK_SECONDS = 5.0
"""Between two looks at who may still follow and, when nothing can be heard, at what has changed."""
MOST_NEWS = 500
"""More than that at once is "everything"."""
PAUSE_SECONDS = 0.5

log = logging.getLogger("assent.runs")


class Audience:
    """Made once by `main`; `running` keeps it attentive."""

    def __init__(self, means: Means, listener: Listener, *, idle: timedelta) -> None:
        self._means = means
        self._listener = listener
        self._idle = idle
        self._followers: dict[UUID, set[Follower]] = {}
        self._news: dict[UUID, set[News]] = {}
        self._heard = asyncio.Event()
        self._is_closed = False
        listener.attend(CHANNELS, hear=self._hear, on_open=self._greet)

    @property
    def size(self) -> int:
        return sum(len(followers) for followers in self._followers.values())

    @contextmanager
    def following(self, person: Principal) -> Generator[Follower]:
        """From here on the person is told everything, until the body ends."""
        follower = Follower(person)
        followers = self._followers.setdefault(person.tenant_id, set())
        followers.add(follower)
        if self._is_closed:
            follower.end()
        try:
            yield follower
        finally:
            followers.discard(follower)
            if not followers and self._followers.get(person.tenant_id) is followers:
                del self._followers[person.tenant_id]

    def close(self) -> None:
        """The process is about to end: so does everybody's following."""
        self._is_closed = True
        for follower in self._list_followers():
            follower.end()

    @asynccontextmanager
    async def running(self) -> AsyncGenerator[None]:
        tasks = [
            asyncio.create_task(self._tell_forever(), name="audience"),
            asyncio.create_task(self._look_forever(), name="audience's rights"),
        ]
        try:
            yield
        finally:
            self.close()
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    def _list_followers(self) -> list[Follower]:
        return [one for followers in self._followers.values() for one in followers]

    def _greet(self) -> None:
        """Nothing was heard for a while."""
        self._news.clear()
        for follower in self._list_followers():
            follower.greet()

    def _hear(self, payload: str) -> None:
        news = News.parse(payload)
        if news.subject != "call" and news.tenant_id in self._followers:
            self._news.setdefault(news.tenant_id, set()).add(news)
            self._heard.set()

    async def _tell_forever(self) -> None:
        while True:
            await self._heard.wait()
            await asyncio.sleep(GATHER_SECONDS)
            self._heard.clear()
            heard, self._news = self._news, {}
            for tenant_id, news in heard.items():
                await self._tell_or_greet(tenant_id, news)

    async def _tell_or_greet(self, tenant_id: UUID, news: set[News]) -> None:
        """What cannot be looked up now is not forgotten: followers will ask for it."""
        try:
            if len(news) <= MOST_NEWS and all(one.subject != "tenant" for one in news):
                await self._tell(tenant_id, news)
                return
        except AssentError as error:
            log.warning("What has changed cannot be looked up: %s", error)
            await asyncio.sleep(PAUSE_SECONDS)
        except Exception:
            log.exception("What has changed cannot be looked up.")
        for follower in self._followers.get(tenant_id, ()):
            follower.greet()

    async def _tell(self, tenant_id: UUID, news: Collection[News]) -> None:
        proposal_ids = [one.id for one in news if one.subject == "proposal"]
        conversation_ids = {one.id for one in news if one.subject == "conversation"}
        followers = self._followers.get(tenant_id, set())
        async with self._means.database.connection() as db:
            proposals = await list_changed(db, tenant_id, proposal_ids)
            places = (one.draft.place.conversation_id for one in proposals)
            conversation_ids |= {one for one in places if one is not None}
            people = {one.person.id for one in followers}
            changed = await store.list_changed(db, tenant_id, conversation_ids, among=people)
            told = await find_followers(
                db,
                self._means,
                proposals,
                {one.person.id: one.person for one in followers}.values(),
            )
        for proposal in proposals:
            notice = build_proposal_notice(proposal)
            for follower in followers:
                if follower.person.id in told[proposal.id]:
                    follower.tell(notice)
        for owner_id, line in changed:
            notice = build_conversation_notice(line)
            for follower in followers:
                if follower.person.id == owner_id:
                    follower.tell(notice)

    async def _look_forever(self) -> None:
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            for tenant_id in list(self._followers):
                try:
                    async with self._means.database.connection() as db:
                        await self._check_rights(db, tenant_id)
                        await self._look(db, tenant_id)
                except AssentError as error:
                    log.warning("Who may follow cannot be looked up: %s", error)
                except Exception:
                    log.exception("Who may follow cannot be looked up.")

    async def _check_rights(self, db: Db, tenant_id: UUID) -> None:
        """End those whose session has ended; the others have the rules of this moment."""
        followers = list(self._followers.get(tenant_id, ()))
        session_ids = {one.person.session_id for one in followers if one.person.session_id}
        live = await list_live(db, tenant_id, list(session_ids), idle=self._idle)
        for follower in followers:
            rules = live.get(follower.person.session_id) if follower.person.session_id else None
            if rules is None:
                follower.end()
            elif rules != follower.person.rules:
                follower.person = replace(follower.person, rules=rules)

    async def _look(self, db: Db, tenant_id: UUID) -> None:
        """Where nothing is heard: compare with the last time, and have those ask who need to."""
        marks: dict[UUID, str] = {}
        for follower in list(self._followers.get(tenant_id, ())):
            if self._listener.is_hearing:
                follower.mark = None
                continue
            person = follower.person
            if person.id not in marks:
                reach = await find_reach(db, self._means, person)
                marks[person.id] = await store.find_mark(
                    db, tenant_id, person.id, decided=reach.decided, named=reach.named
                )
            if marks[person.id] != follower.mark:
                follower.mark = marks[person.id]
                follower.greet()
