"""Announcing: what has changed, by its id, to whoever listens in any process.

An announcement rides on NOTIFY: it is heard when the transaction commits that made it true, or
never. Commits with a NOTIFY wait for each other, so that what must not wait is announced after its
commit, and told again by whoever works off its outbox. Hearing twice does no harm; whoever cannot
hear has to look (`listen.py`).
"""

from dataclasses import dataclass
from typing import Literal, TypeAlias, cast
from uuid import UUID

from assent.db.database import Db
from assent.work import store

SHARDS = 16
CHANNELS = tuple(f"assent_news_{shard}" for shard in range(SHARDS))

Subject: TypeAlias = Literal["call", "conversation", "proposal", "tenant"]
"""With `tenant`, what a rule of it says about many things at once; a `call` is given up."""


@dataclass(frozen=True, slots=True)
class News:
    """Something of a tenant's has changed. Who may know what about it is not said here."""

    tenant_id: UUID
    subject: Subject
    id: UUID

    @classmethod
    def parse(cls, payload: str) -> "News":
        subject, tenant_id, changed_id = payload.split()
        return cls(UUID(tenant_id), cast(Subject, subject), UUID(changed_id))

    @property
    def channel(self) -> str:
        return CHANNELS[self.tenant_id.int % SHARDS]

    @property
    def payload(self) -> str:
        return f"{self.subject} {self.tenant_id} {self.id}"


async def announce(db: Db, *news: News, wake_outbox: bool = False) -> None:
    """Heard everywhere if the caller's transaction commits. Not for `apply`: see above.

    With `wake_outbox` workers look at the outbox at once.
    """
    notices = [(one.channel, one.payload) for one in news]
    await store.notify_all(db, [*notices, (store.CHANNEL, "outbox")] if wake_outbox else notices)
