"""The outbox: an event is published in the transaction that made it true, and becomes work later.

Each subscriber gets a row of its own, retried by itself. There is no order among events: a key
per subscriber would let one failing event hold back all that follow. Whoever needs order reads the
state that the event is about.
"""

from collections.abc import Mapping, Sequence
from typing import TypeAlias
from uuid import UUID

from assent.db.database import Db
from assent.ids import new_id
from assent.telemetry.trace_context import carry, unload
from assent.work import store
from assent.work.lease import Event, NewWork, Payload

BATCH = 100

Subscriptions: TypeAlias = Mapping[str, Sequence[str]]
"""The kinds of work that follow from each topic."""


async def publish(
    db: Db, *, tenant_id: UUID | None, topic: str, payload: Payload, wake: bool = True
) -> UUID:
    """Without `wake` the event waits for the next look at the table: commits queue at a NOTIFY."""
    event = build_event(tenant_id, topic, payload)
    await store.insert_event(db, event)
    if wake:
        await store.notify(db, "outbox")
    return event.id


def build_event(tenant_id: UUID | None, topic: str, payload: Payload) -> Event:
    return Event(id=new_id(), tenant_id=tenant_id, topic=topic, payload=carry(payload))


async def dispatch(db: Db, subscriptions: Subscriptions) -> int:
    """Turn at most `BATCH` events into work and return how many; events of other topics stay."""
    events = await store.take_events(db, list(subscriptions), BATCH)
    if not events:
        return 0
    works = [_follow(event, kind) for event in events for kind in subscriptions[event.topic]]
    await store.insert_work(db, works)
    return len(events)


def _follow(event: Event, kind: str) -> NewWork:
    own, trace = unload(event.payload)
    payload = {"eventId": str(event.id), "topic": event.topic, "payload": own, **trace}
    return NewWork(id=new_id(), kind=kind, payload=payload, tenant_id=event.tenant_id)
