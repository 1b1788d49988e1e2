"""SQL of notification addresses and of what is sent to them."""

from datetime import datetime
from typing import Any
from uuid import UUID

from assent.bundled.timeline.notification import Letter, find_origin
from assent.bundled.timeline.values import Delivery, DeliveryState
from assent.plugins.api import Db, Row

FIND_ADDRESS = """
SELECT url FROM timeline.addresses WHERE tenant_id = $1 AND workspace_id = $2 AND plugin = $3
"""
SET_ADDRESS = """
INSERT INTO timeline.addresses (tenant_id, workspace_id, plugin, url) VALUES ($1, $2, $3, $4)
ON CONFLICT (tenant_id, workspace_id, plugin) DO UPDATE SET url = excluded.url
"""
REMOVE_ADDRESS = """
DELETE FROM timeline.addresses WHERE tenant_id = $1 AND workspace_id = $2 AND plugin = $3
"""
LIST = """
SELECT id, update_id, event, url, state, tries, reason, created_at, tried_at
FROM timeline.deliveries WHERE tenant_id = $1 AND subject_id = $2 ORDER BY id DESC
"""
INSERT = """
INSERT INTO timeline.deliveries
    (id, tenant_id, subject_id, update_id, event, url, body, created_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
"""
FIND_WAITING = """
SELECT id, subject_id, update_id, event, url, body, created_at, tries FROM timeline.deliveries
WHERE tenant_id = $1 AND id = $2 AND state = 'waiting'
"""
RECORD = """
UPDATE timeline.deliveries SET state = $3, reason = $4, tries = tries + 1, tried_at = $5
WHERE tenant_id = $1 AND id = $2 AND state = 'waiting'
"""
CALL_BACK = """
DELETE FROM timeline.deliveries WHERE tenant_id = $1 AND update_id = $2 AND state = 'waiting'
"""


async def find_address(db: Db, tenant_id: UUID, workspace_id: UUID, plugin: str) -> str | None:
    return await db.fetchval(FIND_ADDRESS, tenant_id, workspace_id, plugin)


async def set_address(
    db: Db, tenant_id: UUID, workspace_id: UUID, plugin: str, *, url: str | None
) -> None:
    if url is None:
        await db.execute(REMOVE_ADDRESS, tenant_id, workspace_id, plugin)
    else:
        await db.execute(SET_ADDRESS, tenant_id, workspace_id, plugin, url)


async def list_deliveries(db: Db, tenant_id: UUID, subject_id: UUID) -> list[Delivery]:
    return [_delivery(row) for row in await db.fetch(LIST, tenant_id, subject_id)]


async def insert_letter(db: Db, tenant_id: UUID, letter: Letter) -> None:
    await db.execute(
        INSERT,
        letter.id,
        tenant_id,
        letter.subject_id,
        letter.update_id,
        letter.event,
        letter.url,
        letter.body,
        letter.created_at,
    )


async def find_waiting(db: Db, tenant_id: UUID, letter_id: UUID) -> Letter | None:
    row = await db.fetchrow(FIND_WAITING, tenant_id, letter_id)
    return Letter(**row) if row else None


async def record_try(
    db: Db,
    tenant_id: UUID,
    letter_id: UUID,
    *,
    state: DeliveryState,
    reason: str,
    now: datetime,
) -> None:
    await db.execute(RECORD, tenant_id, letter_id, state, reason, now)


async def call_back(db: Db, tenant_id: UUID, update_id: UUID) -> None:
    """What was not sent yet about an update that is being deleted is not sent any more."""
    await db.execute(CALL_BACK, tenant_id, update_id)


def _delivery(row: Row) -> Delivery:
    fields: dict[str, Any] = dict(row)
    return Delivery(origin=find_origin(fields.pop("url")), **fields)
