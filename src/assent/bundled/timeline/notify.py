"""Notifications: written down with the change that they tell of, sent by work of its own.

What is not sent when a process dies is sent by the next one; what was sent at that moment may
arrive twice, under the same id. Nothing waits for an address while a transaction is open.
"""

import json
from datetime import timedelta
from typing import Any
from uuid import UUID

from assent.bundled.timeline.affected import find_names
from assent.bundled.timeline.kind import Kind, S
from assent.bundled.timeline.notification import Letter, find_pause
from assent.bundled.timeline.store import notifications as store
from assent.bundled.timeline.values import Address, AddressChange, AddressRef, DeliveryState
from assent.plugins.api import (
    BrokeOff,
    Conflict,
    Context,
    DestinationRefused,
    Invalid,
    Limits,
    NotFound,
    Request,
    Unreachable,
    Web,
    Work,
    new_id,
)

LIMITS = Limits(seconds=10.0, body_bytes=16 * 1024)
NO_ADDRESS = "This workspace has no notification address. Set one, or leave notify out."


async def get_address(ctx: Context, plugin: str, ref: AddressRef) -> Address:
    await _enter_workspace(ctx, ref.workspace_id)
    url = await store.find_address(ctx.db, ctx.tenant_id, ref.workspace_id, plugin)
    return Address(workspace_id=ref.workspace_id, url=url)


async def set_address(ctx: Context, plugin: str, change: AddressChange) -> Address:
    await _enter_workspace(ctx, change.workspace_id)
    if change.url is not None:
        try:
            ctx.http.check(change.url)
        except DestinationRefused as error:
            raise Conflict.at("url", error.message) from None
    await store.set_address(ctx.db, ctx.tenant_id, change.workspace_id, plugin, url=change.url)
    return Address(workspace_id=change.workspace_id, url=change.url)


async def _enter_workspace(ctx: Context, workspace_id: UUID) -> None:
    """It is what the address names, so one that is not there is not found."""
    try:
        await ctx.check_workspace(workspace_id)
    except Conflict as error:
        raise NotFound(error.message) from None


async def load_address(ctx: Context, kind: Kind[S], workspace_id: UUID) -> str:
    """Where notifications go; raise, naming the field, when that is nowhere."""
    url = await store.find_address(ctx.db, ctx.tenant_id, workspace_id, kind.plugin)
    if url is None:
        raise Invalid.at("notify", NO_ADDRESS)
    return url


async def notify(
    ctx: Context,
    kind: Kind[S],
    subject: S,
    *,
    event: str,
    text: str,
    update_id: UUID | None = None,
) -> None:
    """Send this once the transaction has committed, and only then."""
    letter = Letter(
        id=new_id(),
        subject_id=subject.id,
        update_id=update_id,
        event=event,
        url=await load_address(ctx, kind, subject.workspace_id),
        body=await _write(ctx, kind, subject, text),
        created_at=ctx.now,
    )
    await store.insert_letter(ctx.db, ctx.tenant_id, letter)
    await ctx.enqueue(kind.deliver, {"deliveryId": str(letter.id)}, key=f"notify:{subject.id}")


async def deliver(work: Work, kind: Kind[S]) -> None:
    """One try. A plugin declares its own work that calls this."""
    letter_id = UUID(work.payload["deliveryId"])
    async with work.transaction() as ctx:
        letter = await store.find_waiting(ctx.db, ctx.tenant_id, letter_id)
    if letter is None:
        return
    fault = await _send(work.http, letter)
    pause = find_pause(letter.tries + 1) if fault else None
    state = _find_state(fault, pause)
    async with work.finishing() as ctx:
        await store.record_try(
            ctx.db, ctx.tenant_id, letter.id, state=state, reason=fault or "", now=ctx.now
        )
        if pause is not None:
            await ctx.enqueue(
                kind.deliver, work.payload, key=f"notify:{letter.subject_id}", after=pause
            )


def _find_state(fault: str | None, pause: timedelta | None) -> DeliveryState:
    if fault is None:
        return "sent"
    return "failed" if pause is None else "waiting"


async def _send(http: Web, letter: Letter) -> str | None:
    """What went wrong, if something did."""
    headers = {"content-type": "application/json", "x-assent-delivery-id": str(letter.id)}
    said = {
        "id": str(letter.id),
        "event": letter.event,
        "at": letter.created_at.isoformat(),
        **letter.body,
    }
    body = json.dumps(said, ensure_ascii=False).encode()
    request = Request(url=letter.url, method="POST", headers=headers, body=body)
    try:
        answer = await http.fetch(request, LIMITS)
    except (DestinationRefused, Unreachable, BrokeOff) as error:
        return error.message
    return None if 200 <= answer.status < 300 else f"It answered {answer.status}."


async def _write(ctx: Context, kind: Kind[S], subject: S, text: str) -> dict[str, Any]:
    names = await find_names(ctx, subject.system_ids)
    return {
        "kind": kind.noun,
        "title": subject.title,
        "status": kind.find_status(subject),
        "text": text,
        "systems": sorted(names.values()),
        "link": f"{ctx.public_url}{kind.page}/{subject.id}",
        "by": ctx.principal.name,
    }
