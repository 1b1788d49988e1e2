"""A log that is verified stretch by stretch is judged as if it were verified as a whole."""

from uuid import UUID

import pytest
import pytest_asyncio

from assent.audit.listing import VerifiedStretch
from assent.audit.seal import Sealer
from assent.audit.signing import Trust
from assent.audit.survey import verify_stretch
from assent.db.database import Database
from assent.errors import Invalid
from assent.ids import new_id
from tests.store.audit.steps import SIGNING, add_entries, list_faults, verify
from tests.store.work.steps import execute

TRUST = Trust(SIGNING.list_public_keys())


@pytest_asyncio.fixture
async def tenant_id(database: Database) -> UUID:
    """Somebody with ten entries under five heads."""
    made = new_id()
    for _ in range(5):
        await add_entries(database, made, 2)
        await Sealer(database, SIGNING).seal_all()
    return made


async def survey(database: Database, tenant_id: UUID, enough: int) -> list[VerifiedStretch]:
    stretches: list[VerifiedStretch] = []
    after: int | None = 0
    while after is not None:
        stretches.append(
            await verify_stretch(database, tenant_id, TRUST, after=after, enough=enough)
        )
        after = stretches[-1].next_after
    return stretches


@pytest.mark.parametrize("enough", [1, 3, 4, 7, 15, 4000])
async def test_the_stretches_join(database: Database, tenant_id: UUID, enough: int) -> None:
    stretches = await survey(database, tenant_id, enough)
    assert [one.findings for one in stretches] == [[]] * len(stretches)
    joints = [one.after for one in stretches[1:]]
    assert joints == [one.through for one in stretches[:-1]]
    assert (stretches[0].after, stretches[-1].through) == (0, 10)
    assert sum(one.heads for one in stretches) == 5
    assert all(one.through_at is not None for one in stretches)


async def test_how_many_there_are(database: Database, tenant_id: UUID) -> None:
    assert [len(await survey(database, tenant_id, enough)) for enough in (1, 4, 4000)] == [5, 3, 1]


EDITS = {
    "changed": "UPDATE audit_entries SET action = 'no.thing' WHERE position = 3",
    "removed": "DELETE FROM audit_entries WHERE position = 5",
    "relinked": "UPDATE audit_entries SET link = sha256('x') WHERE position = 4",
    "head removed": "DELETE FROM audit_heads WHERE position = 4",
    "head forged": "UPDATE audit_heads SET signature = sha512('x') WHERE position = 6",
    "last head removed": "DELETE FROM audit_heads WHERE position = 10",
    "time": "UPDATE audit_entries SET occurred_at = '0044-03-15 00:00:00Z BC' WHERE position = 10",
}


@pytest.mark.parametrize("edit", EDITS)
@pytest.mark.parametrize("enough", [1, 4, 4000])
async def test_what_was_done_is_found(
    database: Database, tenant_id: UUID, edit: str, enough: int
) -> None:
    await execute(database, EDITS[edit])
    whole = list_faults(await verify(database, tenant_id))
    stretches = await survey(database, tenant_id, enough)
    found = [(one.fault, one.first, one.last) for each in stretches for one in each.findings]
    assert whole != []
    assert found == whole
    assert sum(one.faults for one in stretches) == len(whole)


async def test_no_place_to_start_from(database: Database, tenant_id: UUID) -> None:
    for after in (1, 11):
        with pytest.raises(Invalid, match="Start from 0"):
            await verify_stretch(database, tenant_id, TRUST, after=after)


async def test_nothing_is_sealed(database: Database) -> None:
    [stretch] = await survey(database, new_id(), 1)
    assert (stretch.through, stretch.through_at, stretch.faults) == (0, None, 0)
