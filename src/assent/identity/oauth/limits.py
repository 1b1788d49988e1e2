"""How often programs may ask: counted by network address, and by program and address."""

from datetime import timedelta

from assent.db.database import Database
from assent.identity.attempts import count_attempts, forgive_attempts, name_subject

WINDOW = timedelta(minutes=15)
REGISTERING = timedelta(hours=1)
ADDRESS_FACTOR = 10


async def count_request(
    database: Database, what: str, *, client_id: str, address: str, most: int
) -> None:
    """Raise when there were too many of this kind: of one program from there, or from there."""
    pair, place = _list_subjects(what, client_id, address)
    await count_attempts(database, [(pair, most), (place, most * ADDRESS_FACTOR)], WINDOW)


async def forgive_request(database: Database, what: str, *, client_id: str, address: str) -> None:
    await forgive_attempts(database, _list_subjects(what, client_id, address))


async def count_registration(database: Database, *, address: str, most: int) -> None:
    subject = name_subject("oauth", "register", address)
    await count_attempts(database, [(subject, most)], REGISTERING)


def _list_subjects(what: str, client_id: str, address: str) -> tuple[bytes, bytes]:
    return (
        name_subject("oauth", what, client_id, address),
        name_subject("oauth", what, address),
    )
