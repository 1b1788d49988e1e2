"""Applications and their keys, as values. Pure."""

from datetime import datetime
from uuid import UUID

from assent.identity.user import Rule
from assent.value import Named, Value


class ApplicationKey(Value):
    """A key as it can be listed: the key itself was shown once and is stored as a hash."""

    id: UUID
    hint: str
    created_at: datetime
    last_used_at: datetime | None
    expires_at: datetime | None
    revoked_at: datetime | None


class Owner(Value):
    id: UUID
    name: str


class Application(Named):
    """A program that calls Assent with a key, within the rules its owner still holds."""

    rules: list[Rule]
    owner: Owner
    created_at: datetime
    keys: list[ApplicationKey]


class NewKey(Value):
    """A key when it is made: the only time it is shown."""

    id: UUID
    key: str
    hint: str
    expires_at: datetime | None
