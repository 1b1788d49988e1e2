"""What the tests of the audit log do again and again, in one word each."""

from collections.abc import Sequence
from uuid import UUID

from assent.audit.check import verify_items
from assent.audit.entry import Actor, Entry, Trace, hash_arguments
from assent.audit.export import read_items
from assent.audit.head import KeptHead
from assent.audit.report import Report
from assent.audit.signing import Signing, Trust
from assent.audit.store import append_entry
from assent.db.database import Database
from assent.ids import new_id
from assent.vault.keys import KeyRing, MasterKey

KEY = MasterKey(b"k" * 32)
SIGNING = Signing(lambda: KeyRing(KEY))


def make_entry(tenant_id: UUID, action: str = "catalog.createSystem") -> Entry:
    return Entry(
        tenant_id=tenant_id,
        edge="rest",
        action=action,
        effect="mutate",
        status="applied",
        actor=Actor("user", new_id(), 'Zoë "the" \\ Operator\n'),
        arguments_hash=hash_arguments({"action": action}),
        decider=Actor("user", new_id(), "Somebody else"),
        trace=Trace(conversation_id=new_id(), run_id=new_id(), proposal_id=new_id()),
    )


async def add_entries(database: Database, tenant_id: UUID, count: int) -> None:
    for number in range(count):
        async with database.transaction() as db:
            await append_entry(db, make_entry(tenant_id, f"test.number{number}"))


async def verify(
    database: Database,
    *tenants: UUID,
    kept: Sequence[KeptHead] = (),
    signing: Signing = SIGNING,
) -> Report:
    keys = signing.list_public_keys()
    async with database.transaction(read_only=True, isolation="repeatable_read") as db:
        items = read_items(db, {one: str(one) for one in tenants}, keys=keys)
        return await verify_items(items, Trust(keys), kept)


def list_faults(report: Report) -> list[tuple[str, int, int]]:
    return [(one.fault, one.first, one.last) for _, log in report.logs for one in log.findings]
